//! Decides what this process can do now: whether it answers reads, and whether it records.

use std::error::Error;
use std::sync::atomic::Ordering;
use std::time::Duration;

use deadpool_postgres::Object;
use gateway_platform::effects::{self, StoppedEffectHandler, payouts, refunds};
use gateway_platform::orders;
use gateway_platform::reports::report_emails_late;
use ledger_store::durability::{WeakCommit, durability};
use ledger_store::supervisor::TaskStatus;
use ledger_store::{Appending, Causes, SHARDS, log};
use projections::{ShardLag, lag};
use serde::Serialize;
use tokio::time::timeout;

use super::owners::other_owners;
use crate::AppState;
use crate::assets::Panels;
use crate::server::PUBLIC;

const DATABASE_TIMEOUT: Duration = Duration::from_secs(2);
/// Ten times the lag from which answers are marked as stale (`FAR_BEHIND_EVENTS` of the projections).
pub const LAG_EVENTS_MAX: i64 = 20_000;

/// The reason of a process that goes on answering until its requests are sent elsewhere.
const STOPPING: &str = "stopping";

/// What a caller of `/readyz` wants to send to this process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// Everything that its parts are for.
    All,
    /// Reads only (`/readyz?reads`).
    Reads,
}

#[derive(Debug, Serialize)]
pub struct Readiness {
    /// Whether the process can do now what was asked about.
    pub ready: bool,
    /// Whether it answers reads.
    pub reads: bool,
    /// Whether commands of every company are recorded, here or by other processes that it can ask. A process whose parts
    /// record nothing (only projections, for example) can be ready without.
    pub writes: bool,
    /// Why it is not ready for what was asked about.
    pub reasons: Vec<String>,
    /// Does not affect readiness; operators must look.
    pub alarms: Vec<String>,
    /// What runs: the version and the commit.
    pub version: &'static str,
    /// The name of this process in the log.
    pub process: String,
    /// The shards of the log that it owns.
    pub shards: Vec<u8>,
    pub database: bool,
    /// Long-lived tasks of this process that failed and have not recovered.
    pub failing: Vec<TaskStatus>,
    /// The machine's time less the database's, in milliseconds. Absent for a clock that is not compared.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clock_difference_ms: Option<i64>,
    /// Absent while the database cannot be read: an old figure, or a 0, would look like a good one.
    #[serde(flatten)]
    pub figures: Option<Figures>,
}

/// What was read from the database. Of these, only `stopped` and `lag_events` count for readiness.
#[derive(Debug, Serialize)]
pub struct Figures {
    /// Read models and effect handlers that stopped at a poison event and wait for staff, such as `sales of shard 3 at
    /// position 1042`.
    pub stopped: Vec<String>,
    #[serde(skip)]
    pub models_stopped: usize,
    #[serde(skip)]
    pub effects_stopped: usize,
    /// Events that the slowest read model has not folded yet, in the shard that has the most of them.
    pub lag_events: i64,
    pub payouts_open: i64,
    /// Open for longer than a bank may take.
    pub payouts_late: i64,
    pub refunds_open: i64,
    /// Open for longer than an acquirer may take.
    pub refunds_late: i64,
    /// Attempts of orders that have not ended.
    pub orders_open: i64,
    /// Waiting for an acquirer for longer than it may take.
    pub orders_late: i64,
    pub emails_waiting: i64,
    /// Age of the oldest waiting e-mail, in seconds.
    pub emails_oldest_seconds: i64,
    /// Reports by e-mail that were due before today, by the business clock.
    pub report_emails_late: i64,
    /// An alarm.
    #[serde(skip)]
    pub weak_commit: Option<WeakCommit>,
}

/// The findings about one process. Each is a reason against its purpose.
#[derive(Default)]
struct Faults {
    /// Against everything, such as that the database does not answer.
    process: Vec<String>,
    /// A read model that stopped keeps nobody from recording.
    reads: Vec<String>,
    writes: Vec<String>,
    /// Of work that is neither: effects that stopped, and tasks that failed.
    work: Vec<String>,
}

type BoxError = Box<dyn Error + Send + Sync>;

pub(crate) async fn readiness(state: &AppState, purpose: Purpose) -> Readiness {
    let mut faults = Faults::default();
    if state.stopping.load(Ordering::Relaxed) {
        faults.process.push(STOPPING.to_owned());
    }
    let failing = state.supervisor.failing();
    for task in &failing {
        let fault = format!("the task {} failed: {}", task.task, task.reason);
        if task.task == PUBLIC {
            faults.process.push(fault);
        } else {
            faults.work.push(fault);
        }
    }
    let panels = match state.serves_panels {
        true => Panels::of(&state.config).fault().await,
        false => None,
    };
    // In development the pages say how to build them.
    let panels_alarm = match panels {
        Some(fault) if state.config.is_production() => {
            faults.process.push(fault);
            None
        }
        fault => fault,
    };
    let figures = match timeout(DATABASE_TIMEOUT, examine(state, &mut faults)).await {
        Ok(Ok(figures)) => Some(figures),
        Ok(Err(error)) => {
            let fault = format!("the database cannot be read: {}", Causes(&*error));
            tracing::warn!(fault, "not ready");
            faults.process.push(fault);
            None
        }
        Err(_) => {
            let fault = format!(
                "the database did not answer within {} s",
                DATABASE_TIMEOUT.as_secs()
            );
            tracing::warn!(fault, "not ready");
            faults.process.push(fault);
            None
        }
    };
    let answers = faults.process.is_empty();
    let reads = answers && faults.reads.is_empty();
    let writes = answers && state.writes && faults.writes.is_empty();
    let reasons = match purpose {
        Purpose::Reads => [faults.process, faults.reads].concat(),
        Purpose::All => [faults.process, faults.reads, faults.writes, faults.work].concat(),
    };
    Readiness {
        ready: reasons.is_empty(),
        reads,
        writes,
        reasons,
        alarms: panels_alarm
            .into_iter()
            .chain(alarms(state, figures.as_ref()))
            .collect(),
        version: state.config.build.version,
        process: state.writer.owner().to_owned(),
        shards: state.writer.owned().map(|shard| shard.number()).collect(),
        database: figures.is_some(),
        failing,
        clock_difference_ms: state.clock.difference().map(|by| by.num_milliseconds()),
        figures,
    }
}

