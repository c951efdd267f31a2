//! Amounts in whole cents, and how an amount is split into parts.
//!
//! Arithmetic is checked or saturating, never in floating point. Percentages are in `rate`.

use std::fmt;

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// An amount in centavos; may be negative.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Cents(i64);

/// The amount is outside the limits of sales and transfers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum AmountError {
    #[error("an amount must be at least {}", Cents::AMOUNT_MIN)]
    NotPositive,
    #[error("an amount must be at most {}", Cents::AMOUNT_MAX)]
    TooLarge,
}

impl Cents {
    pub const ZERO: Self = Self(0);
    /// The smallest amount of a sale or a transfer.
    pub const AMOUNT_MIN: Self = Self(1);
    /// The largest amount of a sale or a transfer: ten digits, the limit of a boleto.
    pub const AMOUNT_MAX: Self = Self(9_999_999_999);

    pub const fn new(cents: i64) -> Self {
        Self(cents)
    }

    /// Checks the limits of a sale's or transfer's amount.
    pub const fn checked_amount(cents: i64) -> Result<Self, AmountError> {
        if cents < Self::AMOUNT_MIN.0 {
            Err(AmountError::NotPositive)
        } else if cents > Self::AMOUNT_MAX.0 {
            Err(AmountError::TooLarge)
        } else {
            Ok(Self(cents))
        }
    }

    /// Takes a reference, as serde asks of a field that it may leave out.
    pub const fn is_zero(&self) -> bool {
        self.0 == 0
    }

    pub const fn get(self) -> i64 {
        self.0
    }

    pub const fn is_negative(self) -> bool {
        self.0 < 0
    }

    #[must_use]
    pub const fn checked_add(self, other: Self) -> Option<Self> {
        match self.0.checked_add(other.0) {
            Some(cents) => Some(Self(cents)),
            None => None,
        }
    }

    #[must_use]
    pub const fn checked_sub(self, other: Self) -> Option<Self> {
        match self.0.checked_sub(other.0) {
            Some(cents) => Some(Self(cents)),
            None => None,
        }
    }

    /// Saturating addition, for amounts that are far from the limits, such as the fees of one sale.
    pub(crate) const fn saturating_add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }

    /// Saturating subtraction, like `saturating_add`.
    pub(crate) const fn saturating_sub(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }

    /// The sum of the amounts; `None` if it overflows.
    pub fn total(amounts: impl IntoIterator<Item = Self>) -> Option<Self> {
        amounts.into_iter().try_fold(Self::ZERO, Self::checked_add)
    }
}

/// The Brazilian format: `R$ 1.234,56`, and `-R$ 1,00` below zero.
impl fmt::Display for Cents {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cents = self.0.unsigned_abs();
        let sign = if self.is_negative() { "-" } else { "" };
        let reais = (cents / 100).to_string();
        let mut grouped = String::with_capacity(reais.len() + reais.len() / 3);
        for (position, digit) in reais.chars().enumerate() {
            if position > 0 && (reais.len() - position).is_multiple_of(3) {
                grouped.push('.');
            }
            grouped.push(digit);
        }
        f.pad(&format!("{sign}R$ {grouped},{:02}", cents % 100))
    }
}

/// The share of `total` that `part` has of `whole`, rounded to the nearest cent, half a cent up. The share of the whole
/// is the total. No amount may be below zero.
pub const fn share(total: Cents, part: Cents, whole: Cents) -> Cents {
    if whole.0 <= 0 {
        return Cents::ZERO;
    }
    // Two factors below 2^63 and their double fit into 127 bits.
    let doubled = 2 * total.0 as i128 * part.0 as i128 + whole.0 as i128;
    Cents((doubled / (2 * whole.0 as i128)) as i64)
}

