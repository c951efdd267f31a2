//! What a lane is run on where there is no PostgreSQL: a log that keeps the append's contract in memory, a process whose
//! every message waits until it is let through, and a back office with one plan for everybody.
//!
//! For simulations, benchmarks and tests. The contract's tests run on this log and on PostgreSQL alike; that is what
//! keeps the model honest.

mod log;
mod one_plan;
mod process;

pub use log::ModelLog;
pub use one_plan::{OnePlan, capture, sale};
pub use process::{Heard, Process};
