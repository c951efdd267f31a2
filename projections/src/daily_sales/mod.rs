//! Read model: volume by business date, solution, payment type, brand, terminal and payment link.
//!
//! Reports add these rows up, so that a year's cost depends on its days and not on its sales. Reversals and
//! settlements count on their own day, in their own columns, and never change a past day.

mod figures;
mod filter;
mod hours;
pub(crate) mod lists;
mod months;
mod of_platform;
mod rows;

pub use figures::{Breakdown, figures_breakdown, figures_by_company, figures_by_slot, figures_by_terminal};
pub use filter::{Dates, FigureFilter, FigureSort, WholeMonths, Within};
pub(crate) use hours::{HourKey, Hours};
pub(crate) use months::{MonthKey, Months, month_of};
pub use rows::Sum as Figures;
pub(crate) use rows::{Key, Sum, Sums};

use std::collections::HashMap;

use ledger_domain::calendar::Date;
use ledger_domain::sale::{CardBrand, PaymentType};
use ledger_domain::{BusinessId, Cents};
use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{GenericClient, Row};

use crate::{Error, column_values};

/// The captured sales of one day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Day {
    pub date: Date,
    pub count: u64,
    pub gross: Cents,
    pub net: Cents,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Volume {
    pub count: u64,
    pub gross: Cents,
    pub net: Cents,
}

/// The reversals in a period, whenever the sales were captured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Reversals {
    pub canceled: Volume,
    pub refunded: Volume,
    /// Reversed by the acquirer itself.
    pub reversed: Volume,
    pub disputes: u64,
    pub disputed: Cents,
    pub disputes_won: u64,
    pub won: Cents,
    pub chargebacks: u64,
    pub charged_back: Cents,
}

/// The installments that were paid on their due dates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Settled {
    pub installments: u64,
    pub amount: Cents,
}

/// The days from `start` to `end` with captures, oldest first; over all companies if none is named.
pub async fn daily_volume(
    client: &impl GenericClient,
    business: impl Into<Option<BusinessId>>,
    start: Date,
    end: Date,
) -> Result<Vec<Day>, Error> {
    let rows = client
        .query_typed(
            "SELECT business_date, sum(sales)::int8, sum(gross)::int8, sum(net)::int8
               FROM daily_sales
              WHERE ($1::uuid IS NULL OR business_id = $1) AND business_date BETWEEN $2 AND $3 AND sales > 0
              GROUP BY business_date ORDER BY business_date",
            &[
                (&business.into().map(BusinessId::uuid), Type::UUID),
                (&start, Type::DATE),
                (&end, Type::DATE),
            ],
        )
        .await?;
    rows.iter()
        .map(|row| {
            let Volume { count, gross, net } = volume(row, 1)?;
            Ok(Day {
                date: row.get(0),
                count,
                gross,
                net,
            })
        })
        .collect()
}

/// A period's captured volume by payment type, the largest first.
pub async fn by_payment_type(
    client: &impl GenericClient,
    business: impl Into<Option<BusinessId>>,
    start: Date,
    end: Date,
) -> Result<Vec<(PaymentType, Volume)>, Error> {
    let rows = client
        .query_typed(
            "SELECT payment_type, sum(sales)::int8, sum(gross)::int8, sum(net)::int8
               FROM daily_sales
              WHERE ($1::uuid IS NULL OR business_id = $1) AND business_date BETWEEN $2 AND $3 AND sales > 0
              GROUP BY payment_type ORDER BY sum(gross) DESC, payment_type",
            &[
                (&business.into().map(BusinessId::uuid), Type::UUID),
                (&start, Type::DATE),
                (&end, Type::DATE),
            ],
        )
        .await?;
    rows.iter()
        .map(|row| Ok((column_values::payment_type(row.get(0))?, volume(row, 1)?)))
        .collect()
}

/// A period's captured volume by card brand, the largest first; sales without a card have none.
pub async fn by_brand(
    client: &impl GenericClient,
    business: impl Into<Option<BusinessId>>,
    start: Date,
    end: Date,
) -> Result<Vec<(Option<CardBrand>, Volume)>, Error> {
    let rows = client
        .query_typed(
            "SELECT card_brand, sum(sales)::int8, sum(gross)::int8, sum(net)::int8
               FROM daily_sales
              WHERE ($1::uuid IS NULL OR business_id = $1) AND business_date BETWEEN $2 AND $3 AND sales > 0
              GROUP BY card_brand ORDER BY sum(gross) DESC, card_brand",
            &[
                (&business.into().map(BusinessId::uuid), Type::UUID),
                (&start, Type::DATE),
                (&end, Type::DATE),
            ],
        )
        .await?;
    rows.iter()
        .map(|row| Ok((column_values::optional_brand(row.get(0))?, volume(row, 1)?)))
        .collect()
}

