//! The one story: five companies, their people, plans and terminals, and some ninety days of their sales and
//! withdrawals up to today.
//!
//! Told through the same doors as real life: records by the back office's functions, sales and what becomes of them by
//! notices to the intake, settlement and rentals by their jobs, cancels and withdrawals by the ledger's commands. Loaded
//! into an empty database only; everybody and everything in it is invented.

mod load;
mod paydays;
mod records;
mod reversals;
mod rng;
mod story;
mod terms;
mod trade;
mod withdrawals;

pub use load::{DemoError, Loaded, Loader};
pub use story::{Access, Company, Person, Story};
pub use trade::{DAYS, TimedNotice, notices_until};

/// The records alone, without people and sales: what the benchmark and tests sell on.
pub async fn install_records(
    client: &impl tokio_postgres::GenericClient,
    today: ledger_domain::calendar::Date,
) -> Result<(), tokio_postgres::Error> {
    records::install(client, &Story::read(), today).await
}
