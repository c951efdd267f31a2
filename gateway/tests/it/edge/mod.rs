//! The checks that every request passes: hosts, headers, limits, problems, idempotency.

mod database;
mod documented_texts;
mod hosts;
mod idempotency;
mod limits;
mod problems;
mod slow_clients;
