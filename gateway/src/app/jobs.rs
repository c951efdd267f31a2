//! The scheduled jobs: how often each runs, its name and its run. Its name stands in readiness and metrics.
//!
//! A job runs at once and then every period. Aborting a run loses nothing: the ledger records a submitted command whole
//! or not at all, and the work of a transaction that has not committed is due again.

use std::sync::Arc;
use std::time::Duration;

use futures::TryFutureExt;
use gateway_identity::rate_limit::delete_full_buckets;
use gateway_platform::heads_outside::HeadsOutside;
use gateway_platform::resolution::NoticeRetries;
use gateway_platform::row_chains;
use gateway_platform::witnesses::Witnesses;
use ledger_store::supervisor::Supervised;

use super::{App, Parts};

const SECOND: Duration = Duration::from_secs(1);
const MINUTE: Duration = Duration::from_secs(60);
const HOUR: Duration = Duration::from_secs(3_600);

/// Starts the jobs of these parts. Dropping the result ends them at once.
pub(super) fn start(app: &App, parts: Parts, witnesses: Witnesses, heads: HeadsOutside) -> Vec<Supervised> {
    let state = &app.state;
    let mut jobs = vec![];
    macro_rules! every {
        ($period:expr, $name:literal, $job:expr, |$each:ident| $run:expr) => {{
            let job = $job;
            let layout = state.writer.layout();
            jobs.push(state.supervisor.every($name, $period, move || {
                let $each = job.clone();
                async move { layout.reading_all($run).await }
            }));
        }};
    }
    /// A job that decides by the date.
    macro_rules! every_by_date {
        ($period:expr, $name:literal, $job:expr, |$each:ident| $run:expr) => {{
            let clock = state.clock;
            every!($period, $name, $job, |$each| async move {
                match clock.stops($name) {
                    true => Ok(()),
                    false => $run.await,
                }
            });
        }};
    }
    if parts.scheduled_jobs {
        every_by_date!(MINUTE, "settlement", app.settlement(), |job| job.tick());
        every_by_date!(MINUTE, "rentals", app.rentals(), |job| job.tick());
        every_by_date!(
            MINUTE,
            "scheduled withdrawals",
            app.scheduled_withdrawals(),
            |job| job.tick()
        );
        every!(MINUTE, "release of holds", app.hold_release(), |job| job.tick());
        every!(15 * SECOND, "requested adjustments", app.adjustments(), |job| job
            .tick());
        every!(SECOND, "plan impacts", app.impacts(), |job| job.run());
        every!(SECOND, "settlement imports", app.reconciliation(), |job| job
            .run_waiting());
        every_by_date!(MINUTE, "settlement days", app.reconciliation(), |job| job
            .mark_due_days());
        // The first run may find no acquirers, because they are set after the job's start.
        every_by_date!(
            5 * MINUTE,
            "acquirers' receivables",
            app.reconciliation(),
            |job| job.ask_acquirers()
        );
        every_by_date!(HOUR, "retention of buyers' data", app.retention(), |job| job
            .tick());
        every!(MINUTE, "full rate limits", state.pool.clone(), |pool| {
            delete_full_buckets(&pool).map_ok(drop)
        });
        every_by_date!(MINUTE, "reports by e-mail", app.report_emails(), |job| job.tick());
        every!(HOUR, "daily tree heads", app.tree_heads(), |job| job.tick());
        let clock = state.clock;
        every!(HOUR, "signed heads outside", heads, |job| job.tick(clock.now()));
        every!(10 * SECOND, "audit of recent events", app.recent_audit(), |job| {
            job.tick()
        });
        every!(5 * MINUTE, "cosignatures of checkpoints", witnesses, |job| job
            .tick());
        // Until a change has its seal, only its proof protects it.
        every!(2 * SECOND, "seals of row changes", state.pool.clone(), |pool| {
            row_chains::seal(&pool).map_ok(drop)
        });
    }
    if let Some(replica) = &state.replica {
        every!(
            SECOND / 2,
            "watch over the replica",
            Arc::clone(replica),
            |replica| replica.look()
        );
    }
    if parts.exceptions {
        let retries = NoticeRetries::new(state.pool.clone(), state.notices.clone());
        jobs.push(state.supervisor.start("retries of notices", retries));
    }
    jobs
}
