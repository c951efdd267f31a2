//! The statement's folds and their rows: lines, and the sums of lines by business date and kind.
//!
//! A window continues from the number and the balance of each business's last line.

use std::collections::BTreeMap;

use deadpool_postgres::Transaction;
use ledger_domain::calendar::{Date, Instant};
use ledger_domain::{BusinessId, EventId, SaleId, TransferId};
use tokio_postgres::types::Type;
use tokio_postgres::{GenericClient, Row};

use super::movement::{Movement, entries_of};
use super::{MovementKind, StatementLine, line_columns};
use crate::Error;
use crate::decoded_event::DecodedEvent;
use crate::error::Poison;
use crate::read_model::roll_up::roll_up;
use crate::read_model::{ReadModel, RowsOf};
use crate::replay::{Columns, optional};

/// The number of a business's last line, and the available balance after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Tail {
    number: i64,
    balance: i64,
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
}

roll_up! {
    table "statement_daily", unique by "statement_daily_pkey", after Lines;
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
            lines: vec![],
        })
    }

    fn fold(&mut self, recorded: &DecodedEvent, (): &()) -> Result<(), Poison> {
        for entry in entries_of(&recorded.event) {
            let kind = entry.movement.kind();
            let tail = self.tails.entry(recorded.business_id).or_default();
            tail.number += 1;
            tail.balance = tail
                .balance
                .checked_add(entry.amount.get())
                .ok_or(Poison::Overflow)?;
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
            });
        }
        Ok(())
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
                    ", business_date, sequence FROM statement_line WHERE business_id = $1"
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
        let tail = |business| {
            let (_, last) = stored
                .range((business, i64::MIN)..=(business, i64::MAX))
                .next_back()?;
            let tail = Tail {
                number: last.number,
                balance: last.balance,
            };
            Some((business, tail))
        };
        Self {
            tails: events
                .iter()
                .filter_map(|recorded| tail(recorded.business_id))
                .collect(),
            lines: vec![],
        }
    }
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
            "SELECT named.business_id, last.number, last.balance
               FROM unnest($1::uuid[]) AS named (business_id)
              CROSS JOIN LATERAL (SELECT number, balance FROM statement_line
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
                                         transfer_id, note)
             SELECT * FROM unnest($1::uuid[], $2::int8[], $3::int2[], $4::int8[], $5::int8[], $6::timestamptz[],
                                  $7::timestamptz[], $8::date[], $9::int8[], $10::uuid[], $11::text[], $12::uuid[],
                                  $13::int2[], $14::uuid[], $15::text[])",
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
        ]
    }
}
