//! Explains a sale's net: each fee with its rule, and each installment with its advance cost and due date.
//!
//! The explanation prices the sale again with the plan's version. If the result differs from the stored amounts, it
//! returns an error.

use rust_decimal::Decimal;
use thiserror::Error;

use super::plan::{MdrBand, PlanKind, PlanRef, PlanTerms};
use super::quote::{Price, PricingInput, Quote, QuoteError, SalePricing, sum, take};
use crate::calendar::{Closure, Date};
use crate::money::split;
use crate::sale::{BrandGroup, CardBrand, PaymentType, Receivable};
use crate::{Cents, Rate, words};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Explanation {
    pub plan: PlanRef,
    pub gross: Cents,
    /// In the order of deduction. A fee that is zero before rounding is not listed.
    pub lines: Vec<FeeLine>,
    pub net: Cents,
    pub installments: Vec<InstallmentLine>,
    /// True if the net was split, because an installment would have been below zero. Normally the fees are split like
    /// the gross, and each installment has its own advance cost.
    pub net_is_split: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FeeLine {
    pub rule: FeeRule,
    /// The amount that the rule is applied to.
    pub base: Cents,
    /// In cents with fractions, before rounding. The advance costs and the fixed fees are whole cents here.
    pub unrounded: Decimal,
    /// Rounded to the cent, and at most what the earlier fees leave.
    pub charged: Cents,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FeeRule {
    /// 'Taxa Efetiva': the table's entry for the brand. For a brand that no plan lists (`listed_as` is `None`), the
    /// highest entry of the group of other brands.
    Effective {
        rate: Rate,
        listed_as: Option<CardBrand>,
        installments: u8,
    },
    /// 'Taxa MDR': the band's fee for the brand group.
    Mdr {
        rate: Rate,
        group: BrandGroup,
        band: MdrBand,
    },
    PixPercent {
        rate: Rate,
    },
    /// The sum of the installments' advance costs, each rounded separately.
    Advance {
        monthly: Rate,
        settlement_days: u8,
    },
    Boleto,
    PixFixed,
    /// The plan's percentage of the amount that is left.
    PercentageRate {
        rate: Rate,
    },
    FlatRate,
}

words! {
    /// The stored fee of the sale that a line belongs to.
    pub enum FeePart {
        PercentageFee = "plan_percentage_fee",
        FlatFee = "plan_flat_fee",
        PercentageRate = "plan_percentage_rate",
        FlatRate = "plan_flat_rate",
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InstallmentLine {
    pub number: u8,
    pub gross: Cents,
    /// The gross minus the net.
    pub fees: Cents,
    pub net: Cents,
    pub advance: Option<AdvanceCost>,
    /// The due date if banks were open every day.
    pub counted_to: Date,
    pub due_date: Date,
    /// The closed days that moved the date from `counted_to` to `due_date`.
    pub closed_days: Vec<ClosedDay>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AdvanceCost {
    /// The installment minus its part of the percentage fee.
    pub base: Cents,
    /// How many days before the acquirer's payment the seller is paid.
    pub days: u16,
    pub unrounded: Decimal,
    pub cost: Cents,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClosedDay {
    pub date: Date,
    pub closure: Closure,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum ExplanationError {
    #[error(transparent)]
    Unpriced(#[from] QuoteError),
    #[error("these terms do not produce the stored amounts")]
    TermsDiffer,
}

impl FeeRule {
    pub const fn part(&self) -> FeePart {
        match self {
            Self::Effective { .. } | Self::Mdr { .. } | Self::PixPercent { .. } | Self::Advance { .. } => {
                FeePart::PercentageFee
            }
            Self::Boleto | Self::PixFixed => FeePart::FlatFee,
            Self::PercentageRate { .. } => FeePart::PercentageRate,
            Self::FlatRate => FeePart::FlatRate,
        }
    }
}

/// The fees of a sale line by line, in the order of deduction. MDR and advance cost are separate lines.
pub fn fee_lines(terms: &PlanTerms, sale: &PricingInput) -> Result<Vec<FeeLine>, QuoteError> {
    let pricing = SalePricing::of(
        terms,
        sale.payment_type,
        sale.card_brand.as_ref(),
        sale.installments,
    )?;
    Ok(pricing.lines(sale, &pricing.price(sale.amount)))
}

/// Explains a quote or a captured sale's stored amounts, with the plan version that priced it.
pub fn explain(
    terms: &PlanTerms,
    sale: &PricingInput,
    stored: &Quote,
    captured_on: Date,
) -> Result<Explanation, ExplanationError> {
    let pricing = SalePricing::of(
        terms,
        sale.payment_type,
        sale.card_brand.as_ref(),
        sale.installments,
    )?;
    let price = pricing.price(sale.amount);
    let gross_parts = split(sale.amount, sale.installments);
    let installment_split = price.installment_split(sale.amount);
    let net_parts = installment_split.net_parts(&gross_parts, sale.installments);
    let as_priced = stored.fees == price.fees
        && stored.net == price.net
        && stored
            .receivables
            .iter()
            .map(|part| part.gross)
            .eq(gross_parts.iter().copied())
        && stored.receivables.iter().map(|part| part.net).eq(net_parts)
        && stored
            .receivables
            .iter()
            .all(|part| part.due_date >= pricing.due.nominal_due_date(part.number, captured_on));
    if !as_priced {
        return Err(ExplanationError::TermsDiffer);
    }
    Ok(Explanation {
        plan: terms.plan_ref(),
        gross: sale.amount,
        lines: pricing.lines(sale, &price),
        net: price.net,
        installments: pricing.installments(sale.amount, &stored.receivables, captured_on),
        net_is_split: installment_split
            .nets_after_fees(&gross_parts, sale.installments)
            .is_none(),
    })
}

impl SalePricing<'_> {
    fn lines(&self, sale: &PricingInput, price: &Price) -> Vec<FeeLine> {
        let mut left = sale.amount;
        let mut lines = vec![];
        let mut line = |rule, base, unrounded, fee, left: &mut Cents| {
            let charged = take(left, fee);
            if unrounded != Decimal::ZERO {
                lines.push(FeeLine {
                    rule,
                    base,
                    unrounded,
                    charged,
                });
            }
        };
        let gross = sale.amount;
        let percentage = self.percentage.apply(gross);
        line(
            self.percentage_rule(sale),
            gross,
            self.percentage.unrounded(gross),
            percentage,
            &mut left,
        );
        if let Some(monthly) = self.advance {
            let cost = sum(&price.advance_costs);
            let rule = FeeRule::Advance {
                monthly,
                settlement_days: self.terms.settlement_days,
            };
            line(
                rule,
                gross.saturating_sub(percentage),
                cost.get().into(),
                cost,
                &mut left,
            );
        }
        let flat_fee = self.flat_fee;
        let flat_rule = match sale.payment_type {
            PaymentType::Boleto => FeeRule::Boleto,
            PaymentType::Pix | PaymentType::Credit | PaymentType::Debit => FeeRule::PixFixed,
        };
        line(flat_rule, left, flat_fee.get().into(), flat_fee, &mut left);
        let rate = self.terms.percentage_rate;
        line(
            FeeRule::PercentageRate { rate },
            left,
            rate.unrounded(left),
            rate.apply(left),
            &mut left,
        );
        let flat_rate = self.terms.flat_rate;
        line(
            FeeRule::FlatRate,
            left,
            flat_rate.get().into(),
            flat_rate,
            &mut left,
        );
        lines
    }

    fn percentage_rule(&self, sale: &PricingInput) -> FeeRule {
        let rate = self.percentage;
        let brand = sale.card_brand.as_ref();
        match (
            &self.terms.kind,
            MdrBand::of(sale.payment_type, sale.installments),
        ) {
            (_, None) => FeeRule::PixPercent { rate },
            (PlanKind::Effective { .. }, Some(_)) => FeeRule::Effective {
                rate,
                listed_as: brand.and_then(CardBrand::priced_as).cloned(),
                installments: sale.installments,
            },
            (PlanKind::Mdr { .. }, Some(band)) => FeeRule::Mdr {
                rate,
                group: brand.map_or(BrandGroup::Others, CardBrand::brand_group),
                band,
            },
        }
    }

    fn installments(&self, gross: Cents, stored: &[Receivable], captured_on: Date) -> Vec<InstallmentLine> {
        let advanced = self.advanced(gross, self.percentage.apply(gross));
        stored
            .iter()
            .zip(advanced)
            .map(|(receivable, (base, days))| {
                let counted_to = self.due.nominal_due_date(receivable.number, captured_on);
                InstallmentLine {
                    number: receivable.number,
                    gross: receivable.gross,
                    fees: receivable.gross.saturating_sub(receivable.net),
                    net: receivable.net,
                    advance: self.advance.map(|rate| AdvanceCost {
                        base,
                        days,
                        unrounded: rate.unrounded_interest(base, days),
                        cost: rate.interest(base, days),
                    }),
                    counted_to,
                    due_date: receivable.due_date,
                    closed_days: closed_days(counted_to, receivable.due_date),
                }
            })
            .collect()
    }
}

/// The days from the nominal date to the due date. All of them were closed, else the due date would be earlier.
fn closed_days(counted_to: Date, due_date: Date) -> Vec<ClosedDay> {
    counted_to
        .iter_days()
        .take_while(|date| *date < due_date)
        .map(|date| ClosedDay {
            date,
            closure: Closure::of(date),
        })
        .collect()
}
