//! The fold of transfers: the changes that each event makes to its transfer. Reads and writes the rows too.
//!
//! The fold decides no business rule. An event that does not fit the earlier row is poison: the follower stops before
//! it.

use std::collections::BTreeMap;

use deadpool_postgres::Transaction;
use ledger_domain::business::{
    BusinessEvent, TransferApproved, TransferEvent, TransferFailed, TransferProcessing, TransferReturned,
};
use ledger_domain::transfer::TransferStatus;
use ledger_domain::{BusinessId, Cents, PayoutId, TransferId};
use tokio_postgres::types::Type;
use tokio_postgres::{GenericClient, Row};

use super::{Transfer, transfer_columns};
use crate::column_values::array_literal;
use crate::decoded_event::DecodedEvent;
use crate::error::Poison;
use crate::read_model::{ReadModel, RowsOf};
use crate::{Error, column_values};

/// The transfers that the events of a window name. Before the fold they are as stored, after it as the window leaves
/// them.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct TransferRecords {
    rows: BTreeMap<TransferId, Transfer>,
    /// The transfer that the last event opened or changed, with its status before the event. The status is `None` if
    /// the event opened the transfer.
    last_change: Option<(TransferId, Option<TransferStatus>)>,
}

impl ReadModel for TransferRecords {
    const TABLE: &'static str = "transfer";
    type FirstOfGroup = ();
    type Key = TransferId;
    type Row = Transfer;

    async fn load(tx: &Transaction<'_>, events: &[DecodedEvent]) -> Result<Self, Error> {
        load_records(tx, events).await
    }

    fn fold(&mut self, recorded: &DecodedEvent, (): &()) -> Result<(), Poison> {
        self.last_change = None;
        self.apply_event(recorded)
    }

    async fn write(&self, tx: &Transaction<'_>) -> Result<(), tokio_postgres::Error> {
        if self.rows.is_empty() {
            return Ok(());
        }
        let rows: Vec<_> = self.rows.values().collect();
        write_rows(tx, &rows).await
    }

    fn into_rows(self) -> RowsOf<Self> {
        self.rows
    }

    async fn stored(client: &impl GenericClient, business: BusinessId) -> Result<RowsOf<Self>, Error> {
        rows_of(client, business).await
    }

    fn row_name(transfer: &TransferId) -> String {
        transfer.to_string()
    }

    fn from_memory(stored: &RowsOf<Self>, events: &[DecodedEvent]) -> Self {
        let named = events.iter().flat_map(|recorded| recorded.event.transfer_ids());
        let rows = named.filter_map(|id| Some((id, stored.get(&id)?.clone())));
        Self::of(rows.collect())
    }
}

impl TransferRecords {
    const fn of(rows: BTreeMap<TransferId, Transfer>) -> Self {
        Self {
            rows,
            last_change: None,
        }
    }

    /// The transfer that the last event opened or changed, preceded by its status before that event.
    pub(super) fn last_change(&self) -> Option<(Option<TransferStatus>, &Transfer)> {
        let (id, before) = self.last_change?;
        Some((before, self.rows.get(&id)?))
    }

    fn apply_event(&mut self, recorded: &DecodedEvent) -> Result<(), Poison> {
        match &*recorded.event {
            BusinessEvent::Transfer(event) => self.apply_transfer_event(recorded, event),
            BusinessEvent::Sale(_) | BusinessEvent::Balance(_) => Ok(()),
        }
    }

    fn apply_transfer_event(&mut self, recorded: &DecodedEvent, event: &TransferEvent) -> Result<(), Poison> {
        let (business, actor) = (recorded.business_id, recorded.actor.clone());
        let transfer = event.transfer_id();
        match event {
            TransferEvent::TransferRequested(event) => {
                self.open(recorded, Transfer::withdrawal_requested(business, event, actor))
            }
            TransferEvent::ManualTransferMade(event) => {
                self.open(recorded, Transfer::manual_transfer_made(business, event, actor))
            }
            TransferEvent::TerminalRentalCharged(event) => {
                self.open(recorded, Transfer::rental_charged(business, event, actor))
            }
            TransferEvent::TransferApprovalGiven(_) => {
                self.change(recorded, transfer, Transfer::count_approval)
            }
            TransferEvent::TransferProcessing(event) => {
                self.change(recorded, transfer, |transfer| transfer.process(event))
            }
            TransferEvent::TransferApproved(event) => {
                self.change(recorded, transfer, |transfer| transfer.approve(event))
            }
            TransferEvent::TransferRefused(event) => self.change(recorded, transfer, |transfer| {
                transfer.status = TransferStatus::Refused;
                transfer.reason = Some(event.reason.clone());
            }),
            TransferEvent::TransferFailed(event) => {
                self.change(recorded, transfer, |transfer| transfer.fail(event))
            }
            TransferEvent::TransferReopened(_) => self.change(recorded, transfer, Transfer::reopen),
            TransferEvent::TransferReturned(event) => {
                self.change(recorded, transfer, |transfer| transfer.return_from_bank(event))
            }
            TransferEvent::TerminalRentalCanceled(event) => self.change(recorded, transfer, |transfer| {
                transfer.status = TransferStatus::Refused;
                transfer.reason.clone_from(&event.reason);
            }),
        }
    }

