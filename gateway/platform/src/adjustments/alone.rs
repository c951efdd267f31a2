//! What staff moved without a second person: one row for each adjustment, written before the ledger decides on it.
//!
//! The sums are read and the row is written under one lock. So of two requests at the same time, the second one sees the
//! first one's row. A row is deleted only if the ledger recorded nothing.

use chrono::TimeDelta;
use ledger_domain::calendar::Instant;
use ledger_domain::ids::UserId;
use ledger_domain::{BusinessId, Cents};
use ledger_rows::{FromRow, execute, fetch_one, fetch_opt, params, row, value};
use ledger_store::Idempotency;
use tokio_postgres::{Error, GenericClient};
use uuid::Uuid;

use super::{Adjustment, AdjustmentKind};

/// The hours over which adjustments are summed up. The panel's texts name them too (`pt-BR.rules.ts`).
pub const PERIOD_HOURS: i64 = 24;
const PERIOD: TimeDelta = TimeDelta::hours(PERIOD_HOURS);

/// What was moved without a second person in the last `PERIOD_HOURS`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AloneSums {
    /// By the user, and by the users that do not count as other people.
    pub by_person: Cents,
    pub of_company: Cents,
}

impl AloneSums {
    /// Whether one person may move the amount too.
    pub fn allow(&self, amount: Cents, up_to: Option<Cents>) -> bool {
        let Some(limit) = up_to else {
            return true;
        };
        let with = |sum: Cents| sum.checked_add(amount);
        [self.by_person, self.of_company]
            .into_iter()
            .all(|sum| with(sum).is_some_and(|sum| sum <= limit))
    }
}

/// Locks the sums: others who would add to them wait until the end of the transaction.
pub async fn alone_lock(client: &impl GenericClient) -> Result<(), Error> {
    client
        .batch_execute("LOCK TABLE adjustment_alone IN SHARE ROW EXCLUSIVE MODE")
        .await
}

/// The users who moved something alone in the last `PERIOD_HOURS`.
pub async fn alone_users(
    client: &impl GenericClient,
    kind: AdjustmentKind,
    now: Instant,
) -> Result<Vec<UserId>, Error> {
    let sql = "SELECT coalesce(array_agg(DISTINCT made_by), '{}') FROM adjustment_alone
                WHERE kind = $1 AND made_at > $2";
    value(client, sql, params![kind, now - PERIOD]).await
}

row! {
    impl FromRow for AloneSums {
        by_person: Cents = "coalesce(sum(amount) FILTER (WHERE made_by = ANY ($3)), 0)::bigint",
        of_company: Cents = "coalesce(sum(amount) FILTER (WHERE business_id = $4), 0)::bigint",
    } => Self { by_person, of_company }
}

/// `person` are the users that count as one person.
pub async fn alone_sums(
    client: &impl GenericClient,
    kind: AdjustmentKind,
    business_id: BusinessId,
    person: &[UserId],
    now: Instant,
) -> Result<AloneSums, Error> {
    let columns = AloneSums::COLUMNS;
    let sql = format!("SELECT {columns} FROM adjustment_alone WHERE kind = $1 AND made_at > $2");
    fetch_one(client, &sql, params![kind, now - PERIOD, person, business_id]).await
}

row! {
    /// The row of an earlier request with this key.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct AloneRow {
        pub id: Uuid,
        /// Whether that request had the same body.
        pub is_same: bool = "fingerprint = $3",
    }
}

pub async fn alone_by_key(
    client: &impl GenericClient,
    business_id: BusinessId,
    idempotency: &Idempotency,
) -> Result<Option<AloneRow>, Error> {
    let columns = AloneRow::COLUMNS;
    let sql =
        format!("SELECT {columns} FROM adjustment_alone WHERE business_id = $1 AND idempotency_key = $2");
    let Idempotency { key, fingerprint } = idempotency;
    fetch_opt(client, &sql, params![business_id, key, fingerprint]).await
}

/// Adds nothing if the row is there already.
pub async fn alone_add(
    client: &impl GenericClient,
    id: Uuid,
    adjustment: &Adjustment,
    (by, at): (UserId, Instant),
    idempotency: Option<&Idempotency>,
) -> Result<(), Error> {
    let Adjustment {
        kind,
        business_id,
        amount,
        ..
    } = adjustment;
    let key = idempotency.map(|given| given.key);
    let fingerprint = idempotency.map(|given| given.fingerprint);
    let sql =
        "INSERT INTO adjustment_alone (id, kind, business_id, amount, made_by, made_at, idempotency_key,
                                             fingerprint)
               VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT DO NOTHING";
    let parameters = params![id, kind, business_id, amount, by, at, key, fingerprint];
    execute(client, sql, parameters).await.map(drop)
}

/// Deletes the row of an adjustment that the ledger did not record.
pub async fn alone_delete(client: &impl GenericClient, id: Uuid) -> Result<(), Error> {
    let sql = "DELETE FROM adjustment_alone WHERE id = $1";
    execute(client, sql, params![id]).await.map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_person_may_move_up_to_the_limit_and_not_a_cent_more() {
        let sums = AloneSums {
            by_person: Cents::new(300_00),
            of_company: Cents::new(900_00),
        };
        let limit = Some(Cents::new(1_000_00));
        assert!(sums.allow(Cents::new(100_00), limit));
        assert!(!sums.allow(Cents::new(100_01), limit), "the company's sum");
        let swapped = AloneSums {
            by_person: sums.of_company,
            of_company: sums.by_person,
        };
        assert!(!swapped.allow(Cents::new(100_01), limit), "the person's sum");
        assert!(sums.allow(Cents::AMOUNT_MAX, None));
        assert!(!sums.allow(Cents::new(1), Some(Cents::ZERO)));
    }
}
