//! The statement's fold and its rows: lines, and their sums by business date and kind.
//!
//! A window needs only the last line of each business before it: where the numbers and the balance run on.

use std::collections::BTreeMap;

use deadpool_postgres::Transaction;
use ledger_domain::business::{Account, BusinessEvent, ReceivablesSettled};
use ledger_domain::calendar::{Date, Instant};
use ledger_domain::{BusinessId, Cents, SaleId};
use tokio_postgres::types::Type;
use tokio_postgres::{GenericClient, Row};

use super::Kind;
use crate::Error;
use crate::error::Poison;
use crate::recorded::Recorded;
use crate::replay::{Columns, optional};
use crate::spelling::small;

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
    pub sale_id: Option<SaleId>,
    pub installment: Option<u8>,
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

/// One movement of the available balance, as the event tells it.
struct Movement {
    kind: Kind,
    amount: Cents,
    sale_id: Option<SaleId>,
    installment: Option<u8>,
}

/// The event's movements of the available balance; an amount of zero moves nothing and has no line.
fn movements(event: &BusinessEvent) -> Vec<Movement> {
    let mut movements = match event {
        BusinessEvent::SaleCreated(_)
        | BusinessEvent::SaleCaptured(_)
        | BusinessEvent::SaleFailed(_)
        | BusinessEvent::SaleVoided(_)
        | BusinessEvent::TransferApprovalGiven(_)
        | BusinessEvent::TransferProcessing(_)
        | BusinessEvent::TransferApproved(_) => vec![],
        BusinessEvent::ReceivablesSettled(event) => settlements(event),
        BusinessEvent::TransferRequested(_) | BusinessEvent::TransferReopened(_) => {
            vec![whole(Kind::Transfer, event)]
        }
        BusinessEvent::TransferRefused(_) | BusinessEvent::TransferFailed(_) => {
            vec![whole(Kind::ReturnedTransfer, event)]
        }
        BusinessEvent::ManualTransferMade(_)
        | BusinessEvent::AmountHeld(_)
        | BusinessEvent::AmountReleased(_) => vec![whole(Kind::ManualTransfer, event)],
    };
    movements.retain(|movement| movement.amount != Cents::ZERO);
    movements
}

/// All that the event posts to the available balance, as one line.
fn whole(kind: Kind, event: &BusinessEvent) -> Movement {
    let available = event
        .postings()
        .into_iter()
        .find(|(account, _)| *account == Account::Available)
        .map(|(_, amount)| amount);
    Movement {
        kind,
        amount: available.unwrap_or(Cents::ZERO),
        sale_id: None,
        installment: None,
    }
}

fn settlements(event: &ReceivablesSettled) -> Vec<Movement> {
    let line = |settled: &ledger_domain::business::SettledReceivable| Movement {
        kind: Kind::Transaction,
        amount: settled.net,
        sale_id: Some(settled.sale_id),
        installment: Some(settled.number),
    };
    event.settled.iter().map(line).collect()
}

impl Lines {
    pub fn after(tails: BTreeMap<BusinessId, Tail>) -> Self {
        Self {
            tails,
            ..Self::default()
        }
    }

    pub fn fold(&mut self, recorded: &Recorded) -> Result<(), Poison> {
        for movement in movements(&recorded.event) {
            let tail = self.tails.entry(recorded.business_id).or_default();
            tail.number += 1;
            tail.balance = tail
                .balance
                .checked_add(movement.amount.get())
                .ok_or(Poison::Overflow)?;
            self.lines.push(Line {
                business_id: recorded.business_id,
                number: tail.number,
                kind: movement.kind,
                amount: movement.amount.get(),
                balance: tail.balance,
                occurred_at: recorded.occurred_at,
                recorded_at: recorded.recorded_at,
                business_date: recorded.occurred_on,
                sequence: recorded.sequence,
                sale_id: movement.sale_id,
                installment: movement.installment,
            });
            let key = (recorded.business_id, recorded.occurred_on, movement.kind);
            let sum = self.sums.entry(key).or_default();
            sum.amount = sum
                .amount
                .checked_add(movement.amount.get())
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
        .filter(|recorded| !movements(&recorded.event).is_empty())
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
                                         business_date, sequence, sale_id, installment)
             SELECT * FROM unnest($1::uuid[], $2::int8[], $3::int2[], $4::int8[], $5::int8[], $6::timestamptz[],
                                  $7::timestamptz[], $8::date[], $9::int8[], $10::uuid[], $11::int2[])",
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
            &column(lines, |line| line.sale_id.map(SaleId::uuid)),
            &column(lines, |line| line.installment.map(i16::from)),
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
            "SELECT number, kind, amount, balance, occurred_at, recorded_at, business_date, sequence, sale_id,
                    installment
               FROM statement_line WHERE business_id = $1",
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
    let installment: Option<i16> = row.get(9);
    Ok(Line {
        business_id,
        number: row.get(0),
        kind: Kind::of_number(row.get(1))?,
        amount: row.get(2),
        balance: row.get(3),
        occurred_at: row.get(4),
        recorded_at: row.get(5),
        business_date: row.get(6),
        sequence: row.get(7),
        sale_id: row.get::<_, Option<_>>(8).map(SaleId::from_uuid),
        installment: installment
            .map(|number| small("statement_line.installment", number))
            .transpose()?,
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
            ("sale_id", optional(self.sale_id)),
            ("installment", optional(self.installment)),
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
