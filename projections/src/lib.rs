//! Read models: tables computed from the ledger's events, for lists, balances, statements and reports.
//!
//! A follower per shard folds windows of the log into rows and moves the checkpoint in the same transaction. This
//! crate decides no rule of money, knows no HTTP, and does not write the log.

pub mod as_of;
pub mod balance;
pub mod balance_day;
mod column_values;
pub mod daily;
mod decoded_event;
pub mod due;
mod error;
mod follower;
pub mod freshness;
mod from_log;
pub mod journal;
pub mod memory;
mod model;
mod page;
mod range;
mod read_model;
mod rebuild;
pub mod receivables_schedule;
pub mod replay;
pub mod sale;
pub mod statement;
pub mod transfer;

pub use error::Error;
pub use follower::follow_log;
pub use freshness::{Completeness, Freshness, ShardLag, Wake, lag, wait_for};
pub use from_log::{sale_from_log, transfer_from_log};
pub use ledger_store::follower::{FollowerOptions, Following};
pub use model::Model;
pub use page::{Batch, Next, NotACursor, Order, Page, Paging};
pub use range::TimeRange;
pub use rebuild::{RebuildProgress, rebuild};
