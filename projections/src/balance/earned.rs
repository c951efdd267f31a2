//! The platform's revenue, by day or month and by company.

use ledger_domain::BusinessId;
use ledger_domain::calendar::{Date, Instant, start_of};
use tokio_postgres::types::Type;
use tokio_postgres::{GenericClient, Row};

use super::platform_fees::FeeSum;
use crate::Error;

/// The fees of each day that has any, by the day's first instant. Fees that were given back count as negative on their
/// own day.
pub async fn platform_fees_by_day(
    client: &impl GenericClient,
    businesses: Option<&[BusinessId]>,
    (start, end): (Date, Date),
) -> Result<Vec<(Instant, FeeSum)>, Error> {
    let businesses: Option<Vec<_>> = businesses.map(|ids| ids.iter().map(|id| id.uuid()).collect());
    let rows = client
        .query_typed(
            "SELECT business_date, sum(sales)::int8, sum(withdrawals)::int8, sum(rentals)::int8
               FROM platform_fees_daily
              WHERE ($1::uuid[] IS NULL OR business_id = ANY ($1)) AND business_date BETWEEN $2 AND $3
              GROUP BY business_date ORDER BY business_date",
            &[
                (&businesses, Type::UUID_ARRAY),
                (&start, Type::DATE),
                (&end, Type::DATE),
            ],
        )
        .await?;
    let day = |row: &Row| (start_of(row.get(0)), FeeSum::from_row(row, 1));
    Ok(rows.iter().map(day).collect())
}

/// The same by whole months: `first` is the first day of the first month, and `end` of the month after the last.
pub async fn platform_fees_by_month(
    client: &impl GenericClient,
    businesses: Option<&[BusinessId]>,
    (first, end): (Date, Date),
) -> Result<Vec<(Instant, FeeSum)>, Error> {
    let businesses: Option<Vec<_>> = businesses.map(|ids| ids.iter().map(|id| id.uuid()).collect());
    let rows = client
        .query_typed(
            "SELECT month, sum(sales)::int8, sum(withdrawals)::int8, sum(rentals)::int8
               FROM platform_fees_monthly
              WHERE ($1::uuid[] IS NULL OR business_id = ANY ($1)) AND month >= $2 AND month < $3
              GROUP BY month ORDER BY month",
            &[
                (&businesses, Type::UUID_ARRAY),
                (&first, Type::DATE),
                (&end, Type::DATE),
            ],
        )
        .await?;
    let month = |row: &Row| (start_of(row.get(0)), FeeSum::from_row(row, 1));
    Ok(rows.iter().map(month).collect())
}

/// The fees of each of these companies over the whole period.
pub async fn platform_fees_by_company(
    client: &impl GenericClient,
    businesses: &[BusinessId],
    (start, end): (Date, Date),
) -> Result<Vec<(BusinessId, FeeSum)>, Error> {
    let businesses: Vec<_> = businesses.iter().map(|id| id.uuid()).collect();
    let rows = client
        .query_typed(
            "SELECT business_id, sum(sales)::int8, sum(withdrawals)::int8, sum(rentals)::int8
               FROM platform_fees_daily
              WHERE business_id = ANY ($1) AND business_date BETWEEN $2 AND $3
              GROUP BY business_id",
            &[
                (&businesses, Type::UUID_ARRAY),
                (&start, Type::DATE),
                (&end, Type::DATE),
            ],
        )
        .await?;
    let company = |row: &Row| (BusinessId::from_uuid(row.get(0)), FeeSum::from_row(row, 1));
    Ok(rows.iter().map(company).collect())
}
