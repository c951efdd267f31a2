//! The rows of `payout` against `TransferProcessing` and the ends that the log has of it.

use std::collections::BTreeMap;

use ledger_domain::business::{BusinessEvent, TransferApproved, TransferFailed, TransferProcessing};
use ledger_domain::transfer::Destination;
use ledger_domain::{BusinessId, PayoutId, TransferId};
use ledger_store::{LedgerPosition, StoredEvent, log};
use projections::replay::Subject;
use tokio_postgres::types::Json;
use uuid::Uuid;

use super::{Audit, WorkError};

/// What the log says of a payout.
struct Paid {
    business_id: BusinessId,
    transfer_id: TransferId,
    /// The reactor has read its beginning: its row must stand.
    has_row: bool,
    /// The last end that the reactor has read.
    end: Option<&'static str>,
    /// Ends beyond it. A worker may have heard of them first.
    later_ends: Vec<&'static str>,
}

struct PayoutRow {
    transfer_id: TransferId,
    business_id: BusinessId,
    amount: i64,
    destination: Destination,
    status: String,
}

pub(super) async fn compare(audit: &mut Audit<'_>, read_to: &LedgerPosition) -> Result<(), WorkError> {
    let types = ["TransferProcessing", "TransferApproved", "TransferFailed"];
    let mut expected = BTreeMap::new();
    for event in audit.events(&types).await? {
        take(&mut expected, &event, event.position <= read_to.get(event.shard));
    }
    let mut rows = rows(audit).await?;
    for (payout_id, paid) in &expected {
        match rows.remove(payout_id) {
            None if paid.has_row => audit.finding(
                Subject::Payout,
                Some(paid.business_id),
                payout_id,
                format_args!("a payout of {}", paid.transfer_id),
                "no row",
            ),
            None => {}
            Some(row) => compare_row(audit, *payout_id, paid, &row).await?,
        }
    }
    for (payout_id, row) in rows {
        let found = format!("a payout of {}", row.transfer_id);
        audit.finding(Subject::Payout, Some(row.business_id), payout_id, "no row", found);
    }
    Ok(())
}

/// An event that cannot be read is a finding of the log's own audit.
fn take(expected: &mut BTreeMap<PayoutId, Paid>, stored: &StoredEvent, is_read: bool) {
    let (payout_id, end) = match stored.decode() {
        Ok(BusinessEvent::TransferProcessing(TransferProcessing {
            payout_id: Some(payout_id),
            transfer_id,
            ..
        })) => {
            let paid = Paid {
                business_id: stored.business_id,
                transfer_id,
                has_row: is_read,
                end: None,
                later_ends: vec![],
            };
            expected.insert(payout_id, paid);
            return;
        }
        Ok(BusinessEvent::TransferApproved(TransferApproved {
            payout_id: Some(payout_id),
            ..
        })) => (payout_id, "paid"),
        Ok(BusinessEvent::TransferFailed(TransferFailed {
            payout_id: Some(payout_id),
            ..
        })) => (payout_id, "failed"),
        _ => return,
    };
    // A payout that was never ours to send has no beginning here, and no row.
    if let Some(paid) = expected.get_mut(&payout_id) {
        if is_read {
            paid.end = Some(end);
        } else {
            paid.later_ends.push(end);
        }
    }
}

async fn compare_row(
    audit: &mut Audit<'_>,
    payout_id: PayoutId,
    paid: &Paid,
    row: &PayoutRow,
) -> Result<(), WorkError> {
    let found = log::transfer_states(&*audit.tx, &[paid.transfer_id]).await?.pop();
    // A transfer without a state is a finding of the replay.
    let Some((_, found)) = found else { return Ok(()) };
    let transfer = found.state;
    let net = transfer.amount.get() - transfer.fee.get();
    let destination = |of: Option<&Destination>| serde_json::to_string(&of).unwrap_or_default();
    let ended = matches!(row.status.as_str(), "paid" | "failed");
    let status = match paid.end {
        Some(end) => end.to_owned(),
        None if ended && !paid.later_ends.contains(&row.status.as_str()) => "not ended".to_owned(),
        None => row.status.clone(),
    };
    audit.columns(
        Subject::Payout,
        paid.business_id,
        payout_id,
        &[
            (
                "transfer_id",
                paid.transfer_id.to_string(),
                row.transfer_id.to_string(),
            ),
            (
                "business_id",
                paid.business_id.to_string(),
                row.business_id.to_string(),
            ),
            ("amount", net.to_string(), row.amount.to_string()),
            (
                "destination",
                destination(transfer.destination.as_ref()),
                destination(Some(&row.destination)),
            ),
            ("status", status, row.status.clone()),
        ],
    );
    Ok(())
}

async fn rows(audit: &mut Audit<'_>) -> Result<BTreeMap<PayoutId, PayoutRow>, WorkError> {
    let rows = audit
        .tx
        .query_typed(
            "SELECT payout_id, transfer_id, business_id, amount, destination, status FROM payout",
            &[],
        )
        .await?;
    let mut read = BTreeMap::new();
    for row in &rows {
        let payout_id = PayoutId::from_uuid(row.get(0));
        let business_id = BusinessId::from_uuid(row.get(2));
        match row.try_get::<_, Json<Destination>>(4) {
            Ok(Json(destination)) => {
                let row = PayoutRow {
                    transfer_id: TransferId::from_uuid(row.get::<_, Uuid>(1)),
                    business_id,
                    amount: row.get(3),
                    destination,
                    status: row.get(5),
                };
                read.insert(payout_id, row);
            }
            Err(error) => {
                let key = format!("{payout_id} destination");
                audit.finding(Subject::Payout, Some(business_id), key, "a destination", error);
            }
        }
    }
    Ok(read)
}
