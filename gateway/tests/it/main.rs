//! The integration tests: one binary, a database for each test.

mod audit;
mod lane_contract;
mod log;
mod support;
mod writer;
