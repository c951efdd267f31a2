//! The receivables schedule's fold and its rows.
//!
//! The events of reversals and settlements have only the ids of their sales. So the unit of the receivables is read
//! from the sale, which is folded first.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use deadpool_postgres::Transaction;
use ledger_domain::business::{AcceleratedReceivable, BusinessEvent, ConsumedReceivable, SaleEvent};
use ledger_domain::calendar::Date;
use ledger_domain::sale::{CardBrand, PaymentType, Provider};
use ledger_domain::{BusinessId, Cents};
use tokio_postgres::types::Type;
use tokio_postgres::{GenericClient, Row};

use crate::column_values::array_literal;
use crate::decoded_event::DecodedEvent;
use crate::error::Poison;
use crate::read_model::finding::{Columns, optional};
use crate::read_model::{ReadModel, RowsOf};
use crate::sales::{SaleRecords, SaleRow};
use crate::{Error, column_values};

/// The attributes by which the receivables of one business on one day are grouped.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Unit {
    pub provider: Provider,
    pub card_brand: Option<CardBrand>,
    pub payment_type: PaymentType,
}

/// The sums of a unit's receivables on a day. Amounts are nets in cents; `installments` and the fields that end with
/// `count` are numbers of installments.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Sum {
    pub expected: i64,
    pub settled: i64,
    pub accelerated: i64,
    pub installments: i64,
    pub settled_count: i64,
    pub accelerated_count: i64,
    /// The business dates on which the sales of these receivables were captured.
    pub captured_on: BTreeSet<Date>,
    /// Whether an installment is still to be paid. It is set only when all changes of the row are added up.
    pub open: bool,
}

pub(crate) type Key = (BusinessId, Date, Unit);

/// The sums that a window of events adds to the rows.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Sums(BTreeMap<Key, Sum>);

impl ReadModel for Sums {
    const TABLE: &'static str = "receivables_schedule";
    type FirstOfGroup = SaleRecords;
    type Key = Key;
    type Row = Sum;

    fn fold(&mut self, recorded: &DecodedEvent, sales: &SaleRecords) -> Result<(), Poison> {
        match &*recorded.event {
            BusinessEvent::Sale(event) => self.fold_sale_event(recorded, event, sales),
            BusinessEvent::Transfer(_) | BusinessEvent::Balance(_) => Ok(()),
        }
    }

    async fn write(&self, tx: &Transaction<'_>) -> Result<(), tokio_postgres::Error> {
        self.upsert(tx).await
    }

    fn into_rows(self) -> RowsOf<Self> {
        let summed_up = |(key, mut sum): (Key, Sum)| {
            sum.open = sum.is_open();
            (key, sum)
        };
        self.0.into_iter().map(summed_up).collect()
    }

    async fn stored(client: &impl GenericClient, business: BusinessId) -> Result<RowsOf<Self>, Error> {
        rows_of(client, business).await
    }

    fn row_name((_, date, unit): &Key) -> String {
        format!("{date} {unit}")
    }

    fn merge(stored: &mut Sum, row: Sum) {
        stored.expected += row.expected;
        stored.settled += row.settled;
        stored.accelerated += row.accelerated;
        stored.installments += row.installments;
        stored.settled_count += row.settled_count;
        stored.accelerated_count += row.accelerated_count;
        stored.captured_on.extend(row.captured_on);
        stored.open = stored.is_open();
    }
}

