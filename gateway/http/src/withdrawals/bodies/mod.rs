//! The forms of withdrawals, and the answers about transfers.

pub mod composition;
pub mod destination;
pub mod execution;
pub mod quote;
pub mod requests;
pub mod totals;
pub mod transfer;
