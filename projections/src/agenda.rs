//! Read model: what a business is to receive on each day, by the unit of receivables (acquirer, brand, means of
//! payment).
//!
//! It has no fold of its own: the sales' fold tells it what was promised and what was settled, because only the sale
//! knows the unit.

use std::collections::BTreeMap;
use std::fmt;

use deadpool_postgres::Transaction;
use ledger_domain::calendar::{Date, days_after};
use ledger_domain::sale::{CardBrand, PaymentType, Provider};
use ledger_domain::{BusinessId, Cents};
use tokio_postgres::types::Type;
use tokio_postgres::{GenericClient, Row};

use crate::error::Poison;
use crate::page::Batch;
use crate::replay::{Columns, optional};
use crate::{Error, spelling};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AgendaDay {
    pub due_date: Date,
    /// All that was promised for the day.
    pub expected: Cents,
    /// What was paid out of it.
    pub settled: Cents,
    /// Instalments promised for the day.
    pub count: u64,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Unit {
    pub provider: Provider,
    pub card_brand: Option<CardBrand>,
    pub payment_type: PaymentType,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Sum {
    pub expected: i64,
    pub settled: i64,
    pub instalments: i64,
    pub settled_count: i64,
}

pub(crate) type Key = (BusinessId, Date, Unit);

/// What a window of events adds to the rows. From the whole log of a business, it is the rows.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Sums(pub BTreeMap<Key, Sum>);

impl Sums {
    pub fn promise(
        &mut self,
        business: BusinessId,
        due_date: Date,
        unit: Unit,
        net: Cents,
    ) -> Result<(), Poison> {
        let sum = self.0.entry((business, due_date, unit)).or_default();
        sum.expected = sum.expected.checked_add(net.get()).ok_or(Poison::Overflow)?;
        sum.instalments += 1;
        Ok(())
    }

    pub fn settle(
        &mut self,
        business: BusinessId,
        due_date: Date,
        unit: Unit,
        net: Cents,
    ) -> Result<(), Poison> {
        let sum = self.0.entry((business, due_date, unit)).or_default();
        sum.settled = sum.settled.checked_add(net.get()).ok_or(Poison::Overflow)?;
        sum.settled_count += 1;
        Ok(())
    }

    pub async fn write(&self, tx: &Transaction<'_>) -> Result<(), tokio_postgres::Error> {
        if self.0.is_empty() {
            return Ok(());
        }
        let statement = tx
            .prepare_cached(
                "INSERT INTO agenda (business_id, due_date, provider, card_brand, payment_type, expected, settled,
                                     instalments, settled_count)
                 SELECT * FROM unnest($1::uuid[], $2::date[], $3::int2[], $4::text[], $5::text[], $6::int8[],
                                      $7::int8[], $8::int8[], $9::int8[])
                 ON CONFLICT (business_id, due_date, provider, card_brand, payment_type) DO UPDATE
                    SET expected = agenda.expected + excluded.expected,
                        settled = agenda.settled + excluded.settled,
                        instalments = agenda.instalments + excluded.instalments,
                        settled_count = agenda.settled_count + excluded.settled_count",
            )
            .await?;
        let keys = || self.0.keys();
        let businesses: Vec<_> = keys().map(|(business, ..)| business.uuid()).collect();
        let dates: Vec<_> = keys().map(|(_, date, _)| *date).collect();
        let providers: Vec<_> = keys()
            .map(|(.., unit)| i16::from(unit.provider.number()))
            .collect();
        let brands: Vec<_> = keys()
            .map(|(.., unit)| unit.card_brand.as_ref().map(CardBrand::as_str))
            .collect();
        let types: Vec<_> = keys().map(|(.., unit)| unit.payment_type.as_str()).collect();
        let column = |value: fn(&Sum) -> i64| self.0.values().map(value).collect::<Vec<_>>();
        tx.execute(
            &statement,
            &[
                &businesses,
                &dates,
                &providers,
                &brands,
                &types,
                &column(|sum| sum.expected),
                &column(|sum| sum.settled),
                &column(|sum| sum.instalments),
                &column(|sum| sum.settled_count),
            ],
        )
        .await?;
        Ok(())
    }
}

/// Every row of a business, as the fold of its whole log would make them.
pub(crate) async fn rows_of(client: &impl GenericClient, business: BusinessId) -> Result<Sums, Error> {
    let rows = client
        .query_typed(
            "SELECT due_date, provider, card_brand, payment_type, expected, settled, instalments, settled_count
               FROM agenda WHERE business_id = $1",
            &[(&business.uuid(), Type::UUID)],
        )
        .await?;
    let row = |row: &Row| {
        let brand: Option<&str> = row.get(2);
        let unit = Unit {
            provider: spelling::provider(row.get(1))?,
            card_brand: spelling::card_brand(brand)?,
            payment_type: spelling::payment_type(row.get(3))?,
        };
        let sum = Sum {
            expected: row.get(4),
            settled: row.get(5),
            instalments: row.get(6),
            settled_count: row.get(7),
        };
        Ok(((business, row.get(0), unit), sum))
    };
    Ok(Sums(rows.iter().map(row).collect::<Result<_, Error>>()?))
}

impl Columns for Sum {
    fn columns(&self) -> Vec<(&'static str, String)> {
        vec![
            ("expected", self.expected.to_string()),
            ("settled", self.settled.to_string()),
            ("instalments", self.instalments.to_string()),
            ("settled_count", self.settled_count.to_string()),
        ]
    }
}

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} {} {}",
            self.provider.slug(),
            optional(self.card_brand.as_ref()),
            self.payment_type
        )
    }
}

