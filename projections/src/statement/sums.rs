//! Sums of a statement's lines by kind, from the sums by day: a period costs its days and not its lines.
//!
//! As of an instant only what the days don't know is read by line: what was recorded since, or that day's part.

use ledger_domain::Cents;
use tokio_postgres::GenericClient;
use tokio_postgres::types::{ToSql, Type};

use super::Kind;
use super::bounds::{Bounds, StatementFilter};
use crate::{Error, spelling};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KindSum {
    pub kind: Kind,
    pub amount: Cents,
    pub lines: u64,
}

/// The movements that the filter names, by kind; kinds that did not move are left out.
pub async fn statement_sums(
    client: &impl GenericClient,
    filter: &StatementFilter,
) -> Result<Vec<KindSum>, Error> {
    sums_within(client, &Bounds::of(client, filter).await?).await
}

pub(super) async fn sums_within(client: &impl GenericClient, bounds: &Bounds) -> Result<Vec<KindSum>, Error> {
    let days = "SELECT kind, amount, lines FROM statement_daily
                 WHERE business_id = $1
                   AND business_date BETWEEN coalesce($2, '-infinity') AND coalesce($3, 'infinity')";
    let moved = if bounds.recounts() {
        format!(
            "{days} AND business_date < coalesce($3, 'infinity')
             UNION ALL
             SELECT kind, amount, 1 FROM statement_line
              WHERE business_id = $1 AND business_date = $3 AND business_date >= coalesce($2, '-infinity')
                AND occurred_at <= $5"
        )
    } else if bounds.last_number.is_some() {
        format!(
            "{days}
             UNION ALL
             SELECT kind, -amount, -1 FROM statement_line
              WHERE business_id = $1
                AND business_date BETWEEN coalesce($2, '-infinity') AND coalesce($3, 'infinity') AND number > $4"
        )
    } else {
        days.to_owned()
    };
    let sql = format!(
        "SELECT kind, sum(amount)::int8, sum(lines)::int8 FROM ({moved}) AS moved (kind, amount, lines)
          GROUP BY kind HAVING sum(lines) <> 0 ORDER BY kind"
    );
    let rows = client.query_typed(&sql, &bounds.parameters()).await?;
    rows.iter()
        .map(|row| {
            Ok(KindSum {
                kind: Kind::of_number(row.get(0))?,
                amount: Cents::new(row.get(1)),
                lines: spelling::count("statement_daily.lines", row.get(2))?,
            })
        })
        .collect()
}

/// The available balance before one place in the order of happening, where a line's number tells two of one instant
/// apart.
pub(super) async fn happened_before(
    client: &impl GenericClient,
    bounds: &Bounds,
    (business_date, occurred_at, number): (
        ledger_domain::calendar::Date,
        ledger_domain::calendar::Instant,
        i64,
    ),
) -> Result<Cents, Error> {
    let parameters: [(&(dyn ToSql + Sync), Type); 4] = [
        (&bounds.business, Type::UUID),
        (&business_date, Type::DATE),
        (&occurred_at, Type::TIMESTAMPTZ),
        (&number, Type::INT8),
    ];
    let row = client
        .query_typed_one(
            "SELECT (SELECT coalesce(sum(amount), 0) FROM statement_daily
                      WHERE business_id = $1 AND business_date < $2)::int8
                  + (SELECT coalesce(sum(amount), 0) FROM statement_line
                      WHERE business_id = $1 AND business_date = $2 AND (occurred_at, number) < ($3, $4))::int8",
            &parameters,
        )
        .await?;
    Ok(Cents::new(row.get(0)))
}
