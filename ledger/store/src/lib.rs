//! The event log on PostgreSQL: one writer for each shard, commands decided in batches, events chained by hash, and the
//! functions that read and verify the log.
//!
//! `ledger-domain` holds the business rules, and the projections crate the read models. The path of a command:
//! [`Writer::submit`] → [`lane`] (asks for look-ups, decides, forms batches; pure) → [`writer`] (the statement) → its
//! receipt.

pub mod actor;
pub mod archive;
pub mod audit;
pub mod causes;
pub mod clock;
pub mod connector;
pub mod durability;
pub mod event;
pub mod follower;
pub mod framework;
mod hosts;
pub mod lane;
pub mod layout;
pub mod log;
pub mod migrate;
pub mod peers;
pub mod position;
pub mod recorded;
pub mod reference_data;
pub mod submission;
pub mod supervisor;
#[cfg(test)]
mod table_ownership;
pub mod trace;
pub mod writer;

pub use actor::{Actor, Job};
pub use audit::{chain, tree_head, verify};
pub use causes::Causes;
pub use clock::{Clock, SystemClock};
pub use connector::Connector;
pub use event::{LogEvent, Metadata, StoredEvent};
pub use layout::{Layout, LayoutError};
pub use position::{LedgerPosition, SHARDS, Shard};
pub use recorded::Recorded;
pub use reference_data::{ReferenceData, RememberedContexts};
pub use submission::{Idempotency, Outcome, Receipt, RecordedEvent, Submission};
pub use supervisor::Supervisor;
pub use writer::{Appending, Writer, WriterError, WriterOptions, WriterTask};
