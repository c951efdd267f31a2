//! What providers report, and what the ledger makes of it.
//!
//! A notice is decided before it is answered: *recorded* says that it is in the log and on the disk. A notice that can't be
//! taken now is kept whole for staff and tried again (`exceptions`). `providers` reads each provider's words.

mod command;
mod decision;
mod intake;
mod payouts;
mod taking;

pub use decision::{Decided, InLedger};
pub use intake::{Intake, Signed, unreadable_json};
pub use taking::{Notices, Taken};
