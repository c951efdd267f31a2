//! Withdrawals and other transfers: a company's request, the actions of staff with their approvals, the marks on a
//! request, the steps of its execution, and all transfers in the order of an export. The ledger decides on each command.

mod actions;
mod execution;
mod export;
mod marks;
mod requests;

pub use actions::{
    Action, ApprovalRule, Begun, FoundTransfer, StaffAction, approval_rule, rental_cancel, transfer_find,
    transfer_return,
};
pub use execution::{ExecutionStep, execution_steps};
pub use export::{ExportProgress, transfer_batch};
pub use marks::{author_of_change, author_of_request, changed_by, changed_destinations, requested_by};
pub use requests::{WithdrawalQuote, WithdrawalRequest, withdrawal_quote};
