//! Claims due rows: they are marked in one statement, and only then attempted.

use std::time::Duration;

use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{Client, Error, Row};

use crate::outbox::{Job, Outbox, SendState, UnreadableRow};
use crate::pauses::milliseconds;

/// Which of the due rows a process may claim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Claimable {
    All,
    /// The rows without a provider, and those of this one. The claim writes it to the column `provider`: only this
    /// provider is asked about the row from then on.
    OfProvider(&'static str),
    /// The rows that meet this condition in SQL.
    Where(&'static str),
    /// The rows whose column `kind` has one of these values. While two versions of the program run in parallel, kinds
    /// that only the newer version knows are left to it. Rows older than 15 minutes are claimed by both.
    OfKinds(Vec<&'static str>),
}

/// A claimed row, or the reason why it is unreadable.
pub type ClaimedRow<Order> = Result<Job<Order>, UnreadableRow>;

/// Claims at most `most` rows, those that are due for longest first.
pub async fn claim<O: Outbox>(
    client: &Client,
    outbox: &O,
    most: usize,
) -> Result<Vec<ClaimedRow<O::Order>>, Error> {
    let shards = outbox.shards();
    if shards.as_ref().is_some_and(Vec::is_empty) {
        return Ok(vec![]);
    }
    let most = i64::try_from(most).unwrap_or(i64::MAX);
    let lease = milliseconds(outbox.retry_policy().lease);
    let claimable = outbox.claimable();
    let mut parameters: Vec<(&(dyn ToSql + Sync), Type)> = vec![(&most, Type::INT8), (&lease, Type::INT8)];
    match &claimable {
        Claimable::All | Claimable::Where(_) => {}
        Claimable::OfProvider(provider) => parameters.push((provider, Type::TEXT)),
        Claimable::OfKinds(kinds) => parameters.push((kinds, Type::TEXT_ARRAY)),
    }
    if let Some(shards) = &shards {
        parameters.push((shards, Type::INT2_ARRAY));
    }
    let sql = O::TABLE.claim_sql(&claimable, shards.is_some().then_some(parameters.len()));
    let rows = client.query_typed(&sql, &parameters).await?;
    Ok(rows.iter().map(job::<O>).collect())
}

fn job<O: Outbox>(row: &Row) -> ClaimedRow<O::Order> {
    let id = row.get("claimed_id");
    let send_state = match row.get("claimed_status") {
        "waiting" => SendState::Unsent,
        "sent" => SendState::Sent,
        _ => SendState::Uncertain,
    };
    let order = O::read(id, row).map_err(|unreadable| UnreadableRow {
        id,
        unreadable,
        unsent: send_state == SendState::Unsent,
    })?;
    // The age is negative if the database's clock was set back after the row was added.
    let age = u64::try_from(row.get::<_, i64>("claimed_age")).unwrap_or(0);
    Ok(Job {
        id,
        order,
        attempt: row.get("claimed_tries"),
        send_state,
        age: Duration::from_millis(age),
    })
}
