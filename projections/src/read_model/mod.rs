//! What a read model is: a table that follows the log, with all that the follower, the rebuild and the audit ask of it.
//!
//! A new one implements `ReadModel` (or is written by `roll_up!`) and has a line in `model.rs`. The follower, the
//! rebuild, the replay, the search for orphan rows and the simulator take it from there.

pub(crate) mod field;
pub(crate) mod register;
pub(crate) mod roll_up;

use std::collections::BTreeMap;
use std::fmt::Debug;

use deadpool_postgres::Transaction;
use ledger_domain::BusinessId;
use tokio_postgres::GenericClient;

use crate::Error;
use crate::error::Poison;
use crate::recorded::Recorded;
use crate::replay::Columns;

/// The rows of a read model by their key.
pub(crate) type RowsOf<Of> = BTreeMap<<Of as ReadModel>::Key, <Of as ReadModel>::Row>;

/// A value of this type is what a window of events makes of the table. Folded from the whole log of a business, it is
/// the rows of that business.
pub(crate) trait ReadModel: Debug + Default {
    /// It has the column `business_id` and an index that begins with it.
    const TABLE: &'static str;
    /// The read model that is folded before this one under the same checkpoint, for this one to read. `()` where this is
    /// that one.
    type Lead;
    type Key: Clone + Debug + Ord;
    type Row: Clone + Columns + Debug + PartialEq;

    /// Reads the stored rows that the fold of these events goes on from. Sums need none.
    async fn load(_tx: &Transaction<'_>, _events: &[Recorded]) -> Result<Self, Error> {
        Ok(Self::default())
    }

    /// Decides nothing. An event that doesn't fit the rows before it stops the models of this checkpoint.
    fn fold(&mut self, recorded: &Recorded, lead: &Self::Lead) -> Result<(), Poison>;

    /// Stores the window, its rows in the order of their keys.
    async fn write(&self, tx: &Transaction<'_>) -> Result<(), tokio_postgres::Error>;

    fn into_rows(self) -> RowsOf<Self>;

    /// The stored rows of a business.
    async fn stored(client: &impl GenericClient, business: BusinessId) -> Result<RowsOf<Self>, Error>;

    /// How a finding of the audit names a row.
    fn name(key: &Self::Key) -> String;

    /// `load` from rows in memory, for simulations.
    fn from_memory(_stored: &RowsOf<Self>, _events: &[Recorded]) -> Self {
        Self::default()
    }

    /// What `write` makes of a row that is stored already: sums are added, any other row takes the stored one's place.
    fn merge(stored: &mut Self::Row, row: Self::Row) {
        *stored = row;
    }
}
