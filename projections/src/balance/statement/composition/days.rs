//! The credits of a transfer, summed up by the day on which they came in, and the credits of one day.
//!
//! Credits are in the order of recording, in which days can alternate: a settlement may be recorded late. So the sums are
//! made of runs, consecutive credits of one day. The runs of a large composition are stored (`composition_run`): once all
//! of its credits are there, they never change.

use std::collections::{BTreeMap, BTreeSet};

use ledger_domain::calendar::{Date, business_date};
use ledger_domain::{BusinessId, Cents, SaleId, TransferId};
use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{GenericClient, Row};

use super::installments::{CreditInstallment, credit_installments};
use super::stored::StoredLines;
use super::{AmountPart, Composition, CompositionRange, composition_list};
use crate::Error;

/// The credits of one page while a composition is summed up.
const PAGE: u32 = 1_000;
/// A composition of more credits is stored. A smaller one is summed up as fast as it is read.
const STORED_FROM: i32 = 500;

/// The sums of credits. gross − fees − refunded − withheld = net, and `used` is the part of net in the transfer.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CreditSums {
    /// Sales of which an installment came in.
    pub sales: i32,
    pub installments: i32,
    /// With credits that are no installments.
    pub credits: i32,
    pub gross: Cents,
    pub fees: Cents,
    pub refunded: Cents,
    pub withheld: Cents,
    pub net: Cents,
    pub used: Cents,
}

/// A day of a composition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CompositionDay {
    /// The banking day in Brasília. `None` for the part that no credit has covered yet.
    pub day: Option<Date>,
    pub sums: CreditSums,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CompositionDays {
    /// The sum of the used amounts.
    pub total: Cents,
    /// In order. The part that no credit has covered is the last one.
    pub days: Vec<CompositionDay>,
}

/// The days of a transfer. The first reading of a large composition takes time in proportion to its credits and stores
/// their sums; the later ones read only these.
pub async fn composition_days(
    client: &impl GenericClient,
    business: BusinessId,
    transfer: TransferId,
) -> Result<CompositionDays, Error> {
    let (total, runs) = composition_runs(client, business, transfer).await?;
    let mut days: BTreeMap<(bool, Option<Date>), CreditSums> = BTreeMap::new();
    for run in runs {
        days.entry((run.day.is_none(), run.day))
            .or_default()
            .add(&run.sums);
    }
    let days = days
        .into_iter()
        .map(|((_, day), sums)| CompositionDay { day, sums });
    Ok(CompositionDays {
        total,
        days: days.collect(),
    })
}

/// The credits of one day of a transfer, after its first `skipped` cents.
pub async fn composition_of_day(
    client: &impl GenericClient,
    business: BusinessId,
    transfer: TransferId,
    (day, skipped): (Date, Cents),
    limit: u32,
) -> Result<Composition, Error> {
    let (total, runs) = composition_runs(client, business, transfer).await?;
    let (mut parts, mut next) = (vec![], None);
    for run in runs
        .iter()
        .filter(|run| run.day == Some(day) && run.until() > skipped)
    {
        let left = limit.saturating_sub(u32::try_from(parts.len()).unwrap_or(u32::MAX));
        if left == 0 {
            next = Some(run.skipped);
            break;
        }
        let range = CompositionRange {
            skipped: run.skipped.max(skipped),
            until: Some(run.until()),
        };
        let page = composition_list(client, business, transfer, range, left).await?;
        parts.extend(page.parts);
        if page.next.is_some() {
            next = page.next;
            break;
        }
    }
    Ok(Composition { total, parts, next })
}

/// Consecutive credits of one day, in the order of recording.
struct Run {
    day: Option<Date>,
    /// The amount of the transfer before it.
    skipped: Cents,
    /// A sale or a credit with parts in several runs of a day counts in the first one.
    sums: CreditSums,
}

async fn composition_runs(
    client: &impl GenericClient,
    business: BusinessId,
    transfer: TransferId,
) -> Result<(Cents, Vec<Run>), Error> {
    let lines = StoredLines { client, business };
    let (taken, returned) = lines.taker_sums(transfer.uuid()).await?;
    if taken <= returned {
        return Ok((Cents::ZERO, vec![]));
    }
    let place = Place {
        transfer,
        returned,
        taken,
    };
    let total = Cents::new(taken - returned);
    let stored = place.stored(client).await?;
    if !stored.is_empty() {
        return Ok((total, stored));
    }
    let mut summing = Summing::new();
    summing.is_complete = lines.has_paid_of_all().await?;
    let mut skipped = Some(Cents::ZERO);
    while let Some(from) = skipped {
        let range = CompositionRange::after(from);
        let page = composition_list(client, business, transfer, range, PAGE).await?;
        let installments = credit_installments(client, business, &page.parts).await?;
        for (part, installment) in page.parts.iter().zip(&installments) {
            summing.add(part, installment.as_ref());
        }
        skipped = page.next;
    }
    let Summing {
        runs, is_complete, ..
    } = summing;
    if is_complete && runs.iter().map(|run| run.sums.credits).sum::<i32>() > STORED_FROM {
        place.store(client, &runs).await?;
    }
    Ok((total, runs))
}

/// Sums up credits in their order.
struct Summing {
    runs: Vec<Run>,
    /// The sales that were counted, by day.
    sales: BTreeSet<(Option<Date>, SaleId)>,
    /// The credits that were counted: a credit can have several pieces.
    lines: BTreeSet<i64>,
    /// Whether later reads give the same: no part is uncovered, the read model of sales has each sale, and that of holds
    /// each payment to a court.
    is_complete: bool,
}

