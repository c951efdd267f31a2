//! Read model: volume by business date, solution, payment type, brand, installments, terminal and payment link.
//!
//! Reports add up these rows instead of sales. Reversals and settlements count in separate columns on the day on which
//! they happen. They do not change the day of the capture.

mod by_company;
mod figures;
mod filter;
pub(crate) mod hours;
mod months;
mod months_and_days;
mod of_platform;
pub(crate) mod outcomes;
mod rankings;
mod rows;
mod sale_totals;
mod selection;

pub use by_company::{ListedCompanies, figures_by_company};
pub use figures::{Breakdown, figures_breakdown, figures_by_slot, figures_by_terminal};
pub use filter::{Dates, FigureFilter, FigureSort, WholeMonths, Within};
pub(crate) use hours::{HourKey, Hours};
pub(crate) use months::{MonthKey, Months};
pub use rankings::Rankings;
pub use rows::Sum as Figures;
pub(crate) use rows::{DayKey, Sum, Sums};
pub use sale_totals::{SaleTotals, sale_totals};
pub(crate) use selection::{SalesFilter, Selection};

use std::collections::HashMap;

use ledger_domain::calendar::Date;
use ledger_domain::{BusinessId, Cents};
use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{GenericClient, Row};

use crate::each_shard::{rows_of_each_shard, sums_of_each_shard};
use crate::{Error, column_values};

/// A number of sales, and their amounts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Volume {
    pub count: u64,
    pub gross: Cents,
    pub net: Cents,
}

/// The sales of payment links by code and company, without those whose money went back to the buyer. A chargeback takes
/// its gross from the net, because the platform keeps its fees. A link without sales has no entry.
pub async fn by_payment_links(
    client: &impl GenericClient,
    links: &[(&str, BusinessId)],
) -> Result<HashMap<(String, BusinessId), Volume>, Error> {
    let codes: Vec<&str> = links.iter().map(|(code, _)| *code).collect();
    let companies: Vec<_> = links.iter().map(|(_, company)| company.uuid()).collect();
    let rows = client
        .query_typed(
            // A company's rows stand in one shard, so each sum does.
            &rows_of_each_shard(
                "SELECT sum(sales - cancels - refunds - acquirer_reversals - chargebacks)::int8 AS count,
                        sum(gross - canceled_gross - refunded_gross - acquirer_reversed_gross - charged_back)::int8,
                        sum(net - canceled_net - refunded_net - acquirer_reversed_net - charged_back)::int8,
                        payment_link_code, business_id
                   FROM daily_sales
                  WHERE payment_link_code = ANY ($1)
                    AND (payment_link_code, business_id) IN (SELECT * FROM unnest($1::text[], $2::uuid[]))
                  GROUP BY payment_link_code, business_id",
            ),
            &[(&codes, Type::TEXT_ARRAY), (&companies, Type::UUID_ARRAY)],
        )
        .await?;
    let volumes = rows.iter().map(|row| {
        let key = (row.get(3), BusinessId::from_uuid(row.get(4)));
        Ok((key, volume(row, 0)?))
    });
    volumes.collect()
}

/// The volume that was captured from `start` to `end`, both included. Without a business, that of all companies.
pub async fn period_totals(
    client: &impl GenericClient,
    business: impl Into<Option<BusinessId>>,
    start: Date,
    end: Date,
) -> Result<Volume, Error> {
    const SUMS: &str =
        "coalesce(sum(sales), 0)::int8, coalesce(sum(gross), 0)::int8, coalesce(sum(net), 0)::int8";
    let period = [(&start as &(dyn ToSql + Sync), Type::DATE), (&end, Type::DATE)];
    let row = match business.into() {
        None => {
            let sql =
                format!("SELECT {SUMS} FROM platform_sales_daily WHERE business_date BETWEEN $1 AND $2");
            let sql = sums_of_each_shard(&sql, 0, 3, "");
            client.query_typed_one(&sql, &period).await?
        }
        Some(business) => {
            let sql = format!(
                "SELECT {SUMS} FROM daily_sales WHERE business_date BETWEEN $1 AND $2 AND business_id = $3"
            );
            let id = business.uuid();
            let [start, end] = period;
            client
                .query_typed_one(&sql, &[start, end, (&id, Type::UUID)])
                .await?
        }
    };
    volume(&row, 0)
}

fn volume(row: &Row, first: usize) -> Result<Volume, Error> {
    Ok(Volume {
        count: column_values::count("daily_sales.sales", row.get(first))?,
        gross: Cents::new(row.get(first + 1)),
        net: Cents::new(row.get(first + 2)),
    })
}
