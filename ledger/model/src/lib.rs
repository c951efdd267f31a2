//! Stand-ins for what is around a lane: a log in memory that keeps the append's contract, a process that holds each
//! message until a test delivers it, and reference data with one plan for every company. Also random numbers from a seed.
//!
//! For simulations, benchmarks and tests; the program does not depend on it. The contract's tests run on this log and
//! on PostgreSQL, so that the model stays true.

mod log;
mod one_plan;
mod process;
mod random;

pub use log::ModelLog;
pub use one_plan::{OnePlan, capture, sale};
pub use process::{Process, ProcessOutput};
pub use random::SplitMix64;
