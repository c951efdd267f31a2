//! The lines of a business on PostgreSQL.

use ledger_domain::{BusinessId, EventId, SaleId};
use ledger_store::Shard;
use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{GenericClient, Row};
use uuid::Uuid;

use super::walk::{Lines, PlacedLine, Sign};
use crate::balance::statement::{StatementLine, listed_columns};
use crate::{Error, ReadModelGroup};

pub(super) struct StoredLines<'a, Client> {
    pub client: &'a Client,
    pub business: BusinessId,
}

impl Sign {
    /// The column with the sum of the lines of this sign.
    const fn sum(self) -> &'static str {
        match self {
            Self::Credit => "credited",
            Self::Debit => "debited",
        }
    }

    const fn condition(self) -> &'static str {
        match self {
            Self::Credit => "amount > 0",
            Self::Debit => "NOT amount > 0",
        }
    }
}

/// What the line's taker gave up to the line: also what was paid to a court. A hold gives its cents in the order in which
/// it took them, to the court and back to the balance.
macro_rules! taken_with_paid {
    () => {
        "taken + CASE WHEN movement = 'release' THEN
               coalesce((SELECT sum(step.amount)::int8 FROM hold_step AS step
                          WHERE step.business_id = statement_line.business_id
                            AND step.hold_id = statement_line.taker
                            AND step.kind = 'paid' AND step.sequence < statement_line.sequence), 0) ELSE 0 END"
    };
}

/// The columns that `placed` reads: those of a listed line, its sums, the sums of the line before it, and its taker.
macro_rules! placed_columns {
    () => {
        concat!(
            listed_columns!(),
            ", credited, debited, taker, ",
            taken_with_paid!(),
            " AS taker_place,
               (SELECT previous.credited FROM statement_line AS previous
                 WHERE previous.business_id = statement_line.business_id
                   AND previous.number = statement_line.number - 1) AS credited_before,
               (SELECT previous.debited FROM statement_line AS previous
                 WHERE previous.business_id = statement_line.business_id
                   AND previous.number = statement_line.number - 1) AS debited_before"
        )
    };
}

fn placed(row: &Row) -> Result<PlacedLine<StatementLine>, Error> {
    let line = StatementLine::listed(row)?;
    let (sign, before) = match line.amount.get() > 0 {
        true => (Sign::Credit, "credited_before"),
        false => (Sign::Debit, "debited_before"),
    };
    let taker: Option<Uuid> = row.get("taker");
    Ok(PlacedLine {
        number: line.number,
        sign,
        amount: line.amount.get().abs(),
        from: row.get::<_, Option<i64>>(before).unwrap_or(0),
        to: row.get(sign.sum()),
        taker: taker.zip(row.get("taker_place")),
        line,
    })
}

/// What the hold `$2` paid to a court in all.
const PAID: &str = "(SELECT coalesce(sum(amount), 0)::int8 FROM hold_step
                      WHERE business_id = $1 AND hold_id = $2 AND kind = 'paid')";

