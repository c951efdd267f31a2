//! The inputs and outputs of a lane. Plain values, the same for PostgreSQL and for the simulated log.

use std::sync::Arc;

use ledger_domain::business::{
    Accounts, BusinessEvent, ContextRequest, Hold, RecentWithdrawal, Sale, SaleContext, Transfer,
};
use ledger_domain::calendar::Instant;
use ledger_domain::{BusinessId, Cents, EventId, SaleId, TransferId};

use super::work::{Answer, Work};
use crate::position::Shard;
use crate::submission::RecordedEvent;

#[derive(Debug)]
#[allow(
    clippy::large_enum_variant,
    reason = "nearly all are `Submitted`, which is boxed on arrival"
)]
pub enum Input<T> {
    Submitted {
        ticket: T,
        work: Work,
    },
    /// The result of the look-up with that number. A lane has at most one look-up open.
    LookedUp {
        number: u64,
        found: LookUpResult,
    },
    LookUpFailed {
        number: u64,
        failure: LookUpFailure,
    },
    /// The result of the batch with that number.
    Appended {
        number: u64,
        result: Result<Appended, AppendError>,
    },
    /// Shards that this process owns from now on. Their cached state is out of date.
    Acquired(Vec<AcquiredShard>),
    /// The connection was lost. It is unknown whether a batch in flight is recorded.
    Disconnected,
    /// The shards cannot be taken again for now.
    DatabaseUnreachable,
    /// Shards that this process no longer owns.
    ShardsLost(Vec<Shard>),
    /// Shards that go to another process. From now on their commands are answered with `NotOwner`; `Released` follows
    /// when those in progress are answered.
    Release(Vec<Shard>),
}

