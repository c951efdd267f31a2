//! Read model: captured volume by business date of the capture, down to solution, means of payment, brand and terminal.
//!
//! Reports add these rows up, so that a year costs its days and not its sales. What is undone later counts on its own
//! day and never changes a past one.

use std::collections::BTreeMap;
use std::fmt;

use deadpool_postgres::Transaction;
use ledger_domain::business::{BusinessEvent, SaleCaptured};
use ledger_domain::calendar::Date;
use ledger_domain::sale::{CardBrand, PaymentType, Solution};
use ledger_domain::{BusinessId, Cents, TerminalId};
use tokio_postgres::types::Type;
use tokio_postgres::{GenericClient, Row};

use crate::error::Poison;
use crate::recorded::Recorded;
use crate::replay::{Columns, optional};
use crate::{Error, spelling};

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

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Key {
    pub business_id: BusinessId,
    pub shard: i16,
    pub date: Date,
    pub solution: Solution,
    pub payment_type: PaymentType,
    pub card_brand: Option<CardBrand>,
    pub terminal_id: Option<TerminalId>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Sum {
    pub sales: i64,
    pub gross: i64,
    pub percentage_fee: i64,
    pub flat_fee: i64,
    pub percentage_rate: i64,
    pub flat_rate: i64,
    pub net: i64,
}

/// What a window of events adds to the rows. From the whole log of a business, it is the rows.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Sums(pub BTreeMap<Key, Sum>);

impl Sums {
    pub fn fold(&mut self, recorded: &Recorded) -> Result<(), Poison> {
        match &recorded.event {
            BusinessEvent::SaleCaptured(event) => self.capture(recorded, event),
            BusinessEvent::SaleCreated(_)
            | BusinessEvent::SaleFailed(_)
            | BusinessEvent::SaleVoided(_)
            | BusinessEvent::ReceivablesSettled(_)
            | BusinessEvent::TransferRequested(_)
            | BusinessEvent::TransferApprovalGiven(_)
            | BusinessEvent::TransferProcessing(_)
            | BusinessEvent::TransferApproved(_)
            | BusinessEvent::TransferRefused(_)
            | BusinessEvent::TransferFailed(_)
            | BusinessEvent::TransferReopened(_)
            | BusinessEvent::ManualTransferMade(_)
            | BusinessEvent::AmountHeld(_)
            | BusinessEvent::AmountReleased(_) => Ok(()),
        }
    }

    fn capture(&mut self, recorded: &Recorded, event: &SaleCaptured) -> Result<(), Poison> {
        let key = Key {
            business_id: recorded.business_id,
            shard: i16::from(recorded.shard),
            date: recorded.occurred_on,
            solution: event.sale.solution,
            payment_type: event.sale.payment_type,
            card_brand: event.sale.card_brand.clone(),
            terminal_id: event.sale.terminal.as_ref().map(|terminal| terminal.id),
        };
        self.0.entry(key).or_default().add(event).ok_or(Poison::Overflow)
    }

    pub async fn write(&self, tx: &Transaction<'_>) -> Result<(), tokio_postgres::Error> {
        if self.0.is_empty() {
            return Ok(());
        }
        let statement = tx
            .prepare_cached(
                "INSERT INTO daily_sales (shard, business_id, business_date, solution, payment_type, card_brand,
                                          terminal_id, sales, gross, percentage_fee, flat_fee, percentage_rate,
                                          flat_rate, net)
                 SELECT * FROM unnest($1::int2[], $2::uuid[], $3::date[], $4::int2[], $5::text[], $6::text[],
                                      $7::uuid[], $8::int8[], $9::int8[], $10::int8[], $11::int8[], $12::int8[],
                                      $13::int8[], $14::int8[])
                 ON CONFLICT (business_id, business_date, solution, payment_type, card_brand, terminal_id) DO UPDATE
                    SET sales = daily_sales.sales + excluded.sales,
                        gross = daily_sales.gross + excluded.gross,
                        percentage_fee = daily_sales.percentage_fee + excluded.percentage_fee,
                        flat_fee = daily_sales.flat_fee + excluded.flat_fee,
                        percentage_rate = daily_sales.percentage_rate + excluded.percentage_rate,
                        flat_rate = daily_sales.flat_rate + excluded.flat_rate,
                        net = daily_sales.net + excluded.net",
            )
            .await?;
        let keys = || self.0.keys();
        let column = |value: fn(&Sum) -> i64| self.0.values().map(value).collect::<Vec<_>>();
        tx.execute(
            &statement,
            &[
                &keys().map(|key| key.shard).collect::<Vec<_>>(),
                &keys().map(|key| key.business_id.uuid()).collect::<Vec<_>>(),
                &keys().map(|key| key.date).collect::<Vec<_>>(),
                &keys()
                    .map(|key| i16::from(key.solution.number()))
                    .collect::<Vec<_>>(),
                &keys().map(|key| key.payment_type.as_str()).collect::<Vec<_>>(),
                &keys()
                    .map(|key| key.card_brand.as_ref().map(CardBrand::as_str))
                    .collect::<Vec<_>>(),
                &keys()
                    .map(|key| key.terminal_id.map(TerminalId::uuid))
                    .collect::<Vec<_>>(),
                &column(|sum| sum.sales),
                &column(|sum| sum.gross),
                &column(|sum| sum.percentage_fee),
                &column(|sum| sum.flat_fee),
                &column(|sum| sum.percentage_rate),
                &column(|sum| sum.flat_rate),
                &column(|sum| sum.net),
            ],
        )
        .await?;
        Ok(())
    }
}

