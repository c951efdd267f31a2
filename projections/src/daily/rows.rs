//! The roll-up's rows: what a window of events adds to them, how they are stored, and how they are read back.
//!
//! It has no fold of its own: the sales' fold tells it what was captured and undone, because only the sale knows by
//! what its volume is grouped.

use std::collections::BTreeMap;
use std::fmt;

use deadpool_postgres::Transaction;
use ledger_domain::business::{SaleCanceled, SaleCaptured};
use ledger_domain::calendar::Date;
use ledger_domain::sale::{CardBrand, PaymentType, Solution};
use ledger_domain::{BusinessId, Cents, TerminalId};
use tokio_postgres::types::Type;
use tokio_postgres::{GenericClient, Row};

use crate::error::Poison;
use crate::replay::{Columns, optional};
use crate::{Error, spelling};

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
    pub cancels: i64,
    pub canceled_gross: i64,
    pub canceled_net: i64,
    pub disputes: i64,
    pub disputed: i64,
    pub disputes_won: i64,
    pub won: i64,
    pub chargebacks: i64,
    pub charged_back: i64,
}

/// What a window of events adds to the rows. From the whole log of a business, it is the rows.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Sums(pub BTreeMap<Key, Sum>);

impl Sums {
    pub fn capture(&mut self, key: Key, event: &SaleCaptured) -> Result<(), Poison> {
        let fees = &event.fees;
        self.add(key, |sum| {
            sum.sales += 1;
            add(&mut sum.gross, event.sale.amount)?;
            add(&mut sum.percentage_fee, fees.percentage_fee)?;
            add(&mut sum.flat_fee, fees.flat_fee)?;
            add(&mut sum.percentage_rate, fees.percentage_rate)?;
            add(&mut sum.flat_rate, fees.flat_rate)?;
            add(&mut sum.net, event.net)
        })
    }

    pub fn cancel(&mut self, key: Key, event: &SaleCanceled) -> Result<(), Poison> {
        self.add(key, |sum| {
            sum.cancels += 1;
            add(&mut sum.canceled_gross, event.amount)?;
            add(&mut sum.canceled_net, event.net)
        })
    }

    pub fn dispute(&mut self, key: Key, amount: Cents) -> Result<(), Poison> {
        self.add(key, |sum| {
            sum.disputes += 1;
            add(&mut sum.disputed, amount)
        })
    }

    pub fn win(&mut self, key: Key, amount: Cents) -> Result<(), Poison> {
        self.add(key, |sum| {
            sum.disputes_won += 1;
            add(&mut sum.won, amount)
        })
    }

    pub fn charge_back(&mut self, key: Key, amount: Cents) -> Result<(), Poison> {
        self.add(key, |sum| {
            sum.chargebacks += 1;
            add(&mut sum.charged_back, amount)
        })
    }

    fn add(&mut self, key: Key, change: impl FnOnce(&mut Sum) -> Option<()>) -> Result<(), Poison> {
        change(self.0.entry(key).or_default()).ok_or(Poison::Overflow)
    }

