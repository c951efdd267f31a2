//! The event log: the contract of its append, and reading it.

mod lane_contract;
mod reading;
