//! The volume of all companies together, so that staff's figures cost as much with many companies as with one.
//!
//! A window's changes to the volume by company are summed up over the companies and added here: by day, by month and by
//! hour, each with and without the attributes of sales. The rows have the shard in their key, so that the followers of
//! different shards write different rows. The audit compares the rows with sums over companies.

use std::collections::BTreeMap;

use deadpool_postgres::Transaction;
use ledger_domain::sale::{CardBrand, PaymentType, Solution};
use tokio_postgres::Error;

use super::{DayKey, HourKey, Sum};
use crate::range::month_of;
use crate::read_model::field::Field;
use crate::read_model::roll_up::{Column, upsert, write};

/// The tables that `write_days` fills.
pub(super) const DAYS: &[&str] = &[
    BY_DAY.sums,
    BY_DAY.sums_by_attribute,
    BY_MONTH.sums,
    BY_MONTH.sums_by_attribute,
];
/// The tables that `write_hours` fills.
pub(super) const HOURS: &[&str] = &[BY_HOUR.sums, BY_HOUR.sums_by_attribute];

/// The names of the two tables by day, month or hour, with their column of time.
struct Tables {
    time: &'static str,
    sums: &'static str,
    sums_by_attribute: &'static str,
}

const BY_DAY: Tables = Tables {
    time: "business_date",
    sums: "platform_sales_daily",
    sums_by_attribute: "platform_sales_by_attribute",
};
const BY_MONTH: Tables = Tables {
    time: "month",
    sums: "platform_sales_monthly",
    sums_by_attribute: "platform_sales_monthly_by_attribute",
};
const BY_HOUR: Tables = Tables {
    time: "business_hour",
    sums: "platform_sales_hourly",
    sums_by_attribute: "platform_sales_hourly_by_attribute",
};

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Attributes {
    solution: Solution,
    payment_type: PaymentType,
    card_brand: Option<CardBrand>,
    installments: i16,
}

/// `DayKey` and `HourKey` have the same fields of these names.
macro_rules! attributes {
    ($key:expr) => {
        Attributes {
            solution: $key.solution,
            payment_type: $key.payment_type,
            card_brand: $key.card_brand.clone(),
            installments: $key.installments,
        }
    };
}

pub(super) async fn write_days(tx: &Transaction<'_>, rows: &BTreeMap<DayKey, Sum>) -> Result<(), Error> {
    let days = rows.iter().map(|(key, sum)| {
        let attributes = attributes!(key);
        (key.business_date, key.shard, attributes, *sum)
    });
    let months = days
        .clone()
        .map(|(date, shard, attributes, sum)| (month_of(date), shard, attributes, sum));
    add_to_tables(tx, &BY_DAY, days).await?;
    add_to_tables(tx, &BY_MONTH, months).await
}

/// Keeps the shard's newest hour and the 96 hours before it (`hours::oldest_kept`). Each company keeps at least these
/// hours, so the kept hours are complete in all tables.
pub(super) async fn write_hours(tx: &Transaction<'_>, rows: &BTreeMap<HourKey, Sum>) -> Result<(), Error> {
    let hours = rows.iter().map(|(key, sum)| {
        let attributes = attributes!(key);
        (key.business_hour, key.shard, attributes, *sum)
    });
    add_to_tables(tx, &BY_HOUR, hours).await?;
    let mut shards: Vec<i16> = rows.keys().map(|key| key.shard).collect();
    shards.sort_unstable();
    shards.dedup();
    for table in HOURS {
        let sql = format!(
            "DELETE FROM {table} AS old
              USING (SELECT shard, max(business_hour) - interval '96 hours' AS oldest
                       FROM platform_sales_hourly WHERE shard = ANY ($1) GROUP BY shard) AS kept
              WHERE old.shard = kept.shard AND old.business_hour < kept.oldest"
        );
        let statement = tx.prepare_cached(&sql).await?;
        tx.execute(&statement, &[&shards]).await?;
    }
    Ok(())
}

async fn add_to_tables<Time: Field + Ord + Copy>(
    tx: &Transaction<'_>,
    tables: &Tables,
    rows: impl Iterator<Item = (Time, i16, Attributes, Sum)>,
) -> Result<(), Error> {
    let mut sums: BTreeMap<(Time, i16), Sum> = BTreeMap::new();
    let mut sums_by_attribute: BTreeMap<(Time, i16, Attributes), Sum> = BTreeMap::new();
    for (time, shard, attributes, sum) in rows {
        add(sums.entry((time, shard)).or_default(), sum);
        add(
            sums_by_attribute.entry((time, shard, attributes)).or_default(),
            sum,
        );
    }
    let key = [(tables.time, Time::SQL), ("shard", i16::SQL)];
    let columns = vec![
        column(sums.keys().map(|(time, _)| time)),
        column(sums.keys().map(|(_, shard)| shard)),
    ];
    store(tx, tables.sums, &key, columns, sums.values()).await?;
    let key = [
        (tables.time, Time::SQL),
        ("shard", i16::SQL),
        ("solution", Solution::SQL),
        ("payment_type", PaymentType::SQL),
        ("card_brand", Option::<CardBrand>::SQL),
        ("installments", i16::SQL),
    ];
    let keys = sums_by_attribute.keys();
    let columns = vec![
        column(keys.clone().map(|(time, ..)| time)),
        column(keys.clone().map(|(_, shard, _)| shard)),
        column(keys.clone().map(|(.., attributes)| &attributes.solution)),
        column(keys.clone().map(|(.., attributes)| &attributes.payment_type)),
        column(keys.clone().map(|(.., attributes)| &attributes.card_brand)),
        column(keys.map(|(.., attributes)| &attributes.installments)),
    ];
    let sums = sums_by_attribute.values();
    store(tx, tables.sums_by_attribute, &key, columns, sums).await
}

fn add(sum: &mut Sum, change: Sum) {
    *sum = sum
        .plus(change)
        .expect("64 bits hold 900 million of the largest amounts, and a window has fewer events");
}

fn column<'a, Of: Field + 'a>(values: impl Iterator<Item = &'a Of>) -> Column {
    Box::new(values.map(Field::stored).collect::<Vec<_>>())
}

async fn store<'a>(
    tx: &Transaction<'_>,
    table: &str,
    key: &[(&str, &str)],
    mut columns: Vec<Column>,
    sums: impl Iterator<Item = &'a Sum> + Clone,
) -> Result<(), Error> {
    columns.extend(Sum::transposed(sums));
    write(tx, &upsert(table, key, &Sum::COLUMNS), &columns).await
}
