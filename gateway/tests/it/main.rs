//! The integration tests over HTTP and on a real PostgreSQL, in one program: each test has a database of its own,
//! copied from one that was migrated once.

mod audit;
mod balance;
mod demo;
mod exceptions;
mod figures;
mod hosts;
mod kill;
mod lane_contract;
mod log;
mod notice_arrays;
mod notice_companies;
mod notice_orders;
mod notices;
mod payouts;
mod pricing;
mod problems;
mod projections;
mod rebuild;
mod refunds;
mod rentals;
mod replay;
mod routes;
mod sales;
mod sandbox;
mod sessions;
mod settlement;
mod support;
mod undone;
mod withdrawals;
mod writer;
mod writer_stock;
mod writer_transfers;
