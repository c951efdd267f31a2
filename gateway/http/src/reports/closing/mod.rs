//! The accountant's month: one file with what a company sold, paid and received in a month. It also has the balances
//! before and after the month, and checks of the sums.

pub mod bodies;
pub mod calls;
mod checks;
mod ledger_sheets;
mod sheets;
mod write;

pub use checks::Check;
pub use write::{ClosingFile, write_closing};
