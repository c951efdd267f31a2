//! The roll-ups of the reserve: what is held of each installment until its day, and the sums of each day of release.

use ledger_domain::business::{BalanceEvent, BusinessEvent, ReleasedReserve, SaleEvent};
use ledger_domain::calendar::Date;
use ledger_domain::reserve::ReserveReleaseCause;
use ledger_domain::{BusinessId, Cents, SaleId};

use tokio_postgres::types::Type;
use tokio_postgres::{GenericClient, Row};

use super::HoldRecords;
use crate::Error;
use crate::column_values;
use crate::decoded_event::DecodedEvent;
use crate::each_shard::{Cut, list_of_each_shard};
use crate::error::Poison;
use crate::read_model::roll_up::{roll_up, sums};

sums! {
    /// In cents. What is still held is reserved − released − used.
    ReserveSum {
        reserved,
        /// Paid to the seller on its day.
        released,
        /// Paid for a reversal of its sale, before its day.
        used
    }
}

roll_up! {
    table "reserve_piece", after HoldRecords;
    /// A settled installment, and the day until which a part of it is held.
    key ReservePiece {
        business_id: BusinessId,
        release_on: Date,
        sale_id: SaleId,
        number: i16,
    }
    sums of ReserveSum;
    fold ReservePieces = ReservePieces::add_event;
}

roll_up! {
    table "reserve_day", after HoldRecords;
    key ReserveDay {
        business_id: BusinessId,
        release_on: Date,
    }
    sums of ReserveSum;
    fold ReserveDays = ReserveDays::add_event;
}

impl ReserveSum {
    pub const fn left(&self) -> i64 {
        self.reserved - self.released - self.used
    }
}

impl ReservePieces {
    fn add_event(&mut self, recorded: &DecodedEvent, _: &HoldRecords) -> Result<(), Poison> {
        for (piece, change) in changes(recorded) {
            self.add(piece, |sum| {
                *sum = sum.plus(change)?;
                Some(())
            })?;
        }
        Ok(())
    }
}

impl ReserveDays {
    fn add_event(&mut self, recorded: &DecodedEvent, _: &HoldRecords) -> Result<(), Poison> {
        for (piece, change) in changes(recorded) {
            let day = ReserveDay {
                business_id: piece.business_id,
                release_on: piece.release_on,
            };
            self.add(day, |sum| {
                *sum = sum.plus(change)?;
                Some(())
            })?;
        }
        Ok(())
    }
}

/// What an event changes of each piece. Few events concern the reserve.
fn changes(recorded: &DecodedEvent) -> Vec<(ReservePiece, ReserveSum)> {
    let piece = |release_on, sale_id, number: u8| ReservePiece {
        business_id: recorded.business_id,
        release_on,
        sale_id,
        number: i16::from(number),
    };
    match &*recorded.event {
        BusinessEvent::Sale(SaleEvent::ReceivablesSettled(event)) => {
            let Some(reserve) = &event.reserve else {
                return vec![];
            };
            let held = event
                .settled
                .iter()
                .filter(|settled| settled.reserved != Cents::ZERO);
            held.map(|settled| {
                let change = ReserveSum {
                    reserved: settled.reserved.get(),
                    ..ReserveSum::default()
                };
                (piece(reserve.release_on, settled.sale_id, settled.number), change)
            })
            .collect()
        }
        BusinessEvent::Balance(BalanceEvent::ReserveReleased(event)) => {
            let change = |released: &ReleasedReserve| {
                let amount = released.amount.get();
                match event.cause {
                    ReserveReleaseCause::Due => ReserveSum {
                        released: amount,
                        ..ReserveSum::default()
                    },
                    ReserveReleaseCause::Reversal => ReserveSum {
                        used: amount,
                        ..ReserveSum::default()
                    },
                }
            };
            let released = event.released.iter();
            released
                .map(|released| {
                    let piece = piece(released.release_on, released.sale_id, released.number);
                    (piece, change(released))
                })
                .collect()
        }
        BusinessEvent::Sale(_) | BusinessEvent::Transfer(_) | BusinessEvent::Balance(_) => vec![],
    }
}