/// The days from `start` to `end` for which something was promised, oldest first.
pub async fn agenda_list(
    client: &impl GenericClient,
    business: BusinessId,
    start: Date,
    end: Date,
) -> Result<Vec<AgendaDay>, Error> {
    select(client, business, start, end, None).await
}

/// At most `limit` days of the same list after the day `after`.
pub async fn export_page(
    client: &impl GenericClient,
    business: BusinessId,
    (start, end): (Date, Date),
    after: Option<Date>,
    limit: u32,
) -> Result<Batch<AgendaDay, Date>, Error> {
    let start = after.map_or(start, |after| start.max(days_after(after, 1)));
    let rows = select(client, business, start, end, Some(i64::from(limit))).await?;
    let full = u32::try_from(rows.len()).is_ok_and(|count| count == limit);
    let next = rows.last().filter(|_| full).map(|day| day.due_date);
    Ok(Batch { rows, next })
}

/// Every day where there is no limit.
async fn select(
    client: &impl GenericClient,
    business: BusinessId,
    start: Date,
    end: Date,
    limit: Option<i64>,
) -> Result<Vec<AgendaDay>, Error> {
    let rows = client
        .query_typed(
            "SELECT due_date, sum(expected)::int8, sum(settled)::int8, sum(instalments)::int8
               FROM agenda WHERE business_id = $1 AND due_date BETWEEN $2 AND $3
              GROUP BY due_date ORDER BY due_date LIMIT $4",
            &[
                (&business.uuid(), Type::UUID),
                (&start, Type::DATE),
                (&end, Type::DATE),
                (&limit, Type::INT8),
            ],
        )
        .await?;
    rows.iter()
        .map(|row| {
            Ok(AgendaDay {
                due_date: row.get(0),
                expected: Cents::new(row.get(1)),
                settled: Cents::new(row.get(2)),
                count: spelling::count("agenda.instalments", row.get(3))?,
            })
        })
        .collect()
}

/// What is still to come from the day `from` to the day `to`, both included.
pub async fn agenda_expected_between(
    client: &impl GenericClient,
    business: BusinessId,
    from: Date,
    to: Date,
) -> Result<Cents, Error> {
    let row = client
        .query_typed_one(
            "SELECT coalesce(sum(expected - settled), 0)::int8
               FROM agenda WHERE business_id = $1 AND due_date BETWEEN $2 AND $3",
            &[
                (&business.uuid(), Type::UUID),
                (&from, Type::DATE),
                (&to, Type::DATE),
            ],
        )
        .await?;
    Ok(Cents::new(row.get(0)))
}
