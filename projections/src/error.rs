//! The errors of reading the log and the read models (`Error`), and the reasons why an event is poison (`Poison`).
//!
//! A poison event is no failure of the database: the same event fails again. It stops the groups of read models that
//! cannot apply it, in its shard.

use thiserror::Error;

#[derive(Debug, Error)]
pub enum Error {
    #[error("the database failed: {0}")]
    Database(#[from] tokio_postgres::Error),
    #[error("no connection to the database: {0}")]
    Pool(#[from] deadpool_postgres::PoolError),
    /// The audit's reading by the published crate postgres-es failed (`replay/upstream.rs`).
    #[error("the audit's upstream reader failed: {0}")]
    Upstream(String),
    #[error("the log could not be read: {0}")]
    Log(#[from] ledger_store::log::LogError),
    #[error(transparent)]
    Layout(#[from] ledger_store::LayoutError),
    #[error(transparent)]
    Archive(#[from] ledger_store::archive::ArchiveError),
    /// A stored value that no fold can have written. For an event of the log that cannot be decoded or applied,
    /// `column` is `event` and `value` is the reason.
    #[error("{column} is unreadable: {value:?}")]
    Unreadable { column: &'static str, value: String },
    #[error("the audit of shard {shard} panicked")]
    AuditPanicked { shard: ledger_store::Shard },
    #[error("another rebuild is running")]
    RebuildRunning,
    #[error("the rebuild found an event that it cannot apply: {0}")]
    RebuildPoisoned(String),
    #[error("the tables or their checkpoints stayed locked; the rebuilt tables could not replace them")]
    SwapTimedOut,
}

impl Error {
    pub(crate) fn unreadable(column: &'static str, value: impl ToString) -> Self {
        Self::Unreadable {
            column,
            value: value.to_string(),
        }
    }

    pub(crate) fn unreadable_event(reason: impl ToString) -> Self {
        Self::unreadable("event", reason)
    }
}

/// Why a read model cannot apply an event.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub(crate) enum Poison {
    #[error("{0}")]
    Undecodable(String),
    #[error("a sum does not fit into 64 bits")]
    Overflow,
    #[error("{hold} is unknown, and the event does not place it")]
    UnknownHold { hold: ledger_domain::HoldId },
    #[error("{hold} is placed twice")]
    HoldPlacedTwice { hold: ledger_domain::HoldId },
    #[error("{sale} is unknown, and the event does not open it")]
    UnknownSale { sale: ledger_domain::SaleId },
    #[error("{sale} has no open installment {number} of {net} due on {due_date}")]
    NoSuchOpenInstallment {
        sale: ledger_domain::SaleId,
        number: u8,
        net: i64,
        due_date: ledger_domain::calendar::Date,
    },
    #[error("{sale} has no installment {number}")]
    UnknownInstallment { sale: ledger_domain::SaleId, number: u8 },
    #[error("{sale} was captured twice")]
    CapturedTwice { sale: ledger_domain::SaleId },
    #[error("the installments of {sale} are missing or not numbered 1, 2, 3 and so on")]
    MisnumberedInstallments { sale: ledger_domain::SaleId },
    #[error("{transfer} is unknown, and the event does not open it")]
    UnknownTransfer { transfer: ledger_domain::TransferId },
    #[error("{transfer} was opened twice")]
    TransferOpenedTwice { transfer: ledger_domain::TransferId },
    #[error("the settled installments do not add up to the event's total")]
    SettledTotalDiffers,
    /// SQLSTATE class 22 (data) or 23 (constraints).
    #[error("the database rejects the rows: {0}")]
    RejectedRows(String),
}
