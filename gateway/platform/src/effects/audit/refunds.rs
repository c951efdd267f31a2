//! Compares the rows of `refund` with the cancels and refunds of parts that the platform started. The acquirer reports
//! the results of refunds; the log does not contain them.

use std::collections::{BTreeMap, HashMap, HashSet};

use ledger_domain::business::Sale;
use ledger_domain::ids::RefundId;
use ledger_domain::{BusinessId, SaleId};
use ledger_store::log;
use projections::replay::{Reporter, Subject};
use tokio_postgres::Row;
use uuid::Uuid;

use super::{Audit, PAGE};
use crate::effects::refunds::{RefundToRequest, refund_of};
use crate::error::PlatformError;

/// A refund according to the log.
struct LoggedRefund {
    refund_id: RefundId,
    business_id: BusinessId,
    refund: RefundToRequest,
    /// The effect handler had read the event: the row of the first request must exist.
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
    reference: Option<String>,
    of_part: bool,
}

pub(super) async fn compare(audit: &mut Audit<'_>) -> Result<(), PlatformError> {
    let (rows, read_to) = audit
        .rows(
            "refunds",
            "SELECT refund_id, sale_id, attempt, business_id, provider, external_id, amount, reference, of_part
               FROM refund ORDER BY refund_id",
        )
        .await?;
    let rows: Vec<_> = rows.iter().map(read).collect();
    let mut logged = BTreeMap::new();
    audit
        .events(RefundToRequest::EVENT_TYPES, |event| {
            if let Ok(decoded) = event.decode()
                && let Some(refund) = RefundToRequest::of(&decoded)
            {
                let key = (refund.sale_id, refund.reference.as_ref().map(ToString::to_string));
                let recorded = LoggedRefund {
                    refund_id: refund_of(event.event_id),
                    business_id: event.business_id,
                    refund,
                    must_have_row: event.position <= read_to.get(event.shard),
                };
                logged.insert(key, recorded);
            }
        })
        .await?;
    for page in rows.chunks(PAGE) {
        let sales: Vec<_> = page.iter().map(|row| row.sale_id).collect();
        let found = log::sale_states(&**audit.client, &sales).await?;
        let states: HashMap<_, _> = found.into_iter().collect();
        for row in page {
            let key = (row.sale_id, row.reference.clone());
            match (logged.get(&key), states.get(&row.sale_id)) {
                (Some(refund), Some(found)) => compare_row(&mut audit.reporter, refund, &found.state, row),
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
    for ((sale_id, _), refund) in logged.iter().filter(|(_, refund)| refund.must_have_row) {
        if !requested.contains(&refund.refund_id) {
            let expected = format_args!("a refund of {sale_id}");
            let reporter = audit.reporter.set_business(Some(refund.business_id));
            reporter.finding(Subject::Refund, refund.refund_id, expected, "no row");
        }
    }
    Ok(())
}

fn compare_row(reporter: &mut Reporter<'_>, logged: &LoggedRefund, sale: &Sale, row: &RefundRow) {
    reporter.set_business(Some(logged.business_id));
    let mut column = |name, expected: String, found: String| {
        let key = format_args!("{} {name}", row.refund_id);
        reporter.equal(Subject::Refund, key, expected, found);
    };
    column(
        "business_id",
        logged.business_id.to_string(),
        row.business_id.to_string(),
    );
    column(
        "provider",
        sale.provider.number().to_string(),
        row.provider.to_string(),
    );
    column("external_id", sale.external_id.clone(), row.external_id.clone());
    column(
        "amount",
        logged.refund.amount.get().to_string(),
        row.amount.to_string(),
    );
    column(
        "of_part",
        logged.refund.is_of_part(sale).to_string(),
        row.of_part.to_string(),
    );
    // A request after a refusal has another id, and a higher attempt.
    if row.refund_id == logged.refund_id {
        column("attempt", "1".to_owned(), row.attempt.to_string());
    } else if row.attempt == 1 {
        column(
            "refund_id",
            logged.refund_id.to_string(),
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
        reference: row.get(7),
        of_part: row.get(8),
    }
}
