//! The progress of the demo story's load, read from the audit log.

use chrono::{DateTime, Utc};
use ledger_domain::calendar::Date;
use ledger_store::log::shard_positions;
use serde::{Deserialize, Serialize};
use tokio_postgres::GenericClient;

pub(super) const AUDIT_SUBJECT: &str = "demo_story";

/// Where the story ends. Fixed when the load begins, so that a continued load ends at the same instant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct StoryEnd {
    #[serde(rename = "today")]
    pub day: Date,
    #[serde(rename = "until")]
    pub instant: DateTime<Utc>,
}

/// The progress of a load.
pub(super) enum Progress {
    Nothing,
    Begun(StoryEnd),
    Done,
    /// The database has other data, or the state of the load cannot be read.
    NotOurs,
}

pub(super) async fn progress(client: &impl GenericClient) -> Result<Progress, tokio_postgres::Error> {
    let rows = client
        .query(
            "SELECT subject_id, after FROM audit_log WHERE subject = $1 ORDER BY id",
            &[&AUDIT_SUBJECT],
        )
        .await?;
    if rows.iter().any(|row| row.get::<_, &str>("subject_id") == "done") {
        return Ok(Progress::Done);
    }
    if let Some(started) = rows.first() {
        let end: Result<StoryEnd, _> = serde_json::from_value(started.get("after"));
        return Ok(end.map_or(Progress::NotOurs, Progress::Begun));
    }
    let row = client
        .query_one(
            "SELECT EXISTS (SELECT FROM business) OR EXISTS (SELECT FROM plan) OR EXISTS (SELECT FROM seller_user)
                 OR EXISTS (SELECT FROM admin_user)",
            &[],
        )
        .await?;
    let has_events = !shard_positions(client).await?.is_empty();
    Ok(if row.get(0) || has_events {
        Progress::NotOurs
    } else {
        Progress::Nothing
    })
}
