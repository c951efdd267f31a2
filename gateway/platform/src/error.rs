//! Errors of decisions about notices, exceptions and terminals. The HTTP layer turns them into responses; a job reports
//! them to its supervisor.

use ledger_store::log::LogError;
use thiserror::Error;

#[derive(Debug, Error)]
pub enum PlatformError {
    #[error("the database failed: {0}")]
    Database(#[from] tokio_postgres::Error),
    #[error("no connection to the database: {0}")]
    Pool(#[from] deadpool_postgres::PoolError),
    #[error("the ledger could not be read: {0}")]
    Ledger(#[from] LogError),
    #[error("the ledger could not append a notice's event")]
    NotAppended,
}

pub type Result<T, E = PlatformError> = std::result::Result<T, E>;
