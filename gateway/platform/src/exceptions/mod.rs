//! The queue of notices that could not be taken: kept whole, swept every minute, tried at once when their sale changes,
//! and shown to staff, who retry, assign to a company or close. Beside them wait refunds that an acquirer refused, and rows of
//! work that can't be read.
//!
//! Why a notice waits is the ledger's decision (`notices::Waits`); nothing here decides about money.

mod list;
pub mod queue;
pub mod refunds;
mod staff;
mod sweep;
mod waiting_sales;
pub mod work;

pub use list::{
    ExceptionRecord, ExceptionsFilter, ExceptionsFound, exception_fetch, exception_list, exceptions_waiting,
};
pub use staff::{Action, ActionError, act};
pub use sweep::{Sweeper, sweep_once, try_now};
pub use waiting_sales::WaitingSales;