/// Splits `total` into `parts` that sum to it: each is the floor, and the first also gets the remainder.
///
/// Zero parts return an empty list.
pub fn split(total: Cents, parts: u8) -> Vec<Cents> {
    if parts == 0 {
        return Vec::new();
    }
    let floor = total.0.div_euclid(i64::from(parts));
    let remainder = total.0.rem_euclid(i64::from(parts));
    // Cannot overflow: a negative total has a negative floor, and otherwise the sum is at most the total.
    let first = Cents(floor + remainder);
    std::iter::once(first)
        .chain(std::iter::repeat_n(Cents(floor), usize::from(parts) - 1))
        .collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn an_amount_has_the_brazilian_format() {
        let written = |cents| Cents::new(cents).to_string();
        assert_eq!(written(0), "R$ 0,00");
        assert_eq!(written(5), "R$ 0,05");
        assert_eq!(written(99_999), "R$ 999,99");
        assert_eq!(written(123_456), "R$ 1.234,56");
        assert_eq!(written(123_456_789_00), "R$ 123.456.789,00");
        assert_eq!(written(-100), "-R$ 1,00");
        assert_eq!(written(-1), "-R$ 0,01");
        assert_eq!(written(i64::MIN), "-R$ 92.233.720.368.547.758,08");
    }

    #[test]
    fn an_amount_is_an_integer_in_json() {
        assert_eq!(
            serde_json::to_string(&Cents::new(14_990)).expect("cents serialize"),
            "14990"
        );
        assert_eq!(
            serde_json::from_str::<Cents>("-5").expect("an integer reads"),
            Cents::new(-5)
        );
        assert!(serde_json::from_str::<Cents>("1.0").is_err());
        assert!(serde_json::from_str::<Cents>("\"1\"").is_err());
    }

    #[test]
    fn amounts_outside_their_limits_are_refused() {
        assert_eq!(Cents::checked_amount(0), Err(AmountError::NotPositive));
        assert_eq!(Cents::checked_amount(i64::MIN), Err(AmountError::NotPositive));
        assert_eq!(Cents::checked_amount(1), Ok(Cents::AMOUNT_MIN));
        assert_eq!(Cents::checked_amount(9_999_999_999), Ok(Cents::AMOUNT_MAX));
        assert_eq!(Cents::checked_amount(10_000_000_000), Err(AmountError::TooLarge));
        assert_eq!(
            AmountError::TooLarge.to_string(),
            "an amount must be at most R$ 99.999.999,99"
        );
    }

    #[test]
    fn arithmetic_that_overflows_is_none() {
        let (least, most, one) = (Cents::new(i64::MIN), Cents::new(i64::MAX), Cents::new(1));
        assert_eq!(most.checked_add(one), None);
        assert_eq!(least.checked_sub(one), None);
        assert_eq!(Cents::total([most, one, least]), None);
        assert_eq!(Cents::total([one, one]), Some(Cents::new(2)));
        assert_eq!(Cents::total([]), Some(Cents::ZERO));
    }

    #[test]
    fn the_first_part_gets_the_remainder() {
        let parts = |total, parts| {
            split(Cents::new(total), parts)
                .iter()
                .map(|part| part.get())
                .collect::<Vec<_>>()
        };
        assert_eq!(parts(10_000, 3), [3_334, 3_333, 3_333]);
        assert_eq!(parts(2, 3), [2, 0, 0]);
        assert_eq!(parts(-1, 3), [1, -1, -1]);
        assert_eq!(parts(500, 1), [500]);
        assert!(parts(500, 0).is_empty());
    }

    #[test]
    fn half_a_cent_of_a_share_is_rounded_up() {
        let of = |total, part, whole| share(Cents::new(total), Cents::new(part), Cents::new(whole)).get();
        assert_eq!(of(97_51, 30_00, 100_00), 29_25);
        assert_eq!(of(1, 1, 2), 1);
        assert_eq!(of(1, 1, 3), 0);
        assert_eq!(of(5, 0, 3), 0);
        assert_eq!(of(5, 3, 0), 0);
        let most = Cents::AMOUNT_MAX.get();
        assert_eq!(of(most, most, most), most);
        assert_eq!(of(i64::MAX, i64::MAX, i64::MAX), i64::MAX);
    }

    proptest! {
        #[test]
        fn a_share_is_between_zero_and_its_total(total in 0..i64::MAX, whole in 1..i64::MAX, part in 0..i64::MAX) {
            let part = part % (whole + 1);
            let share = share(Cents::new(total), Cents::new(part), Cents::new(whole));
            prop_assert!((0..=total).contains(&share.get()));
        }

        #[test]
        fn the_parts_sum_to_the_total(total: i64, parts in 1u8..) {
            let split = split(Cents::new(total), parts);
            prop_assert_eq!(split.len(), usize::from(parts));
            let sum: i128 = split.iter().map(|part| i128::from(part.get())).sum();
            prop_assert_eq!(sum, i128::from(total));
            let spread = i128::from(split[0].get()) - i128::from(split[split.len() - 1].get());
            prop_assert!((0..i128::from(parts)).contains(&spread));
        }
    }
}
