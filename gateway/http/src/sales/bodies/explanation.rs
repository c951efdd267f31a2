//! The explanation of a sale's net: each installment with its cost of advance and its due date.
//! The module `fees` has the lines of fees.

use std::collections::HashMap;

use chrono::NaiveDate;
use ledger_domain::calendar::{Closure, Date};
use ledger_domain::fees::{self, ClosedDay};
use serde::Serialize;
use utoipa::ToSchema;

use super::detail::SalePlan;
use super::fees::{FeeLine, decimal};
use crate::shared::cents;
use crate::shared::schemas::Word;

/// The explanation of a sale's net. Amounts are in cents.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SaleExplanation)]
pub struct Explanation {
    /// The version of the plan that priced the sale, with the plan's name at that time.
    pub plan: SalePlan,
    #[schema(example = 30_000)]
    pub gross: i64,
    #[schema(example = 28_241)]
    pub net: i64,
    /// False: the fees are split over the installments like the gross, except the costs of advance. Each installment
    /// has its own. True: the net is split instead, because an installment would be below zero.
    #[schema(example = false)]
    pub net_is_split: bool,
    /// In the order of deduction. A fee whose `unrounded` is zero is not listed.
    pub lines: Vec<FeeLine>,
    pub installments: Vec<ExplainedInstallment>,
}

/// An installment of the sale. Amounts are in cents.
#[derive(Debug, Serialize, ToSchema)]
pub struct ExplainedInstallment {
    #[schema(example = 1)]
    pub number: u8,
    #[schema(example = 10_000)]
    pub gross: i64,
    /// The fees of the installment, including its cost of advance.
    #[schema(example = 441)]
    pub fees: i64,
    #[schema(example = 9_559)]
    pub net: i64,
    /// The cost of paying the installment early; null if the plan charges none.
    #[schema(required = true)]
    pub advance: Option<AdvanceCost>,
    /// The due date if banks were open every day.
    #[schema(example = "2026-12-25")]
    pub counted_to: NaiveDate,
    /// The business date on which the installment is due.
    #[schema(example = "2026-12-28")]
    pub due_date: NaiveDate,
    /// The closed days that moved the due date from `counted_to` to `due_date`.
    pub closed_days: Vec<ClosedDayLine>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct AdvanceCost {
    /// The installment's gross minus its part of the MDR, in cents.
    #[schema(example = 9_700)]
    pub base: i64,
    /// Number of days by which the installment is paid before the acquirer pays.
    #[schema(example = 29)]
    pub days: u16,
    /// The cost in cents with fractions, before rounding.
    #[schema(example = "140.65")]
    pub unrounded: String,
    /// The cost after rounding, in cents.
    #[schema(example = 141)]
    pub cost: i64,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct ClosedDayLine {
    #[schema(example = "2026-12-25")]
    pub date: NaiveDate,
    pub closure: ClosureWord,
    /// The name of the holiday. Null on weekends, and if a holiday that staff added is no longer listed.
    #[schema(required = true, example = "Natal")]
    pub name: Option<String>,
}

ledger_domain::words! {
    /// The reason why banks were closed. added: a holiday that staff added.
    pub enum ClosureName {
        Holiday = "holiday",
        Weekend = "weekend",
        Added = "added",
    }
}

pub type ClosureWord = Word<ClosureName>;

impl Explanation {
    /// `added` has the names of the holidays that staff added.
    pub fn of(explanation: fees::Explanation, added: &HashMap<Date, String>) -> Self {
        let mut left = cents(explanation.gross);
        let lines = explanation.lines.into_iter().map(|line| {
            left -= cents(line.charged);
            FeeLine::of(&line, left)
        });
        Self {
            plan: SalePlan::from(&explanation.plan),
            gross: cents(explanation.gross),
            net: cents(explanation.net),
            net_is_split: explanation.net_is_split,
            lines: lines.collect(),
            installments: explanation
                .installments
                .into_iter()
                .map(|line| ExplainedInstallment::of(line, added))
                .collect(),
        }
    }
}

impl ExplainedInstallment {
    fn of(line: fees::InstallmentLine, added: &HashMap<Date, String>) -> Self {
        Self {
            number: line.number,
            gross: cents(line.gross),
            fees: cents(line.fees),
            net: cents(line.net),
            advance: line.advance.map(|advance| AdvanceCost {
                base: cents(advance.base),
                days: advance.days,
                unrounded: decimal(advance.unrounded),
                cost: cents(advance.cost),
            }),
            counted_to: line.counted_to,
            due_date: line.due_date,
            closed_days: line
                .closed_days
                .into_iter()
                .map(|day| ClosedDayLine::of(day, added))
                .collect(),
        }
    }
}

impl ClosedDayLine {
    fn of(day: ClosedDay, added: &HashMap<Date, String>) -> Self {
        let (closure, name) = match day.closure {
            Closure::Weekend => (ClosureName::Weekend, None),
            Closure::NationalHoliday(name) => (ClosureName::Holiday, Some(name.to_owned())),
            Closure::AddedByStaff => (ClosureName::Added, added.get(&day.date).cloned()),
        };
        Self {
            date: day.date,
            closure: closure.into(),
            name,
        }
    }
}