/// A period's captured volume by payment link, the largest first; sales without a link have none.
pub async fn by_payment_link(
    client: &impl GenericClient,
    business: BusinessId,
    start: Date,
    end: Date,
) -> Result<Vec<(Option<String>, Volume)>, Error> {
    let rows = client
        .query_typed(
            "SELECT payment_link_code, sum(sales)::int8, sum(gross)::int8, sum(net)::int8
               FROM daily_sales
              WHERE business_id = $1 AND business_date BETWEEN $2 AND $3 AND sales > 0
              GROUP BY payment_link_code ORDER BY sum(gross) DESC, payment_link_code",
            &[
                (&business.uuid(), Type::UUID),
                (&start, Type::DATE),
                (&end, Type::DATE),
            ],
        )
        .await?;
    rows.iter().map(|row| Ok((row.get(0), volume(row, 1)?))).collect()
}

/// The sales of payment links by code and company, without those whose money went back to the buyer. A link without
/// sales is not among them.
pub async fn by_payment_links(
    client: &impl GenericClient,
    links: &[(&str, BusinessId)],
) -> Result<HashMap<(String, BusinessId), Volume>, Error> {
    let codes: Vec<&str> = links.iter().map(|(code, _)| *code).collect();
    let companies: Vec<_> = links.iter().map(|(_, company)| company.uuid()).collect();
    let rows = client
        .query_typed(
            "SELECT sum(sales - cancels - refunds - acquirer_reversals - chargebacks)::int8,
                    sum(gross - canceled_gross - refunded_gross - acquirer_reversed_gross - charged_back)::int8,
                    sum(net - canceled_net - refunded_net - acquirer_reversed_net - charged_back)::int8,
                    payment_link_code, business_id
               FROM daily_sales
              WHERE payment_link_code = ANY ($1)
                AND (payment_link_code, business_id) IN (SELECT * FROM unnest($1::text[], $2::uuid[]))
              GROUP BY payment_link_code, business_id",
            &[(&codes, Type::TEXT_ARRAY), (&companies, Type::UUID_ARRAY)],
        )
        .await?;
    let volumes = rows.iter().map(|row| {
        let key = (row.get(3), BusinessId::from_uuid(row.get(4)));
        Ok((key, volume(row, 0)?))
    });
    volumes.collect()
}

/// The amounts settled in a period, by the day of the payment; over all companies if none is named.
pub async fn settled(
    client: &impl GenericClient,
    business: impl Into<Option<BusinessId>>,
    start: Date,
    end: Date,
) -> Result<Settled, Error> {
    let row = client
        .query_typed_one(
            "SELECT coalesce(sum(settled_count), 0)::int8, coalesce(sum(settled), 0)::int8
               FROM daily_sales
              WHERE ($1::uuid IS NULL OR business_id = $1) AND business_date BETWEEN $2 AND $3",
            &[
                (&business.into().map(BusinessId::uuid), Type::UUID),
                (&start, Type::DATE),
                (&end, Type::DATE),
            ],
        )
        .await?;
    Ok(Settled {
        installments: column_values::count("daily_sales.settled_count", row.get(0))?,
        amount: Cents::new(row.get(1)),
    })
}

/// A period's captured volume; over all companies if none is named.
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

/// The reversals in a period, over all companies if none is named.
pub async fn reversals(
    client: &impl GenericClient,
    business: impl Into<Option<BusinessId>>,
    start: Date,
    end: Date,
) -> Result<Reversals, Error> {
    let row = client
        .query_typed_one(
            "SELECT coalesce(sum(cancels), 0)::int8, coalesce(sum(canceled_gross), 0)::int8,
                    coalesce(sum(canceled_net), 0)::int8, coalesce(sum(refunds), 0)::int8,
                    coalesce(sum(refunded_gross), 0)::int8, coalesce(sum(refunded_net), 0)::int8,
                    coalesce(sum(acquirer_reversals), 0)::int8, coalesce(sum(acquirer_reversed_gross), 0)::int8,
                    coalesce(sum(acquirer_reversed_net), 0)::int8, coalesce(sum(disputes), 0)::int8,
                    coalesce(sum(disputed), 0)::int8, coalesce(sum(disputes_won), 0)::int8,
                    coalesce(sum(won), 0)::int8, coalesce(sum(chargebacks), 0)::int8,
                    coalesce(sum(charged_back), 0)::int8
               FROM daily_sales
              WHERE ($1::uuid IS NULL OR business_id = $1) AND business_date BETWEEN $2 AND $3",
            &[
                (&business.into().map(BusinessId::uuid), Type::UUID),
                (&start, Type::DATE),
                (&end, Type::DATE),
            ],
        )
        .await?;
    Ok(Reversals {
        canceled: volume(&row, 0)?,
        refunded: volume(&row, 3)?,
        reversed: volume(&row, 6)?,
        disputes: column_values::count("daily_sales.disputes", row.get(9))?,
        disputed: Cents::new(row.get(10)),
        disputes_won: column_values::count("daily_sales.disputes_won", row.get(11))?,
        won: Cents::new(row.get(12)),
        chargebacks: column_values::count("daily_sales.chargebacks", row.get(13))?,
        charged_back: Cents::new(row.get(14)),
    })
}

fn volume(row: &Row, first: usize) -> Result<Volume, Error> {
    Ok(Volume {
        count: column_values::count("daily_sales.sales", row.get(first))?,
        gross: Cents::new(row.get(first + 1)),
        net: Cents::new(row.get(first + 2)),
    })
}
