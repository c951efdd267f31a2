//! Withdrawals and other transfers: a company's request and its cancel, the actions of staff with their approvals, the
//! marks and signals on a request, the day on which it is expected, the steps of its execution, and all transfers in the
//! order of an export. The ledger decides on each command.

mod actions;
mod cancel;
mod execution;
mod expected;
mod export;
mod marks;
mod requests;
pub mod schedule;
mod signals;

pub use actions::{
    Action, ApprovalRule, Begun, FoundTransfer, StaffAction, approval_rule, rental_cancel, transfer_find,
    transfer_return,
};
pub use cancel::{CANCELED_BY_COMPANY, withdrawal_cancel};
pub use execution::{ExecutionStep, execution_steps};
pub use expected::expected_days;
pub use export::{ExportProgress, transfer_batch};
pub use marks::{author_of_change, author_of_request, changed_by, changed_destinations, requested_by};
pub use requests::{WithdrawalQuote, WithdrawalRequest, withdrawal_quote};
pub use signals::{TransferSignal, history_signals, waits};
