//! The statement's folds and their rows: lines, and the sums of lines by business date and kind.
//!
//! A window continues from the number, the balance and the running sums of each business's last line.

use std::collections::{BTreeMap, BTreeSet};

use deadpool_postgres::Transaction;
use ledger_domain::calendar::{Date, Instant};
use ledger_domain::{BusinessId, EventId, SaleId, TransferId};
use tokio_postgres::types::Type;
use tokio_postgres::{GenericClient, Row};
use uuid::Uuid;

use super::entries::{Entry, entries_of};
use super::movement::Movement;
use super::{MovementKind, StatementLine, line_columns};
use crate::Error;
use crate::decoded_event::DecodedEvent;
use crate::error::Poison;
use crate::read_model::finding::{Columns, optional};
use crate::read_model::roll_up::roll_up;
use crate::read_model::{ReadModel, RowsOf};

/// The number of a business's last line, with the available balance and the running sums after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Tail {
    number: i64,
    balance: i64,
    credited: i64,
    debited: i64,
}

/// What a taker took from the available balance, and what it gave back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct TakerSums {
    taken: i64,
    returned: i64,
}

/// A row of `statement_line`: one movement of the available balance, and the available balance after it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Line {
    pub business_id: BusinessId,
    pub number: i64,
    /// The group of `movement`. The sums by day are kept by group.
    pub kind: MovementKind,
    pub amount: i64,
    pub balance: i64,
    pub occurred_at: Instant,
    pub recorded_at: Instant,
    pub business_date: Date,
    pub sequence: i64,
    pub event_id: EventId,
    pub movement: Movement,
    pub sale_id: Option<SaleId>,
    pub installment: Option<u8>,
    pub transfer_id: Option<TransferId>,
    pub note: Option<String>,
    /// The business's credits up to the line, without the amounts that lines of one event cancel out.
    pub credited: i64,
    /// The same sum of debits.
    pub debited: i64,
    /// Set if the line takes an amount that can be given back, or gives it back.
    pub taker: Option<Uuid>,
    /// The sum of the taker's amounts up to the line: of its debits for a debit, else of its credits.
    pub taken: Option<i64>,
}

roll_up! {
    table "statement_daily", after Lines;
    key DayKey {
        business_id: BusinessId,
        business_date: Date,
        kind: MovementKind,
    }
    sums DaySum {
        amount,
        lines,
    }
    fold StatementDays = StatementDays::add_event;
}

impl StatementDays {
    /// Adds the lines of the event. `Lines` has folded the event before, so they are its last lines.
    fn add_event(&mut self, recorded: &DecodedEvent, lines: &Lines) -> Result<(), Poison> {
        let of_event =
            |line: &&Line| line.business_id == recorded.business_id && line.sequence == recorded.sequence;
        for line in lines.lines.iter().rev().take_while(of_event) {
            let key = DayKey {
                business_id: line.business_id,
                business_date: line.business_date,
                kind: line.kind,
            };
            self.add(key, |sum| {
                sum.amount = sum.amount.checked_add(line.amount)?;
                sum.lines += 1;
                Some(())
            })?;
        }
        Ok(())
    }
}

/// The lines of a window, and the last line of each business after them.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Lines {
    tails: BTreeMap<BusinessId, Tail>,
    takers: BTreeMap<(BusinessId, Uuid), TakerSums>,
    lines: Vec<Line>,
}

impl ReadModel for Lines {
    const TABLE: &'static str = "statement_line";
    type FirstOfGroup = ();
    type Key = (BusinessId, i64);
    type Row = Line;

    async fn load(tx: &Transaction<'_>, events: &[DecodedEvent]) -> Result<Self, Error> {
        Ok(Self {
            tails: load_tails(tx, events).await?,
            takers: load_takers(tx, &takers_of(events)).await?,
            lines: vec![],
        })
    }

    fn fold(&mut self, recorded: &DecodedEvent, (): &()) -> Result<(), Poison> {
        self.add(recorded, entries_of(&recorded.event))
    }

    async fn write(&self, tx: &Transaction<'_>) -> Result<(), tokio_postgres::Error> {
        if self.lines.is_empty() {
            return Ok(());
        }
        insert_lines(tx, &self.lines).await
    }

