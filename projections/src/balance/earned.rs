//! The platform's revenue, by day or month and by company.

use ledger_domain::BusinessId;
use ledger_domain::calendar::{Date, Instant, start_of};
use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{GenericClient, Row};

use super::platform_fees::FeeSum;
use crate::Error;
use crate::each_shard::sums_of_each_shard;

/// The fees of each day that has any, by the first instant of the day. Fees that are given back are negative on the day
/// on which they are given back.
pub async fn platform_fees_by_day(
    client: &impl GenericClient,
    businesses: Option<&[BusinessId]>,
    (start, end): (Date, Date),
) -> Result<Vec<(Instant, FeeSum)>, Error> {
    fees(
        client,
        businesses,
        "business_date",
        "platform_fees_daily",
        (start, end),
    )
    .await
}

/// The fees of each whole month that has any, by the first instant of the month. `first` is the first day of the first
/// month, and `end` the first day after the last month.
pub async fn platform_fees_by_month(
    client: &impl GenericClient,
    businesses: Option<&[BusinessId]>,
    (first, end): (Date, Date),
) -> Result<Vec<(Instant, FeeSum)>, Error> {
    let last = end.pred_opt().unwrap_or(end);
    fees(
        client,
        businesses,
        "month",
        "platform_fees_monthly",
        (first, last),
    )
    .await
}

/// Adds up the fees by `slot`, the column of time of `table`. Without businesses, it reads the sums over all companies
/// instead. They exist by day only: even many months have few rows.
async fn fees(
    client: &impl GenericClient,
    businesses: Option<&[BusinessId]>,
    slot: &str,
    table: &str,
    (start, end): (Date, Date),
) -> Result<Vec<(Instant, FeeSum)>, Error> {
    const SUMS: &str = "sum(sales)::int8, sum(withdrawals)::int8, sum(rentals)::int8, sum(write_offs)::int8";
    let period = [(&start as &(dyn ToSql + Sync), Type::DATE), (&end, Type::DATE)];
    let rows = match businesses {
        None => {
            let month = "date_trunc('month', business_date::timestamp)::date";
            let slot = if slot == "month" { month } else { slot };
            let sql = format!(
                "SELECT {slot}, {SUMS} FROM platform_revenue_daily WHERE business_date BETWEEN $1 AND $2
                  GROUP BY 1"
            );
            let sql = sums_of_each_shard(&sql, 1, 4, "ORDER BY 1");
            client.query_typed(&sql, &period).await?
        }
        Some(ids) => {
            let ids: Vec<_> = ids.iter().map(|id| id.uuid()).collect();
            let sql = format!(
                "SELECT {slot}, {SUMS} FROM {table} WHERE {slot} BETWEEN $1 AND $2 AND business_id = ANY ($3)
                  GROUP BY 1 ORDER BY 1"
            );
            let [start, end] = period;
            client
                .query_typed(&sql, &[start, end, (&ids, Type::UUID_ARRAY)])
                .await?
        }
    };
    let slot = |row: &Row| (start_of(row.get(0)), FeeSum::from_row(row, 1));
    Ok(rows.iter().map(slot).collect())
}

/// The fees of these companies over the whole period. A company without fees is left out.
pub async fn platform_fees_by_company(
    client: &impl GenericClient,
    businesses: &[BusinessId],
    (start, end): (Date, Date),
) -> Result<Vec<(BusinessId, FeeSum)>, Error> {
    let businesses: Vec<_> = businesses.iter().map(|id| id.uuid()).collect();
    let rows = client
        .query_typed(
            "SELECT business_id, sum(sales)::int8, sum(withdrawals)::int8, sum(rentals)::int8, sum(write_offs)::int8
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
