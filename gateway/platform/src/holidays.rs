//! The holidays that staff maintain, in addition to the national ones, which `Calendar` knows by rule. Banks settle
//! nothing on holidays.

use std::collections::HashMap;

use ledger_domain::calendar::{Calendar, Date, days_after};
use tokio_postgres::types::Type;
use tokio_postgres::{Error, GenericClient};

/// The next business day is searched at most this many days ahead. No series of weekends and holidays is as long.
pub const CLOSED_DAYS_MAX: u64 = 60;

/// The names of holidays that staff have added and not removed.
pub async fn holiday_names(
    client: &impl GenericClient,
    dates: &[Date],
) -> Result<HashMap<Date, String>, Error> {
    let rows = client
        .query_typed(
            "SELECT date, name FROM holiday WHERE date = ANY ($1)",
            &[(&dates, Type::DATE_ARRAY)],
        )
        .await?;
    Ok(rows.iter().map(|row| (row.get(0), row.get(1))).collect())
}

/// The holidays that staff have added and not removed, from the first day to the last, both included, by date.
pub async fn holidays_between(
    client: &impl GenericClient,
    from: Date,
    to: Date,
) -> Result<Vec<(Date, String)>, Error> {
    let rows = client
        .query_typed(
            "SELECT date, name FROM holiday WHERE date BETWEEN $1 AND $2 ORDER BY date",
            &[(&from, Type::DATE), (&to, Type::DATE)],
        )
        .await?;
    Ok(rows.iter().map(|row| (row.get(0), row.get(1))).collect())
}

/// The first business day after the date.
pub async fn next_business_day(client: &impl GenericClient, date: Date) -> Result<Date, Error> {
    let holidays = holidays_between(client, date, days_after(date, CLOSED_DAYS_MAX)).await?;
    let closed = holidays.into_iter().map(|(date, _)| date).collect();
    Ok(Calendar::new(closed).add_business_days(date, 1))
}

/// Returns false if the date already has a holiday that staff added, and changes nothing then.
pub async fn holiday_add(client: &impl GenericClient, date: Date, name: &str) -> Result<bool, Error> {
    let added = client
        .execute_typed(
            "INSERT INTO holiday (date, name) VALUES ($1, $2) ON CONFLICT (date) DO NOTHING",
            &[(&date, Type::DATE), (&name, Type::TEXT)],
        )
        .await?;
    Ok(added == 1)
}

/// Removes a holiday that staff added and returns its name. `None` if there is none on that date.
pub async fn holiday_remove(client: &impl GenericClient, date: Date) -> Result<Option<String>, Error> {
    let row = client
        .query_typed_opt(
            "DELETE FROM holiday WHERE date = $1 RETURNING name",
            &[(&date, Type::DATE)],
        )
        .await?;
    Ok(row.map(|row| row.get(0)))
}