impl Sum {
    fn add(&mut self, event: &SaleCaptured) -> Option<()> {
        let fees = &event.fees;
        *self = Self {
            sales: self.sales + 1,
            gross: self.gross.checked_add(event.sale.amount.get())?,
            percentage_fee: self.percentage_fee.checked_add(fees.percentage_fee.get())?,
            flat_fee: self.flat_fee.checked_add(fees.flat_fee.get())?,
            percentage_rate: self.percentage_rate.checked_add(fees.percentage_rate.get())?,
            flat_rate: self.flat_rate.checked_add(fees.flat_rate.get())?,
            net: self.net.checked_add(event.net.get())?,
        };
        Some(())
    }
}

/// Every row of a business, as the fold of its whole log would make them.
pub(crate) async fn rows_of(client: &impl GenericClient, business: BusinessId) -> Result<Sums, Error> {
    let rows = client
        .query_typed(
            "SELECT shard, business_date, solution, payment_type, card_brand, terminal_id, sales, gross,
                    percentage_fee, flat_fee, percentage_rate, flat_rate, net
               FROM daily_sales WHERE business_id = $1",
            &[(&business.uuid(), Type::UUID)],
        )
        .await?;
    let row = |row: &Row| {
        let brand: Option<&str> = row.get(4);
        let key = Key {
            business_id: business,
            shard: row.get(0),
            date: row.get(1),
            solution: spelling::solution(row.get(2))?,
            payment_type: spelling::payment_type(row.get(3))?,
            card_brand: spelling::card_brand(brand)?,
            terminal_id: row.get::<_, Option<_>>(5).map(TerminalId::from_uuid),
        };
        let sum = Sum {
            sales: row.get(6),
            gross: row.get(7),
            percentage_fee: row.get(8),
            flat_fee: row.get(9),
            percentage_rate: row.get(10),
            flat_rate: row.get(11),
            net: row.get(12),
        };
        Ok((key, sum))
    };
    Ok(Sums(rows.iter().map(row).collect::<Result<_, Error>>()?))
}

impl Columns for Sum {
    fn columns(&self) -> Vec<(&'static str, String)> {
        vec![
            ("sales", self.sales.to_string()),
            ("gross", self.gross.to_string()),
            ("percentage_fee", self.percentage_fee.to_string()),
            ("flat_fee", self.flat_fee.to_string()),
            ("percentage_rate", self.percentage_rate.to_string()),
            ("flat_rate", self.flat_rate.to_string()),
            ("net", self.net.to_string()),
        ]
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} shard {} solution {} {} {} {}",
            self.date,
            self.shard,
            self.solution.number(),
            self.payment_type,
            optional(self.card_brand.as_ref()),
            optional(self.terminal_id)
        )
    }
}

/// The days from `start` to `end` on which something was captured, oldest first; of every company where none is named.
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
              WHERE ($1::uuid IS NULL OR business_id = $1) AND business_date BETWEEN $2 AND $3
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

/// A period's captured volume by means of payment, the largest first.
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
              WHERE ($1::uuid IS NULL OR business_id = $1) AND business_date BETWEEN $2 AND $3
              GROUP BY payment_type ORDER BY sum(gross) DESC, payment_type",
            &[
                (&business.into().map(BusinessId::uuid), Type::UUID),
                (&start, Type::DATE),
                (&end, Type::DATE),
            ],
        )
        .await?;
    rows.iter()
        .map(|row| Ok((spelling::payment_type(row.get(0))?, volume(row, 1)?)))
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
              WHERE ($1::uuid IS NULL OR business_id = $1) AND business_date BETWEEN $2 AND $3
              GROUP BY card_brand ORDER BY sum(gross) DESC, card_brand",
            &[
                (&business.into().map(BusinessId::uuid), Type::UUID),
                (&start, Type::DATE),
                (&end, Type::DATE),
            ],
        )
        .await?;
    rows.iter()
        .map(|row| Ok((spelling::card_brand(row.get(0))?, volume(row, 1)?)))
        .collect()
}

/// A period's captured volume.
pub async fn period_totals(
    client: &impl GenericClient,
    business: impl Into<Option<BusinessId>>,
    start: Date,
    end: Date,
) -> Result<Volume, Error> {
    let row = client
        .query_typed_one(
            "SELECT coalesce(sum(sales), 0)::int8, coalesce(sum(gross), 0)::int8, coalesce(sum(net), 0)::int8
               FROM daily_sales
              WHERE ($1::uuid IS NULL OR business_id = $1) AND business_date BETWEEN $2 AND $3",
            &[
                (&business.into().map(BusinessId::uuid), Type::UUID),
                (&start, Type::DATE),
                (&end, Type::DATE),
            ],
        )
        .await?;
    volume(&row, 0)
}

fn volume(row: &Row, first: usize) -> Result<Volume, Error> {
    Ok(Volume {
        count: spelling::count("daily_sales.sales", row.get(first))?,
        gross: Cents::new(row.get(first + 1)),
        net: Cents::new(row.get(first + 2)),
    })
}
