//! Errors of work that reads or writes both the database and the ledger, such as notices, exceptions, orders and
//! terminals. The HTTP layer turns them into responses; a job reports them to its supervisor.

use std::fmt;

use ledger_store::Causes;
use ledger_store::log::LogError;
use thiserror::Error;

#[derive(Debug, Error)]
pub enum PlatformError {
    #[error("the database failed: {}", DatabaseCause(.0))]
    Database(#[from] tokio_postgres::Error),
    #[error("no connection to the database: {0}")]
    Pool(#[from] deadpool_postgres::PoolError),
    #[error("the ledger could not be read: {0}")]
    Ledger(#[from] LogError),
    #[error("the ledger could not append a notice's event")]
    NotAppended,
}

pub type Result<T, E = PlatformError> = std::result::Result<T, E>;

/// A database's error with its causes: the library itself shows only "db error".
#[derive(Debug)]
pub struct DatabaseCause<'a>(pub &'a tokio_postgres::Error);

impl fmt::Display for DatabaseCause<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        Causes(self.0).fmt(formatter)
    }
}

#[cfg(test)]
mod tests {
    use crate::hold_release::HoldReleaseError;
    use crate::reconciliation::ReconciliationError;
    use crate::rentals::RentalError;
    use crate::tree_heads::TreeHeadError;

    use super::PlatformError;

    /// An error whose own text does not name its cause, like those of the database.
    fn database_error() -> tokio_postgres::Error {
        let parsed = "unknown_option=1".parse::<tokio_postgres::Config>();
        parsed.expect_err("the option is unknown")
    }

    #[test]
    fn the_error_of_a_job_names_what_is_wrong_in_the_database() {
        assert!(!database_error().to_string().contains("unknown_option"));
        for text in [
            PlatformError::from(database_error()).to_string(),
            HoldReleaseError::from(database_error()).to_string(),
            RentalError::from(database_error()).to_string(),
            TreeHeadError::from(database_error()).to_string(),
            ReconciliationError::from(database_error()).to_string(),
        ] {
            assert!(text.contains("unknown_option"), "{text}");
        }
    }
}
