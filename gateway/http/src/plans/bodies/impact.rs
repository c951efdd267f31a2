//! The impact of a change of a plan, and a company's last month under another plan.

use chrono::NaiveDate;
use gateway_platform::plans::impact::{
    FeeSums, Impact, ImpactFailureReason, ImpactKind, ImpactStatus, ImpactTotals,
};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::sales::bodies::detail::SalePlan;
use crate::shared::schemas::Word;

ledger_domain::words! {
    /// The fees of sales are deducted in this order: percentage_fee and flat_fee of the payment type, then
    /// percentage_rate and flat_rate of the plan.
    pub enum FeeKind {
        PercentageFee = "percentage_fee",
        FlatFee = "flat_fee",
        PercentageRate = "percentage_rate",
        FlatRate = "flat_rate",
        WithdrawalFee = "withdrawal_fee",
    }
}

pub type FeeKindWord = Word<FeeKind>;
pub type ImpactStatusWord = Word<ImpactStatus>;
pub type ImpactFailureWord = Word<ImpactFailureReason>;

/// The sums of one kind of fee, in cents.
#[derive(Debug, Serialize, ToSchema)]
pub struct ImpactLine {
    pub kind: FeeKindWord,
    /// The fees of the sales or withdrawals of the month.
    #[schema(example = 91_200)]
    pub charged: i64,
    /// Their fees under the terms in force now.
    #[schema(example = 91_200)]
    pub current: i64,
    /// Their fees under the terms after the change.
    #[schema(example = 88_400)]
    pub proposed: i64,
}

/// The impact of a change of a plan on last month's sales or withdrawals. Until it is done, the figures are those of
/// the companies that are done.
#[derive(Debug, Serialize, ToSchema)]
pub struct PlanImpact {
    pub id: Uuid,
    pub status: ImpactStatusWord,
    /// Why it failed; else null.
    #[schema(required = true)]
    pub failure: Option<ImpactFailureWord>,
    /// Whether it is running and no process has worked on it for a minute.
    pub stalled: bool,
    /// The first day of the month.
    #[schema(example = "2026-10-01")]
    pub month: NaiveDate,
    /// The companies that the change touches. Null until they are counted.
    #[schema(required = true, example = 120)]
    pub companies_total: Option<u64>,
    #[schema(example = 80)]
    pub companies_done: u64,
    #[serde(flatten)]
    pub figures: ImpactFigures,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct ImpactFigures {
    /// The companies that sold or withdrew.
    #[schema(example = 64)]
    pub companies: u64,
    /// Sales. Canceled, refunded and reversed sales do not count, because the platform gives their fees back. For
    /// receiving plans: paid withdrawals.
    #[schema(example = 3_120)]
    pub count: u64,
    /// Sales for which the terms have no fee. They are not in `count` and in no sum.
    #[schema(example = 0)]
    pub unpriced: u64,
    /// The gross amount of the counted sales, or the amount of the withdrawals, in cents.
    #[schema(example = 4_812_000)]
    pub amount: i64,
    pub lines: Vec<ImpactLine>,
    /// The sums of the lines, in cents.
    #[schema(example = 91_200)]
    pub charged: i64,
    #[schema(example = 91_200)]
    pub current: i64,
    #[schema(example = 88_400)]
    pub proposed: i64,
    /// The platform's gain over the terms in force, in cents. Negative: a loss.
    #[schema(example = -2_800)]
    pub platform_difference: i64,
    /// The sellers' gain over the terms in force, in cents. Negative: a loss.
    #[schema(example = 2_800)]
    pub sellers_difference: i64,
}

/// Last month's sales of a company under its plan and under another one.
#[derive(Debug, Serialize, ToSchema)]
pub struct WhatIf {
    /// The first day of the month.
    #[schema(example = "2026-10-01")]
    pub month: NaiveDate,
    /// The plan in force.
    pub plan: SalePlan,
    pub other_plan: SalePlan,
    #[serde(flatten)]
    pub figures: ImpactFigures,
}

/// The plans that a company may compare with its own.
#[derive(Debug, Serialize, ToSchema)]
pub struct OfferedPlans {
    /// By name.
    pub data: Vec<OfferedPlan>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct OfferedPlan {
    #[schema(example = "pln_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b06")]
    pub id: String,
    #[schema(example = "Maquininha padrão")]
    pub name: String,
}

impl From<Impact> for PlanImpact {
    fn from(impact: Impact) -> Self {
        let figures = match impact.kind {
            ImpactKind::Sales => ImpactFigures::of_sales(&impact.totals),
            ImpactKind::Withdrawals => ImpactFigures::of_withdrawals(&impact.totals),
        };
        Self {
            id: impact.id,
            status: impact.status.into(),
            failure: impact.failure.map(Word),
            stalled: impact.stalled,
            month: impact.month,
            companies_total: impact.companies_total,
            companies_done: impact.companies_done,
            figures,
        }
    }
}

type FeeOf = (FeeKind, fn(&FeeSums) -> i64);

const SALE_FEES: [FeeOf; 4] = [
    (FeeKind::PercentageFee, |sums| sums.percentage_fee),
    (FeeKind::FlatFee, |sums| sums.flat_fee),
    (FeeKind::PercentageRate, |sums| sums.percentage_rate),
    (FeeKind::FlatRate, |sums| sums.flat_rate),
];
const WITHDRAWAL_FEES: [FeeOf; 1] = [(FeeKind::WithdrawalFee, |sums| sums.withdrawal_fee)];

impl ImpactFigures {
    pub fn of_sales(totals: &ImpactTotals) -> Self {
        Self::of(totals, &SALE_FEES)
    }

    fn of_withdrawals(totals: &ImpactTotals) -> Self {
        Self::of(totals, &WITHDRAWAL_FEES)
    }

    fn of(totals: &ImpactTotals, fees: &[FeeOf]) -> Self {
        let line = |(kind, fee): &FeeOf| ImpactLine {
            kind: (*kind).into(),
            charged: fee(&totals.charged),
            current: fee(&totals.current),
            proposed: fee(&totals.proposed),
        };
        let (current, proposed) = (totals.current.total(), totals.proposed.total());
        Self {
            companies: totals.companies,
            count: totals.count,
            unpriced: totals.unpriced,
            amount: totals.amount,
            lines: fees.iter().map(line).collect(),
            charged: totals.charged.total(),
            current,
            proposed,
            platform_difference: proposed.saturating_sub(current),
            sellers_difference: current.saturating_sub(proposed),
        }
    }
}