    fn into_rows(self) -> RowsOf<Self> {
        let keyed = |line: Line| ((line.business_id, line.number), line);
        self.lines.into_iter().map(keyed).collect()
    }

    async fn stored(client: &impl GenericClient, business: BusinessId) -> Result<RowsOf<Self>, Error> {
        let rows = client
            .query_typed(
                concat!(
                    "SELECT ",
                    line_columns!(),
                    ", business_date, sequence, credited, debited, taker, taken FROM statement_line WHERE business_id = $1"
                ),
                &[(&business.uuid(), Type::UUID)],
            )
            .await?;
        let keyed = |row| line_at(business, row).map(|line| ((business, line.number), line));
        rows.iter().map(keyed).collect()
    }

    fn row_name((_, number): &Self::Key) -> String {
        format!("line {number}")
    }

    fn from_memory(stored: &RowsOf<Self>, events: &[DecodedEvent]) -> Self {
        let mut lines = Self::default();
        for recorded in events {
            let entries = entries_of(&recorded.event);
            lines.continue_from(stored, recorded.business_id, &entries);
        }
        lines
    }
}

impl Lines {
    /// Adds the lines of an event.
    pub(super) fn add(&mut self, recorded: &DecodedEvent, entries: Vec<Entry>) -> Result<(), Poison> {
        let mut netting = Netting::of(&entries).ok_or(Poison::Overflow)?;
        for entry in entries {
            let kind = entry.movement.kind();
            let tail = self.tails.entry(recorded.business_id).or_default();
            tail.number += 1;
            tail.add(entry.amount.get(), netting.left_of(entry.amount.get()))
                .ok_or(Poison::Overflow)?;
            let taker = entry.taker(recorded.business_id);
            let taken = taker
                .map(|taker| {
                    let sums = self.takers.entry((recorded.business_id, taker)).or_default();
                    sums.add(entry.amount.get()).ok_or(Poison::Overflow)
                })
                .transpose()?;
            self.lines.push(Line {
                business_id: recorded.business_id,
                number: tail.number,
                kind,
                amount: entry.amount.get(),
                balance: tail.balance,
                occurred_at: recorded.occurred_at,
                recorded_at: recorded.recorded_at,
                business_date: recorded.occurred_on,
                sequence: recorded.sequence,
                event_id: recorded.event_id,
                movement: entry.movement,
                sale_id: entry.sale_id,
                installment: entry.installment,
                transfer_id: entry.transfer_id,
                note: entry.note,
                credited: tail.credited,
                debited: tail.debited,
                taker,
                taken,
            });
        }
        Ok(())
    }

    /// Reads the stored rows that the fold of these entries starts from.
    pub(super) fn continue_from(&mut self, stored: &RowsOf<Self>, business: BusinessId, entries: &[Entry]) {
        let of_business = || stored.range((business, i64::MIN)..=(business, i64::MAX));
        if let Some((_, last)) = of_business().next_back() {
            let tail = Tail {
                number: last.number,
                balance: last.balance,
                credited: last.credited,
                debited: last.debited,
            };
            self.tails.insert(business, tail);
        }
        for taker in entries.iter().filter_map(|entry| entry.taker(business)) {
            let mut sums = TakerSums::default();
            for (_, line) in of_business().filter(|(_, line)| line.taker == Some(taker)) {
                *sums.of_sign(line.amount) = line.taken.unwrap_or(0);
            }
            self.takers.insert((business, taker), sums);
        }
    }
}

impl Tail {
    /// Adds a line of this amount, of which `left` is not canceled out by other lines of its event.
    fn add(&mut self, amount: i64, left: i64) -> Option<()> {
        self.balance = self.balance.checked_add(amount)?;
        let sum = if amount > 0 {
            &mut self.credited
        } else {
            &mut self.debited
        };
        *sum = sum.checked_add(left)?;
        Some(())
    }
}

impl TakerSums {
    /// The sum to which a line of this amount belongs.
    const fn of_sign(&mut self, amount: i64) -> &mut i64 {
        if amount > 0 {
            &mut self.returned
        } else {
            &mut self.taken
        }
    }

