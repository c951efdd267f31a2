//! The calculator's table: one amount in every payment type and number of installments.

use axum::extract::State;
use gateway_platform::links::FeePayer;
use ledger_domain::Cents;
use ledger_domain::fees::{PlanTerms, PricingInput};
use ledger_domain::sale::{CardBrand, PaymentType, Solution};

use super::bodies::seller::{SimulationRow, SimulationTable, kinds_of_sale};
use super::simulation::{AmountInCents, context, price, quote_problem, terms_of};
use crate::AppState;
use crate::edge::{CurrentBusiness, Json, Query, query};
use crate::problem::{Problem, Result};

/// Simulate all kinds of sale
///
/// Prices one amount by the plan in force: debit, credit in 1 to 21 installments, pix and boleto. A row without a price
/// says why. Nothing is recorded.
#[utoipa::path(
    get, path = "/business/plan/simulation/table", tag = "sales",
    responses(
        (status = 200, body = SimulationTable),
        (status = 422, description = "Invalid values, by field: solution (no plan), brand, amount (outside the limits of a sale), payer, business_id"),
    )
)]
pub(crate) async fn simulate_all_sales(
    State(state): State<AppState>,
    business: CurrentBusiness,
    Query(query): Query<TableQuery>,
) -> Result<Json<SimulationTable>> {
    let context = context(&state, business.id, query.solution).await?;
    let terms = terms_of(&context)?;
    let today = state.clock.today();
    let rows = kinds_of_sale().map(|(payment_type, installments)| {
        let sale = PricingInput {
            amount: query.amount.0,
            payment_type,
            card_brand: payment_type.is_card().then(|| query.brand.clone()),
            installments,
        };
        let priced = price(&terms, &sale, query.payer, today, &context.calendar);
        row(&sale, priced.map_err(|error| quote_problem(error, query.payer)))
    });
    Ok(Json(SimulationTable {
        plan: (&PlanTerms::plan_ref(&terms)).into(),
        rows: rows.collect(),
    }))
}

fn row(sale: &PricingInput, priced: Result<super::bodies::simulation::Simulation>) -> SimulationRow {
    let (price, reason) = match priced {
        Ok(price) => (Some(price), None),
        Err(problem) => (None, Some(first_message(problem))),
    };
    SimulationRow {
        payment_type: PaymentType::as_str(sale.payment_type),
        installments: sale.installments,
        price,
        reason,
    }
}

fn first_message(problem: Problem) -> String {
    let field = problem.errors.into_values().flatten().next();
    field.unwrap_or_else(|| problem.message.into_owned())
}

query! {
    pub struct TableQuery {
        /// 1 card machine, 2 e-commerce, 3 info product, 4 payment link.
        #[example = 1]
        solution: Solution,
        amount: ..SaleAmount,
        /// The brand of the rows of cards.
        #[example = "visa"]
        brand: CardBrand,
        /// The party that pays the fees; the default is seller.
        payer: FeePayer = FeePayer::Seller,
    }
}

/// An amount within the limits of a sale.
pub struct SaleAmount(Cents);

query! {
    impl FromQuery for SaleAmount with query {
        /// The amount in cents: the gross with `payer=seller`, the wanted net with `payer=buyer`.
        #[example = 30_000]
        amount: AmountInCents,
    } => {
        let AmountInCents(amount) = amount;
        if Cents::checked_amount(amount.get()).is_err() {
            query.error("amount", "Valor fora do limite permitido.");
        }
        Self(amount)
    }
}
