//! The holidays that staff maintain, in addition to the national ones, which `Calendar` knows by rule. Banks settle
//! nothing on holidays.

use std::collections::HashMap;

use ledger_domain::calendar::{Calendar, Date, days_after};
use ledger_rows::{FromRow, execute, fetch, fetch_opt, params, row};
use tokio_postgres::{Error, GenericClient};

/// The next business day is searched at most this many days ahead. No series of weekends and holidays is as long.
pub const CLOSED_DAYS_MAX: u64 = 60;

row! {
    /// A holiday that staff have added and not removed.
    pub struct AddedHoliday {
        pub date: Date,
        pub name: String,
    }
}

/// The holidays from the first day to the last, both included, by date.
pub async fn holidays_between(
    client: &impl GenericClient,
    from: Date,
    to: Date,
) -> Result<Vec<AddedHoliday>, Error> {
    let columns = AddedHoliday::COLUMNS;
    let sql = format!("SELECT {columns} FROM holiday WHERE date BETWEEN $1 AND $2 ORDER BY date");
    fetch(client, &sql, params![from, to]).await
}

/// The names of the holidays on these dates.
pub async fn holiday_names(
    client: &impl GenericClient,
    dates: &[Date],
) -> Result<HashMap<Date, String>, Error> {
    let columns = AddedHoliday::COLUMNS;
    let sql = format!("SELECT {columns} FROM holiday WHERE date = ANY ($1)");
    let added: Vec<AddedHoliday> = fetch(client, &sql, params![dates]).await?;
    Ok(added
        .into_iter()
        .map(|holiday| (holiday.date, holiday.name))
        .collect())
}

/// The first business day after the date.
pub async fn next_business_day(client: &impl GenericClient, date: Date) -> Result<Date, Error> {
    let holidays = holidays_between(client, date, days_after(date, CLOSED_DAYS_MAX)).await?;
    let closed = holidays.into_iter().map(|holiday| holiday.date).collect();
    Ok(Calendar::new(closed).add_business_days(date, 1))
}

/// Returns false if the date already has a holiday that staff added, and changes nothing then.
pub async fn holiday_add(client: &impl GenericClient, date: Date, name: &str) -> Result<bool, Error> {
    let sql = "INSERT INTO holiday (date, name) VALUES ($1, $2) ON CONFLICT (date) DO NOTHING";
    Ok(execute(client, sql, params![date, name]).await? == 1)
}

/// Removes a holiday that staff added and returns it. `None` if there is none on that date.
pub async fn holiday_remove(client: &impl GenericClient, date: Date) -> Result<Option<AddedHoliday>, Error> {
    let sql = format!(
        "DELETE FROM holiday WHERE date = $1 RETURNING {}",
        AddedHoliday::COLUMNS
    );
    fetch_opt(client, &sql, params![date]).await
}
