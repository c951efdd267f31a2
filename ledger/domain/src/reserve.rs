//! A reserve: a share of each settled installment that is held for some days, because a buyer may still contest the sale.
//!
//! Only the types and the arithmetic. The business aggregate decides which settlements it applies to.

use serde::{Deserialize, Serialize};

use crate::calendar::{Calendar, Date, days_after};
use crate::{Cents, Rate, words};

/// The longest time that a reserve may hold money, in days. Longer rules are taken for a mistake.
pub const RESERVE_DAYS_MAX: u16 = 365;

/// The reason that the seller and staff read for what the reserve holds.
pub const RESERVE_REASON: &str =
    "Parte de cada liquidação fica reservada por um prazo, como garantia para cancelamentos e contestações.";

/// The rules of a reserve, of a company or of a receiving plan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReserveRules {
    /// The share of each installment. Zero: nothing is held.
    pub percentage: Rate,
    /// Counted from the settlement's day.
    pub days: u16,
    /// No more than this is held of a company at once. `None`: no limit.
    pub maximum: Option<Cents>,
    /// The last day whose settlements are held in part. `None`: until other rules take effect.
    pub ends_on: Option<Date>,
}

/// What a settlement of one day needs of the rules.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReserveTerms {
    pub percentage: Rate,
    pub maximum: Option<Cents>,
    /// A banking day.
    pub release_on: Date,
}

/// What a settlement held for a reserve. Stored in the event, so that a replay reads no rules.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SettlementReserve {
    pub percentage: Rate,
    pub release_on: Date,
    pub total: Cents,
}

words! {
    /// Why a part of a reserve is released. due: its day came. reversal: its sale is canceled, refunded or contested, and
    /// the money is used for that.
    pub enum ReserveReleaseCause {
        Due = "due" => "Prazo da reserva encerrado",
        Reversal = "reversal" => "Usada na devolução da venda",
    }
}

impl ReserveRules {
    /// The terms for settlements of a day; `None` if nothing is held.
    pub fn terms_on(&self, day: Date, calendar: &Calendar) -> Option<ReserveTerms> {
        if self.percentage.is_zero() || !self.is_in_force_on(day) {
            return None;
        }
        Some(ReserveTerms {
            percentage: self.percentage,
            maximum: self.maximum,
            release_on: calendar.roll_forward(days_after(day, u64::from(self.days))),
        })
    }

    pub fn is_in_force_on(&self, day: Date) -> bool {
        self.ends_on.is_none_or(|ends_on| day <= ends_on)
    }
}

impl ReserveTerms {
    /// What is held of an installment while this much is held already.
    pub fn of(&self, net: Cents, held: Cents) -> Cents {
        // A cent is paid at least, so that each settlement has a line in the statement.
        let most = net.saturating_sub(Cents::new(1));
        let share = self.percentage.apply(net).min(most);
        let room = self.maximum.map_or(share, |maximum| maximum.saturating_sub(held));
        share.min(room).max(Cents::ZERO)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn rules() -> ReserveRules {
        ReserveRules {
            percentage: Rate::parse("10").expect("a rate"),
            days: 30,
            maximum: Some(Cents::new(500_00)),
            ends_on: Some(date(2026, 12, 31)),
        }
    }

    fn date(year: i32, month: u32, day: u32) -> Date {
        Date::from_ymd_opt(year, month, day).expect("a date")
    }

    #[test]
    fn the_release_falls_on_a_banking_day() {
        let holiday = date(2026, 12, 25);
        let calendar = Calendar::new(BTreeSet::from([holiday]));
        // 30 days after 25 November is Friday, 25 December: the next banking day is Monday.
        let terms = rules().terms_on(date(2026, 11, 25), &calendar).expect("terms");
        assert_eq!(terms.release_on, date(2026, 12, 28));
    }

    #[test]
    fn the_last_day_counts_and_the_day_after_it_does_not() {
        let calendar = Calendar::default();
        assert!(rules().terms_on(date(2026, 12, 31), &calendar).is_some());
        assert_eq!(rules().terms_on(date(2027, 1, 1), &calendar), None);
    }

    #[test]
    fn a_share_of_zero_holds_nothing() {
        let none = ReserveRules {
            percentage: Rate::ZERO,
            ..rules()
        };
        assert_eq!(none.terms_on(date(2026, 12, 1), &Calendar::default()), None);
    }

    #[test]
    fn each_share_is_rounded_and_the_maximum_limits_the_sum() {
        let terms = rules()
            .terms_on(date(2026, 12, 1), &Calendar::default())
            .expect("terms");
        assert_eq!(terms.of(Cents::new(10_05), Cents::ZERO), Cents::new(1_01));
        assert_eq!(terms.of(Cents::new(10_04), Cents::ZERO), Cents::new(1_00));
        assert_eq!(terms.of(Cents::new(100_00), Cents::new(495_00)), Cents::new(5_00));
        assert_eq!(terms.of(Cents::ZERO, Cents::ZERO), Cents::ZERO);
        assert_eq!(terms.of(Cents::new(100_00), Cents::new(500_00)), Cents::ZERO);
        // A lower maximum came into force after more had been held.
        assert_eq!(terms.of(Cents::new(100_00), Cents::new(700_00)), Cents::ZERO);
    }
}
