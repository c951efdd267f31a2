//! The terms of one version of a sales plan.
//!
//! The stricter rules of the admin form (such as no fee of zero) are checked elsewhere.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::sale::{BrandGroup, CardBrand, PaymentType, Solution};
use crate::{Cents, PlanId, Rate, words};

/// One version of a plan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlanTerms {
    pub plan_id: PlanId,
    pub name: String,
    pub version: u32,
    pub solution: Solution,
    pub kind: PlanKind,
    /// Applied to the amount that the payment type's fees leave.
    pub percentage_rate: Rate,
    /// Deducted last.
    pub flat_rate: Cents,
    /// Calendar days from the capture to the nominal due date; zero settles at the capture. Not used for credit sales
    /// under MDR fees with an advance rate of zero: those installments are due every 30 days.
    pub settlement_days: u8,
    pub boleto_fee: Cents,
    pub pix_fee: PixFee,
}

/// The plan and version that priced a sale, with the plan's name at that time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlanRef {
    pub id: PlanId,
    pub name: String,
    pub version: u32,
}

/// How a plan prices cards.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PlanKind {
    /// 'Taxa Efetiva': one all-inclusive fee for each brand and number of installments.
    Effective { fees: FeeTable },
    /// 'Taxa MDR': a fee for each band of installments, plus the advance cost.
    Mdr { visamaster: MdrFees, others: MdrFees },
}

/// The fees of one group of brands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MdrFees {
    pub debit: Rate,
    pub credit_1: Rate,
    pub credit_2to6: Rate,
    pub credit_7to12: Rate,
    pub credit_13to21: Rate,
    /// The monthly rate for paying installments before the acquirer does. If zero, they are not advanced.
    pub advance: Rate,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PixFee {
    Percent(Rate),
    Fixed(Cents),
}

impl PlanTerms {
    /// The specification's limit of `settlement_days`.
    pub const SETTLEMENT_DAYS_MAX: u8 = 99;

    pub fn plan_ref(&self) -> PlanRef {
        PlanRef {
            id: self.plan_id,
            name: self.name.clone(),
            version: self.version,
        }
    }
}

impl PlanKind {
    /// The percentage fee of a card sale, without the advance cost; `None` if the plan has no such fee.
    pub fn card_rate(
        &self,
        brand: Option<&CardBrand>,
        payment_type: PaymentType,
        installments: u8,
    ) -> Option<Rate> {
        match self {
            Self::Effective { fees } => fees.rate(brand, payment_type, installments),
            Self::Mdr { .. } => {
                let band = MdrBand::of(payment_type, installments)?;
                Some(self.mdr_fees(brand)?.rate(band))
            }
        }
    }

    /// The monthly rate for paying the brand's installments early. `None` if they are not advanced.
    pub fn advance(&self, brand: &CardBrand) -> Option<Rate> {
        let rate = self.mdr_fees(Some(brand))?.advance;
        (!rate.is_zero()).then_some(rate)
    }

    /// The fees of an MDR plan for the brand.
    pub(super) fn mdr_fees(&self, brand: Option<&CardBrand>) -> Option<&MdrFees> {
        match self {
            Self::Effective { .. } => None,
            Self::Mdr { visamaster, others } => {
                match brand.map_or(BrandGroup::Others, CardBrand::brand_group) {
                    BrandGroup::Visamaster => Some(visamaster),
                    BrandGroup::Others => Some(others),
                }
            }
        }
    }
}

words! {
    /// The band of an MDR plan: debit, or credit by the number of installments.
    pub enum MdrBand {
        Debit = "debit",
        Credit1 = "credit_1",
        Credit2To6 = "credit_2to6",
        Credit7To12 = "credit_7to12",
        Credit13To21 = "credit_13to21",
    }
}

