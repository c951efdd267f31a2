//! When each part of the audit last ended, and how many findings it had. It tells operators that the audit runs; the
//! proof is the audit's own output, because who can write the database can write these rows too.

use chrono::{DateTime, Utc};
use tokio_postgres::types::Type;
use tokio_postgres::{Error, GenericClient};

use crate::Causes;

ledger_domain::words! {
    /// The log and the rows outside of it are parts of `audit verify`; a replay is `audit replay`; recent is what was
    /// recorded since the last run of the verification in the background, with all findings of its runs.
    pub enum Part {
        Log = "log",
        Rows = "rows",
        Replay = "replay",
        Recent = "recent",
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LastVerification {
    pub part: Part,
    pub ended_at: DateTime<Utc>,
    pub findings: i64,
}

/// An audit may run as a role that only reads, or on a database that lacks this table. What it found stands in its
/// output then, and only the metrics do not have it.
pub async fn record(client: &impl GenericClient, part: Part, findings: u64) {
    let findings = i64::try_from(findings).unwrap_or(i64::MAX);
    let recorded = client
        .execute_typed(
            "INSERT INTO public.audit_verification (part, ended_at, findings) VALUES ($1, clock_timestamp(), $2)
             ON CONFLICT (part) DO UPDATE SET ended_at = excluded.ended_at, findings = excluded.findings",
            &[(&part.as_str(), Type::TEXT), (&findings, Type::INT8)],
        )
        .await;
    if let Err(error) = recorded {
        tracing::warn!(
            part = part.as_str(), findings, error = %Causes(&error),
            "the end of this verification is not recorded, and the metrics keep the one before"
        );
    }
}

/// The parts that have ever ended.
pub async fn last(client: &impl GenericClient) -> Result<Vec<LastVerification>, Error> {
    let rows = client
        .query_typed(
            "SELECT part, ended_at, findings FROM public.audit_verification",
            &[],
        )
        .await?;
    let read = rows.iter().filter_map(|row| {
        Some(LastVerification {
            // A part of a newer version is none of ours.
            part: Part::parse(row.get(0)).ok()?,
            ended_at: row.get(1),
            findings: row.get(2),
        })
    });
    Ok(read.collect())
}