    /// Adds a line and returns the sum of the lines of its sign.
    fn add(&mut self, amount: i64) -> Option<i64> {
        let sum = self.of_sign(amount);
        *sum = sum.checked_add(amount.checked_abs()?)?;
        Some(*sum)
    }
}

/// The amounts by which the lines of an event still cancel out, the first lines first: those of credits and those of
/// debits.
struct Netting {
    credits: i64,
    debits: i64,
}

impl Netting {
    fn of(entries: &[Entry]) -> Option<Self> {
        let (mut credits, mut debits) = (0_i64, 0_i64);
        for amount in entries.iter().map(|entry| entry.amount.get()) {
            let sum = if amount > 0 { &mut credits } else { &mut debits };
            *sum = sum.checked_add(amount.checked_abs()?)?;
        }
        let netted = credits.min(debits);
        Some(Self {
            credits: netted,
            debits: netted,
        })
    }

    /// What is left of the next line's amount.
    fn left_of(&mut self, amount: i64) -> i64 {
        let netted = if amount > 0 {
            &mut self.credits
        } else {
            &mut self.debits
        };
        let canceled = amount.abs().min(*netted);
        *netted -= canceled;
        amount.abs() - canceled
    }
}

/// The takers with lines in the events.
fn takers_of(events: &[DecodedEvent]) -> BTreeSet<(BusinessId, Uuid)> {
    let takers = events.iter().flat_map(|recorded| {
        let entries = entries_of(&recorded.event).into_iter();
        entries.filter_map(|entry| Some((recorded.business_id, entry.taker(recorded.business_id)?)))
    });
    takers.collect()
}

async fn load_takers(
    tx: &Transaction<'_>,
    takers: &BTreeSet<(BusinessId, Uuid)>,
) -> Result<BTreeMap<(BusinessId, Uuid), TakerSums>, tokio_postgres::Error> {
    if takers.is_empty() {
        return Ok(BTreeMap::new());
    }
    let statement = tx
        .prepare_cached(
            "SELECT named.business_id, named.taker,
                    coalesce((SELECT max(taken) FROM statement_line AS line
                               WHERE line.business_id = named.business_id AND line.taker = named.taker
                                 AND NOT line.amount > 0), 0),
                    coalesce((SELECT max(taken) FROM statement_line AS line
                               WHERE line.business_id = named.business_id AND line.taker = named.taker
                                 AND line.amount > 0), 0)
               FROM unnest($1::uuid[], $2::uuid[]) AS named (business_id, taker)",
        )
        .await?;
    let (businesses, ids): (Vec<_>, Vec<_>) = takers
        .iter()
        .map(|(business, taker)| (business.uuid(), *taker))
        .unzip();
    let rows = tx.query(&statement, &[&businesses, &ids]).await?;
    let sums = |row: &Row| {
        let sums = TakerSums {
            taken: row.get(2),
            returned: row.get(3),
        };
        ((BusinessId::from_uuid(row.get(0)), row.get(1)), sums)
    };
    Ok(rows.iter().map(sums).collect())
}

/// The last line of each business with movements in the events.
async fn load_tails(
    tx: &Transaction<'_>,
    events: &[DecodedEvent],
) -> Result<BTreeMap<BusinessId, Tail>, tokio_postgres::Error> {
    let mut businesses: Vec<_> = events
        .iter()
        .filter(|recorded| !entries_of(&recorded.event).is_empty())
        .map(|recorded| recorded.business_id.uuid())
        .collect();
    businesses.sort_unstable();
    businesses.dedup();
    if businesses.is_empty() {
        return Ok(BTreeMap::new());
    }
    let statement = tx
        .prepare_cached(
            "SELECT named.business_id, last.number, last.balance, last.credited, last.debited
               FROM unnest($1::uuid[]) AS named (business_id)
              CROSS JOIN LATERAL (SELECT number, balance, credited, debited FROM statement_line
                                   WHERE statement_line.business_id = named.business_id
                                   ORDER BY number DESC LIMIT 1) AS last",
        )
        .await?;
    let rows = tx.query(&statement, &[&businesses]).await?;
    Ok(rows
        .iter()
        .map(|row| {
            (
                BusinessId::from_uuid(row.get(0)),
                Tail {
                    number: row.get(1),
                    balance: row.get(2),
                    credited: row.get(3),
                    debited: row.get(4),
                },
            )
        })
        .collect())
}