    fn open(&mut self, recorded: &DecodedEvent, mut transfer: Transfer) -> Result<(), Poison> {
        let id = transfer.transfer_id;
        transfer.sequences.push(recorded.sequence);
        self.last_change = Some((id, None));
        match self.rows.insert(id, transfer) {
            None => Ok(()),
            Some(_) => Err(Poison::TransferOpenedTwice { transfer: id }),
        }
    }

    fn change(
        &mut self,
        recorded: &DecodedEvent,
        id: TransferId,
        change: impl FnOnce(&mut Transfer),
    ) -> Result<(), Poison> {
        let transfer = self
            .rows
            .get_mut(&id)
            .ok_or(Poison::UnknownTransfer { transfer: id })?;
        self.last_change = Some((id, Some(transfer.status)));
        change(transfer);
        // A bank's notice may be dated before the last known change.
        transfer.updated_at = transfer.updated_at.max(recorded.occurred_at);
        transfer.updated_by.clone_from(&recorded.actor);
        transfer.sequences.push(recorded.sequence);
        Ok(())
    }
}

impl Transfer {
    const fn count_approval(&mut self) {
        self.approvals = self.approvals.saturating_add(1);
    }

    /// Starting the payment counts as an approval.
    fn process(&mut self, event: &TransferProcessing) {
        self.status = TransferStatus::Processing;
        self.count_approval();
        self.by_hand = event.payout_id.is_none();
        self.payout_id = event.payout_id;
    }

    /// The user who approves a pending transfer is counted. A transfer in processing was counted when the payment
    /// began. A bank's notice, which has a payout, counts for no user.
    fn approve(&mut self, event: &TransferApproved) {
        if self.status == TransferStatus::Pending && event.payout_id.is_none() {
            self.count_approval();
        }
        self.status = TransferStatus::Approved;
        self.by_hand = event.payout_id.is_none();
        self.payout_id = event.payout_id;
        self.needs_attention |= event.overrules.is_some();
        self.names.clone_from(&event.names);
    }

    fn fail(&mut self, event: &TransferFailed) {
        self.status = TransferStatus::Failed;
        self.payout_id = event.payout_id;
        self.reason.clone_from(&event.reason);
    }

    /// The payout stays the one that was paid.
    fn return_from_bank(&mut self, event: &TransferReturned) {
        self.status = TransferStatus::Failed;
        self.reason.clone_from(&event.reason);
        self.fee_given_back = Some(event.fee);
        self.return_names.clone_from(&event.names);
    }

    fn reopen(&mut self) {
        self.status = TransferStatus::Pending;
        self.reason = None;
        self.by_hand = false;
        self.payout_id = None;
        self.approvals = 0;
    }

    pub(super) fn destination_json(&self) -> Option<String> {
        self.destination
            .as_ref()
            .map(|destination| serde_json::to_string(destination).expect("destinations serialize"))
    }
}

/// The stored transfers that the events name.
async fn load_records(tx: &Transaction<'_>, events: &[DecodedEvent]) -> Result<TransferRecords, Error> {
    let mut named: Vec<_> = events
        .iter()
        .flat_map(|recorded| recorded.event.transfer_ids())
        .map(TransferId::uuid)
        .collect();
    named.sort_unstable();
    named.dedup();
    if named.is_empty() {
        return Ok(TransferRecords::default());
    }
    let statement = tx
        .prepare_cached(concat!(
            "SELECT ",
            transfer_columns!(),
            " FROM unnest($1::uuid[]) AS named (transfer_id) JOIN transfer USING (transfer_id)",
        ))
        .await?;
    let rows = tx.query(&statement, &[&named]).await?;
    keyed(&rows).map(TransferRecords::of)
}

