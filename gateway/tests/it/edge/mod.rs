//! The HTTP edge: hosts, headers, limits, problems, idempotency, and transactions of handlers.

mod database;
mod documented_texts;
mod hosts;
mod idempotency;
mod limits;
mod problems;
mod slow_clients;
mod texts;
