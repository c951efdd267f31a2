//! The calculator on the wire: what a sale would leave, or what to charge so that a wanted net is left.

use chrono::NaiveDate;
use ledger_domain::Cents;
use ledger_domain::fees::{FeeLine, PlanRef, Quote};
use serde::Serialize;
use utoipa::ToSchema;

use super::cents;
use super::explanation::FeeCharge;
use super::sale_detail::SalePlan;

#[derive(Debug, Serialize, ToSchema)]
pub struct Simulation {
    /// What the buyer pays.
    #[schema(example = 30_000)]
    pub charged: i64,
    /// What the seller receives; where a net was wanted, that or the least that is more.
    #[schema(example = 28_500)]
    pub net: i64,
    pub fees: SimulatedFees,
    #[schema(example = 1_500)]
    pub fees_total: i64,
    /// What makes up fees_total, in the order in which it is taken: MDR and cost of advance apart, and no fee that charges
    /// nothing.
    pub fee_lines: Vec<FeeCharge>,
    /// What the buyer pays each time.
    #[schema(example = json!([10_000, 10_000, 10_000]))]
    pub installment_amounts: Vec<i64>,
    /// What the seller receives and when, were the sale captured today.
    pub receivables: Vec<SimulatedReceivable>,
    /// The plan's version in force.
    pub plan: SalePlan,
}

/// As a sale stores them.
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
