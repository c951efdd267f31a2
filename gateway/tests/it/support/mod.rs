//! The base of the tests: one database for each test, the whole gateway in process, clients by role, companies, users,
//! sales and an acquirer. Builders hold the defaults, so that a test names only the values that matter to it.

pub mod acquirer;
pub mod app;
mod client;
mod clock;
pub mod commands;
mod companies;
pub mod concurrency;
pub mod crashes;
pub mod database;
pub mod document;
mod emails;
pub mod fake_acquirer;
pub mod list_indexes;
pub mod log;
pub mod movements;
pub mod orders;
mod outages;
pub mod program;
mod sales;
pub mod sandbox;
pub mod smtp;
pub mod tampering;
mod users;
pub mod wait;

pub use app::{PARTS, PARTS_AND_SANDBOX, PARTS_WITHOUT_EFFECTS, SELLER_URL, STAFF_URL, TestApp};
pub use client::{Answer, Client, fetch};
pub use clock::{TickingClock, noon};
pub use companies::{Company, plan};
pub use emails::ReceivedEmail;
pub use sales::Sale;
pub use users::{PASSWORD, User};
