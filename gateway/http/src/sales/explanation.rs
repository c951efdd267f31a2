//! Explains a sale's net: computes the fees again with the version of the plan that priced the sale.

use std::collections::HashMap;

use gateway_platform::holidays::holiday_names;
use gateway_platform::plans::plan_terms;
use ledger_domain::calendar::{Closure, Date, business_date};
use ledger_domain::fees::{self, PricingInput, Quote, explain, fee_lines};
use ledger_domain::sale::Receivable;
use ledger_domain::{Cents, SaleId};
use projections::sales::{SaleDetail, SaleRow};

use super::bodies::explanation::Explanation;
use super::bodies::fees::FeeCharge;
use super::detail::recorded_sale;
use super::scope::SaleScope;
use crate::edge::{Db, Id, Json};
use crate::problem::{Problem, Result};

/// Explain a sale's net
///
/// Returns each fee with its rule, its base and its rounding. Returns each installment with its cost of advance and the
/// closed days that moved its due date. Only captured sales have an explanation.
#[utoipa::path(
    get, path = "/transactions/{id}/explanation", tag = "sales",
    responses(
        (status = 200, body = Explanation),
        (status = 404, description = "The sale does not exist, belongs to another company or is not captured"),
    )
)]
pub(crate) async fn explain_sale(scope: SaleScope, Id(id): Id<SaleId>, db: Db) -> Result<Json<Explanation>> {
    let sale = recorded_sale(&db, scope.company, id).await?;
    let explanation = explanation_of(&db, &sale).await?;
    let added = added_holidays(&db, &explanation).await?;
    Ok(Json(Explanation::of(explanation, &added)))
}

async fn explanation_of(db: &Db, sale: &SaleDetail) -> Result<fees::Explanation> {
    let row = &sale.row;
    let (Some(plan), Some(net), Some(captured_at)) = (&row.plan, row.net, row.captured_at) else {
        return Err(Problem::not_found());
    };
    let terms = plan_terms(&**db, plan)
        .await?
        .ok_or_else(|| Problem::internal(format_args!("{} has no version {}", plan.id, plan.version)))?;
    let input = pricing_input(row);
    let stored = Quote {
        fees: row.fees,
        net,
        receivables: sale
            .receivables
            .iter()
            .map(|stored| Receivable {
                number: stored.number,
                gross: stored.gross,
                net: stored.net,
                due_date: stored.due_date,
            })
            .collect(),
    };
    explain(&terms, &input, &stored, business_date(captured_at)).map_err(Problem::internal)
}

/// The fees of a captured sale by the version of the plan that priced it. `None` if the sale is not captured. Also
/// `None` if that version is missing or does not lead to the stored fees: the error is logged, and the sale is shown
/// with the stored fees.
pub(crate) async fn fee_charges(db: &Db, row: &SaleRow) -> Result<Option<Vec<FeeCharge>>> {
    let (Some(plan), Some(_)) = (&row.plan, row.net) else {
        return Ok(None);
    };
    let Some(terms) = plan_terms(&**db, plan).await? else {
        tracing::error!(plan = %plan.id, version = plan.version, "the plan's version is not stored");
        return Ok(None);
    };
    let lines = match fee_lines(&terms, &pricing_input(row)) {
        Ok(lines) => lines,
        Err(error) => {
            tracing::error!(sale = %row.sale_id, %error, "the plan's version does not price the sale");
            return Ok(None);
        }
    };
    let charged = Cents::total(lines.iter().map(|line| line.charged));
    if charged != Some(row.fees.total()) {
        tracing::error!(sale = %row.sale_id, "the plan's version does not lead to the stored fees");
        return Ok(None);
    }
    Ok(Some(FeeCharge::all(&lines)))
}

fn pricing_input(row: &SaleRow) -> PricingInput {
    PricingInput {
        amount: row.amount,
        payment_type: row.payment_type,
        card_brand: row.card_brand.clone(),
        installments: row.installments,
    }
}

/// The names of holidays that staff added, by date. The explanation has only their dates.
async fn added_holidays(db: &Db, explanation: &fees::Explanation) -> Result<HashMap<Date, String>> {
    let dates: Vec<Date> = explanation
        .installments
        .iter()
        .flat_map(|line| &line.closed_days)
        .filter(|day| day.closure == Closure::AddedByStaff)
        .map(|day| day.date)
        .collect();
    if dates.is_empty() {
        return Ok(HashMap::new());
    }
    Ok(holiday_names(&**db, &dates).await?)
}
