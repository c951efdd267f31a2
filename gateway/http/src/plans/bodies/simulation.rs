//! The calculator: the net of a planned sale, or the amount to charge for a wanted net.

use chrono::NaiveDate;
use ledger_domain::Cents;
use ledger_domain::fees::{FeeLine, PlanRef, Quote};
use serde::Serialize;
use utoipa::ToSchema;

use crate::sales::bodies::detail::SalePlan;
use crate::sales::bodies::fees::FeeCharge;
use crate::shared::cents;

/// The price of a planned sale. Amounts are in cents.
#[derive(Debug, Serialize, ToSchema)]
pub struct Simulation {
    /// The amount that the buyer pays.
    #[schema(example = 30_000)]
    pub charged: i64,
    /// The amount that the seller receives. With `payer=buyer`, the wanted net, or the smallest possible net above it.
    #[schema(example = 28_500)]
    pub net: i64,
    pub fees: SimulatedFees,
    #[schema(example = 1_500)]
    pub fees_total: i64,
    /// The lines that sum to `fees_total`, in the order of deduction. MDR and cost of advance are separate lines; fees
    /// of zero are left out.
    pub fee_lines: Vec<FeeCharge>,
    /// The amounts of the buyer's installments.
    #[schema(example = json!([10_000, 10_000, 10_000]))]
    pub installment_amounts: Vec<i64>,
    /// The seller's installments with their due dates, if the sale were captured today.
    pub receivables: Vec<SimulatedReceivable>,
    /// The version of the plan that is in force.
    pub plan: SalePlan,
}

/// The fees as a sale stores them, in cents.
#[derive(Debug, Serialize, ToSchema)]
pub struct SimulatedFees {
    #[schema(example = 1_500)]
    pub plan_percentage_fee: i64,
    pub plan_flat_fee: i64,
    pub plan_percentage_rate: i64,
    pub plan_flat_rate: i64,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct SimulatedReceivable {
    #[schema(example = 1)]
    pub number: u8,
    #[schema(example = 10_000)]
    pub gross: i64,
    #[schema(example = 9_500)]
    pub net: i64,
    /// Business date in Brasília.
    #[schema(example = "2026-12-21")]
    pub due_date: NaiveDate,
}

impl Simulation {
    pub fn of(charged: Cents, quote: &Quote, lines: &[FeeLine], plan: &PlanRef) -> Self {
        let fees = &quote.fees;
        let receivables = quote.receivables.iter().map(|part| SimulatedReceivable {
            number: part.number,
            gross: cents(part.gross),
            net: cents(part.net),
            due_date: part.due_date,
        });
        Self {
            charged: cents(charged),
            net: cents(quote.net),
            fees: SimulatedFees {
                plan_percentage_fee: cents(fees.percentage_fee),
                plan_flat_fee: cents(fees.flat_fee),
                plan_percentage_rate: cents(fees.percentage_rate),
                plan_flat_rate: cents(fees.flat_rate),
            },
            fees_total: cents(fees.total()),
            fee_lines: FeeCharge::all(lines),
            installment_amounts: quote.receivables.iter().map(|part| cents(part.gross)).collect(),
            receivables: receivables.collect(),
            plan: plan.into(),
        }
    }
}
