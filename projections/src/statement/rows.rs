//! The statement's fold and its rows: lines, and their sums by business date and kind.
//!
//! A window needs only the last line of each business before it: where the numbers and the balance run on.

use std::collections::BTreeMap;

use deadpool_postgres::Transaction;
use ledger_domain::calendar::{Date, Instant};
use ledger_domain::{BusinessId, EventId, SaleId, TransferId};
use tokio_postgres::types::Type;
use tokio_postgres::{GenericClient, Row};

use super::movement::{Movement, told_by};
use super::{Kind, StatementLine, line_columns};
use crate::Error;
use crate::error::Poison;
use crate::recorded::Recorded;
use crate::replay::{Columns, optional};

/// Where a business's lines end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Tail {
    pub number: i64,
    pub balance: i64,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Line {
    pub business_id: BusinessId,
    pub number: i64,
    pub kind: Kind,
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

pub(crate) type SumKey = (BusinessId, Date, Kind);

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Sum {
    pub amount: i64,
    pub lines: i64,
}

/// What a window of events adds to the rows. From the whole log of a business, it is the rows.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Lines {
    pub tails: BTreeMap<BusinessId, Tail>,
    pub lines: Vec<Line>,
    pub sums: BTreeMap<SumKey, Sum>,
}

impl Lines {
    pub fn after(tails: BTreeMap<BusinessId, Tail>) -> Self {
        Self {
            tails,
            ..Self::default()
        }
    }

    pub fn fold(&mut self, recorded: &Recorded) -> Result<(), Poison> {
        for told in told_by(&recorded.event) {
            let kind = told.movement.kind();
            let tail = self.tails.entry(recorded.business_id).or_default();
            tail.number += 1;
            tail.balance = tail
                .balance
                .checked_add(told.amount.get())
                .ok_or(Poison::Overflow)?;
            self.lines.push(Line {
                business_id: recorded.business_id,
                number: tail.number,
                kind,
                amount: told.amount.get(),
                balance: tail.balance,
                occurred_at: recorded.occurred_at,
                recorded_at: recorded.recorded_at,
                business_date: recorded.occurred_on,
                sequence: recorded.sequence,
                event_id: recorded.event_id,
                movement: told.movement,
                sale_id: told.sale_id,
                installment: told.installment,
                transfer_id: told.transfer_id,
                note: told.note,
            });
            let key = (recorded.business_id, recorded.occurred_on, kind);
            let sum = self.sums.entry(key).or_default();
            sum.amount = sum
                .amount
                .checked_add(told.amount.get())
                .ok_or(Poison::Overflow)?;
            sum.lines += 1;
        }
        Ok(())
    }

    pub async fn write(&self, tx: &Transaction<'_>) -> Result<(), tokio_postgres::Error> {
        if self.lines.is_empty() {
            return Ok(());
        }
        insert_lines(tx, &self.lines).await?;
        add_sums(tx, &self.sums).await
    }
}

/// The last line of each business that the events move.
pub(crate) async fn load_tails(
    tx: &Transaction<'_>,
    events: &[Recorded],
) -> Result<BTreeMap<BusinessId, Tail>, tokio_postgres::Error> {
    let mut businesses: Vec<_> = events
        .iter()
        .filter(|recorded| !told_by(&recorded.event).is_empty())
        .map(|recorded| recorded.business_id.uuid())
        .collect();
    businesses.sort_unstable();
    businesses.dedup();
    if businesses.is_empty() {
        return Ok(BTreeMap::new());
    }
    let statement = tx
        .prepare_cached(
            "SELECT asked.business_id, last.number, last.balance
               FROM unnest($1::uuid[]) AS asked (business_id)
              CROSS JOIN LATERAL (SELECT number, balance FROM statement_line
                                   WHERE statement_line.business_id = asked.business_id
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

async fn add_sums(tx: &Transaction<'_>, sums: &BTreeMap<SumKey, Sum>) -> Result<(), tokio_postgres::Error> {
    let statement = tx
        .prepare_cached(
            "INSERT INTO statement_daily (business_id, business_date, kind, amount, lines)
             SELECT * FROM unnest($1::uuid[], $2::date[], $3::int2[], $4::int8[], $5::int8[])
             ON CONFLICT (business_id, business_date, kind) DO UPDATE
                SET amount = statement_daily.amount + excluded.amount,
                    lines = statement_daily.lines + excluded.lines",
        )
        .await?;
    let businesses: Vec<_> = sums.keys().map(|(business, ..)| business.uuid()).collect();
    let dates: Vec<_> = sums.keys().map(|(_, date, _)| *date).collect();
    let kinds: Vec<_> = sums.keys().map(|(.., kind)| kind.number()).collect();
    let (amounts, lines): (Vec<_>, Vec<_>) = sums.values().map(|sum| (sum.amount, sum.lines)).unzip();
    tx.execute(&statement, &[&businesses, &dates, &kinds, &amounts, &lines])
        .await?;
    Ok(())
}

/// Every row of a business.
pub(crate) async fn rows_of(
    client: &impl GenericClient,
    business: BusinessId,
) -> Result<(BTreeMap<i64, Line>, BTreeMap<SumKey, Sum>), Error> {
    let lines = client
        .query_typed(
            concat!(
                "SELECT ",
                line_columns!(),
                ", business_date, sequence FROM statement_line WHERE business_id = $1"
            ),
            &[(&business.uuid(), Type::UUID)],
        )
        .await?;
    let sums = client
        .query_typed(
            "SELECT business_date, kind, amount, lines FROM statement_daily WHERE business_id = $1",
            &[(&business.uuid(), Type::UUID)],
        )
        .await?;
    let lines = lines
        .iter()
        .map(|row| line_at(business, row).map(|line| (line.number, line)));
    let sum = |row: &Row| {
        let key = (business, row.get(0), Kind::of_number(row.get(1))?);
        Ok((
            key,
            Sum {
                amount: row.get(2),
                lines: row.get(3),
            },
        ))
    };
    Ok((
        lines.collect::<Result<_, _>>()?,
        sums.iter().map(sum).collect::<Result<_, Error>>()?,
    ))
}

fn line_at(business_id: BusinessId, row: &Row) -> Result<Line, Error> {
    let line = StatementLine::at(row)?;
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

impl Columns for Sum {
    fn columns(&self) -> Vec<(&'static str, String)> {
        vec![
            ("amount", self.amount.to_string()),
            ("lines", self.lines.to_string()),
        ]
    }
}
