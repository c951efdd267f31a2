//! The event log: the rules of its append, and reading it.

mod archives;
mod lane_contract;
mod reading;