impl<Client: GenericClient> StoredLines<'_, Client> {
    async fn select(
        &self,
        sql: &str,
        parameters: &[(&(dyn ToSql + Sync), Type)],
    ) -> Result<Vec<PlacedLine<StatementLine>>, Error> {
        let business = self.business.uuid();
        let mut all: Vec<(&(dyn ToSql + Sync), Type)> = vec![(&business, Type::UUID)];
        all.extend(parameters.iter().cloned());
        let rows = self.client.query_typed(sql, &all).await?;
        rows.iter().map(placed).collect()
    }

    /// The credits that these events gave the sale, without those that give back what the sale's dispute took.
    pub async fn credits_of(
        &self,
        sale: SaleId,
        events: &[EventId],
    ) -> Result<Vec<PlacedLine<StatementLine>>, Error> {
        let sql = concat!(
            "SELECT ",
            placed_columns!(),
            " FROM statement_line
              WHERE business_id = $1 AND event_id = ANY ($2) AND sale_id = $3 AND amount > 0 AND taker IS NULL
              ORDER BY number"
        );
        let events: Vec<_> = events.iter().map(|event| event.uuid()).collect();
        let parameters: [(&(dyn ToSql + Sync), Type); 2] =
            [(&events, Type::UUID_ARRAY), (&sale.uuid(), Type::UUID)];
        self.select(sql, &parameters).await
    }

    /// Whether the holds have all events that the lines have, so that no payment to a court is missing.
    pub async fn has_paid_of_all(&self) -> Result<bool, Error> {
        let sql = "SELECT holds.position >= statement.position
                     FROM projection_checkpoint AS holds JOIN projection_checkpoint AS statement USING (shard)
                    WHERE shard = $1 AND holds.model = $2 AND statement.model = $3";
        let shard = i16::from(Shard::of(self.business).number());
        let (holds, statement) = (ReadModelGroup::Holds.as_str(), ReadModelGroup::Statement.as_str());
        let parameters: [(&(dyn ToSql + Sync), Type); 3] = [
            (&shard, Type::INT2),
            (&holds, Type::TEXT),
            (&statement, Type::TEXT),
        ];
        let row = self.client.query_typed_opt(sql, &parameters).await?;
        Ok(row.is_some_and(|row| row.get(0)))
    }

    /// What the taker took, and what it gave back.
    pub async fn taker_sums(&self, taker: Uuid) -> Result<(i64, i64), Error> {
        let sql = "SELECT coalesce(max(taken) FILTER (WHERE NOT amount > 0), 0),
                          coalesce(max(taken) FILTER (WHERE amount > 0), 0)
                     FROM statement_line WHERE business_id = $1 AND taker = $2";
        let parameters: [(&(dyn ToSql + Sync), Type); 2] =
            [(&self.business.uuid(), Type::UUID), (&taker, Type::UUID)];
        let row = self.client.query_typed_one(sql, &parameters).await?;
        Ok((row.get(0), row.get(1)))
    }
}

impl<Client: GenericClient> Lines for StoredLines<'_, Client> {
    type Line = StatementLine;

    /// Lines have numbers without gaps, and their sums only rise. So the first line is found by bisection, without an
    /// index that each settlement would have to fill.
    async fn after(
        &self,
        sign: Sign,
        position: i64,
        limit: usize,
    ) -> Result<Vec<PlacedLine<StatementLine>>, Error> {
        let sql = format!(
            "WITH RECURSIVE bisection (low, high) AS (
                 SELECT 0::int8, coalesce(max(number), 0) + 1 FROM statement_line WHERE business_id = $1
                 UNION ALL
                 SELECT CASE WHEN middle.sum <= $2 THEN middle.number ELSE low END,
                        CASE WHEN middle.sum <= $2 THEN high ELSE middle.number END
                   FROM bisection
                  CROSS JOIN LATERAL (SELECT number, {sum} AS sum FROM statement_line
                                       WHERE business_id = $1 AND number = (low + high) / 2) AS middle
                  WHERE high - low > 1
             )
             SELECT * FROM (SELECT {columns} FROM statement_line
                             WHERE business_id = $1 AND number > (SELECT max(low) FROM bisection)
                               AND {condition} AND {sum} > $2
                             ORDER BY number) AS line
              WHERE {sum} > coalesce({sum}_before, 0) LIMIT $3",
            sum = sign.sum(),
            condition = sign.condition(),
            columns = placed_columns!(),
        );
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        self.select(&sql, &[(&position, Type::INT8), (&limit, Type::INT8)])
            .await
    }

    async fn of_taker_after(
        &self,
        taker: Uuid,
        sign: Sign,
        position: i64,
        limit: usize,
    ) -> Result<Vec<PlacedLine<StatementLine>>, Error> {
        let sql = format!(
            "SELECT * FROM (SELECT {columns} FROM statement_line
                             WHERE business_id = $1 AND taker = $2 AND {condition} AND taken > $3 - {paid}
                             ORDER BY taken) AS line
              WHERE taker_place > $3 LIMIT $4",
            condition = sign.condition(),
            paid = match sign {
                Sign::Credit => PAID,
                Sign::Debit => "0",
            },
            columns = placed_columns!(),
        );
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        let parameters: [(&(dyn ToSql + Sync), Type); 3] = [
            (&taker, Type::UUID),
            (&position, Type::INT8),
            (&limit, Type::INT8),
        ];
        self.select(&sql, &parameters).await
    }

    async fn of_event(&self, number: i64) -> Result<Vec<PlacedLine<StatementLine>>, Error> {
        let sql = concat!(
            "SELECT ",
            placed_columns!(),
            " FROM statement_line
              WHERE business_id = $1
                AND event_id = (SELECT event_id FROM statement_line AS named
                                 WHERE named.business_id = $1 AND named.number = $2)
              ORDER BY number"
        );
        self.select(sql, &[(&number, Type::INT8)]).await
    }
}
