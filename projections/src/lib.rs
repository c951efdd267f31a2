//! Read models: tables computed from the ledger's events, for lists, balances, statements and reports.
//!
//! A follower folds windows of events into rows and moves the checkpoints in the same transaction. This crate decides
//! no business rule, knows no HTTP, and does not write the log.

pub mod awaiting_approval;
pub mod balance;
mod column_values;
pub mod daily_sales;
mod decoded_event;
mod error;
pub mod expected_payments;
mod follower;
pub mod freshness;
mod from_log;
pub mod memory;
mod page;
mod range;
mod read_model;
mod read_model_groups;
mod rebuild;
pub mod receivables;
pub mod replay;
pub mod repricing;
pub mod sales;
pub mod withdrawals;

pub use error::Error;
pub use follower::follow_log;
pub use freshness::{Freshness, ReadModelCompleteness, ShardLag, Wake, lag, wait_for};
pub use from_log::{sale_from_log, transfer_from_log};
pub use ledger_store::follower::{FollowerOptions, Following};
pub use page::{COUNT_LIMIT, CountLimit, ExportPage, Next, NotACursor, Page, Paging, SortOrder, TOTAL_MAX};
pub use range::TimeRange;
pub use read_model_groups::ReadModelGroup;
pub use rebuild::{RebuildProgress, rebuild};
