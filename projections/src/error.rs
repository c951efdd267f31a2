//! What can go wrong between the log and a read model.
//!
//! A poison event is not an error of the database: it is about one event and one model, and stops that model.

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
    /// A row that none of our folds can have written.
    #[error("{column} of a read model holds {value:?}")]
    Unreadable { column: &'static str, value: String },
    #[error("another rebuild is running")]
    RebuildRunning,
    #[error("the rebuild met an event it cannot take: {0}")]
    RebuildPoisoned(String),
    #[error("readers kept the tables busy; the rebuilt ones could not be put in their place")]
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

/// Why a model cannot take an event.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub(crate) enum Poison {
    #[error("{0}")]
    Undecodable(String),
    #[error("a sum does not fit into 64 bits")]
    Overflow,
    #[error("{sale} is not known, and the event does not open it")]
    UnknownSale { sale: ledger_domain::SaleId },
    #[error("{sale} has no open instalment {number} of {net} due on {due_date}")]
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
    #[error("{transfer} is not known, and the event does not open it")]
    UnknownTransfer { transfer: ledger_domain::TransferId },
    #[error("{transfer} was opened twice")]
    TransferOpenedTwice { transfer: ledger_domain::TransferId },
    #[error("the settled instalments do not add up to the event's total")]
    SettledTotal,
    /// The rows themselves refused: a constraint of the schema.
    #[error("refused by the database: {0}")]
    Refused(String),
}
