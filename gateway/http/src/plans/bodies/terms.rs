//! The terms of a plan in the document. `gateway_platform::plans::terms` has their fields.

use gateway_platform::plans::terms;
use ledger_domain::fees::PlanTerms;
use serde::Serialize;
use utoipa::ToSchema;

use crate::shared::schemas::DescribedBy;

pub type PlanFees = DescribedBy<PlanFeesDocument, terms::PlanFees>;

pub fn fees_of(terms: &PlanTerms) -> PlanFees {
    terms::PlanFees::of(terms).into()
}

/// The terms of one version of a plan. Rates are in percent, amounts in cents.
#[derive(Debug, ToSchema)]
#[schema(as = PlanFees)]
#[allow(dead_code, reason = "describes the terms in the document")]
pub struct PlanFeesDocument {
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
    pub pix_fee: PixFeeDocument,
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
    pub fees: Vec<FeeEntryDocument>,
}

/// The fee of a brand, payment type and number of installments.
#[derive(Debug, ToSchema)]
#[schema(as = FeeEntry)]
#[allow(dead_code, reason = "describes the terms in the document")]
pub struct FeeEntryDocument {
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
#[derive(Debug, Serialize, ToSchema)]
#[serde(untagged)]
#[schema(as = PixFeeValue, example = "0.99")]
#[allow(dead_code, reason = "describes the terms in the document")]
pub enum PixFeeDocument {
    Percent(String),
    Fixed(i64),
}
