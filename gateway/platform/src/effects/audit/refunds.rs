//! Compares the rows of `refund` with the cancels that the platform started. The acquirer reports the results of
//! refunds; the log does not contain them.

use std::collections::{BTreeMap, HashMap, HashSet};

use ledger_domain::business::{BusinessEvent, Sale, SaleEvent};
use ledger_domain::ids::RefundId;
use ledger_domain::sale::Initiator;
use ledger_domain::{BusinessId, Cents, SaleId};
use ledger_store::log;
use projections::replay::{Reporter, Subject};
use tokio_postgres::Row;
use uuid::Uuid;

use super::{Audit, PAGE};
use crate::effects::refunds::refund_of;
use crate::error::PlatformError;

/// A cancel according to the log.
struct LoggedCancel {
    refund_id: RefundId,
    business_id: BusinessId,
    amount: Cents,
    /// The effect handler had read the cancel's event: the row of the first request must exist.
    must_have_row: bool,
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

pub(super) async fn compare(audit: &mut Audit<'_>) -> Result<(), PlatformError> {
    let (rows, read_to) = audit
        .rows(
            "refunds",
            "SELECT refund_id, sale_id, attempt, business_id, provider, external_id, amount
               FROM refund ORDER BY refund_id",
        )
        .await?;
    let rows: Vec<_> = rows.iter().map(read).collect();
    let mut canceled = BTreeMap::new();
    audit
        .events(&["SaleCanceled"], |event| {
            if let Ok(BusinessEvent::Sale(SaleEvent::SaleCanceled(reported))) = event.decode()
                && reported.initiator == Initiator::Platform
            {
                let cancel = LoggedCancel {
                    refund_id: refund_of(event.event_id),
                    business_id: event.business_id,
                    amount: reported.amount,
                    must_have_row: event.position <= read_to.get(event.shard),
                };
                canceled.insert(reported.sale_id, cancel);
            }
        })
        .await?;
    for page in rows.chunks(PAGE) {
        let sales: Vec<_> = page.iter().map(|row| row.sale_id).collect();
        let found = log::sale_states(&**audit.client, &sales).await?;
        let states: HashMap<_, _> = found.into_iter().collect();
        for row in page {
            match (canceled.get(&row.sale_id), states.get(&row.sale_id)) {
                (Some(cancel), Some(found)) => compare_row(&mut audit.reporter, cancel, &found.state, row),
                // The replay reports a sale without a state.
                (Some(_), None) => {}
                (None, _) => {
                    let found = format_args!("a refund of {}", row.sale_id);
                    let reporter = audit.reporter.set_business(Some(row.business_id));
                    reporter.finding(Subject::Refund, row.refund_id, "no row", found);
                }
            }
        }
    }
    let requested: HashSet<_> = rows.iter().map(|row| row.refund_id).collect();
    for (sale_id, cancel) in canceled.iter().filter(|(_, cancel)| cancel.must_have_row) {
        if !requested.contains(&cancel.refund_id) {
            let expected = format_args!("a refund of {sale_id}");
            let reporter = audit.reporter.set_business(Some(cancel.business_id));
            reporter.finding(Subject::Refund, cancel.refund_id, expected, "no row");
        }
    }
    Ok(())
}

fn compare_row(reporter: &mut Reporter<'_>, cancel: &LoggedCancel, sale: &Sale, row: &RefundRow) {
    reporter.set_business(Some(cancel.business_id));
    let mut column = |name, expected: String, found: String| {
        let key = format_args!("{} {name}", row.refund_id);
        reporter.equal(Subject::Refund, key, expected, found);
    };
    column(
        "business_id",
        cancel.business_id.to_string(),
        row.business_id.to_string(),
    );
    column(
        "provider",
        sale.provider.number().to_string(),
        row.provider.to_string(),
    );
    column("external_id", sale.external_id.clone(), row.external_id.clone());
    column("amount", cancel.amount.get().to_string(), row.amount.to_string());
    // A request after a refusal has another id, and a higher attempt.
    if row.refund_id == cancel.refund_id {
        column("attempt", "1".to_owned(), row.attempt.to_string());
    } else if row.attempt == 1 {
        column(
            "refund_id",
            cancel.refund_id.to_string(),
            row.refund_id.to_string(),
        );
    }
}

fn read(row: &Row) -> RefundRow {
    RefundRow {
        refund_id: RefundId::from_uuid(row.get::<_, Uuid>(0)),
        sale_id: SaleId::from_uuid(row.get::<_, Uuid>(1)),
        attempt: row.get(2),
        business_id: BusinessId::from_uuid(row.get::<_, Uuid>(3)),
        provider: row.get(4),
        external_id: row.get(5),
        amount: row.get(6),
    }
}
