//! Sums of a statement's lines by kind. On the effective axis, whole dates are read from the sums by day, so that the
//! cost depends on the days. Only the parts of dates at the ends of the range are read line by line.

use ledger_domain::Cents;
use tokio_postgres::types::Type;
use tokio_postgres::{GenericClient, Row};

use super::MovementKind;
use super::bounds::{SplitParameters, StatementFilter, days_within, head_within, tail_within};
use super::recorded::Numbers;
use crate::balance::as_of::Axis;
use crate::{Error, column_values};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KindSum {
    pub kind: MovementKind,
    pub amount: Cents,
    pub lines: u64,
}

/// The movements that the filter selects, by kind. Kinds without movements are left out.
pub async fn statement_sums(
    client: &impl GenericClient,
    filter: &StatementFilter,
) -> Result<Vec<KindSum>, Error> {
    let rows = match filter.axis {
        Axis::Effective => effective(client, filter).await?,
        Axis::Recorded => recorded(client, filter).await?,
    };
    rows.iter()
        .map(|row| {
            Ok(KindSum {
                kind: MovementKind::of_number(row.get(0))?,
                amount: Cents::new(row.get(1)),
                lines: column_values::count("statement_daily.lines", row.get(2))?,
            })
        })
        .collect()
}

async fn effective(client: &impl GenericClient, filter: &StatementFilter) -> Result<Vec<Row>, Error> {
    let sql = concat!(
        "SELECT kind, sum(amount)::int8, sum(lines)::int8
           FROM (SELECT kind, amount, lines FROM statement_daily WHERE ",
        days_within!(),
        " UNION ALL SELECT kind, amount, 1 FROM statement_line WHERE ",
        head_within!(),
        " UNION ALL SELECT kind, amount, 1 FROM statement_line WHERE ",
        tail_within!(),
        ") AS moved GROUP BY kind ORDER BY kind",
    );
    let rows = client
        .query_typed(sql, &SplitParameters::of(filter).parameters())
        .await?;
    Ok(rows)
}

/// There are no sums by time of recording. The sums before an instant are those of all days without the lines recorded
/// since. A range with a beginning is read line by line.
async fn recorded(client: &impl GenericClient, filter: &StatementFilter) -> Result<Vec<Row>, Error> {
    let numbers = Numbers::of(client, filter).await?;
    let sql = if filter.range.from.is_some() {
        "SELECT kind, sum(amount)::int8, count(*) FROM statement_line
          WHERE business_id = $1 AND number >= $2 AND number < $3 GROUP BY kind ORDER BY kind"
    } else {
        // The statement names `$2` only because both statements have the same parameters.
        "SELECT kind, sum(amount)::int8, sum(lines)::int8
           FROM (SELECT kind, amount, lines FROM statement_daily WHERE business_id = $1
                  UNION ALL
                 SELECT kind, -amount, -1 FROM statement_line
                  WHERE business_id = $1 AND $2::int8 IS NOT NULL AND number >= $3) AS moved
          GROUP BY kind HAVING sum(lines) <> 0 ORDER BY kind"
    };
    let rows = client
        .query_typed(
            sql,
            &[
                (&filter.business_id.uuid(), Type::UUID),
                (&numbers.first, Type::INT8),
                (&numbers.end, Type::INT8),
            ],
        )
        .await?;
    Ok(rows)
}
