//! The errors between the log and a read model.
//!
//! A poison event is not an error of the database. It concerns one event and one model, and stops that model.

use thiserror::Error;

#[derive(Debug, Error)]
pub enum Error {
    #[error("the database failed: {0}")]
    Database(#[from] tokio_postgres::Error),
    #[error("no connection to the database: {0}")]
    Pool(#[from] deadpool_postgres::PoolError),
    #[error("the audit's upstream reader failed: {0}")]
    Upstream(String),
    #[error("the log could not be read: {0}")]
    Log(#[from] ledger_store::log::LogError),
    /// A row that no fold can have written.
    #[error("{column} of a read model holds {value:?}")]
    Unreadable { column: &'static str, value: String },
    #[error("another rebuild is running")]
    RebuildRunning,
    #[error("the rebuild found an event that it cannot apply: {0}")]
    RebuildPoisoned(String),
    #[error("readers kept the tables busy; the rebuilt tables could not replace them")]
    SwapTimedOut,
}

impl Error {
    pub(crate) fn unreadable(column: &'static str, value: impl ToString) -> Self {
        Self::Unreadable {
            column,
            value: value.to_string(),
        }
    }
}

/// Why a model cannot apply an event.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub(crate) enum Poison {
    #[error("{0}")]
    Undecodable(String),
    #[error("a sum does not fit into 64 bits")]
    Overflow,
    #[error("{sale} is unknown, and the event does not open it")]
    UnknownSale { sale: ledger_domain::SaleId },
    #[error("{sale} has no open installment {number} of {net} due on {due_date}")]
    NoSuchInstallment {
        sale: ledger_domain::SaleId,
        number: u8,
        net: i64,
        due_date: ledger_domain::calendar::Date,
    },
    #[error("{sale} was captured twice")]
    CapturedTwice { sale: ledger_domain::SaleId },
    #[error("the schedule of {sale} is not numbered from 1")]
    Schedule { sale: ledger_domain::SaleId },
    #[error("{transfer} is unknown, and the event does not open it")]
    UnknownTransfer { transfer: ledger_domain::TransferId },
    #[error("{transfer} was opened twice")]
    TransferOpenedTwice { transfer: ledger_domain::TransferId },
    #[error("the settled installments do not add up to the event's total")]
    SettledTotal,
    /// A constraint of the schema refused the rows.
    #[error("refused by the database: {0}")]
    Refused(String),
}
