//! Simulation of the ledger. The pure lane, the domain and the read models' folds run with simulated time, faults,
//! interleavings, crashes and reordering, all chosen by a seed. Their results are compared with a simple model of
//! balances.
//!
//! A seed always gives the same run. No clock, thread, database or network takes part.

mod acquirer;
mod answers;
mod bank;
mod closing;
mod companies;
mod delivery;
mod event_counts;
mod forwarding;
mod model;
mod names;
mod network;
mod notices;
mod orders;
mod plan;
mod questions;
mod readers;
mod reserve;
pub mod rng;
mod run;
mod trace;
mod user_actions;
mod watch;
mod watch_holds;
mod world;

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};

pub use event_counts::EventCounts;
use trace::Trace;
use world::World;

/// The result of a check. The error describes the difference that the check found.
type Checked = Result<(), String>;

/// A run in which every check passed.
#[derive(Debug, Clone)]
pub struct Passed {
    pub event_counts: EventCounts,
    /// The beginnings of all businesses' last chain hashes, which cover all events. Two runs of one seed have the same.
    pub fingerprint: String,
    /// Empty in a run without a trace.
    pub trace: Vec<String>,
}

#[derive(Debug, Clone)]
pub struct Failure {
    pub seed: u64,
    pub step: u64,
    /// The difference that a check found, or the message of a panic.
    pub what: String,
    pub trace: Vec<String>,
}

/// Runs a seed. A failing seed is run again with a trace.
pub fn run(seed: u64) -> Result<Passed, Box<Failure>> {
    attempt(seed, Trace::default()).map_err(|failure| run_with_trace(seed).err().unwrap_or(failure))
}

pub fn run_with_trace(seed: u64) -> Result<Passed, Box<Failure>> {
    attempt(seed, Trace::on())
}

fn attempt(seed: u64, trace: Trace) -> Result<Passed, Box<Failure>> {
    // The world is created outside of the code that may panic, so that its trace survives.
    let world = RefCell::new(World::new(seed, trace));
    let ended = catch_unwind(AssertUnwindSafe(|| world.borrow_mut().live()));
    let world = world.into_inner();
    let step = world.trace.step;
    let failed = |what: String, world: World| {
        Box::new(Failure {
            seed,
            step,
            what,
            trace: world.trace.into_lines(),
        })
    };
    match ended {
        Ok(Ok(())) => Ok(Passed {
            fingerprint: world.fingerprint(),
            event_counts: world.event_counts,
            trace: world.trace.into_lines(),
        }),
        Ok(Err(what)) => Err(failed(names::shortened(&what), world)),
        Err(panic) => {
            let message = panic.downcast_ref::<String>().map(String::as_str);
            let message = message
                .or_else(|| panic.downcast_ref::<&str>().copied())
                .unwrap_or("no message");
            Err(failed(format!("panicked: {message}"), world))
        }
    }
}