/// What the reserve holds of a business until one day: sales, and the numbers of their installments.
pub type DueReserve = (BusinessId, Date, Vec<(SaleId, u8)>);

/// A page of what is due, in the order of day, business, sale and number.
#[derive(Debug)]
pub struct DueReservePage {
    pub days: Vec<DueReserve>,
    /// The last installment. `None`: nothing follows.
    pub end: Option<ReservePlace>,
}

/// A place in the order of what is due.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReservePlace {
    release_on: Date,
    business: BusinessId,
    sale_id: SaleId,
    number: u8,
}

/// At most `limit` installments of which something is held until today or an earlier day, after the place `after`. A
/// suggestion for the settlement job: the ledger releases each once, by its own state.
pub async fn reserve_due(
    client: &impl GenericClient,
    today: Date,
    after: Option<ReservePlace>,
    limit: u32,
) -> Result<DueReservePage, Error> {
    // Only the days with something held are looked up, by their own index.
    let order = "release_on, business_id, sale_id, number";
    let sql = list_of_each_shard(order, Cut::first("$2"), |limit| {
        format!(
            "SELECT due.release_on, due.business_id, piece.sale_id, piece.number
               FROM (SELECT release_on, business_id FROM reserve_day
                      WHERE reserved > released + used AND release_on <= $1
                        AND ($3::date IS NULL OR (release_on, business_id) >= ($3, $4))
                      ORDER BY release_on, business_id LIMIT $2) AS due
              CROSS JOIN LATERAL (
                    SELECT sale_id, number FROM reserve_piece
                     WHERE business_id = due.business_id AND release_on = due.release_on
                       AND reserved > released + used
                       AND ($3::date IS NULL OR (release_on, business_id) > ($3, $4) OR (sale_id, number) > ($5, $6))
                     ORDER BY sale_id, number LIMIT $2) AS piece
              ORDER BY due.release_on, due.business_id, piece.sale_id, piece.number {limit}"
        )
    });
    let rows = client
        .query_typed(
            &sql,
            &[
                (&today, Type::DATE),
                (&i64::from(limit), Type::INT8),
                (&after.map(|place| place.release_on), Type::DATE),
                (&after.map(|place| place.business.uuid()), Type::UUID),
                (&after.map(|place| place.sale_id.uuid()), Type::UUID),
                (&after.map(|place| i16::from(place.number)), Type::INT2),
            ],
        )
        .await?;
    let mut page = DueReservePage {
        days: vec![],
        end: None,
    };
    for row in &rows {
        let (release_on, business) = (row.get(0), BusinessId::from_uuid(row.get(1)));
        let sale_id = SaleId::from_uuid(row.get(2));
        let number = column_values::small_number("reserve_piece.number", row.get(3))?;
        match page.days.last_mut() {
            Some((of, day, installments)) if (*of, *day) == (business, release_on) => {
                installments.push((sale_id, number));
            }
            _ => page.days.push((business, release_on, vec![(sale_id, number)])),
        }
        page.end = Some(ReservePlace {
            release_on,
            business,
            sale_id,
            number,
        });
    }
    Ok(page)
}

/// The sums of each day from `from` on, and of the earlier days of which something is still held, the earliest first.
pub async fn reserve_days(
    client: &impl GenericClient,
    business: BusinessId,
    from: Date,
) -> Result<Vec<(Date, ReserveSum)>, Error> {
    let rows = client
        .query_typed(
            "SELECT release_on, reserved, released, used FROM reserve_day
              WHERE business_id = $1 AND (release_on >= $2 OR reserved > released + used) ORDER BY release_on",
            &[(&business.uuid(), Type::UUID), (&from, Type::DATE)],
        )
        .await?;
    let day = |row: &Row| (row.get(0), ReserveSum::from_row(row, 1));
    Ok(rows.iter().map(day).collect())
}
