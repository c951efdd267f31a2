//! The integration tests over HTTP and on a real PostgreSQL, in one program. A test's database is a copy of a template
//! that was migrated once.

#![allow(clippy::disallowed_methods, reason = "a test waits for what it spawns")]

mod acquirers;
mod adjustments;
mod audit;
mod balance;
mod buyers;
mod companies;
mod contact;
mod crates;
mod debts;
mod demo;
mod edge;
mod emails;
mod exceptions;
mod holds;
mod jobs;
mod links;
mod log;
mod notices;
mod operations;
mod orders;
mod outbox;
mod overview;
mod payouts;
mod plans;
mod projections;
mod receivables;
mod reconciliation;
mod refunds;
mod reports;
mod reserves;
mod reversals;
mod routes;
mod sales;
mod sandbox;
mod sessions;
mod settings;
mod spreadsheets;
mod support;
mod terminals;
mod users;
mod withdrawals;
mod words;
mod writer;
