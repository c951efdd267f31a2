//! Changes of the bank account that receives a company's withdrawals. Staff see a mark on the withdrawals to an account
//! that has just been changed.
//!
//! The mark is not stored. A withdrawal to the bank account is marked if it was requested between a change and the end
//! of its marking (`marked_until`). The change stores that end, because the number of days is a platform setting: a
//! later change of the setting changes no mark.

use chrono::TimeDelta;
use ledger_domain::BusinessId;
use ledger_domain::calendar::Instant;
use tokio_postgres::types::Type;
use tokio_postgres::{Error, GenericClient};
use uuid::Uuid;

/// Records that withdrawals go to another bank account from `at` on. Those that are requested within `marking` after
/// `at` are marked.
pub async fn destination_change_add(
    client: &impl GenericClient,
    company: BusinessId,
    at: Instant,
    marking: TimeDelta,
) -> Result<(), Error> {
    // Two changes at one instant of the business clock are one.
    client
        .execute_typed(
            "INSERT INTO destination_change (business_id, changed_at, marked_until) VALUES ($1, $2, $3)
             ON CONFLICT (business_id, changed_at) DO NOTHING",
            &[
                (&company.uuid(), Type::UUID),
                (&at, Type::TIMESTAMPTZ),
                (&(at + marking), Type::TIMESTAMPTZ),
            ],
        )
        .await
        .map(drop)
}

/// For each request of a withdrawal to the bank account: when the change that marks it was made. `None`: no mark.
pub async fn destination_marks(
    client: &impl GenericClient,
    requests: &[(BusinessId, Instant)],
) -> Result<Vec<Option<Instant>>, Error> {
    if requests.is_empty() {
        return Ok(vec![]);
    }
    let (companies, instants): (Vec<Uuid>, Vec<Instant>) =
        requests.iter().map(|(company, at)| (company.uuid(), *at)).unzip();
    let rows = client
        .query_typed(
            "SELECT (SELECT max(change.changed_at) FROM destination_change change
                      WHERE change.business_id = request.business_id AND change.changed_at <= request.at
                        AND request.at < change.marked_until)
               FROM unnest($1::uuid[], $2::timestamptz[]) WITH ORDINALITY AS request (business_id, at, number)
              ORDER BY request.number",
            &[
                (&companies, Type::UUID_ARRAY),
                (&instants, Type::TIMESTAMPTZ_ARRAY),
            ],
        )
        .await?;
    Ok(rows.iter().map(|row| row.get(0)).collect())
}
