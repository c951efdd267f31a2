//! The event log on PostgreSQL: one writer for each shard, commands decided in batches, events chained by hash, and
//! the ways to read and to check what was recorded.
//!
//! What a business may do is `ledger-domain`'s matter; what a screen shows is a read model's. The walk of a command:
//! [`Writer::submit`] → [`lane`] (looked up, decided, batched; pure) → [`writer`] (the statement) → its receipt.

pub mod actor;
pub mod audit;
pub mod back_office;
pub mod clock;
pub mod event;
pub mod framework;
pub mod lane;
pub mod log;
pub mod migrate;
pub mod position;
pub mod submission;
pub mod supervisor;
pub mod writer;

pub use actor::{Actor, Job};
pub use audit::{chain, checkpoint, verify};
pub use back_office::BackOffice;
pub use clock::{Clock, SystemClock};
pub use event::{Metadata, StoredEvent};
pub use position::{LedgerPosition, SHARDS, Shard};
pub use submission::{Idempotency, Outcome, Receipt, RecordedEvent, Submission};
pub use supervisor::Supervisor;
pub use writer::{Recorded, Writer, WriterError, WriterOptions, WriterTask};
