//! Compares the rows of `payout` with `TransferProcessing` and with the results in the log.

use std::collections::{BTreeMap, HashMap};

use ledger_domain::business::{
    BusinessEvent, Transfer, TransferApproved, TransferEvent, TransferFailed, TransferProcessing,
};
use ledger_domain::transfer::Destination;
use ledger_domain::{BusinessId, PayoutId, TransferId};
use ledger_store::{StoredEvent, log};
use projections::replay::{Reporter, Subject};
use tokio_postgres::Row;
use tokio_postgres::types::Json;
use uuid::Uuid;

use super::{Audit, PAGE};
use crate::error::PlatformError;

/// The payouts according to the log.
#[derive(Default)]
struct Expected {
    payouts: BTreeMap<PayoutId, LoggedPayout>,
    /// A transfer has at most one payout in flight.
    in_flight: HashMap<TransferId, PayoutId>,
}

/// A payout according to the log.
struct LoggedPayout {
    business_id: BusinessId,
    transfer_id: TransferId,
    /// The handler had read its `TransferProcessing`: the row must exist.
    must_have_row: bool,
    /// The status by the last result that the handler had read.
    end: Option<&'static str>,
    /// The statuses that a worker may have written first: by results that the handler had not read, or because another
    /// payout had paid the transfer.
    possible_ends: Vec<&'static str>,
}

struct PayoutRow {
    transfer_id: TransferId,
    business_id: BusinessId,
    amount: i64,
    /// `None` if it cannot be read, which is reported as a finding.
    destination: Option<Destination>,
    status: String,
}

pub(super) async fn compare(audit: &mut Audit<'_>) -> Result<(), PlatformError> {
    let (rows, read_to) = audit
        .rows(
            "payouts",
            "SELECT payout_id, transfer_id, business_id, amount, destination, status FROM payout",
        )
        .await?;
    let mut rows: BTreeMap<_, _> = rows.iter().map(|row| read(&mut audit.reporter, row)).collect();
    let mut expected = Expected::default();
    let types = ["TransferProcessing", "TransferApproved", "TransferFailed"];
    audit
        .events(&types, |event| {
            expected.take(event, event.position <= read_to.get(event.shard));
        })
        .await?;
    let mut pairs = vec![];
    for (payout_id, logged) in &expected.payouts {
        match rows.remove(payout_id) {
            Some(row) => pairs.push((*payout_id, logged, row)),
            None if logged.must_have_row => audit.reporter.set_business(Some(logged.business_id)).finding(
                Subject::Payout,
                payout_id,
                format_args!("a payout of {}", logged.transfer_id),
                "no row",
            ),
            None => {}
        }
    }
    for page in pairs.chunks(PAGE) {
        let transfers: Vec<_> = page.iter().map(|(_, logged, _)| logged.transfer_id).collect();
        let found = log::transfer_states(&**audit.client, &transfers).await?;
        let states: HashMap<_, _> = found.into_iter().collect();
        for (payout_id, logged, row) in page {
            // The replay reports a transfer without a state.
            if let Some(found) = states.get(&logged.transfer_id) {
                compare_row(&mut audit.reporter, *payout_id, logged, &found.state, row);
            }
        }
    }
    for (payout_id, row) in rows {
        let found = format_args!("a payout of {}", row.transfer_id);
        let reporter = audit.reporter.set_business(Some(row.business_id));
        reporter.finding(Subject::Payout, payout_id, "no row", found);
    }
    Ok(())
}

impl Expected {
    /// The audit of the log reports events that cannot be read.
    fn take(&mut self, stored: &StoredEvent, is_read: bool) {
        let Ok(BusinessEvent::Transfer(event)) = stored.decode() else {
            return;
        };
        match event {
            TransferEvent::TransferProcessing(TransferProcessing {
                payout_id: Some(payout_id),
                transfer_id,
                ..
            }) => {
                let payout = LoggedPayout {
                    business_id: stored.business_id,
                    transfer_id,
                    must_have_row: is_read,
                    end: None,
                    possible_ends: vec![],
                };
                self.payouts.insert(payout_id, payout);
                self.in_flight.insert(transfer_id, payout_id);
            }
            TransferEvent::TransferApproved(TransferApproved {
                payout_id: Some(payout_id),
                transfer_id,
                ..
            }) => {
                self.end(payout_id, "paid", is_read);
                // Another payout paid the transfer. The log has no result for the payout in flight, but its worker may
                // end the row.
                let overtaken = self.in_flight.remove(&transfer_id).filter(|id| *id != payout_id);
                if let Some(overtaken) = overtaken {
                    self.may_have_ended(overtaken, "failed");
                }
            }
            TransferEvent::TransferFailed(TransferFailed {
                payout_id: Some(payout_id),
                transfer_id,
                ..
            }) => {
                self.end(payout_id, "failed", is_read);
                self.in_flight.remove(&transfer_id);
            }
            _ => {}
        }
    }

    /// A payout that this platform did not start has no `TransferProcessing` and no row.
    fn end(&mut self, payout_id: PayoutId, end: &'static str, is_read: bool) {
        if !is_read {
            self.may_have_ended(payout_id, end);
        } else if let Some(payout) = self.payouts.get_mut(&payout_id) {
            payout.end = Some(end);
        }
    }

    fn may_have_ended(&mut self, payout_id: PayoutId, end: &'static str) {
        if let Some(payout) = self.payouts.get_mut(&payout_id) {
            payout.possible_ends.push(end);
        }
    }
}

fn compare_row(
    reporter: &mut Reporter<'_>,
    payout_id: PayoutId,
    logged: &LoggedPayout,
    transfer: &Transfer,
    row: &PayoutRow,
) {
    // The log has only how a payout ended. An open row may have any open status, and a result may be unread.
    let status = match logged.end {
        Some(end) => end,
        None if matches!(row.status.as_str(), "paid" | "failed")
            && !logged.possible_ends.contains(&row.status.as_str()) =>
        {
            "not ended"
        }
        None => &row.status,
    };
    reporter.set_business(Some(logged.business_id));
    let mut column = |name, expected: String, found: String| {
        reporter.equal(
            Subject::Payout,
            format_args!("{payout_id} {name}"),
            expected,
            found,
        );
    };
    column(
        "transfer_id",
        logged.transfer_id.to_string(),
        row.transfer_id.to_string(),
    );
    column(
        "business_id",
        logged.business_id.to_string(),
        row.business_id.to_string(),
    );
    let net = transfer.amount.get() - transfer.fee.get();
    column("amount", net.to_string(), row.amount.to_string());
    if row.destination.is_some() {
        let text = |of: &Option<Destination>| serde_json::to_string(of).unwrap_or_default();
        column("destination", text(&transfer.destination), text(&row.destination));
    }
    column("status", status.to_owned(), row.status.clone());
}

fn read(reporter: &mut Reporter<'_>, row: &Row) -> (PayoutId, PayoutRow) {
    let payout_id = PayoutId::from_uuid(row.get(0));
    let business_id = BusinessId::from_uuid(row.get(2));
    let destination = match row.try_get::<_, Json<Destination>>(4) {
        Ok(Json(destination)) => Some(destination),
        Err(error) => {
            let key = format_args!("{payout_id} destination");
            reporter
                .set_business(Some(business_id))
                .finding(Subject::Payout, key, "a destination", error);
            None
        }
    };
    let row = PayoutRow {
        transfer_id: TransferId::from_uuid(row.get::<_, Uuid>(1)),
        business_id,
        amount: row.get(3),
        destination,
        status: row.get(5),
    };
    (payout_id, row)
}
