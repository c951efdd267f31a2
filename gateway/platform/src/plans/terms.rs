//! The terms of a plan in the spelling of the specification, which the API and the audit log share. `PlanFees::of`
//! writes them; `form` reads them. The API's document describes the fields.

use ledger_domain::Rate;
use ledger_domain::fees::{FeeRow, MdrBand, MdrFees, PixFee, PlanKind, PlanTerms};
use serde::{Deserialize, Serialize};

/// The terms of one version of a plan. Rates are in percent, amounts in cents.
#[derive(Debug, Clone, Serialize)]
pub struct PlanFees {
    pub mdr: bool,
    pub percentage_rate: String,
    pub flat_rate: i64,
    pub settlement_days: u8,
    pub boleto_fee: i64,
    pub pix_fee_fixed: bool,
    pub pix_fee: PixFeeValue,
    pub mdr_advance_fee_visamaster: Option<String>,
    pub mdr_debit_fee_visamaster: Option<String>,
    pub mdr_credit_1_fee_visamaster: Option<String>,
    pub mdr_credit_2to6_fee_visamaster: Option<String>,
    pub mdr_credit_7to12_fee_visamaster: Option<String>,
    pub mdr_credit_13to21_fee_visamaster: Option<String>,
    pub mdr_advance_fee_others: Option<String>,
    pub mdr_debit_fee_others: Option<String>,
    pub mdr_credit_1_fee_others: Option<String>,
    pub mdr_credit_2to6_fee_others: Option<String>,
    pub mdr_credit_7to12_fee_others: Option<String>,
    pub mdr_credit_13to21_fee_others: Option<String>,
    pub fees: Vec<FeeEntry>,
}

/// The fee of a brand, payment type and number of installments.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FeeEntry {
    pub card_brand: String,
    pub payment_type: String,
    pub number_installments: u8,
    pub percent_amount: String,
}

/// A text in percent, or an integer in cents if `pix_fee_fixed` is true.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum PixFeeValue {
    Percent(String),
    Fixed(i64),
}

impl PlanFees {
    pub fn of(terms: &PlanTerms) -> Self {
        let (visamaster, others, fees) = match &terms.kind {
            PlanKind::Effective { fees } => (None, None, fees.rows().iter().map(FeeEntry::of).collect()),
            PlanKind::Mdr { visamaster, others } => (Some(visamaster), Some(others), vec![]),
        };
        let advance = |group: Option<&MdrFees>| group.map(|fees| fees.advance.to_string());
        let band = |group: Option<&MdrFees>, band| group.map(|fees| fees.rate(band).to_string());
        Self {
            mdr: visamaster.is_some(),
            percentage_rate: terms.percentage_rate.to_string(),
            flat_rate: terms.flat_rate.get(),
            settlement_days: terms.settlement_days,
            boleto_fee: terms.boleto_fee.get(),
            pix_fee_fixed: matches!(terms.pix_fee, PixFee::Fixed(_)),
            pix_fee: PixFeeValue::of(&terms.pix_fee),
            mdr_advance_fee_visamaster: advance(visamaster),
            mdr_debit_fee_visamaster: band(visamaster, MdrBand::Debit),
            mdr_credit_1_fee_visamaster: band(visamaster, MdrBand::Credit1),
            mdr_credit_2to6_fee_visamaster: band(visamaster, MdrBand::Credit2To6),
            mdr_credit_7to12_fee_visamaster: band(visamaster, MdrBand::Credit7To12),
            mdr_credit_13to21_fee_visamaster: band(visamaster, MdrBand::Credit13To21),
            mdr_advance_fee_others: advance(others),
            mdr_debit_fee_others: band(others, MdrBand::Debit),
            mdr_credit_1_fee_others: band(others, MdrBand::Credit1),
            mdr_credit_2to6_fee_others: band(others, MdrBand::Credit2To6),
            mdr_credit_7to12_fee_others: band(others, MdrBand::Credit7To12),
            mdr_credit_13to21_fee_others: band(others, MdrBand::Credit13To21),
            fees,
        }
    }
}

impl FeeEntry {
    fn of(row: &FeeRow) -> Self {
        Self {
            card_brand: row.card_brand.to_string(),
            payment_type: row.payment_type.to_string(),
            number_installments: row.number_installments,
            percent_amount: row.percent_amount.to_string(),
        }
    }
}

impl PixFeeValue {
    fn of(fee: &PixFee) -> Self {
        match fee {
            PixFee::Percent(rate) => Self::Percent(Rate::to_string(rate)),
            PixFee::Fixed(fee) => Self::Fixed(fee.get()),
        }
    }
}