async fn insert_lines(tx: &Transaction<'_>, lines: &[Line]) -> Result<(), tokio_postgres::Error> {
    let statement = tx
        .prepare_cached(
            "INSERT INTO statement_line (business_id, number, kind, amount, balance, occurred_at, recorded_at,
                                         business_date, sequence, event_id, movement, sale_id, installment,
                                         transfer_id, note, credited, debited, taker, taken)
             SELECT * FROM unnest($1::uuid[], $2::int8[], $3::int2[], $4::int8[], $5::int8[], $6::timestamptz[],
                                  $7::timestamptz[], $8::date[], $9::int8[], $10::uuid[], $11::text[], $12::uuid[],
                                  $13::int2[], $14::uuid[], $15::text[], $16::int8[], $17::int8[], $18::uuid[],
                                  $19::int8[])",
        )
        .await?;
    fn column<Value>(lines: &[Line], value: impl Fn(&Line) -> Value) -> Vec<Value> {
        lines.iter().map(value).collect()
    }
    tx.execute(
        &statement,
        &[
            &column(lines, |line| line.business_id.uuid()),
            &column(lines, |line| line.number),
            &column(lines, |line| line.kind.number()),
            &column(lines, |line| line.amount),
            &column(lines, |line| line.balance),
            &column(lines, |line| line.occurred_at),
            &column(lines, |line| line.recorded_at),
            &column(lines, |line| line.business_date),
            &column(lines, |line| line.sequence),
            &column(lines, |line| line.event_id.uuid()),
            &column(lines, |line| line.movement.as_str()),
            &column(lines, |line| line.sale_id.map(SaleId::uuid)),
            &column(lines, |line| line.installment.map(i16::from)),
            &column(lines, |line| line.transfer_id.map(TransferId::uuid)),
            &column(lines, |line| line.note.clone()),
            &column(lines, |line| line.credited),
            &column(lines, |line| line.debited),
            &column(lines, |line| line.taker),
            &column(lines, |line| line.taken),
        ],
    )
    .await?;
    Ok(())
}

fn line_at(business_id: BusinessId, row: &Row) -> Result<Line, Error> {
    let line = StatementLine::from_row(row)?;
    Ok(Line {
        business_id,
        number: line.number,
        kind: line.kind,
        amount: line.amount.get(),
        balance: line.balance.get(),
        occurred_at: line.occurred_at,
        recorded_at: line.recorded_at,
        business_date: row.get("business_date"),
        sequence: row.get("sequence"),
        event_id: line.event_id,
        movement: line.movement,
        sale_id: line.sale_id,
        installment: line.installment,
        transfer_id: line.transfer_id,
        note: line.note,
        credited: row.get("credited"),
        debited: row.get("debited"),
        taker: row.get("taker"),
        taken: row.get("taken"),
    })
}

impl Columns for Line {
    fn columns(&self) -> Vec<(&'static str, String)> {
        vec![
            ("kind", self.kind.number().to_string()),
            ("amount", self.amount.to_string()),
            ("balance", self.balance.to_string()),
            ("occurred_at", self.occurred_at.to_string()),
            ("recorded_at", self.recorded_at.to_string()),
            ("business_date", self.business_date.to_string()),
            ("sequence", self.sequence.to_string()),
            ("event_id", self.event_id.to_string()),
            ("movement", self.movement.as_str().to_owned()),
            ("sale_id", optional(self.sale_id)),
            ("installment", optional(self.installment)),
            ("transfer_id", optional(self.transfer_id)),
            ("note", optional(self.note.as_ref())),
            ("credited", self.credited.to_string()),
            ("debited", self.debited.to_string()),
            ("taker", optional(self.taker)),
            ("taken", optional(self.taken)),
        ]
    }
}
