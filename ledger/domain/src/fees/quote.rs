//! The price of a sale under a plan: four fees, the net and the installments.
//!
//! Pure arithmetic: the same sale under the same terms always costs the same.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::plan::{PixFee, PlanTerms};
use crate::calendar::{Calendar, Date};
use crate::money::{AmountError, split};
use crate::sale::{CardBrand, PaymentType, Receivable};
use crate::schedule::{DAYS_PER_INSTALLMENT, DueDateRule, InstallmentSplit};
use crate::{Cents, Rate};

/// The facts of a sale that decide its price.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PricingInput {
    pub amount: Cents,
    pub payment_type: PaymentType,
    /// Cards only. A missing brand is priced like an unknown brand.
    pub card_brand: Option<CardBrand>,
    pub installments: u8,
}

/// The fees of a sale, in the order of deduction. The specification gives their names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct SaleFees {
    /// The payment type's percentage: the card's rate with the advance cost, or the percentage of PIX.
    pub percentage_fee: Cents,
    /// The payment type's fixed fee: boleto, or the fixed fee of PIX.
    pub flat_fee: Cents,
    /// The plan's percentage of the amount that the first two leave.
    pub percentage_rate: Cents,
    /// The plan's fixed fee.
    pub flat_rate: Cents,
}

/// The fees of a sale, its net, and when the net is paid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Quote {
    pub fees: SaleFees,
    pub net: Cents,
    pub receivables: Vec<Receivable>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum QuoteError {
    #[error(transparent)]
    Amount(#[from] AmountError),
    #[error("the payment type does not allow that many installments")]
    Installments,
    #[error("the plan has no fee for that brand, payment type and number of installments")]
    NoFee,
}

/// Prices a sale captured on that business date.
pub fn quote(
    terms: &PlanTerms,
    sale: &PricingInput,
    captured_on: Date,
    calendar: &Calendar,
) -> Result<Quote, QuoteError> {
    let pricing = SalePricing::of(
        terms,
        sale.payment_type,
        sale.card_brand.as_ref(),
        sale.installments,
    )?;
    let price = pricing.price(Cents::checked_amount(sale.amount.get())?);
    let receivables = price.installment_split(sale.amount).receivables(
        sale.installments,
        pricing.due,
        captured_on,
        calendar,
    );
    Ok(Quote {
        fees: price.fees,
        net: price.net,
        receivables,
    })
}

/// The fees of a quote alone, which no date changes.
pub fn sale_fees(terms: &PlanTerms, sale: &PricingInput) -> Result<SaleFees, QuoteError> {
    let pricing = SalePricing::of(
        terms,
        sale.payment_type,
        sale.card_brand.as_ref(),
        sale.installments,
    )?;
    Ok(pricing.price(Cents::checked_amount(sale.amount.get())?).fees)
}

/// The plan's terms for one kind of sale. Looked up once, they price any amount.
pub(super) struct SalePricing<'a> {
    pub(super) terms: &'a PlanTerms,
    pub(super) installments: u8,
    /// Applied to the gross.
    pub(super) percentage: Rate,
    pub(super) flat_fee: Cents,
    /// The monthly rate, if the installments are advanced.
    pub(super) advance: Option<Rate>,
    pub(super) due: DueDateRule,
}

pub(super) struct Price {
    pub(super) fees: SaleFees,
    pub(super) net: Cents,
    /// The cost of the advance of each installment. Empty without an advance rate.
    pub(super) advance_costs: Vec<Cents>,
}

impl Price {
    pub(super) fn installment_split(&self, gross: Cents) -> InstallmentSplit<'_> {
        InstallmentSplit {
            gross,
            net: self.net,
            shared_fees: self.fees.total().saturating_sub(sum(&self.advance_costs)),
            own_costs: &self.advance_costs,
        }
    }
}

