//! The folds of all read models behind one face, so that the follower, the rebuild and the audit run the same ones.

use deadpool_postgres::Transaction;

use crate::error::Poison;
use crate::recorded::Recorded;
use crate::sale::{self, Book};
use crate::statement::{self, Lines};
use crate::{Error, Model, balance, journal, transfer};

/// What a window of events adds to one model's rows.
pub(crate) enum Fold {
    Balance(balance::Sums, journal::Entries),
    Sales(Book),
    Statement(Lines),
    Transfers(transfer::Book),
}

impl Fold {
    /// Reads what the fold of these events needs of the rows before them.
    pub async fn load(model: Model, tx: &Transaction<'_>, events: &[Recorded]) -> Result<Self, Error> {
        Ok(match model {
            Model::Balance => Self::Balance(
                balance::Sums::default(),
                journal::Entries::load(tx, events).await?,
            ),
            Model::Sales => Self::Sales(sale::load_book(tx, events).await?),
            Model::Statement => Self::Statement(Lines::after(statement::load_tails(tx, events).await?)),
            Model::Transfers => Self::Transfers(transfer::load_book(tx, events).await?),
        })
    }

    pub fn fold(&mut self, recorded: &Recorded) -> Result<(), Poison> {
        match self {
            Self::Balance(sums, entries) => {
                sums.fold(recorded)?;
                entries.fold(recorded)
            }
            Self::Sales(book) => book.fold(recorded),
            Self::Statement(lines) => lines.fold(recorded),
            Self::Transfers(book) => book.fold(recorded),
        }
    }

    /// One statement a table, its rows sorted by key.
    pub async fn write(&self, tx: &Transaction<'_>) -> Result<(), tokio_postgres::Error> {
        match self {
            Self::Balance(sums, entries) => {
                sums.write(tx).await?;
                entries.write(tx).await
            }
            Self::Sales(book) => book.write(tx).await,
            Self::Statement(lines) => lines.write(tx).await,
            Self::Transfers(book) => book.write(tx).await,
        }
    }
}
