//! The reverse calculation: which gross leaves a desired net.
//!
//! It estimates the gross and then searches with the same pricing as every sale.

use rust_decimal::Decimal;
use rust_decimal::prelude::ToPrimitive;

use super::plan::PlanTerms;
use super::quote::{PricingInput, Quote, QuoteError, SalePricing, quote};
use crate::calendar::{Calendar, Date};
use crate::money::AmountError;
use crate::schedule::DAYS_PER_INSTALLMENT;
use crate::{Cents, Rate};

/// The smallest gross, near an estimate, that leaves at least `desired.amount` as net. Rounding may leave no gross that
/// is exact.
///
/// Each installment's advance cost is rounded separately, so one more cent of gross can leave one cent less of net. A
/// bisection could therefore miss the smallest gross; this searches every amount around the estimate.
pub fn gross_for_net(terms: &PlanTerms, desired: &PricingInput) -> Result<Cents, QuoteError> {
    let net = Cents::checked_amount(desired.amount.get())?;
    let pricing = SalePricing::of(
        terms,
        desired.payment_type,
        desired.card_brand.as_ref(),
        desired.installments,
    )?;
    let (estimate, radius) = pricing.estimate(net).ok_or(AmountError::TooLarge)?;
    let least = (estimate - radius).max(Cents::AMOUNT_MIN.get());
    let most = estimate.saturating_add(radius).min(Cents::AMOUNT_MAX.get());
    let found = (least..=most)
        .map(Cents::new)
        .find(|gross| pricing.price(*gross).net >= net);
    Ok(found.ok_or(AmountError::TooLarge)?)
}

/// The gross for a desired net, with the quote of a sale of that gross.
pub fn quote_for_net(
    terms: &PlanTerms,
    desired: &PricingInput,
    captured_on: Date,
    calendar: &Calendar,
) -> Result<(Cents, Quote), QuoteError> {
    let gross = gross_for_net(terms, desired)?;
    let sale = PricingInput {
        amount: gross,
        ..desired.clone()
    };
    Ok((gross, quote(terms, &sale, captured_on, calendar)?))
}

/// The search never looks further than this many cents from the estimate, so that its time is limited if the fees take
/// nearly the whole gross.
const SEARCH_RADIUS_MAX: i64 = 5_000;

impl SalePricing<'_> {
    /// The gross without rounding, and how many cents rounding can change it. `None` if the fees take the whole gross,
    /// or on overflow.
    fn estimate(&self, net: Cents) -> Option<(i64, i64)> {
        let months = Decimal::from(
            (1..=self.installments)
                .map(|k| u32::from(self.days_advanced(k)))
                .sum::<u32>(),
        ) / Decimal::from(u32::from(self.installments) * u32::from(DAYS_PER_INSTALLMENT));
        let advance = self.advance.map_or(Decimal::ZERO, fraction) * months;
        let share_after_percentage = (Decimal::ONE - fraction(self.percentage)) * (Decimal::ONE - advance);
        let share_after_rate = Decimal::ONE - fraction(self.terms.percentage_rate);
        if share_after_percentage <= Decimal::ZERO || share_after_rate <= Decimal::ZERO {
            return None;
        }
        let before_rate =
            Decimal::from(net.saturating_add(self.terms.flat_rate).get()).checked_div(share_after_rate)?;
        let gross = (before_rate
            .checked_add(Decimal::from(self.flat_fee.get()))?
            .checked_div(share_after_percentage)?)
        .ceil();
        let estimate = gross.to_i64()?;
        // In net: two cents for each installment's rounding and four for the sale's. Divided by the kept share, to
        // convert it to gross.
        let radius = Decimal::from(2 * u32::from(self.installments) + 4)
            .checked_div(share_after_percentage * share_after_rate)?
            .ceil();
        Some((
            estimate,
            radius
                .to_i64()
                .unwrap_or(SEARCH_RADIUS_MAX)
                .min(SEARCH_RADIUS_MAX),
        ))
    }
}

fn fraction(rate: Rate) -> Decimal {
    rate.percent() / Decimal::ONE_HUNDRED
}
