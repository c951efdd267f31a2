//! The reserve: the rules that staff set, what they would hold, and what is held until when.

pub mod bodies;
pub mod rules;
pub mod seller;
pub mod staff;

use chrono::Days;
use gateway_platform::reserves::{CompanyReserve, company_reserves};
use ledger_domain::BusinessId;
use ledger_domain::calendar::Date;
use projections::holds::reserve::reserve_days;
use tokio_postgres::Client;

use self::bodies::Reserve;
use crate::AppState;
use crate::problem::Result;

/// How long the calendar still shows what was released.
const RELEASED_DAYS: u64 = 30;

/// What is held of a company until when, and by which rules.
async fn reserve_of(state: &AppState, client: &Client, business: BusinessId) -> Result<Reserve> {
    let today = state.clock.today();
    let from = today.checked_sub_days(Days::new(RELEASED_DAYS)).unwrap_or(today);
    let days = reserve_days(client, business, from).await?;
    Ok(Reserve::of(&rules_of(client, business).await?, today, days))
}

async fn rules_of(client: &Client, business: BusinessId) -> Result<CompanyReserve> {
    let mut found = company_reserves(client, &[business]).await?;
    Ok(found.remove(&business).unwrap_or_default())
}

/// What is held, in cents by the day on which it leaves.
async fn releases(client: &Client, business: BusinessId, today: Date) -> Result<Vec<(Date, i64)>> {
    let days = reserve_days(client, business, today).await?;
    let held = days.into_iter().map(|(day, sum)| (day, sum.left()));
    Ok(held.filter(|(_, left)| *left != 0).collect())
}
