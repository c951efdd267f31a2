//! The interface of a read model: a table that follows the log, as the follower, the rebuild and the audit use it.
//!
//! A new read model implements `ReadModel` (or is written by `roll_up!`) and has a line in `read_model_groups.rs`. The
//! follower, the rebuild, the replay, the search for orphan rows and the simulator take it from there.

pub(crate) mod field;
pub(crate) mod finding;
pub(crate) mod register;
pub(crate) mod roll_up;

use std::collections::BTreeMap;
use std::fmt::Debug;

use deadpool_postgres::Transaction;
use ledger_domain::BusinessId;
use tokio_postgres::GenericClient;

use crate::Error;
use crate::decoded_event::DecodedEvent;
use crate::error::Poison;
use finding::Columns;

/// The rows of a read model by their key.
pub(crate) type RowsOf<Of> = BTreeMap<<Of as ReadModel>::Key, <Of as ReadModel>::Row>;

/// A value of this type holds the changes that a window of events makes to the table. Folded from the whole log of a
/// business, it holds the rows of that business.
pub(crate) trait ReadModel: Debug + Default {
    /// The table has the column `business_id` and an index that begins with it.
    const TABLE: &'static str;
    /// Tables with sums over all companies. `write` fills them too.
    const SHARED: &'static [&'static str] = &[];
    /// The first read model of the same group. It is folded before this one, and the fold may read it. `()` for the
    /// first read model itself.
    type FirstOfGroup;
    type Key: Clone + Debug + Ord;
    type Row: Clone + Columns + Debug + PartialEq;

    /// Reads the stored rows that the fold of these events starts from. Sums need none.
    async fn load(_tx: &Transaction<'_>, _events: &[DecodedEvent]) -> Result<Self, Error> {
        Ok(Self::default())
    }

    /// Applies an event. It decides no business rule. If the event does not fit the earlier rows, it is poison, and the
    /// follower stops the group before it.
    fn fold(&mut self, recorded: &DecodedEvent, first: &Self::FirstOfGroup) -> Result<(), Poison>;

    /// Stores the rows of the window.
    async fn write(&self, tx: &Transaction<'_>) -> Result<(), tokio_postgres::Error>;

    fn into_rows(self) -> RowsOf<Self>;

    /// The stored rows of a business.
    async fn stored(client: &impl GenericClient, business: BusinessId) -> Result<RowsOf<Self>, Error>;

    /// The name of a row in findings of the audit.
    fn row_name(key: &Self::Key) -> String;

    /// The same as `load`, from rows in memory, for simulations.
    fn from_memory(_stored: &RowsOf<Self>, _events: &[DecodedEvent]) -> Self {
        Self::default()
    }

    /// Removes the rows that `write` deletes from the table. Most read models keep all rows.
    fn prune(_rows: &mut RowsOf<Self>) {}

    /// The same as `write` for a row that is stored already, on rows in memory, for simulations. Sums are added to the
    /// stored row; any other row replaces it.
    fn merge(stored: &mut Self::Row, row: Self::Row) {
        *stored = row;
    }
}
