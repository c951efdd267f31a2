//! The plan of a company as its users see it, and the price of every kind of sale.

use std::collections::BTreeMap;

use ledger_domain::fees::{PlanKind, PlanTerms};
use ledger_domain::sale::{BrandGroup, CardBrand, PaymentType};
use serde::Serialize;
use utoipa::ToSchema;

use super::simulation::Simulation;
use super::terms::{PlanFees, fees_of};
use crate::sales::bodies::detail::SalePlan;

#[derive(Debug, Serialize, ToSchema)]
pub struct BusinessPlan {
    /// The version in force.
    pub plan: SalePlan,
    #[schema(minimum = 1, maximum = 4, example = 1)]
    pub solution_id: u8,
    #[serde(flatten)]
    pub terms: PlanFees,
    /// The card fees for each group of brands with the same fees. Visa and Mastercard come first.
    pub groups: Vec<BrandGroupFees>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct BrandGroupFees {
    #[schema(example = json!(["visa", "mastercard"]))]
    pub brands: Vec<String>,
    /// In percent. Null if the plan has no such fee.
    #[schema(required = true, example = "1.79")]
    pub debit: Option<String>,
    /// In percent, in 1 to 21 installments. Without the cost of advance.
    #[schema(example = json!(["3.49", null]))]
    pub credit: Vec<Option<String>>,
    /// The monthly rate for paying installments early, in percent. Null if installments are not advanced.
    #[schema(required = true, example = json!(null))]
    pub advance: Option<String>,
}

/// The prices of all kinds of sale.
#[derive(Debug, Serialize, ToSchema)]
pub struct SimulationTable {
    /// The version in force.
    pub plan: SalePlan,
    /// Debit, credit in 1 to 21 installments, pix, boleto.
    pub rows: Vec<SimulationRow>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct SimulationRow {
    /// credit, debit, boleto or pix.
    #[schema(example = "credit")]
    pub payment_type: &'static str,
    #[schema(minimum = 1, maximum = 21, example = 3)]
    pub installments: u8,
    /// Null if the plan has no price for it.
    #[schema(required = true)]
    pub price: Option<Simulation>,
    /// Why there is no price, in Portuguese.
    #[schema(required = true, example = json!(null))]
    pub reason: Option<String>,
}

/// The kinds of sale of a table, in its order.
pub fn kinds_of_sale() -> impl Iterator<Item = (PaymentType, u8)> {
    let credit = (1..=PaymentType::INSTALLMENTS_MAX).map(|count| (PaymentType::Credit, count));
    std::iter::once((PaymentType::Debit, 1))
        .chain(credit)
        .chain([(PaymentType::Pix, 1), (PaymentType::Boleto, 1)])
}

impl BusinessPlan {
    pub fn of(terms: &PlanTerms) -> Self {
        Self {
            plan: (&terms.plan_ref()).into(),
            solution_id: terms.solution.number(),
            groups: groups(&terms.kind),
            terms: fees_of(terms),
        }
    }
}

/// Brands with the same fees are one group, but Visa and Mastercard share none with other brands.
fn groups(kind: &PlanKind) -> Vec<BrandGroupFees> {
    let mut found: Vec<BrandGroupFees> = vec![];
    let mut by_fees: BTreeMap<Vec<Option<String>>, usize> = BTreeMap::new();
    for brand in CardBrand::IN_PLANS {
        let rate = |payment_type, count| {
            kind.card_rate(Some(brand), payment_type, count)
                .map(|rate| rate.to_string())
        };
        let debit = rate(PaymentType::Debit, 1);
        let credit: Vec<_> = (1..=PaymentType::INSTALLMENTS_MAX)
            .map(|count| rate(PaymentType::Credit, count))
            .collect();
        if debit.is_none() && credit.iter().all(Option::is_none) {
            continue;
        }
        let advance = kind.advance(brand).map(|rate| rate.to_string());
        let group = match brand.brand_group() {
            BrandGroup::Visamaster => "visamaster",
            BrandGroup::Others => "others",
        };
        let head = [Some(group.to_owned()), debit.clone(), advance.clone()];
        let key: Vec<_> = head.into_iter().chain(credit.iter().cloned()).collect();
        let at = *by_fees.entry(key).or_insert_with(|| {
            found.push(BrandGroupFees {
                brands: vec![],
                debit,
                credit,
                advance,
            });
            found.len() - 1
        });
        found[at].brands.push(brand.to_string());
    }
    found
}