impl<'a> SalePricing<'a> {
    pub(super) fn of(
        terms: &'a PlanTerms,
        payment_type: PaymentType,
        brand: Option<&CardBrand>,
        installments: u8,
    ) -> Result<Self, QuoteError> {
        if !payment_type.takes_installments(installments) {
            return Err(QuoteError::Installments);
        }
        let (percentage, flat_fee) = match (payment_type, &terms.pix_fee) {
            (PaymentType::Credit | PaymentType::Debit, _) => {
                let rate = terms.kind.card_rate(brand, payment_type, installments);
                (rate.ok_or(QuoteError::NoFee)?, Cents::ZERO)
            }
            (PaymentType::Boleto, _) => (Rate::ZERO, terms.boleto_fee),
            (PaymentType::Pix, PixFee::Percent(rate)) => (*rate, Cents::ZERO),
            (PaymentType::Pix, PixFee::Fixed(fee)) => (Rate::ZERO, *fee),
        };
        let on_settlement = DueDateRule::AllAfter {
            days: terms.settlement_days,
        };
        let (advance, due) = match terms.kind.mdr_fees(brand).map(|fees| fees.advance) {
            Some(rate) if payment_type == PaymentType::Credit && rate.is_zero() => {
                (None, DueDateRule::Monthly)
            }
            Some(rate) if payment_type == PaymentType::Credit => (Some(rate), on_settlement),
            Some(_) | None => (None, on_settlement),
        };
        Ok(Self {
            terms,
            installments,
            percentage,
            flat_fee,
            advance,
            due,
        })
    }

    /// Each fee is limited to what the earlier fees leave, so that a sale never costs more than its amount.
    pub(super) fn price(&self, gross: Cents) -> Price {
        let percentage = self.percentage.apply(gross);
        let advance_costs = self.advance_costs(gross, percentage);
        let mut left = gross;
        let percentage_fee = take(&mut left, percentage.saturating_add(sum(&advance_costs)));
        let flat_fee = take(&mut left, self.flat_fee);
        let percentage_of_rest = self.terms.percentage_rate.apply(left);
        let percentage_rate = take(&mut left, percentage_of_rest);
        let flat_rate = take(&mut left, self.terms.flat_rate);
        let fees = SaleFees {
            percentage_fee,
            flat_fee,
            percentage_rate,
            flat_rate,
        };
        Price {
            fees,
            net: left,
            advance_costs,
        }
    }

    /// The interest on each installment.
    fn advance_costs(&self, gross: Cents, percentage_fee: Cents) -> Vec<Cents> {
        let Some(rate) = self.advance else {
            return Vec::new();
        };
        self.advanced(gross, percentage_fee)
            .map(|(amount, days)| rate.interest(amount, days))
            .collect()
    }

    /// For each installment: the amount minus its part of the fee, and how many days early it is paid.
    pub(super) fn advanced(
        &self,
        gross: Cents,
        percentage_fee: Cents,
    ) -> impl Iterator<Item = (Cents, u16)> + '_ {
        let parts = split(gross, self.installments)
            .into_iter()
            .zip(split(percentage_fee, self.installments));
        (1..=self.installments).zip(parts).map(|(number, (gross, fee))| {
            (
                gross.saturating_sub(fee).max(Cents::ZERO),
                self.days_advanced(number),
            )
        })
    }

    pub(super) fn days_advanced(&self, installment: u8) -> u16 {
        (DAYS_PER_INSTALLMENT * u16::from(installment)).saturating_sub(u16::from(self.terms.settlement_days))
    }
}

/// Deducts the fee, limited to the amount that is left.
pub(super) fn take(left: &mut Cents, fee: Cents) -> Cents {
    let taken = fee.clamp(Cents::ZERO, *left);
    *left = left.saturating_sub(taken);
    taken
}

pub(super) fn sum(amounts: &[Cents]) -> Cents {
    amounts
        .iter()
        .fold(Cents::ZERO, |sum, amount| sum.saturating_add(*amount))
}

impl SaleFees {
    pub fn total(&self) -> Cents {
        sum(&[
            self.percentage_fee,
            self.flat_fee,
            self.percentage_rate,
            self.flat_rate,
        ])
    }
}
