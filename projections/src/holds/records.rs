//! The fold of holds: the changes that each event makes to its hold. Reads and writes the rows too.
//!
//! The fold decides no business rule. An event of a hold that is not known is poison: the follower stops before it.

use std::collections::{BTreeMap, BTreeSet};

use deadpool_postgres::Transaction;
use ledger_domain::business::{
    APPROVAL_REASON, AmountHeld, AmountReleased, BalanceEvent, BusinessEvent, HOLD_REASON, HoldPlaced,
    SaleEvent,
};
use ledger_domain::calendar::Instant;
use ledger_domain::hold::HoldKind;
use ledger_domain::reserve::RESERVE_REASON;
use ledger_domain::{BusinessId, Cents, HoldId};
use ledger_rows::{FromRow, Record, execute, fetch, params};
use tokio_postgres::GenericClient;
use uuid::Uuid;

use super::{Hold, HoldStepKind};
use crate::Error;
use crate::decoded_event::DecodedEvent;
use crate::error::Poison;
use crate::read_model::{ReadModel, RowsOf};

pub(crate) type HoldKey = (BusinessId, HoldId);

/// The holds that the events of a window name. Before the fold they are as stored, after it as the window leaves them.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct HoldRecords {
    rows: BTreeMap<HoldKey, Hold>,
    /// What the last event changed.
    last_changes: Vec<LastChange>,
}

#[derive(Debug, PartialEq)]
pub(super) struct LastChange {
    pub hold_id: HoldId,
    pub kind: HoldStepKind,
    pub amount: Cents,
    pub text: Option<String>,
}

impl ReadModel for HoldRecords {
    const TABLE: &'static str = "hold";
    type FirstOfGroup = ();
    type Key = HoldKey;
    type Row = Hold;

    async fn load(tx: &Transaction<'_>, events: &[DecodedEvent]) -> Result<Self, Error> {
        let named: BTreeSet<HoldKey> = events.iter().flat_map(named_holds).collect();
        if named.is_empty() {
            return Ok(Self::default());
        }
        let (businesses, holds): (Vec<Uuid>, Vec<Uuid>) = named
            .iter()
            .map(|(business, hold)| (business.uuid(), hold.uuid()))
            .unzip();
        let sql = format!(
            "SELECT {} FROM unnest($1, $2) AS named (business_id, hold_id) JOIN hold USING (business_id, hold_id)",
            Hold::COLUMNS
        );
        Ok(Self::of(keyed(
            fetch(&**tx, &sql, params![businesses, holds]).await?,
        )))
    }

    fn fold(&mut self, recorded: &DecodedEvent, (): &()) -> Result<(), Poison> {
        self.last_changes.clear();
        match &*recorded.event {
            BusinessEvent::Balance(event) => self.apply(recorded, event),
            BusinessEvent::Sale(SaleEvent::ReceivablesSettled(event)) => self.raise_platforms_hold(
                recorded,
                (HoldId::RESERVE, HoldKind::Reserve),
                event.reserved(),
                RESERVE_REASON,
            ),
            BusinessEvent::Sale(_) | BusinessEvent::Transfer(_) => Ok(()),
        }
    }

    /// One statement a row: a window changes few holds.
    async fn write(&self, tx: &Transaction<'_>) -> Result<(), tokio_postgres::Error> {
        for hold in self.rows.values() {
            execute(&**tx, &upsert(), hold.parameters()).await?;
        }
        Ok(())
    }

    fn into_rows(self) -> RowsOf<Self> {
        self.rows
    }

    async fn stored(client: &impl GenericClient, business: BusinessId) -> Result<RowsOf<Self>, Error> {
        let sql = format!("SELECT {} FROM hold WHERE business_id = $1", Hold::COLUMNS);
        Ok(keyed(fetch(client, &sql, params![business]).await?))
    }

    fn row_name((_, hold): &HoldKey) -> String {
        hold.to_string()
    }

    fn from_memory(stored: &RowsOf<Self>, events: &[DecodedEvent]) -> Self {
        let named = events.iter().flat_map(named_holds);
        Self::of(
            named
                .filter_map(|key| Some((key, stored.get(&key)?.clone())))
                .collect(),
        )
    }
}

impl HoldRecords {
    const fn of(rows: BTreeMap<HoldKey, Hold>) -> Self {
        Self {
            rows,
            last_changes: vec![],
        }
    }

    pub(super) fn last_changes(&self) -> &[LastChange] {
        &self.last_changes
    }

