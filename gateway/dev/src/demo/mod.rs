//! The demo story: five companies with their users, plans and terminals, what sellers wrote to the platform, and about
//! ninety days of sales and withdrawals up to today.
//!
//! The functions behind staff's screens write companies, plans and terminals. Notices to the intake report the sales
//! and their later steps. The jobs run settlement and rentals, and the ledger's commands make cancels and withdrawals.
//! Sales by payment links are orders: functions of `gateway_platform` write past orders as they ended, and the order
//! worker charges open ones at the sandbox. The loader needs an empty database or an interrupted load, which it
//! completes. All companies and users of the story are invented.

mod back_office;
mod buyers;
mod link_sales;
mod links;
mod loader;
mod orders;
mod progress;
mod recent_orders;
mod records;
mod reversals;
mod rng;
mod sale_facts;
mod sending;
mod settlements;
mod story;
mod terms;
mod trade;
mod withdrawal_plan;
mod withdrawals;

pub use loader::{DemoError, LoadCounts, Loader};
pub(crate) use rng::DemoRng;
pub use story::{Company, Story, StoryAccess, StoryUser};
pub use trade::{DAYS, DemoNotice, notices_until};

/// Writes the story's reference data without users, links and sales.
pub async fn install_records(
    client: &impl tokio_postgres::GenericClient,
    today: ledger_domain::calendar::Date,
) -> Result<(), tokio_postgres::Error> {
    records::install(client, &Story::read(), today).await
}