async fn rows_of(
    client: &impl GenericClient,
    business: BusinessId,
) -> Result<RowsOf<TransferRecords>, Error> {
    let rows = client
        .query_typed(
            concat!(
                "SELECT ",
                transfer_columns!(),
                " FROM transfer WHERE business_id = $1"
            ),
            &[(&business.uuid(), Type::UUID)],
        )
        .await?;
    keyed(&rows)
}

fn keyed(rows: &[Row]) -> Result<RowsOf<TransferRecords>, Error> {
    let keyed = |row| Transfer::from_row(row).map(|transfer| (transfer.transfer_id, transfer));
    rows.iter().map(keyed).collect()
}

async fn write_rows(tx: &Transaction<'_>, rows: &[&Transfer]) -> Result<(), tokio_postgres::Error> {
    fn column<Value>(rows: &[&Transfer], value: impl Fn(&Transfer) -> Value) -> Vec<Value> {
        rows.iter().map(|row| value(row)).collect()
    }
    let statement = tx
        .prepare_cached(
            "INSERT INTO transfer (transfer_id, business_id, kind, status, amount, fee, destination, direction,
                                   terminal_serial, rental_due_date, description, reason, by_hand, payout_id,
                                   approvals, needs_attention, requested_by, requested_at, updated_at, updated_by,
                                   fee_given_back, names, return_names, sequences)
             SELECT transfer_id, business_id, kind, status, amount, fee, destination::json, direction,
                    terminal_serial, rental_due_date, description, reason, by_hand, payout_id, approvals,
                    needs_attention, requested_by, requested_at, updated_at, updated_by, fee_given_back, names::json,
                    return_names::json, sequences::int8[]
               FROM unnest($1::uuid[], $2::uuid[], $3::int2[], $4::int2[], $5::int8[], $6::int8[], $7::text[],
                           $8::text[], $9::text[], $10::date[], $11::text[], $12::text[], $13::bool[], $14::uuid[],
                           $15::int2[], $16::bool[], $17::text[], $18::timestamptz[], $19::timestamptz[], $20::text[],
                           $21::int8[], $22::text[], $23::text[], $24::text[])
                 AS changed (transfer_id, business_id, kind, status, amount, fee, destination, direction,
                          terminal_serial, rental_due_date, description, reason, by_hand, payout_id, approvals,
                          needs_attention, requested_by, requested_at, updated_at, updated_by, fee_given_back, names,
                          return_names, sequences)
             ON CONFLICT (transfer_id, business_id) DO UPDATE
                SET status = excluded.status,
                    reason = excluded.reason,
                    by_hand = excluded.by_hand,
                    payout_id = excluded.payout_id,
                    approvals = excluded.approvals,
                    needs_attention = excluded.needs_attention,
                    updated_at = excluded.updated_at,
                    updated_by = excluded.updated_by,
                    fee_given_back = excluded.fee_given_back,
                    names = excluded.names,
                    return_names = excluded.return_names,
                    sequences = excluded.sequences",
        )
        .await?;
    tx.execute(
        &statement,
        &[
            &column(rows, |row| row.transfer_id.uuid()),
            &column(rows, |row| row.business_id.uuid()),
            &column(rows, |row| i16::from(row.kind.number())),
            &column(rows, |row| i16::from(row.status.number())),
            &column(rows, |row| row.amount.get()),
            &column(rows, |row| row.fee.get()),
            &column(rows, Transfer::destination_json),
            &column(rows, |row| row.direction.map(|direction| direction.as_str())),
            &column(rows, |row| {
                row.rental.as_ref().map(|rental| rental.terminal_serial.clone())
            }),
            &column(rows, |row| row.rental.as_ref().map(|rental| rental.due_date)),
            &column(rows, |row| row.description.clone()),
            &column(rows, |row| row.reason.clone()),
            &column(rows, |row| row.by_hand),
            &column(rows, |row| row.payout_id.map(PayoutId::uuid)),
            &column(rows, |row| i16::from(row.approvals)),
            &column(rows, |row| row.needs_attention),
            &column(rows, |row| row.requested_by.clone()),
            &column(rows, |row| row.requested_at),
            &column(rows, |row| row.updated_at),
            &column(rows, |row| row.updated_by.clone()),
            &column(rows, |row| row.fee_given_back.map(Cents::get)),
            &column(rows, |row| column_values::names_json(&row.names)),
            &column(rows, |row| column_values::names_json(&row.return_names)),
            &column(rows, |row| array_literal(row.sequences.iter().map(Some))),
        ],
    )
    .await?;
    Ok(())
}