    fn apply(&mut self, recorded: &DecodedEvent, event: &BalanceEvent) -> Result<(), Poison> {
        match event {
            BalanceEvent::AmountHeld(event) => self.hold_amount(recorded, event),
            BalanceEvent::AmountReleased(event) => self.release_amount(recorded, event),
            BalanceEvent::HoldPlaced(event) => {
                let hold = Hold::placed(recorded, event);
                self.note(
                    event.hold_id,
                    HoldStepKind::Placed,
                    event.amount,
                    Some(&event.reason),
                );
                match self.rows.insert((recorded.business_id, event.hold_id), hold) {
                    None => Ok(()),
                    Some(_) => Err(Poison::HoldPlacedTwice { hold: event.hold_id }),
                }
            }
            BalanceEvent::HoldChanged(event) => {
                self.note(
                    event.hold_id,
                    HoldStepKind::Changed,
                    Cents::ZERO,
                    Some(&event.reason),
                );
                self.change(recorded, event.hold_id, |hold| {
                    hold.reason.clone_from(&event.reason);
                    hold.until = event.until;
                    hold.documents.clone_from(&event.documents);
                    Ok(())
                })
            }
            BalanceEvent::HoldRaised(event) => {
                self.note(event.hold_id, HoldStepKind::Raised, event.amount, None);
                self.change(recorded, event.hold_id, |hold| hold.raise(event.amount))
            }
            BalanceEvent::HoldReleased(event) => {
                self.note(
                    event.hold_id,
                    HoldStepKind::Released,
                    event.amount,
                    Some(&event.reason),
                );
                self.change(recorded, event.hold_id, |hold| {
                    hold.release(event.amount, event.occurred_at)
                })
            }
            BalanceEvent::CourtPaid(event) => {
                self.note(
                    event.hold_id,
                    HoldStepKind::Paid,
                    event.amount,
                    Some(&event.receipt),
                );
                self.change(recorded, event.hold_id, |hold| {
                    hold.pay(event.amount, event.occurred_at)
                })
            }
            BalanceEvent::ReserveReleased(event) => {
                let cause = event.cause.label().to_owned();
                self.note(HoldId::RESERVE, HoldStepKind::Released, event.total, Some(&cause));
                self.change(recorded, HoldId::RESERVE, |hold| {
                    hold.release(event.total, event.occurred_at)
                })
            }
            BalanceEvent::DebtWrittenOff(_) => Ok(()),
        }
    }

    /// The reason tells a hold on sales from a hold that staff placed before holds had ids.
    fn hold_amount(&mut self, recorded: &DecodedEvent, event: &AmountHeld) -> Result<(), Poison> {
        let (hold_id, kind) = if event.reason == HOLD_REASON {
            (HoldId::COMPANY, HoldKind::Company)
        } else {
            (HoldId::EARLIER, HoldKind::Analysis)
        };
        self.raise_platforms_hold(recorded, (hold_id, kind), event.amount, &event.reason)
    }

    /// Adds to a hold that has the same id in every business. It may have ended before.
    fn raise_platforms_hold(
        &mut self,
        recorded: &DecodedEvent,
        (hold_id, kind): (HoldId, HoldKind),
        amount: Cents,
        reason: &str,
    ) -> Result<(), Poison> {
        if amount == Cents::ZERO {
            return Ok(());
        }
        self.note(hold_id, HoldStepKind::Placed, amount, Some(&reason.to_owned()));
        let key = (recorded.business_id, hold_id);
        let row = self
            .rows
            .entry(key)
            .or_insert_with(|| Hold::empty(recorded, hold_id, kind, reason));
        if row.ended_at.take().is_some() {
            row.placed_at = recorded.occurred_at;
            row.placed_by.clone_from(&recorded.actor);
        }
        self.change(recorded, hold_id, |hold| {
            reason.clone_into(&mut hold.reason);
            hold.raise(amount)
        })
    }

    /// The hold on sales gives first, as in the aggregate.
    fn release_amount(&mut self, recorded: &DecodedEvent, event: &AmountReleased) -> Result<(), Poison> {
        let of_sales = self.rows.get(&(recorded.business_id, HoldId::COMPANY));
        let from_sales = of_sales.map_or(Cents::ZERO, |hold| hold.amount.min(event.amount));
        let rest = minus(event.amount, from_sales)?;
        // The approval of a company may end the holds of sales of which nothing is held.
        let ends_nothing = event.amount == Cents::ZERO && event.reason == APPROVAL_REASON;
        for (hold_id, amount) in [(HoldId::COMPANY, from_sales), (HoldId::EARLIER, rest)] {
            if amount == Cents::ZERO || ends_nothing {
                continue;
            }
            self.note(hold_id, HoldStepKind::Released, amount, Some(&event.reason));
            self.change(recorded, hold_id, |hold| hold.release(amount, event.occurred_at))?;
        }
        Ok(())
    }

    fn note(&mut self, hold_id: HoldId, kind: HoldStepKind, amount: Cents, text: Option<&String>) {
        self.last_changes.push(LastChange {
            hold_id,
            kind,
            amount,
            text: text.cloned(),
        });
    }

