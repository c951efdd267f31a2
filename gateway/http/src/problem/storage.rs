//! Failures of what is stored: the database, the log, the read models.

use gateway_platform::error::DatabaseCause;
use ledger_store::archive::ArchiveError;
use ledger_store::log::LogError;
use ledger_store::{Causes, LayoutError};

use super::Problem;

/// A closed connection is a 503, because it is temporary. Other errors of the database are a 500.
impl From<tokio_postgres::Error> for Problem {
    fn from(error: tokio_postgres::Error) -> Self {
        if error.is_closed() {
            tracing::warn!(error = %Causes(&error), "the database closed the connection");
            return Self::unavailable();
        }
        Self::internal(DatabaseCause(&error))
    }
}

impl From<deadpool_postgres::PoolError> for Problem {
    fn from(error: deadpool_postgres::PoolError) -> Self {
        tracing::warn!(error = %Causes(&error), "no database connection");
        Self::unavailable()
    }
}

impl From<projections::Error> for Problem {
    fn from(error: projections::Error) -> Self {
        use projections::Error as E;
        match error {
            E::Database(error) => error.into(),
            E::Pool(error) => error.into(),
            E::Log(error) => error.into(),
            E::Layout(LayoutError::Database(error)) => error.into(),
            E::Layout(LayoutError::Moving) => Self::unavailable(),
            E::Archive(error) => LogError::from(error).into(),
            E::Upstream(_)
            | E::AuditPanicked { .. }
            | E::Unreadable { .. }
            | E::RebuildRunning
            | E::RebuildPoisoned(_)
            | E::SwapTimedOut => Self::internal(error),
        }
    }
}

impl From<LogError> for Problem {
    fn from(error: LogError) -> Self {
        use LogError as E;
        match error {
            E::Database(error) => error.into(),
            E::Layout(LayoutError::Database(error)) => error.into(),
            E::Layout(LayoutError::Moving) => Self::unavailable(),
            E::Archive(ArchiveError::Database(error)) => error.into(),
            E::ClaimBeforeEvent { .. } => {
                tracing::warn!(error = %Causes(&error), "a sale could not be read yet");
                Self::unavailable()
            }
            E::RecentWithdrawals { .. }
            | E::SaleState { .. }
            | E::SaleEvent { .. }
            | E::Claim { .. }
            | E::TransferState { .. }
            | E::Archive(_) => Self::internal(error),
        }
    }
}