impl Summing {
    const fn new() -> Self {
        Self {
            runs: vec![],
            sales: BTreeSet::new(),
            lines: BTreeSet::new(),
            is_complete: true,
        }
    }

    fn add(&mut self, part: &AmountPart, installment: Option<&CreditInstallment>) {
        let line = part.line.as_ref();
        let day = line.map(|line| business_date(line.occurred_at));
        let expects_installment = line.is_some_and(|line| line.installment.is_some());
        self.is_complete &= line.is_some() && expects_installment == installment.is_some();
        if self.runs.last().is_none_or(|last| last.day != day) {
            self.runs.push(Run {
                day,
                skipped: self.runs.last().map_or(Cents::ZERO, Run::until),
                sums: CreditSums::default(),
            });
        }
        let Some(run) = self.runs.last_mut() else { return };
        let mut sums = CreditSums {
            used: part.amount,
            ..CreditSums::default()
        };
        if let Some(line) = line.filter(|line| self.lines.insert(line.number)) {
            sums.credits = 1;
            sums.net = line.amount;
            sums.gross = line.amount;
            if let Some(installment) = installment {
                sums.installments = 1;
                sums.sales = i32::from(self.sales.insert((day, installment.sale_id)));
                sums.gross = installment.gross;
                sums.fees = installment.fees;
                sums.refunded = installment.refunded;
                sums.withheld = installment.withheld;
            }
        }
        run.sums.add(&sums);
    }
}

impl Run {
    /// The amount of the transfer at which the next run begins.
    const fn until(&self) -> Cents {
        plus(self.skipped, self.sums.used)
    }

    fn from_row(row: &Row) -> Self {
        let cents = |place| Cents::new(row.get(place));
        Self {
            day: Some(row.get(0)),
            skipped: cents(1),
            sums: CreditSums {
                sales: row.get(2),
                installments: row.get(3),
                credits: row.get(4),
                gross: cents(5),
                fees: cents(6),
                refunded: cents(7),
                withheld: cents(8),
                net: cents(9),
                used: cents(10),
            },
        }
    }
}

impl CreditSums {
    fn add(&mut self, more: &Self) {
        self.sales += more.sales;
        self.installments += more.installments;
        self.credits += more.credits;
        self.gross = plus(self.gross, more.gross);
        self.fees = plus(self.fees, more.fees);
        self.refunded = plus(self.refunded, more.refunded);
        self.withheld = plus(self.withheld, more.withheld);
        self.net = plus(self.net, more.net);
        self.used = plus(self.used, more.used);
    }
}

const fn plus(sum: Cents, more: Cents) -> Cents {
    Cents::new(sum.get().saturating_add(more.get()))
}

/// The part of a transfer's axis that its composition explains.
struct Place {
    transfer: TransferId,
    returned: i64,
    taken: i64,
}

impl Place {
    async fn stored(&self, client: &impl GenericClient) -> Result<Vec<Run>, Error> {
        let rows = client
            .query_typed(
                "SELECT business_date, skipped, sales, installments, credits, gross, fees, refunded, withheld, net, used
                   FROM composition_run WHERE transfer_id = $1 AND returned = $2 AND taken = $3 ORDER BY skipped",
                &[
                    (&self.transfer.uuid(), Type::UUID),
                    (&self.returned, Type::INT8),
                    (&self.taken, Type::INT8),
                ],
            )
            .await?;
        Ok(rows.iter().map(Run::from_row).collect())
    }

    /// All runs in one statement, so that a reader finds all of them or none. Two readers store the same.
    async fn store(&self, client: &impl GenericClient, runs: &[Run]) -> Result<(), Error> {
        let cents =
            |value: fn(&Run) -> Cents| -> Vec<i64> { runs.iter().map(|run| value(run).get()).collect() };
        let counts =
            |value: fn(&CreditSums) -> i32| -> Vec<i32> { runs.iter().map(|run| value(&run.sums)).collect() };
        let dates: Vec<Option<Date>> = runs.iter().map(|run| run.day).collect();
        let [sales, installments, credits] = [
            counts(|sums| sums.sales),
            counts(|sums| sums.installments),
            counts(|sums| sums.credits),
        ];
        let amounts = [
            cents(|run| run.skipped),
            cents(|run| run.sums.gross),
            cents(|run| run.sums.fees),
            cents(|run| run.sums.refunded),
            cents(|run| run.sums.withheld),
            cents(|run| run.sums.net),
            cents(|run| run.sums.used),
        ];
        let transfer = self.transfer.uuid();
        let mut parameters: Vec<(&(dyn ToSql + Sync), Type)> = vec![
            (&transfer, Type::UUID),
            (&self.returned, Type::INT8),
            (&self.taken, Type::INT8),
            (&dates, Type::DATE_ARRAY),
            (&sales, Type::INT4_ARRAY),
            (&installments, Type::INT4_ARRAY),
            (&credits, Type::INT4_ARRAY),
        ];
        parameters.extend(
            amounts
                .iter()
                .map(|amounts| (amounts as &(dyn ToSql + Sync), Type::INT8_ARRAY)),
        );
        client
            .execute_typed(
                "INSERT INTO composition_run (transfer_id, returned, taken, business_date, sales, installments, credits,
                                              skipped, gross, fees, refunded, withheld, net, used)
                 SELECT $1, $2, $3, run.*
                   FROM unnest($4::date[], $5::int4[], $6::int4[], $7::int4[], $8::int8[], $9::int8[], $10::int8[],
                               $11::int8[], $12::int8[], $13::int8[], $14::int8[]) AS run
                     ON CONFLICT DO NOTHING",
                &parameters,
            )
            .await?;
        Ok(())
    }
}