    fn change(
        &mut self,
        recorded: &DecodedEvent,
        hold_id: HoldId,
        change: impl FnOnce(&mut Hold) -> Result<(), Poison>,
    ) -> Result<(), Poison> {
        let hold = self
            .rows
            .get_mut(&(recorded.business_id, hold_id))
            .ok_or(Poison::UnknownHold { hold: hold_id })?;
        change(hold)?;
        // A notice may be dated before the last known change.
        hold.updated_at = hold.updated_at.max(recorded.occurred_at);
        hold.updated_by.clone_from(&recorded.actor);
        Ok(())
    }
}

impl Hold {
    fn empty(recorded: &DecodedEvent, hold_id: HoldId, kind: HoldKind, reason: &str) -> Self {
        Self {
            business_id: recorded.business_id,
            hold_id,
            kind,
            amount: Cents::ZERO,
            placed: Cents::ZERO,
            released: Cents::ZERO,
            paid: Cents::ZERO,
            ordered: None,
            reason: reason.to_owned(),
            until: None,
            documents: vec![],
            sale_id: None,
            case_number: None,
            court: None,
            placed_at: recorded.occurred_at,
            placed_by: recorded.actor.clone(),
            updated_at: recorded.occurred_at,
            updated_by: recorded.actor.clone(),
            ended_at: None,
        }
    }

    fn placed(recorded: &DecodedEvent, event: &HoldPlaced) -> Self {
        let order = event.order.as_ref();
        Self {
            amount: event.amount,
            placed: event.amount,
            ordered: order.map(|order| order.ordered),
            until: event.until,
            documents: event.documents.clone(),
            sale_id: event.sale_id,
            case_number: order.map(|order| order.case_number.clone()),
            court: order.map(|order| order.court.clone()),
            ..Self::empty(recorded, event.hold_id, event.kind, &event.reason)
        }
    }

    fn raise(&mut self, amount: Cents) -> Result<(), Poison> {
        self.amount = plus(self.amount, amount)?;
        self.placed = plus(self.placed, amount)?;
        Ok(())
    }

    /// After a release a court takes no more credits.
    fn release(&mut self, amount: Cents, at: Instant) -> Result<(), Poison> {
        self.amount = minus(self.amount, amount)?;
        self.released = plus(self.released, amount)?;
        if self.ordered.is_some() {
            self.ordered = Some(plus(self.amount, self.paid)?);
        }
        self.end_if_empty(at);
        Ok(())
    }

    fn pay(&mut self, amount: Cents, at: Instant) -> Result<(), Poison> {
        self.amount = minus(self.amount, amount)?;
        self.paid = plus(self.paid, amount)?;
        self.end_if_empty(at);
        Ok(())
    }

    fn end_if_empty(&mut self, at: Instant) {
        if self.amount == Cents::ZERO && self.missing() == Cents::ZERO {
            self.ended_at = Some(at);
        }
    }
}

fn plus(left: Cents, right: Cents) -> Result<Cents, Poison> {
    left.checked_add(right).ok_or(Poison::Overflow)
}

fn minus(left: Cents, right: Cents) -> Result<Cents, Poison> {
    left.checked_sub(right).ok_or(Poison::Overflow)
}

/// The holds that an event may change.
fn named_holds(recorded: &DecodedEvent) -> Vec<HoldKey> {
    let holds = match &*recorded.event {
        BusinessEvent::Balance(event) => match event {
            BalanceEvent::AmountHeld(_) | BalanceEvent::AmountReleased(_) => {
                vec![HoldId::COMPANY, HoldId::EARLIER]
            }
            BalanceEvent::HoldPlaced(event) => vec![event.hold_id],
            BalanceEvent::HoldChanged(event) => vec![event.hold_id],
            BalanceEvent::HoldRaised(event) => vec![event.hold_id],
            BalanceEvent::HoldReleased(event) => vec![event.hold_id],
            BalanceEvent::CourtPaid(event) => vec![event.hold_id],
            BalanceEvent::ReserveReleased(_) => vec![HoldId::RESERVE],
            BalanceEvent::DebtWrittenOff(_) => vec![],
        },
        BusinessEvent::Sale(SaleEvent::ReceivablesSettled(event)) if event.reserve.is_some() => {
            vec![HoldId::RESERVE]
        }
        BusinessEvent::Sale(_) | BusinessEvent::Transfer(_) => vec![],
    };
    holds
        .into_iter()
        .map(|hold| (recorded.business_id, hold))
        .collect()
}

fn keyed(holds: Vec<Hold>) -> RowsOf<HoldRecords> {
    holds
        .into_iter()
        .map(|hold| ((hold.business_id, hold.hold_id), hold))
        .collect()
}

fn upsert() -> String {
    let places: Vec<_> = (1..=Hold::NAMES.len()).map(|place| format!("${place}")).collect();
    let changed: Vec<_> = Hold::NAMES
        .iter()
        .map(|name| format!("{name} = excluded.{name}"))
        .collect();
    format!(
        "INSERT INTO hold ({}) VALUES ({}) ON CONFLICT (business_id, hold_id) DO UPDATE SET {}",
        Hold::NAMES.join(", "),
        places.join(", "),
        changed.join(", ")
    )
}
