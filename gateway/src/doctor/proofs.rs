//! Whether the proofs of the log and of the rows outside it are made and checked.

use chrono::{DateTime, TimeDelta, Utc};
use gateway_platform::row_chains::{heads as row_heads, unsealed};
use ledger_store::verify::last::{Part, last};
use ledger_store::{Shard, tree_head};
use projections::lag;

use super::{Finding, Found, Place, Section};

/// `RazaoAuditOverdue`.
pub(super) const AUDIT_OVERDUE: TimeDelta = TimeDelta::days(2);
/// Nothing runs it by itself, and it reads the whole log.
const REPLAY_OVERDUE: TimeDelta = TimeDelta::days(32);
/// A head is signed once a day.
const HEAD_OVERDUE: TimeDelta = TimeDelta::days(2);
/// Changes are sealed every two seconds.
const SEAL_OVERDUE: TimeDelta = TimeDelta::hours(1);

/// When the installation began: what never happened is overdue from then on.
async fn begun_at(place: &Place<'_>) -> Result<DateTime<Utc>, tokio_postgres::Error> {
    let begun = "SELECT coalesce(min(applied_at), now()) FROM schema_migration";
    Ok(place.client.query_typed_one(begun, &[]).await?.get(0))
}

/// A replay that ran once is expected to run again; of the audit of recent events only the findings count.
pub(super) async fn audits(place: &Place<'_>) -> Found {
    let ended = last(place.client).await?;
    let begun = begun_at(place).await?;
    let mut findings = vec![];
    for part in Part::ALL {
        let audit = match part {
            Part::Log | Part::Rows => format!("audit verify of the {part}"),
            Part::Replay => "audit replay".to_owned(),
            Part::Recent => "audit of recent events".to_owned(),
        };
        let last = ended.iter().find(|last| last.part == *part);
        if let Some(last) = last.filter(|last| last.findings > 0) {
            let what = format!("the last {audit} had findings");
            findings.push(
                Finding::wrong(Section::AuditFindings, what)
                    .since(last.ended_at)
                    .rows(last.findings),
            );
        }
        let overdue = match (part, last) {
            (Part::Log | Part::Rows, Some(last)) => Some((last.ended_at, AUDIT_OVERDUE, "not ended since")),
            (Part::Log | Part::Rows, None) => Some((begun, AUDIT_OVERDUE, "never ended")),
            (Part::Replay, Some(last)) => Some((last.ended_at, REPLAY_OVERDUE, "not ended since")),
            (Part::Replay, None) | (Part::Recent, _) => None,
        };
        if let Some((since, after, has)) = overdue
            && place.now - since > after
        {
            let what = format!("{audit} has {has}");
            findings.push(Finding::wrong(Section::AuditOverdue, what).since(since));
        }
    }
    Ok(findings)
}

/// By the business clock, which dates the heads. A shard without an event since its head needs none.
pub(super) async fn heads(place: &Place<'_>) -> Found {
    let begun = begun_at(place).await?;
    let ends = lag(place.client).await?;
    let mut late: Vec<(u8, DateTime<Utc>)> = vec![];
    let is_late = |head: Option<DateTime<Utc>>| match head {
        Some(made_at) => place.clock.now() - made_at > HEAD_OVERDUE,
        None => place.now - begun > HEAD_OVERDUE,
    };
    for shard in Shard::all() {
        let head = tree_head::latest(place.client, shard).await?;
        let end = ends.iter().find(|lag| lag.shard == shard.number());
        let covered = head.as_ref().map_or(0, |head| head.position);
        let made_at = head.map(|head| head.made_at);
        if end.is_some_and(|end| end.log_end > covered) && is_late(made_at) {
            late.push((shard.number(), made_at.unwrap_or(begun)));
        }
    }
    let mut findings = vec![];
    if let Some(oldest) = late.iter().map(|(_, since)| *since).min() {
        let shards: Vec<_> = late.iter().map(|(shard, _)| shard.to_string()).collect();
        let what = format!(
            "the new events of these shards are in no signed head: {}",
            shards.join(", ")
        );
        findings.push(Finding::wrong(Section::NotSealed, what).since(oldest));
    }
    let head = row_heads::latest(place.client).await?;
    let sealed_to = unsealed(place.client).await?.sealed_to;
    let made_at = head.as_ref().map(|head| head.made_at);
    if sealed_to > head.as_ref().map_or(0, |head| head.position) && is_late(made_at) {
        let what = "the new changes of rows outside the log are in no signed head";
        findings.push(Finding::wrong(Section::NotSealed, what).since(made_at.unwrap_or(begun)));
    }
    Ok(findings)
}

pub(super) async fn seals(place: &Place<'_>) -> Found {
    let open = unsealed(place.client).await?;
    let late = open.oldest_at.filter(|at| place.now - *at > SEAL_OVERDUE);
    let finding = late.map(|since| {
        let what = "changes of rows outside the log are not in their chains";
        Finding::wrong(Section::NotSealed, what)
            .since(since)
            .rows(open.changes)
    });
    Ok(finding.into_iter().collect())
}
