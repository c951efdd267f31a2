//! The rows of `refund` against the cancels that the platform began. How a refund went is the acquirer's word, which the
//! log does not hold.

use std::collections::BTreeMap;

use ledger_domain::business::BusinessEvent;
use ledger_domain::ids::RefundId;
use ledger_domain::sale::Initiator;
use ledger_domain::{BusinessId, Cents, SaleId};
use ledger_store::{LedgerPosition, log};
use projections::replay::Subject;
use uuid::Uuid;

use super::{Audit, WorkError};
use crate::effects::refunds::refund_of;

/// What the log says of a cancel.
struct Canceled {
    refund_id: RefundId,
    business_id: BusinessId,
    amount: Cents,
    /// The reactor has read it: its first request must stand.
    has_row: bool,
}

struct RefundRow {
    refund_id: RefundId,
    sale_id: SaleId,
    attempt: i32,
    business_id: BusinessId,
    provider: i16,
    external_id: String,
    amount: i64,
}

pub(super) async fn compare(audit: &mut Audit<'_>, read_to: &LedgerPosition) -> Result<(), WorkError> {
    let mut canceled = BTreeMap::new();
    for event in audit.events(&["SaleCanceled"]).await? {
        if let Ok(BusinessEvent::SaleCanceled(told)) = event.decode()
            && told.initiator == Initiator::Platform
        {
            let cancel = Canceled {
                refund_id: refund_of(event.event_id),
                business_id: event.business_id,
                amount: told.amount,
                has_row: event.position <= read_to.get(event.shard),
            };
            canceled.insert(told.sale_id, cancel);
        }
    }
    let rows = rows(audit).await?;
    for row in &rows {
        let Some(cancel) = canceled.get(&row.sale_id) else {
            let found = format!("a refund of {}", row.sale_id);
            audit.finding(
                Subject::Refund,
                Some(row.business_id),
                row.refund_id,
                "no row",
                found,
            );
            continue;
        };
        compare_row(audit, cancel, row).await?;
    }
    for (sale_id, cancel) in canceled.iter().filter(|(_, cancel)| cancel.has_row) {
        let asked = rows.iter().any(|row| row.refund_id == cancel.refund_id);
        if !asked {
            let expected = format!("a refund of {sale_id}");
            audit.finding(
                Subject::Refund,
                Some(cancel.business_id),
                cancel.refund_id,
                expected,
                "no row",
            );
        }
    }
    Ok(())
}

async fn compare_row(audit: &mut Audit<'_>, cancel: &Canceled, row: &RefundRow) -> Result<(), WorkError> {
    let found = log::sale_states(&*audit.tx, &[row.sale_id]).await?.pop();
    // A sale without a state is a finding of the replay.
    let Some((_, found)) = found else { return Ok(()) };
    let mut columns = vec![
        (
            "business_id",
            cancel.business_id.to_string(),
            row.business_id.to_string(),
        ),
        (
            "provider",
            found.state.provider.number().to_string(),
            row.provider.to_string(),
        ),
        ("external_id", found.state.external_id, row.external_id.clone()),
        ("amount", cancel.amount.get().to_string(), row.amount.to_string()),
    ];
    // Further attempts have ids of their own.
    if row.refund_id == cancel.refund_id {
        columns.push(("attempt", "1".to_owned(), row.attempt.to_string()));
    } else if row.attempt == 1 {
        columns.push((
            "refund_id",
            cancel.refund_id.to_string(),
            row.refund_id.to_string(),
        ));
    }
    audit.columns(Subject::Refund, cancel.business_id, row.refund_id, &columns);
    Ok(())
}

async fn rows(audit: &Audit<'_>) -> Result<Vec<RefundRow>, WorkError> {
    let rows = audit
        .tx
        .query_typed(
            "SELECT refund_id, sale_id, attempt, business_id, provider, external_id, amount
               FROM refund ORDER BY refund_id",
            &[],
        )
        .await?;
    let row = |row: &tokio_postgres::Row| RefundRow {
        refund_id: RefundId::from_uuid(row.get::<_, Uuid>(0)),
        sale_id: SaleId::from_uuid(row.get::<_, Uuid>(1)),
        attempt: row.get(2),
        business_id: BusinessId::from_uuid(row.get::<_, Uuid>(3)),
        provider: row.get(4),
        external_id: row.get(5),
        amount: row.get(6),
    };
    Ok(rows.iter().map(row).collect())
}