impl Sums {
    fn fold_sale_event(
        &mut self,
        recorded: &DecodedEvent,
        event: &SaleEvent,
        sales: &SaleRecords,
    ) -> Result<(), Poison> {
        let business = recorded.business_id;
        match event {
            SaleEvent::SaleCaptured(event) => {
                let unit = Unit::of(sales.row(event.sale.sale_id)?);
                for receivable in &event.receivables {
                    let key = (business, receivable.due_date, unit.clone());
                    self.schedule(key, receivable.net, recorded.occurred_on)?;
                }
                Ok(())
            }
            SaleEvent::ReceivablesSettled(event) => {
                for settled in &event.settled {
                    let unit = Unit::of(sales.row(settled.sale_id)?);
                    self.settle((business, event.due_date, unit), settled.net)?;
                }
                Ok(())
            }
            SaleEvent::SaleCanceled(event) => {
                self.accelerate_all(business, sales.row(event.sale_id)?, &event.accelerated)
            }
            SaleEvent::SalePartRefunded(event) => {
                self.consume_all(business, sales.row(event.sale_id)?, &event.consumed)
            }
            SaleEvent::SaleDisputed(event) => {
                let sale = sales.row(event.sale_id)?;
                self.consume_all(business, sale, event.part.as_deref().unwrap_or_default())?;
                self.accelerate_all(business, sale, &event.accelerated)
            }
            SaleEvent::SaleChargedBack(event) => {
                let sale = sales.row(event.sale_id)?;
                self.consume_all(business, sale, event.part.as_deref().unwrap_or_default())?;
                self.accelerate_all(business, sale, &event.accelerated)
            }
            SaleEvent::SaleCreated(_)
            | SaleEvent::SaleFailed(_)
            | SaleEvent::SaleVoided(_)
            | SaleEvent::SaleNamed(_)
            | SaleEvent::RefundAnswered(_)
            | SaleEvent::DisputeConfirmed(_)
            | SaleEvent::DisputeWon(_) => Ok(()),
        }
    }

    fn schedule(&mut self, key: Key, net: Cents, captured_on: Date) -> Result<(), Poison> {
        let sum = self.0.entry(key).or_default();
        add(&mut sum.expected, net)?;
        sum.installments += 1;
        sum.captured_on.insert(captured_on);
        Ok(())
    }

    fn settle(&mut self, key: Key, net: Cents) -> Result<(), Poison> {
        let sum = self.0.entry(key).or_default();
        add(&mut sum.settled, net)?;
        sum.settled_count += 1;
        Ok(())
    }

    fn accelerate_all(
        &mut self,
        business: BusinessId,
        sale: &SaleRow,
        accelerated: &[AcceleratedReceivable],
    ) -> Result<(), Poison> {
        for part in accelerated {
            self.accelerate((business, part.due_date, Unit::of(sale)), part.net)?;
        }
        Ok(())
    }

    /// What a part takes counts as accelerated, and the installment with it that it ends.
    fn consume_all(
        &mut self,
        business: BusinessId,
        sale: &SaleRow,
        consumed: &[ConsumedReceivable],
    ) -> Result<(), Poison> {
        for part in consumed {
            let sum = self
                .0
                .entry((business, part.due_date, Unit::of(sale)))
                .or_default();
            add(&mut sum.accelerated, part.net)?;
            sum.accelerated_count += i64::from(part.left == Cents::ZERO);
        }
        Ok(())
    }

    fn accelerate(&mut self, key: Key, net: Cents) -> Result<(), Poison> {
        let sum = self.0.entry(key).or_default();
        add(&mut sum.accelerated, net)?;
        sum.accelerated_count += 1;
        Ok(())
    }

