//! Changes of the bank account that receives a company's withdrawals. Staff see a mark on the withdrawals to an account
//! that has just been changed.
//!
//! The mark is not stored. A withdrawal to the bank account is marked if it was requested between a change and the end
//! of its marking (`marked_until`). The change stores that end, because the number of days is a platform setting: a
//! later change of the setting changes no mark.

use chrono::TimeDelta;
use ledger_domain::BusinessId;
use ledger_domain::calendar::Instant;
use ledger_rows::{execute, fetch, params, row};
use tokio_postgres::{Error, GenericClient};

/// Records that withdrawals go to another bank account from `at` on. Those that are requested within `marking` after
/// `at` are marked.
pub async fn destination_change_add(
    client: &impl GenericClient,
    company: BusinessId,
    at: Instant,
    marking: TimeDelta,
) -> Result<(), Error> {
    // Two changes at one instant of the business clock are one.
    let sql = "INSERT INTO destination_change (business_id, changed_at, marked_until) VALUES ($1, $2, $3)
               ON CONFLICT (business_id, changed_at) DO NOTHING";
    execute(client, sql, params![company, at, at + marking])
        .await
        .map(drop)
}

row! {
    struct Mark {
        changed_at: Option<Instant>,
    }
}

/// For each request of a withdrawal to the bank account: when the change that marks it was made. `None`: no mark.
pub async fn destination_marks(
    client: &impl GenericClient,
    requests: &[(BusinessId, Instant)],
) -> Result<Vec<Option<Instant>>, Error> {
    if requests.is_empty() {
        return Ok(vec![]);
    }
    let (companies, instants): (Vec<BusinessId>, Vec<Instant>) = requests.iter().copied().unzip();
    let sql = "SELECT (SELECT max(change.changed_at) FROM destination_change change
                        WHERE change.business_id = request.business_id AND change.changed_at <= request.at
                          AND request.at < change.marked_until) AS changed_at
                 FROM unnest($1::uuid[], $2::timestamptz[]) WITH ORDINALITY AS request (business_id, at, number)
                ORDER BY request.number";
    let marks: Vec<Mark> = fetch(client, sql, params![companies, instants]).await?;
    Ok(marks.into_iter().map(|mark| mark.changed_at).collect())
}
