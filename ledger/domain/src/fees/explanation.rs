//! Why a sale's net is what it is: each fee by its rule, each instalment by its cost of advance and its due date.
//!
//! Nothing is priced here: the plan's version prices the sale once more by the same function, and what comes out must
//! be what is stored, or there is no explanation.

use rust_decimal::Decimal;
use thiserror::Error;

use super::plan::{MdrBand, PlanKind, PlanRef, PlanTerms};
use super::quote::{Price, Priced, Pricing, Quote, QuoteError, sum, take};
use crate::calendar::{Closure, Date};
use crate::money::split;
use crate::sale::{BrandGroup, CardBrand, PaymentType, Receivable};
use crate::{Cents, Rate};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Explanation {
    pub plan: PlanRef,
    pub gross: Cents,
    /// In the order in which they are taken. A fee that the plan does not have is not listed.
    pub lines: Vec<FeeLine>,
    pub net: Cents,
    pub instalments: Vec<InstalmentLine>,
    /// The fees are split over the instalments like the gross; where that would leave one below zero, the net is.
    pub net_is_split: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FeeLine {
    pub rule: FeeRule,
    /// What the rule is applied to.
    pub base: Cents,
    /// In cents and their fractions, before it was rounded.
    pub unrounded: Decimal,
    /// To the cent, and no more than what the fees before it leave.
    pub charged: Cents,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FeeRule {
    /// 'Taxa Efetiva': the list's entry for that brand; for a brand in no list, the highest of the others.
    Effective {
        rate: Rate,
        listed_as: Option<CardBrand>,
        installments: u8,
    },
    /// 'Taxa MDR': the band's fee for the group of brands.
    Mdr {
        rate: Rate,
        group: BrandGroup,
        band: MdrBand,
    },
    PixPercent {
        rate: Rate,
    },
    /// The sum of what each instalment costs, each rounded by itself.
    Advance {
        monthly: Rate,
        settlement_days: u8,
    },
    Boleto,
    PixFixed,
    /// The plan's percentage of what is left.
    PercentageRate {
        rate: Rate,
    },
    FlatRate,
}

/// The sale's stored fee that a line belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FeePart {
    PercentageFee,
    FlatFee,
    PercentageRate,
    FlatRate,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InstalmentLine {
    pub number: u8,
    pub gross: Cents,
    /// All of it, its own cost of advance included.
    pub fees: Cents,
    pub net: Cents,
    pub advance: Option<AdvanceCost>,
    /// When it would fall due if banks were open every day.
    pub counted_to: Date,
    pub due_date: Date,
    /// What moved it from the one to the other; empty where nothing did.
    pub closed_days: Vec<ClosedDay>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AdvanceCost {
    /// The instalment, net of its part of the percentage fee.
    pub base: Cents,
    /// By how many days it is paid before the acquirer pays.
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
    /// Other terms than those that priced it: another version of the plan, or of another plan.
    #[error("these terms do not lead to the stored amounts")]
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

/// The fees of a sale line by line, in the order in which they are taken: MDR and cost of advance stand apart.
pub fn fee_lines(terms: &PlanTerms, sale: &Priced) -> Result<Vec<FeeLine>, QuoteError> {
    let pricing = Pricing::of(
        terms,
        sale.payment_type,
        sale.card_brand.as_ref(),
        sale.installments,
    )?;
    Ok(pricing.lines(sale, &pricing.price(sale.amount)))
}

/// Explains a quote, or what a captured sale stores of its own, by the terms of the plan's version that priced it.
pub fn explain(
    terms: &PlanTerms,
    sale: &Priced,
    stored: &Quote,
    captured_on: Date,
) -> Result<Explanation, ExplanationError> {
    let pricing = Pricing::of(
        terms,
        sale.payment_type,
        sale.card_brand.as_ref(),
        sale.installments,
    )?;
    let price = pricing.price(sale.amount);
    let gross_parts = split(sale.amount, sale.installments);
    let division = price.division(sale.amount);
    let net_parts = division.net_parts(&gross_parts, sale.installments);
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
            .all(|part| part.due_date >= pricing.due.unrolled(part.number, captured_on));
    if !as_priced {
        return Err(ExplanationError::TermsDiffer);
    }
    Ok(Explanation {
        plan: terms.plan_ref(),
        gross: sale.amount,
        lines: pricing.lines(sale, &price),
        net: price.net,
        instalments: pricing.instalments(sale.amount, &stored.receivables, captured_on),
        net_is_split: division.nets_by_fees(&gross_parts, sale.installments).is_none(),
    })
}

impl Pricing<'_> {
    fn lines(&self, sale: &Priced, price: &Price) -> Vec<FeeLine> {
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
            line(rule, gross.less(percentage), cost.get().into(), cost, &mut left);
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

    fn percentage_rule(&self, sale: &Priced) -> FeeRule {
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

    fn instalments(&self, gross: Cents, stored: &[Receivable], captured_on: Date) -> Vec<InstalmentLine> {
        let advanced = self.advanced(gross, self.percentage.apply(gross));
        stored
            .iter()
            .zip(advanced)
            .map(|(receivable, (base, days))| {
                let counted_to = self.due.unrolled(receivable.number, captured_on);
                InstalmentLine {
                    number: receivable.number,
                    gross: receivable.gross,
                    fees: receivable.gross.less(receivable.net),
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

/// Every day from the one counted to until the one promised was closed, or it would have been promised.
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
