//! The log, its followers, and the balances.

use std::collections::BTreeMap;
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use gateway_http::health::readiness::LAG_EVENTS_MAX;
use gateway_platform::effects::handlers_lag;
use ledger_domain::Cents;
use ledger_domain::calendar::start_of;
use ledger_store::SHARDS;
use ledger_store::follower::Stop;
use ledger_store::log::shard_owners;
use projections::balance::negative_balances;
use projections::receivables::{oldest_due, overdue_list};
use projections::{Paging, lag};
use tokio::time::sleep;

use super::{Finding, Found, Place, Section, counted};

/// A follower whose position has not moved for so long, although there is something to follow, stands still.
const STANDS_STILL: TimeDelta = TimeDelta::minutes(5);
/// An event may have come just now. A follower that runs has it after this time.
const LOOK_AGAIN: Duration = Duration::from_secs(2);
/// The days whose money is added up.
const DAYS_ADDED: u32 = 10_000;

pub(super) async fn shards(place: &Place<'_>) -> Found {
    let owners = shard_owners(place.client).await?;
    let alone = owners.iter().filter(|shard| shard.owner.is_none()).count();
    if alone == 0 {
        return Ok(vec![]);
    }
    let section = if alone == owners.len() {
        Section::ProgramDown
    } else {
        Section::TooFewShards
    };
    let what =
        format!("no living process owns {alone} of {SHARDS} shards of the log: nobody records in them");
    Ok(vec![Finding::wrong(section, what)])
}

/// One part of a follower in one shard.
struct At {
    name: String,
    shard: u8,
    position: i64,
    log_end: i64,
    moved_at: DateTime<Utc>,
    stopped: Option<Stop>,
}

impl At {
    const fn lacks(&self) -> i64 {
        self.log_end - self.position
    }

    fn stands_still(&self, now: DateTime<Utc>) -> bool {
        self.stopped.is_none() && self.lacks() > 0 && now - self.moved_at > STANDS_STILL
    }
}

pub(super) async fn read_models(place: &Place<'_>) -> Found {
    let read = async || {
        let mut all = vec![];
        for shard in lag(place.client).await? {
            all.extend(shard.models.into_iter().map(|model| At {
                name: model.model.to_string(),
                shard: shard.shard,
                position: model.position,
                log_end: shard.log_end,
                moved_at: model.moved_at,
                stopped: model.stopped,
            }));
        }
        Ok::<_, projections::Error>(all)
    };
    let mut all = read().await?;
    if all.iter().any(|at| at.stands_still(place.now)) {
        sleep(LOOK_AGAIN).await;
        all = read().await?;
    }
    let mut findings = stopped(&all, Section::ReadModelStopped);
    findings.extend(behind(&all, place.now, Section::ReadModelsBehind));
    Ok(findings)
}

pub(super) async fn effects(place: &Place<'_>) -> Found {
    let read = async || {
        let lags = handlers_lag(place.client).await?;
        let all = lags.into_iter().map(|lag| At {
            name: lag.name,
            shard: lag.shard.number(),
            position: lag.position,
            log_end: lag.log_end,
            moved_at: lag.moved_at,
            stopped: lag.stopped,
        });
        Ok::<Vec<At>, tokio_postgres::Error>(all.collect())
    };
    let mut all = read().await?;
    if all.iter().any(|at| at.stands_still(place.now)) {
        sleep(LOOK_AGAIN).await;
        all = read().await?;
    }
    let mut findings = stopped(&all, Section::EffectStopped);
    findings.extend(behind(&all, place.now, Section::EffectStopped));
    Ok(findings)
}

/// Those that stopped before an event, by name and reason: a fault of the program stops many shards.
fn stopped(all: &[At], section: Section) -> Vec<Finding> {
    let mut groups: BTreeMap<(&str, &str), Vec<(&At, i64)>> = BTreeMap::new();
    for at in all {
        if let Some(Stop { position, reason }) = &at.stopped {
            groups
                .entry((&at.name, reason))
                .or_default()
                .push((at, *position));
        }
    }
    let finding = |((name, reason), stops): ((&str, &str), Vec<(&At, i64)>)| {
        let (first, position) = stops.iter().min_by_key(|(at, _)| at.moved_at)?;
        let shards: Vec<_> = stops.iter().map(|(at, _)| at.shard.to_string()).collect();
        let of = match shards.as_slice() {
            [shard] => format!("shard {shard} stopped before position {position}"),
            _ => format!(
                "{} shards ({}) stopped, in shard {} before position {position}",
                shards.len(),
                shards.join(", "),
                first.shard
            ),
        };
        let rows = stops.iter().map(|(at, _)| at.lacks()).sum();
        let finding = Finding::wrong(section, format!("{name} of {of}: {reason}"));
        Some(finding.since(first.moved_at).rows(rows))
    };
    groups.into_iter().filter_map(finding).collect()
}

/// The one that lacks most, of those that are far behind or stand still.
fn behind(all: &[At], now: DateTime<Utc>, section: Section) -> Option<Finding> {
    let late = |at: &&At| at.stopped.is_none() && (at.lacks() > LAG_EVENTS_MAX || at.stands_still(now));
    let worst = all.iter().filter(late).max_by_key(|at| at.lacks())?;
    let others = i64::try_from(all.iter().filter(late).count()).unwrap_or(i64::MAX) - 1;
    let and = match others {
        0 => String::new(),
        _ => format!(", and {} more of other shards or models", others),
    };
    let what = format!(
        "{} of shard {} lacks {}{and}",
        worst.name,
        worst.shard,
        counted(worst.lacks(), "event")
    );
    Some(Finding::wrong(section, what).since(worst.moved_at))
}

pub(super) async fn settlement(place: &Place<'_>) -> Found {
    let today = place.clock.today();
    let reading = async {
        let progress = oldest_due(place.client, today).await?;
        if progress.late == 0 {
            return Ok(vec![]);
        }
        let all = Paging {
            page: 1,
            per_page: DAYS_ADDED,
        };
        let days = overdue_list(place.client, today, all).await?.rows;
        let installments: u64 = days.iter().map(|day| day.installments).sum();
        let net = Cents::new(days.iter().map(|day| day.net.get()).sum());
        let late = i64::try_from(progress.late).unwrap_or(i64::MAX);
        let what = format!(
            "{} of companies before today {} not settled",
            counted(late, "due date"),
            if late == 1 { "is" } else { "are" }
        );
        let finding = Finding::wrong(Section::SettlementLate, what)
            .since(progress.due_date.map(start_of))
            .rows(i64::try_from(installments).unwrap_or(i64::MAX))
            .amount(net);
        Ok(vec![finding])
    };
    place.layout.reading_all(reading).await
}

/// A company that owes the platform is business as usual, and finance wants to know.
pub(super) async fn balances(place: &Place<'_>) -> Found {
    let reading = negative_balances(place.client);
    let negative = place.layout.reading_all(reading).await?;
    let companies = i64::try_from(negative.companies).unwrap_or(i64::MAX);
    if companies == 0 {
        return Ok(vec![]);
    }
    let what = match companies {
        1 => "1 company has a negative available balance".to_owned(),
        _ => format!("{companies} companies have a negative available balance"),
    };
    Ok(vec![Finding::note(what).amount(negative.available)])
}
