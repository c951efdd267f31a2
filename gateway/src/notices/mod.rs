//! What providers tell, and what the ledger makes of it: `POST /api/webhooks/{provider}`.
//!
//! A notice is decided before it is answered: 200 says that it is in the log and on the disk. What can't be taken now
//! is kept whole for staff and tried again (`exceptions`). How a provider words things is `providers`' matter.

mod answer;
mod command;
mod decision;
mod intake;
mod payouts;
mod receive;
mod taking;

pub use answer::{NoticeAnswer, NoticeResult, NoticesAnswer};
pub use decision::{Decided, InLedger, Waits};
pub use intake::{Intake, Signed, unreadable_json};
pub use receive::{__path_receive_notices, NOTICES_MAX, receive_notices};
pub use taking::{Notices, Taken};