    async fn upsert(&self, tx: &Transaction<'_>) -> Result<(), tokio_postgres::Error> {
        if self.0.is_empty() {
            return Ok(());
        }
        // If the stored array has the window's capture dates already, it stays as it is.
        let statement = tx
            .prepare_cached(
                "INSERT INTO receivables_schedule (business_id, due_date, provider, card_brand, payment_type, expected, settled,
                                     accelerated, installments, settled_count, accelerated_count, captured_on,
                                     open)
                 SELECT business_id, due_date, provider, card_brand, payment_type, expected, settled, accelerated,
                        installments, settled_count, accelerated_count, captured_on::date[],
                        installments > settled_count + accelerated_count
                   FROM unnest($1::uuid[], $2::date[], $3::int2[], $4::text[], $5::text[], $6::int8[], $7::int8[],
                               $8::int8[], $9::int8[], $10::int8[], $11::int8[], $12::text[])
                     AS added (business_id, due_date, provider, card_brand, payment_type, expected, settled,
                              accelerated, installments, settled_count, accelerated_count, captured_on)
                 ON CONFLICT (business_id, due_date, provider, card_brand, payment_type) DO UPDATE
                    SET expected = receivables_schedule.expected + excluded.expected,
                        settled = receivables_schedule.settled + excluded.settled,
                        accelerated = receivables_schedule.accelerated + excluded.accelerated,
                        installments = receivables_schedule.installments + excluded.installments,
                        settled_count = receivables_schedule.settled_count + excluded.settled_count,
                        accelerated_count = receivables_schedule.accelerated_count + excluded.accelerated_count,
                        captured_on = CASE WHEN receivables_schedule.captured_on @> excluded.captured_on THEN receivables_schedule.captured_on
                                           ELSE ARRAY(SELECT unnest(receivables_schedule.captured_on || excluded.captured_on) AS day
                                                       GROUP BY day ORDER BY day) END,
                        open = receivables_schedule.installments + excluded.installments
                               > receivables_schedule.settled_count + excluded.settled_count
                                 + receivables_schedule.accelerated_count + excluded.accelerated_count",
            )
            .await?;
        tx.execute(
            &statement,
            &[
                &self.keys(|(business, ..)| business.uuid()),
                &self.keys(|(_, date, _)| *date),
                &self.keys(|(.., unit)| i16::from(unit.provider.number())),
                &self.keys(|(.., unit)| unit.card_brand.as_ref().map(CardBrand::to_string)),
                &self.keys(|(.., unit)| unit.payment_type.as_str()),
                &self.sums(|sum| sum.expected),
                &self.sums(|sum| sum.settled),
                &self.sums(|sum| sum.accelerated),
                &self.sums(|sum| sum.installments),
                &self.sums(|sum| sum.settled_count),
                &self.sums(|sum| sum.accelerated_count),
                &self.sums(|sum| array_literal(sum.captured_on.iter().map(Some))),
            ],
        )
        .await?;
        Ok(())
    }

    fn keys<Value>(&self, value: impl Fn(&Key) -> Value) -> Vec<Value> {
        self.0.keys().map(value).collect()
    }

    fn sums<Value>(&self, value: impl Fn(&Sum) -> Value) -> Vec<Value> {
        self.0.values().map(value).collect()
    }
}

fn add(sum: &mut i64, net: Cents) -> Result<(), Poison> {
    *sum = sum.checked_add(net.get()).ok_or(Poison::Overflow)?;
    Ok(())
}

impl Sum {
    const fn is_open(&self) -> bool {
        self.installments > self.settled_count + self.accelerated_count
    }
}

impl Unit {
    fn of(sale: &SaleRow) -> Self {
        Self {
            provider: sale.provider,
            card_brand: sale.card_brand.clone(),
            payment_type: sale.payment_type,
        }
    }

    /// Reads three columns of a row: provider, brand, payment type.
    pub fn from_row(row: &Row, first: usize) -> Result<Self, Error> {
        let brand: Option<&str> = row.get(first + 1);
        Ok(Self {
            provider: column_values::provider(row.get(first))?,
            card_brand: column_values::optional_brand(brand)?,
            payment_type: column_values::payment_type(row.get(first + 2))?,
        })
    }
}

async fn rows_of(client: &impl GenericClient, business: BusinessId) -> Result<RowsOf<Sums>, Error> {
    let rows = client
        .query_typed(
            "SELECT due_date, provider, card_brand, payment_type, expected, settled, accelerated, installments,
                    settled_count, accelerated_count, captured_on, open
               FROM receivables_schedule WHERE business_id = $1",
            &[(&business.uuid(), Type::UUID)],
        )
        .await?;
    let row = |row: &Row| {
        let sum = Sum {
            expected: row.get(4),
            settled: row.get(5),
            accelerated: row.get(6),
            installments: row.get(7),
            settled_count: row.get(8),
            accelerated_count: row.get(9),
            captured_on: row.get::<_, Vec<Date>>(10).into_iter().collect(),
            open: row.get(11),
        };
        Ok(((business, row.get(0), Unit::from_row(row, 1)?), sum))
    };
    rows.iter().map(row).collect()
}

impl Columns for Sum {
    fn columns(&self) -> Vec<(&'static str, String)> {
        vec![
            ("expected", self.expected.to_string()),
            ("settled", self.settled.to_string()),
            ("accelerated", self.accelerated.to_string()),
            ("installments", self.installments.to_string()),
            ("settled_count", self.settled_count.to_string()),
            ("accelerated_count", self.accelerated_count.to_string()),
            ("captured_on", array_literal(self.captured_on.iter().map(Some))),
            ("open", self.open.to_string()),
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
