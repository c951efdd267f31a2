//! The terms of a plan in the spelling of the specification. `PlanFees::of` writes them; `plans::form` reads them.

use ledger_domain::Rate;
use ledger_domain::fees::{FeeRow, MdrBand, MdrFees, PixFee, PlanKind, PlanTerms};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::shared::cents;

/// The terms of one version of a plan. Rates are in percent, amounts in cents.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct PlanFees {
    /// false: Taxa Efetiva, priced by `fees`. true: Taxa MDR, priced by the `mdr_…` fees.
    pub mdr: bool,
    /// Applied to the amount that the payment type's fees leave.
    #[schema(example = "0.35")]
    pub percentage_rate: String,
    /// Deducted last.
    #[schema(example = 30)]
    pub flat_rate: i64,
    /// Calendar days from the capture of a sale to its due date, which moves to a business day unless the days are 0.
    /// Not used for credit under Taxa MDR with an advance fee of zero: its installments are due every 30 days.
    #[schema(minimum = 0, maximum = 99, example = 2)]
    pub settlement_days: u8,
    /// The fee of each boleto.
    #[schema(example = 349)]
    pub boleto_fee: i64,
    /// Whether `pix_fee` is an amount.
    pub pix_fee_fixed: bool,
    pub pix_fee: PixFeeValue,
    /// The monthly rate for paying installments early. Null for Taxa Efetiva, as are all `mdr_…` fees.
    #[schema(required = true, example = json!(null))]
    pub mdr_advance_fee_visamaster: Option<String>,
    #[schema(required = true, example = json!(null))]
    pub mdr_debit_fee_visamaster: Option<String>,
    #[schema(required = true, example = json!(null))]
    pub mdr_credit_1_fee_visamaster: Option<String>,
    #[schema(required = true, example = json!(null))]
    pub mdr_credit_2to6_fee_visamaster: Option<String>,
    #[schema(required = true, example = json!(null))]
    pub mdr_credit_7to12_fee_visamaster: Option<String>,
    #[schema(required = true, example = json!(null))]
    pub mdr_credit_13to21_fee_visamaster: Option<String>,
    #[schema(required = true, example = json!(null))]
    pub mdr_advance_fee_others: Option<String>,
    #[schema(required = true, example = json!(null))]
    pub mdr_debit_fee_others: Option<String>,
    #[schema(required = true, example = json!(null))]
    pub mdr_credit_1_fee_others: Option<String>,
    #[schema(required = true, example = json!(null))]
    pub mdr_credit_2to6_fee_others: Option<String>,
    #[schema(required = true, example = json!(null))]
    pub mdr_credit_7to12_fee_others: Option<String>,
    #[schema(required = true, example = json!(null))]
    pub mdr_credit_13to21_fee_others: Option<String>,
    /// Empty for Taxa MDR.
    pub fees: Vec<FeeEntry>,
}

/// The fee of a brand, payment type and number of installments.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct FeeEntry {
    #[schema(example = "visa")]
    pub card_brand: String,
    /// credit or debit.
    #[schema(example = "credit")]
    pub payment_type: String,
    /// 1 to 21; 1 for debit.
    #[schema(minimum = 1, maximum = 21, example = 3)]
    pub number_installments: u8,
    /// In percent.
    #[schema(example = "4.49")]
    pub percent_amount: String,
}

/// A text in percent, or an integer in cents if `pix_fee_fixed` is true.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(untagged)]
#[schema(example = "0.99")]
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
            flat_rate: cents(terms.flat_rate),
            settlement_days: terms.settlement_days,
            boleto_fee: cents(terms.boleto_fee),
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
            PixFee::Fixed(fee) => Self::Fixed(cents(*fee)),
        }
    }
}
