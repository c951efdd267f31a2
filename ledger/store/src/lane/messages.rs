//! What goes in and out of a lane: plain values, the same for PostgreSQL and for the modelled log.

use std::sync::Arc;

use ledger_domain::business::{
    Accounts, BusinessEvent, ContextRequest, RecentWithdrawal, Sale, SaleContext, Transfer,
};
use ledger_domain::calendar::Instant;
use ledger_domain::{BusinessId, EventId, SaleId, TransferId};

use super::work::{Answer, Work};
use crate::position::Shard;
use crate::submission::RecordedEvent;

#[derive(Debug)]
#[allow(
    clippy::large_enum_variant,
    reason = "nearly all are work, and it is boxed on arrival"
)]
pub enum Input<T> {
    Submitted {
        ticket: T,
        work: Work,
    },
    /// The answer to the look-up of that number; a lane has one look-up open at most.
    LookedUp {
        number: u64,
        found: Found,
    },
    LookUpFailed {
        number: u64,
        failure: LookUpFailure,
    },
    /// What became of the batch of that number.
    Appended {
        number: u64,
        result: Result<Appended, AppendError>,
    },
    /// Shards that are this process's from now on. What was known of them before is out of date.
    Taken(Vec<Taken>),
    /// The connection was found lost while nothing was under way.
    Disconnected,
    /// The database could not be reached to take the shards again; the shell goes on trying.
    OutOfReach,
    /// Shards that are another process's now.
    Lost(Vec<Shard>),
}

#[derive(Debug)]
pub enum Output<T> {
    LookUp {
        number: u64,
        look_up: LookUp,
    },
    Append {
        number: u64,
        append: Arc<Append>,
    },
    Answer(T, Answer),
    /// Connect anew, take the shards anew, and say so by `Taken`: the fate of what was under way is unknown.
    TakeAgain,
    /// Recorded up to here.
    Durable(Shard, i64),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Taken {
    pub shard: Shard,
    pub epoch: i64,
    pub position: i64,
    /// When its latest event was recorded; `None` where it has none.
    pub recorded_at: Option<Instant>,
}

// ---------------------------------------------------------------- looking up

/// What a group of commands needs and memory doesn't hold.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LookUp {
    pub keys: Vec<(BusinessId, [u8; 16])>,
    pub heads: Vec<BusinessId>,
    pub sales: Vec<SaleId>,
    pub transfers: Vec<TransferId>,
    pub contexts: Vec<ContextRequest>,
}

/// What isn't listed doesn't exist; the contexts are in the order of their requests.
#[derive(Debug, Clone, Default)]
pub struct Found {
    pub keys: Vec<KeyFound>,
    pub heads: Vec<(BusinessId, Head)>,
    pub sales: Vec<(SaleId, SaleFound)>,
    pub transfers: Vec<(TransferId, TransferFound)>,
    pub contexts: Vec<SaleContext>,
}

#[derive(Debug, Clone)]
pub struct KeyFound {
    pub business_id: BusinessId,
    pub key: [u8; 16],
    pub fingerprint: [u8; 16],
    /// What the key's command led to.
    pub events: Vec<RecordedEvent>,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Head {
    /// The sequence of the business's latest event; 0 before its first.
    pub version: i64,
    pub accounts: Accounts,
    pub chain: [u8; 32],
    /// Shared, because nearly every command leaves it as it was, and it is nearly always empty.
    pub recent_withdrawals: Arc<[RecentWithdrawal]>,
}

/// The state of a sale or of a transfer, as it was recorded last.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StateFound<State> {
    pub business_id: BusinessId,
    pub state: State,
    /// When the first that was heard of it happened.
    pub created_at: Instant,
    /// Of the business's event that changed it last.
    pub sequence: i64,
}

pub type SaleFound = StateFound<Sale>;
pub type TransferFound = StateFound<Transfer>;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LookUpFailure {
    Lost,
    /// The database answered with an error; its text is in the shell's log.
    Refused,
}

// ---------------------------------------------------------------- appending

/// One batch, as the log's append takes it. `at` is a place in `shards`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Append {
    /// Ascending.
    pub shards: Vec<ShardAdvance>,
    pub heads: Vec<HeadRow>,
    /// Ascending by id, so that two lanes can't lock each other out.
    pub sales: Vec<StateRow<SaleId>>,
    /// Likewise; most batches have none.
    pub transfers: Vec<StateRow<TransferId>>,
    pub events: Vec<EventRow>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShardAdvance {
    pub shard: Shard,
    pub epoch: i64,
    pub events: i64,
    pub recorded_at: Instant,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeadRow {
    pub at: usize,
    pub business_id: BusinessId,
    pub expected: i64,
    pub head: Head,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StateRow<Id> {
    pub at: usize,
    pub id: Id,
    /// Recorded by an earlier batch, and so updated; else inserted.
    pub known: bool,
    pub business_id: BusinessId,
    pub status: &'static str,
    pub created_at: Instant,
    pub sequence: i64,
    pub state: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventRow {
    pub at: usize,
    /// Within the shard and the batch, from 1.
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
    /// On a command's first event.
    pub key: Option<EventKey>,
    pub event: Arc<BusinessEvent>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EventKey {
    pub key: [u8; 16],
    pub fingerprint: [u8; 16],
    /// How many events the command led to.
    pub span: i16,
}

/// For each shard of the batch its last position before the batch; `None` where the shard was lost, and with it what
/// the batch held of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Appended(pub Vec<Option<i64>>);

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AppendError {
    /// The connection went away: recorded or not, nobody knows.
    Lost,
    /// The database refuses a value (SQLSTATE classes 22 and 23): one of the commands is to blame.
    Poison,
    /// A head is not at the version that was decided on, or another transaction was in the way.
    Overtaken,
    /// One of the keys stands in the log already, and wasn't looked up.
    KeyUsed,
    /// These sales are another business's.
    SalesElsewhere(Vec<SaleId>),
    /// These transfers are another business's.
    TransfersElsewhere(Vec<TransferId>),
    /// Refused for now (disk full, read only, time-out): nothing was recorded.
    Unavailable,
}