    pub async fn write(&self, tx: &Transaction<'_>) -> Result<(), tokio_postgres::Error> {
        if self.0.is_empty() {
            return Ok(());
        }
        let statement = tx
            .prepare_cached(
                "INSERT INTO daily_sales (shard, business_id, business_date, solution, payment_type, card_brand,
                                          terminal_id, sales, gross, percentage_fee, flat_fee, percentage_rate,
                                          flat_rate, net, cancels, canceled_gross, canceled_net, disputes, disputed,
                                          disputes_won, won, chargebacks, charged_back)
                 SELECT * FROM unnest($1::int2[], $2::uuid[], $3::date[], $4::int2[], $5::text[], $6::text[],
                                      $7::uuid[], $8::int8[], $9::int8[], $10::int8[], $11::int8[], $12::int8[],
                                      $13::int8[], $14::int8[], $15::int8[], $16::int8[], $17::int8[], $18::int8[],
                                      $19::int8[], $20::int8[], $21::int8[], $22::int8[], $23::int8[])
                 ON CONFLICT (business_id, business_date, solution, payment_type, card_brand, terminal_id) DO UPDATE
                    SET sales = daily_sales.sales + excluded.sales,
                        gross = daily_sales.gross + excluded.gross,
                        percentage_fee = daily_sales.percentage_fee + excluded.percentage_fee,
                        flat_fee = daily_sales.flat_fee + excluded.flat_fee,
                        percentage_rate = daily_sales.percentage_rate + excluded.percentage_rate,
                        flat_rate = daily_sales.flat_rate + excluded.flat_rate,
                        net = daily_sales.net + excluded.net,
                        cancels = daily_sales.cancels + excluded.cancels,
                        canceled_gross = daily_sales.canceled_gross + excluded.canceled_gross,
                        canceled_net = daily_sales.canceled_net + excluded.canceled_net,
                        disputes = daily_sales.disputes + excluded.disputes,
                        disputed = daily_sales.disputed + excluded.disputed,
                        disputes_won = daily_sales.disputes_won + excluded.disputes_won,
                        won = daily_sales.won + excluded.won,
                        chargebacks = daily_sales.chargebacks + excluded.chargebacks,
                        charged_back = daily_sales.charged_back + excluded.charged_back",
            )
            .await?;
        tx.execute(
            &statement,
            &[
                &self.keys(|key| key.shard),
                &self.keys(|key| key.business_id.uuid()),
                &self.keys(|key| key.date),
                &self.keys(|key| i16::from(key.solution.number())),
                &self.keys(|key| key.payment_type.as_str()),
                &self.keys(|key| key.card_brand.as_ref().map(CardBrand::to_string)),
                &self.keys(|key| key.terminal_id.map(TerminalId::uuid)),
                &self.sums(|sum| sum.sales),
                &self.sums(|sum| sum.gross),
                &self.sums(|sum| sum.percentage_fee),
                &self.sums(|sum| sum.flat_fee),
                &self.sums(|sum| sum.percentage_rate),
                &self.sums(|sum| sum.flat_rate),
                &self.sums(|sum| sum.net),
                &self.sums(|sum| sum.cancels),
                &self.sums(|sum| sum.canceled_gross),
                &self.sums(|sum| sum.canceled_net),
                &self.sums(|sum| sum.disputes),
                &self.sums(|sum| sum.disputed),
                &self.sums(|sum| sum.disputes_won),
                &self.sums(|sum| sum.won),
                &self.sums(|sum| sum.chargebacks),
                &self.sums(|sum| sum.charged_back),
            ],
        )
        .await?;
        Ok(())
    }

    fn keys<Value>(&self, value: impl Fn(&Key) -> Value) -> Vec<Value> {
        self.0.keys().map(value).collect()
    }

    fn sums(&self, value: impl Fn(&Sum) -> i64) -> Vec<i64> {
        self.0.values().map(value).collect()
    }
}

fn add(sum: &mut i64, amount: Cents) -> Option<()> {
    *sum = sum.checked_add(amount.get())?;
    Some(())
}

/// Every row of a business, as the fold of its whole log would make them.
pub(crate) async fn rows_of(client: &impl GenericClient, business: BusinessId) -> Result<Sums, Error> {
    let rows = client
        .query_typed(
            "SELECT shard, business_date, solution, payment_type, card_brand, terminal_id, sales, gross,
                    percentage_fee, flat_fee, percentage_rate, flat_rate, net, cancels, canceled_gross, canceled_net,
                    disputes, disputed, disputes_won, won, chargebacks, charged_back
               FROM daily_sales WHERE business_id = $1",
            &[(&business.uuid(), Type::UUID)],
        )
        .await?;
    let row = |row: &Row| Ok((key_at(business, row)?, sum_at(row)));
    Ok(Sums(rows.iter().map(row).collect::<Result<_, Error>>()?))
}

fn key_at(business_id: BusinessId, row: &Row) -> Result<Key, Error> {
    let brand: Option<&str> = row.get(4);
    Ok(Key {
        business_id,
        shard: row.get(0),
        date: row.get(1),
        solution: spelling::solution(row.get(2))?,
        payment_type: spelling::payment_type(row.get(3))?,
        card_brand: spelling::card_brand(brand)?,
        terminal_id: row.get::<_, Option<_>>(5).map(TerminalId::from_uuid),
    })
}

fn sum_at(row: &Row) -> Sum {
    Sum {
        sales: row.get(6),
        gross: row.get(7),
        percentage_fee: row.get(8),
        flat_fee: row.get(9),
        percentage_rate: row.get(10),
        flat_rate: row.get(11),
        net: row.get(12),
        cancels: row.get(13),
        canceled_gross: row.get(14),
        canceled_net: row.get(15),
        disputes: row.get(16),
        disputed: row.get(17),
        disputes_won: row.get(18),
        won: row.get(19),
        chargebacks: row.get(20),
        charged_back: row.get(21),
    }
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
            ("cancels", self.cancels.to_string()),
            ("canceled_gross", self.canceled_gross.to_string()),
            ("canceled_net", self.canceled_net.to_string()),
            ("disputes", self.disputes.to_string()),
            ("disputed", self.disputed.to_string()),
            ("disputes_won", self.disputes_won.to_string()),
            ("won", self.won.to_string()),
            ("chargebacks", self.chargebacks.to_string()),
            ("charged_back", self.charged_back.to_string()),
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
