//! The fees of a sale, each with its rule.

use ledger_domain::Rate;
use ledger_domain::fees::{self, FeePart, FeeRule, MdrBand};
use ledger_domain::sale::BrandGroup;
use rust_decimal::Decimal;
use serde::Serialize;
use utoipa::ToSchema;

use crate::shared::cents;
use crate::shared::schemas::Word;

#[derive(Debug, Serialize, ToSchema)]
pub struct FeeLine {
    pub part: FeePartWord,
    pub rule: FeeRuleWord,
    /// Percent; percent a month for the rule advance. Null if the rule is a fixed amount.
    #[schema(required = true, example = "3.00")]
    pub rate: Option<String>,
    /// Rule effective only: the brand of the plan's entry that applies. Null for a brand without an entry, which gets
    /// the highest fee of the group others.
    #[schema(required = true, example = json!(null))]
    pub listed_as: Option<String>,
    /// Rule mdr only: the group of card brands.
    #[schema(required = true)]
    pub group: Option<BrandGroupWord>,
    /// Rule mdr only: the band of payment type and number of installments.
    #[schema(required = true, example = "credit_2to6")]
    pub band: Option<MdrBandWord>,
    /// Rule effective only: the number of installments.
    #[schema(required = true, example = json!(null))]
    pub installments: Option<u8>,
    /// Rule advance only: number of calendar days from the capture after which the plan pays.
    #[schema(required = true, example = json!(null))]
    pub settlement_days: Option<u8>,
    /// The amount that the rule is applied to, in cents. For the rule advance, the gross minus the MDR.
    #[schema(example = 30_000)]
    pub base: i64,
    /// The fee in cents with fractions, before rounding. Cut after six decimals. For the rule advance, the sum of the
    /// installments' costs, each rounded to the cent.
    #[schema(example = "900.00")]
    pub unrounded: String,
    /// The fee after rounding, in cents. At most the amount that the earlier fees leave.
    #[schema(example = 900)]
    pub charged: i64,
    /// The part of the gross that is left after this fee, in cents.
    #[schema(example = 29_100)]
    pub left: i64,
}

/// One fee of a sale with its rule.
#[derive(Debug, Serialize, ToSchema)]
pub struct FeeCharge {
    pub part: FeePartWord,
    pub rule: FeeRuleWord,
    /// The fee, in cents.
    #[schema(example = 900)]
    pub charged: i64,
}

ledger_domain::words! {
    /// effective: the percentage of a plan with effective fees (Taxa Efetiva), by brand and number of installments.
    /// mdr: the percentage of an MDR plan (Taxa MDR), by group of brands and band. advance: the cost of paying
    /// installments early, with MDR plans. pix_percent, pix_fixed: the fee of a PIX, as a percentage or as an amount.
    /// boleto: the amount for a boleto. percentage_rate: the plan's percentage of the amount that is left. flat_rate:
    /// the plan's amount for each sale.
    pub enum FeeRuleName {
        Effective = "effective",
        Mdr = "mdr",
        PixPercent = "pix_percent",
        Advance = "advance",
        Boleto = "boleto",
        PixFixed = "pix_fixed",
        PercentageRate = "percentage_rate",
        FlatRate = "flat_rate",
    }
}

pub type FeePartWord = Word<FeePart>;
pub type FeeRuleWord = Word<FeeRuleName>;
pub type BrandGroupWord = Word<BrandGroup>;
pub type MdrBandWord = Word<MdrBand>;

impl FeeCharge {
    /// The fees in the order of deduction, without those of zero.
    pub fn all(lines: &[fees::FeeLine]) -> Vec<Self> {
        lines
            .iter()
            .map(|line| Self {
                part: line.rule.part().into(),
                rule: FeeRuleName::of(&line.rule).into(),
                charged: cents(line.charged),
            })
            .filter(|line| line.charged != 0)
            .collect()
    }
}

impl FeeRuleName {
    const fn of(rule: &FeeRule) -> Self {
        match rule {
            FeeRule::Effective { .. } => Self::Effective,
            FeeRule::Mdr { .. } => Self::Mdr,
            FeeRule::PixPercent { .. } => Self::PixPercent,
            FeeRule::Advance { .. } => Self::Advance,
            FeeRule::Boleto => Self::Boleto,
            FeeRule::PixFixed => Self::PixFixed,
            FeeRule::PercentageRate { .. } => Self::PercentageRate,
            FeeRule::FlatRate => Self::FlatRate,
        }
    }
}

impl FeeLine {
    pub fn of(line: &fees::FeeLine, left: i64) -> Self {
        let common = Self {
            part: line.rule.part().into(),
            rule: FeeRuleName::of(&line.rule).into(),
            rate: rate_of(&line.rule).map(|rate| decimal(rate.percent())),
            listed_as: None,
            group: None,
            band: None,
            installments: None,
            settlement_days: None,
            base: cents(line.base),
            unrounded: decimal(line.unrounded),
            charged: cents(line.charged),
            left,
        };
        match &line.rule {
            FeeRule::Effective {
                listed_as,
                installments,
                ..
            } => Self {
                listed_as: listed_as.as_ref().map(|brand| brand.as_str().to_owned()),
                installments: Some(*installments),
                ..common
            },
            FeeRule::Mdr { group, band, .. } => Self {
                group: Some((*group).into()),
                band: Some((*band).into()),
                ..common
            },
            FeeRule::Advance { settlement_days, .. } => Self {
                settlement_days: Some(*settlement_days),
                ..common
            },
            FeeRule::PixPercent { .. }
            | FeeRule::PercentageRate { .. }
            | FeeRule::Boleto
            | FeeRule::PixFixed
            | FeeRule::FlatRate => common,
        }
    }
}

/// The rate of a rule; `None` if the rule is a fixed amount.
const fn rate_of(rule: &FeeRule) -> Option<Rate> {
    match rule {
        FeeRule::Effective { rate, .. }
        | FeeRule::Mdr { rate, .. }
        | FeeRule::PixPercent { rate }
        | FeeRule::PercentageRate { rate } => Some(*rate),
        FeeRule::Advance { monthly, .. } => Some(*monthly),
        FeeRule::Boleto | FeeRule::PixFixed | FeeRule::FlatRate => None,
    }
}

/// At least two decimals. Cut and not rounded, because the rounding is part of the explanation.
pub fn decimal(number: Decimal) -> String {
    const DECIMALS_MIN: u32 = 2;
    const DECIMALS_MAX: u32 = 6;
    let mut number = number.trunc_with_scale(DECIMALS_MAX).normalize();
    if number.scale() < DECIMALS_MIN {
        number.rescale(DECIMALS_MIN);
    }
    number.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_decimal_has_two_places_at_least_and_is_cut_after_six() {
        let written = |number: i64, scale| decimal(Decimal::new(number, scale));
        assert_eq!(written(900, 0), "900.00");
        assert_eq!(written(35, 1), "3.50");
        assert_eq!(written(1_406_500, 4), "140.65");
        assert_eq!(written(23_456, 4), "2.3456");
        assert_eq!(written(4_999_999, 7), "0.499999");
    }
}
