//! The exceptions queue: notices that the ledger could not take, refunds that an acquirer refused, unreadable rows of
//! work, and exceptions that staff settle by hand.
//!
//! This module has the rows and the reasons why they wait. `resolution` tries them again and ends them.

pub mod by_hand;
mod list;
pub mod queue;
pub mod refunds;
pub mod unreadable_names;
mod waiting_sales;
mod waits;
pub mod work;

pub use list::{
    ExceptionRecord, ExceptionResolution, ExceptionStatus, ExceptionsFilter, exception_fetch,
    exceptions_by_hand, exceptions_oldest_seconds, exceptions_waiting,
};
pub use waiting_sales::{ChangedSales, WaitingSales};
pub use waits::WaitReason;