fn alarms(state: &AppState, figures: Option<&Figures>) -> impl Iterator<Item = String> {
    let clock = state.clock.fault();
    let clock = clock.map(|fault| format!("{fault}: {}", fault.consequence()));
    let replica = state.replica.as_ref().and_then(|replica| replica.fault());
    let replica = replica.map(|fault| format!("the replica answers no reads, and the primary does: {fault}"));
    let weak_commit = figures.and_then(|figures| figures.weak_commit.as_ref());
    let weak_commit = weak_commit.map(WeakCommit::to_string);
    clock.into_iter().chain(replica).chain(weak_commit)
}

async fn examine(state: &AppState, faults: &mut Faults) -> Result<Figures, BoxError> {
    let mut db = state.pool.get().await?;
    let shards = lag(&**db).await?;
    let effects = effects::stopped_handlers(&**db).await?;
    let models = stopped_models(&shards);
    let effects: Vec<String> = effects.iter().map(stopped_effects).collect();
    let lag_events = shards.iter().map(ShardLag::events).max().unwrap_or(0);
    let stop = |what: &String| format!("stopped: {what}");
    faults.reads.extend(models.iter().map(stop));
    faults.work.extend(effects.iter().map(stop));
    if lag_events > LAG_EVENTS_MAX {
        faults
            .reads
            .push(format!("the read models lack {lag_events} events"));
    }
    let config = &state.config;
    let payouts = payouts::queue_stats(&**db, config.withdrawals.payout_late_after).await?;
    let refunds = refunds::queue_stats(&**db, config.refunds.late_after).await?;
    let orders = orders::queue_stats(&**db, config.acquirers.orders_late_after).await?;
    let emails = gateway_mail::queue_stats(&**db).await?;
    let report_emails_late = report_emails_late(&**db, state.clock.today()).await?;
    let durability = durability(&**db).await?;
    if let Some(read_only) = durability.read_only.filter(|_| state.writes) {
        faults
            .writes
            .push(format!("the log takes no events: {read_only}"));
    } else if state.writes && durability.waits_in_vain {
        let fault = "commits wait for a synchronous standby of the database, and none is connected";
        faults.writes.push(fault.to_owned());
    } else if state.writes {
        faults.writes.extend(write_fault(state, &mut db).await?);
    }
    Ok(Figures {
        models_stopped: models.len(),
        effects_stopped: effects.len(),
        stopped: [models, effects].concat(),
        lag_events,
        payouts_open: payouts.open,
        payouts_late: payouts.late,
        refunds_open: refunds.open,
        refunds_late: refunds.late,
        orders_open: orders.open,
        orders_late: orders.late,
        emails_waiting: emails.open,
        emails_oldest_seconds: emails.oldest_seconds,
        report_emails_late,
        weak_commit: durability.weak,
    })
}

/// Why this process does not record for every company. Whether the log takes events is judged by the last append. If
/// that was a while ago, or failed, an insert that is rolled back proves it.
async fn write_fault(state: &AppState, db: &mut Object) -> Result<Option<String>, BoxError> {
    let writer = &state.writer;
    if !writer.owns_all() && writer.has_peers() {
        let faults = writer.unreachable();
        if !faults.is_empty() {
            return Ok(Some(faults.join("; ")));
        }
    } else if !writer.owns_all() {
        let own = writer.owned().count();
        let others = other_owners(&***db, writer.owner()).await?;
        return Ok(Some(format!(
            "this process owns {own} of {SHARDS} shards of the log{others}"
        )));
    }
    let failure = match writer.appending() {
        Appending::Works => None,
        Appending::Fails(reason) => Some(reason),
        Appending::Unproven { rows } => {
            let proved = log::prove_append(db, rows).await;
            let proved = proved.map_err(|error| Causes(&error).to_string());
            writer.proved(proved.clone());
            proved.err()
        }
    };
    let fault = failure.map(|reason| format!("the log takes no events: {reason}"));
    if let Some(fault) = &fault {
        tracing::warn!(fault, "not ready for writes");
    }
    Ok(fault)
}

fn stopped_models(shards: &[ShardLag]) -> Vec<String> {
    let of_shard = |shard: &ShardLag| {
        let number = shard.shard;
        let stopped = shard.models.iter().filter_map(move |at| {
            let stop = at.stopped.as_ref()?;
            Some(format!(
                "{} of shard {number} at position {}",
                at.model, stop.position
            ))
        });
        stopped.collect::<Vec<_>>()
    };
    shards.iter().flat_map(of_shard).collect()
}

fn stopped_effects(stopped: &StoppedEffectHandler) -> String {
    let StoppedEffectHandler {
        effect_handler,
        shard,
        position,
    } = stopped;
    format!("{effect_handler} of shard {shard} at position {position}")
}