#[derive(Debug)]
pub enum Output<T> {
    LookUp {
        number: u64,
        look_up: LookUpRequest,
    },
    Append {
        number: u64,
        append: Arc<Append>,
    },
    Answer(T, Answer),
    /// Reconnect, take the shards again, and answer with `Acquired`; with `DatabaseUnreachable` after each attempt that
    /// fails. The result of a running batch is unknown.
    Reconnect,
    /// Shards that this lane has stopped using, with their epochs: another process may take them.
    Released(Vec<(Shard, i64)>),
    /// The batch is durable, except the rows of the shards without a position.
    Committed {
        append: Arc<Append>,
        appended: Appended,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AcquiredShard {
    pub shard: Shard,
    pub epoch: i64,
    pub position: i64,
    /// When its latest event was recorded; `None` if it has no events.
    pub recorded_at: Option<Instant>,
}

// ---------------------------------------------------------------- looking up

/// What is looked up for a group of commands.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LookUpRequest {
    pub keys: Vec<(BusinessId, [u8; 16])>,
    pub heads: Vec<BusinessId>,
    pub sales: Vec<SaleId>,
    pub transfers: Vec<TransferId>,
    pub contexts: Vec<ContextRequest>,
    /// The contexts must come from the reference data in force. Otherwise those in memory are good enough.
    pub contexts_in_force: bool,
}

/// The result of a look-up. A requested key or id without an entry does not exist. The contexts are in the order of
/// their requests.
#[derive(Debug, Clone, Default)]
pub struct LookUpResult {
    pub keys: Vec<FoundKey>,
    pub heads: Vec<(BusinessId, Head)>,
    pub sales: Vec<(SaleId, FoundSale)>,
    pub transfers: Vec<(TransferId, FoundTransfer)>,
    pub contexts: Vec<SaleContext>,
    /// The version of the reference data in memory, if the contexts come from there. Then it may be out of date.
    pub remembered_version: Option<i64>,
}

#[derive(Debug, Clone)]
pub struct FoundKey {
    pub business_id: BusinessId,
    pub key: [u8; 16],
    pub fingerprint: [u8; 16],
    /// The events of the key's command.
    pub events: Vec<RecordedEvent>,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Head {
    /// The sequence of the business's latest event; 0 before the first.
    pub version: i64,
    pub accounts: Accounts,
    pub chain: [u8; 32],
    /// Shared, because nearly every command leaves it unchanged, and it is usually empty.
    pub recent_withdrawals: Arc<[RecentWithdrawal]>,
    /// The part of `held_by_staff` that comes from holds on sales.
    pub held_for_sales: Cents,
    /// The other open holds. Shared like the withdrawals.
    pub holds: Arc<[Hold]>,
}

/// The state of a sale or a transfer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundState<State> {
    pub business_id: BusinessId,
    pub state: State,
    /// When its first event happened.
    pub created_at: Instant,
    /// The sequence of the business's event that changed it last.
    pub sequence: i64,
    /// Whether it has a row. The first event of a sale adds none, because the sale's claim leads to that event.
    pub is_stored: bool,
}

pub type FoundSale = FoundState<Sale>;
pub type FoundTransfer = FoundState<Transfer>;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LookUpFailure {
    ConnectionLost,
    /// The database answered with an error, or with a row that is unreadable. The look-up logged it.
    DatabaseError,
    /// A sale is claimed by an event that cannot be read yet. It is looked up again.
    Conflict,
}

// ---------------------------------------------------------------- appending

/// One batch for the log's append. `shard_index` is an index in `shards`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Append {
    /// Ascending.
    pub shards: Vec<ShardAdvance>,
    pub heads: Vec<HeadRow>,
    /// The sales with an earlier event, or with several in this batch. Ascending by id.
    pub sales: Vec<StateRow<SaleId>>,
    /// Ascending by id, so that two lanes cannot deadlock. Most batches have none.
    pub transfers: Vec<StateRow<TransferId>>,
    pub events: Vec<EventRow>,
    /// The version of the reference data on which some of the events rest, if memory answered for it. The append
    /// records nothing if it finds another one.
    pub reference_version: Option<i64>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShardAdvance {
    pub shard: Shard,
    pub epoch: i64,
    /// The last position before the batch.
    pub base: i64,
    pub events: i64,
    pub recorded_at: Instant,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeadRow {
    pub shard_index: usize,
    pub business_id: BusinessId,
    /// The version before the batch.
    pub expected: i64,
    pub head: Head,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StateRow<Id> {
    pub shard_index: usize,
    pub id: Id,
    /// True if it has a row already, which is updated; else one is inserted.
    pub existed: bool,
    pub business_id: BusinessId,
    pub status: &'static str,
    pub created_at: Instant,
    pub sequence: i64,
    pub state: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventRow {
    pub shard_index: usize,
    /// The number within the shard and the batch, from 1.
    pub ordinal: i64,
    pub business_id: BusinessId,
    pub sequence: i64,
    pub event_id: EventId,
    pub event_type: &'static str,
    pub event_version: &'static str,
    pub payload: String,
    pub metadata: Arc<str>,
    pub recorded_at: Instant,
    pub occurred_at: Instant,
    pub digest: [u8; 32],
    pub chain: [u8; 32],
    /// Only on a command's first event.
    pub key: Option<EventKey>,
    /// The sale of which this is the first event. No two events claim the same sale.
    pub claimed_sale: Option<SaleId>,
    pub event: Arc<BusinessEvent>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct EventKey {
    pub key: [u8; 16],
    pub fingerprint: [u8; 16],
    /// How many events the command recorded, from the event with the key on. The column is called `span`.
    pub event_count: i16,
}

/// For each shard of the batch, the last position before the batch; `None` if the shard was lost, and the batch's rows
/// of that shard were not recorded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Appended(pub Vec<Option<i64>>);

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AppendError {
    /// The connection was lost. It is unknown whether the batch is recorded.
    ConnectionLost,
    /// The database rejects a value (SQLSTATE classes 22 and 23): at least one of the commands is the cause.
    Rejected,
    /// The log is not as the batch was decided on, or a concurrent transaction interfered.
    Conflict,
    /// One of the keys is in the log already and was not looked up.
    KeyUsed,
    /// Sales that should be new are recorded already, of this business or of another. Not all of them need to be named.
    SalesExist(Vec<SaleId>),
    /// The reference data changed after the version on which the batch rests.
    ReferenceDataChanged,
    /// These transfers belong to another business.
    TransfersBelongToOther(Vec<TransferId>),
    /// Another error of the database, such as a full disk or a time-out. Nothing was recorded.
    Unavailable,
    /// A newer program migrated the database, and the append of this one is gone. Nothing was recorded.
    Outdated,
}