impl MdrBand {
    pub const fn of(payment_type: PaymentType, installments: u8) -> Option<Self> {
        match (payment_type, installments) {
            (PaymentType::Debit, 1) => Some(Self::Debit),
            (PaymentType::Credit, 1) => Some(Self::Credit1),
            (PaymentType::Credit, 2..=6) => Some(Self::Credit2To6),
            (PaymentType::Credit, 7..=12) => Some(Self::Credit7To12),
            (PaymentType::Credit, 13..=PaymentType::INSTALLMENTS_MAX) => Some(Self::Credit13To21),
            _ => None,
        }
    }
}

impl MdrFees {
    pub const fn rate(&self, band: MdrBand) -> Rate {
        match band {
            MdrBand::Debit => self.debit,
            MdrBand::Credit1 => self.credit_1,
            MdrBand::Credit2To6 => self.credit_2to6,
            MdrBand::Credit7To12 => self.credit_7to12,
            MdrBand::Credit13To21 => self.credit_13to21,
        }
    }
}

/// One row of an effective plan's table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FeeRow {
    pub card_brand: CardBrand,
    pub payment_type: PaymentType,
    pub number_installments: u8,
    pub percent_amount: Rate,
}

impl FeeRow {
    const fn key(&self) -> (PaymentType, u8, &CardBrand) {
        (self.payment_type, self.number_installments, &self.card_brand)
    }
}

/// The table of an effective plan: sorted, with at most one fee for each brand, payment type and number of
/// installments.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(try_from = "Vec<FeeRow>")]
pub struct FeeTable(Vec<FeeRow>);

#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum FeeTableError {
    #[error("plans have no fees for {0}")]
    Brand(CardBrand),
    #[error("cards are not paid by {payment_type} in {installments} installments")]
    Installments {
        payment_type: PaymentType,
        installments: u8,
    },
    #[error("duplicate fee for {card_brand} by {payment_type} in {installments} installments")]
    Twice {
        card_brand: CardBrand,
        payment_type: PaymentType,
        installments: u8,
    },
}

impl FeeTable {
    pub fn new(mut rows: Vec<FeeRow>) -> Result<Self, FeeTableError> {
        for FeeRow {
            card_brand,
            payment_type,
            number_installments,
            ..
        } in &rows
        {
            if !CardBrand::IN_PLANS.contains(card_brand) {
                return Err(FeeTableError::Brand(card_brand.clone()));
            }
            if !payment_type.is_card() || !payment_type.takes_installments(*number_installments) {
                let (payment_type, installments) = (*payment_type, *number_installments);
                return Err(FeeTableError::Installments {
                    payment_type,
                    installments,
                });
            }
        }
        rows.sort_by(|one, other| one.key().cmp(&other.key()));
        match rows.windows(2).find(|pair| pair[0].key() == pair[1].key()) {
            Some([row, ..]) => Err(FeeTableError::Twice {
                card_brand: row.card_brand.clone(),
                payment_type: row.payment_type,
                installments: row.number_installments,
            }),
            _ => Ok(Self(rows)),
        }
    }

    /// By payment type, number of installments and brand.
    pub fn rows(&self) -> &[FeeRow] {
        &self.0
    }

    /// A brand that no plan lists takes the highest fee of the group of other brands. The sale is already made and must
    /// be priced, and the cost of such a card is unknown. A listed brand without a row has no fee.
    fn rate(&self, brand: Option<&CardBrand>, payment_type: PaymentType, installments: u8) -> Option<Rate> {
        match brand.and_then(CardBrand::priced_as) {
            Some(listed) => {
                let found = self
                    .0
                    .binary_search_by(|row| row.key().cmp(&(payment_type, installments, listed)));
                found
                    .ok()
                    .and_then(|at| self.0.get(at))
                    .map(|row| row.percent_amount)
            }
            None => self
                .0
                .iter()
                .filter(|row| row.payment_type == payment_type && row.number_installments == installments)
                .filter(|row| row.card_brand.brand_group() == BrandGroup::Others)
                .map(|row| row.percent_amount)
                .max(),
        }
    }
}

impl TryFrom<Vec<FeeRow>> for FeeTable {
    type Error = FeeTableError;

    fn try_from(rows: Vec<FeeRow>) -> Result<Self, FeeTableError> {
        Self::new(rows)
    }
}
