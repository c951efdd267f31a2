//! The integration tests over HTTP and on a real PostgreSQL, in one program: each test has a database of its own,
//! copied from one that was migrated once.

#![allow(clippy::disallowed_methods, reason = "a test waits for what it spawns")]

mod audit;
mod balance;
mod demo;
mod device_cookies;
mod documented_texts;
mod edge;
mod exceptions;
mod figures;
mod history;
mod hosts;
mod kill;
mod lane_contract;
mod log;
mod mail;
mod mail_confirming;
mod mail_silence;
mod notice_arrays;
mod notice_companies;
mod notice_ids;
mod notice_orders;
mod notices;
mod operations;
mod passwords;
mod payouts;
mod pricing;
mod problems;
mod profile;
mod projections;
mod rebuild;
mod reference_data;
mod refunds;
mod remembered;
mod rentals;
mod replay;
mod routes;
mod sales;
mod sandbox;
mod sessions;
mod sessions_open;
mod settings;
mod settlement;
mod slow_clients;
mod staff_users;
mod staff_users_first;
mod supervision;
mod support;
mod team;
mod time_zones;
mod undone;
mod withdrawals;
mod writer;
mod writer_stock;
mod writer_transfers;
