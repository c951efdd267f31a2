//! The volume of all companies together, so that staff's figures cost as much with many companies as with one.
//!
//! A window adds what it adds to the volume by company, summed up over the companies. The rows have the shard in their
//! key: only the follower of the shard writes them, so that followers never wait for each other. The audit compares them
//! with the sums over companies.

use std::collections::BTreeMap;

use deadpool_postgres::Transaction;
use ledger_domain::calendar::{Date, Instant};
use ledger_domain::sale::{CardBrand, PaymentType, Solution};
use tokio_postgres::Error;

use super::{HourKey, Key, Sum};
use crate::read_model::field::Field;
use crate::read_model::roll_up::{Column, upsert, write};

pub(super) const DAYS: &[&str] = &["platform_sales_daily", "platform_sales_by_attribute"];
pub(super) const HOURS: &[&str] = &["platform_sales_hourly"];

type Attributes = (Date, i16, Solution, PaymentType, Option<CardBrand>, i16);

pub(super) async fn write_days(tx: &Transaction<'_>, rows: &BTreeMap<Key, Sum>) -> Result<(), Error> {
    let mut days: BTreeMap<(Date, i16), Sum> = BTreeMap::new();
    let mut attributes: BTreeMap<Attributes, Sum> = BTreeMap::new();
    for (key, sum) in rows {
        add(days.entry((key.business_date, key.shard)).or_default(), *sum);
        let of = (
            key.business_date,
            key.shard,
            key.solution,
            key.payment_type,
            key.card_brand.clone(),
            key.installments,
        );
        add(attributes.entry(of).or_default(), *sum);
    }
    let columns = vec![
        column(days.keys().map(|(date, _)| date)),
        column(days.keys().map(|(_, shard)| shard)),
    ];
    let key = [("business_date", "date"), ("shard", "int2")];
    store(
        tx,
        ("platform_sales_daily", "platform_sales_daily_pkey"),
        &key,
        columns,
        days.values(),
    )
    .await?;
    let columns = vec![
        column(attributes.keys().map(|(date, ..)| date)),
        column(attributes.keys().map(|(_, shard, ..)| shard)),
        column(attributes.keys().map(|(_, _, solution, ..)| solution)),
        column(attributes.keys().map(|(_, _, _, payment_type, ..)| payment_type)),
        column(attributes.keys().map(|(_, _, _, _, brand, _)| brand)),
        column(attributes.keys().map(|(.., installments)| installments)),
    ];
    let key = [
        ("business_date", "date"),
        ("shard", "int2"),
        ("solution", Solution::SQL),
        ("payment_type", PaymentType::SQL),
        ("card_brand", Option::<CardBrand>::SQL),
        ("installments", "int2"),
    ];
    let table = ("platform_sales_by_attribute", "platform_sales_by_attribute_key");
    store(tx, table, &key, columns, attributes.values()).await
}

/// Keeps four days before the shard's newest hour, as each company's hours are kept before its own newest one. So the kept
/// hours are complete in both tables.
pub(super) async fn write_hours(tx: &Transaction<'_>, rows: &BTreeMap<HourKey, Sum>) -> Result<(), Error> {
    let mut hours: BTreeMap<(Instant, i16), Sum> = BTreeMap::new();
    for (key, sum) in rows {
        add(hours.entry((key.business_hour, key.shard)).or_default(), *sum);
    }
    let columns = vec![
        column(hours.keys().map(|(hour, _)| hour)),
        column(hours.keys().map(|(_, shard)| shard)),
    ];
    let key = [("business_hour", "timestamptz"), ("shard", "int2")];
    let table = ("platform_sales_hourly", "platform_sales_hourly_pkey");
    store(tx, table, &key, columns, hours.values()).await?;
    let shards: Vec<i16> = hours.keys().map(|(_, shard)| *shard).collect();
    let statement = tx
        .prepare_cached(
            "DELETE FROM platform_sales_hourly AS old
              USING (SELECT shard, max(business_hour) - interval '96 hours' AS oldest
                       FROM platform_sales_hourly WHERE shard = ANY ($1) GROUP BY shard) AS kept
              WHERE old.shard = kept.shard AND old.business_hour < kept.oldest",
        )
        .await?;
    tx.execute(&statement, &[&shards]).await.map(drop)
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
    (table, constraint): (&str, &str),
    key: &[(&str, &str)],
    mut columns: Vec<Column>,
    sums: impl Iterator<Item = &'a Sum> + Clone,
) -> Result<(), Error> {
    columns.extend(Sum::transposed(sums));
    write(tx, &upsert(table, constraint, key, &Sum::COLUMNS), &columns).await
}
