//! Prices each captured sale of the log again by the terms of its plan's version. Terms that were changed afterwards give
//! other fees.

use std::collections::{BTreeMap, HashMap};

use ledger_domain::business::{BusinessEvent, SaleCaptured, SaleEvent};
use ledger_domain::fees::{PlanTerms, PricingInput, sale_fees};
use ledger_domain::{PlanId, SaleId};
use projections::replay::Subject;
use tokio_postgres::types::Json;
use uuid::Uuid;

use super::Audit;
use crate::error::PlatformError;

/// A plan and one of its versions.
type Version = (Uuid, i64);

/// The sales of a version that have other fees than its terms give.
struct Differing {
    first: SaleId,
    expected: String,
    found: String,
    sales: u64,
}

pub(super) async fn compare(audit: &mut Audit<'_>) -> Result<(), PlatformError> {
    let rows = audit
        .client
        .query_typed("SELECT plan_id, version, terms FROM plan_version", &[])
        .await?;
    let mut versions: HashMap<Version, Option<PlanTerms>> = HashMap::new();
    for row in &rows {
        // Terms that cannot be read price no sale, which is reported.
        let terms = row.try_get::<_, Json<PlanTerms>>(2).ok().map(|Json(terms)| terms);
        versions.insert((row.get(0), i64::from(row.get::<_, i32>(1))), terms);
    }
    let mut differing: BTreeMap<Version, Differing> = BTreeMap::new();
    audit
        .events(&["SaleCaptured"], |event| {
            // The audit of the log reports events that cannot be read.
            if let Ok(BusinessEvent::Sale(SaleEvent::SaleCaptured(captured))) = event.decode() {
                let version = (captured.plan.id.uuid(), i64::from(captured.plan.version));
                let terms = versions.get(&version).and_then(Option::as_ref);
                if let Some((expected, found)) = difference(&captured, terms) {
                    let of_version = differing.entry(version).or_insert(Differing {
                        first: captured.sale.sale_id,
                        expected,
                        found,
                        sales: 0,
                    });
                    of_version.sales += 1;
                }
            }
        })
        .await?;
    let reporter = audit.reporter.set_business(None);
    for ((plan, version), differing) in differing {
        let Differing {
            first,
            expected,
            found,
            sales,
        } = differing;
        let plan = PlanId::from_uuid(plan);
        let key = format_args!(
            "{plan} / {version} fees of {first}, and {} other sales",
            sales - 1
        );
        reporter.finding(Subject::PlanVersion, key, expected, found);
    }
    Ok(())
}

/// The recorded fees, and those that the terms give, if they differ.
fn difference(captured: &SaleCaptured, terms: Option<&PlanTerms>) -> Option<(String, String)> {
    let sale = &captured.sale;
    let input = PricingInput {
        amount: sale.amount,
        payment_type: sale.payment_type,
        card_brand: sale.card_brand.clone(),
        installments: sale.installments,
    };
    let recorded = captured.fees;
    let found = match terms.map(|terms| sale_fees(terms, &input)) {
        Some(Ok(fees)) if fees == recorded => return None,
        Some(Ok(fees)) => format!("{fees:?}"),
        Some(Err(error)) => error.to_string(),
        None => "no readable terms".to_owned(),
    };
    Some((format!("{recorded:?}"), found))
}
