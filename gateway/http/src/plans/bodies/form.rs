//! The form of a sales plan. `plans::form` reads it.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::terms::{FeeEntry, PixFeeValue, PlanFees};
use crate::edge::named_fields;

/// A new plan, or the changed fields of one. For a new plan `description`, `solution_id`, `mdr`, `settlement_days` and
/// all fees of its kind are required. Fields that are left out or null do not change.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
pub struct PlanForm {
    #[schema(nullable = false, max_length = 120, example = "Maquininha padrão")]
    pub description: Option<String>,
    /// 1 card machine, 2 e-commerce, 3 info product, 4 payment link. A plan keeps its solution.
    #[schema(nullable = false, minimum = 1, maximum = 4, example = 1)]
    pub solution_id: Option<u8>,
    /// Whether the plan can be given to companies. A default plan cannot be inactive.
    pub active: Option<bool>,
    /// True makes the plan the default of its solution; ignored for an inactive plan. False is an error for the default
    /// plan: it stays the default until another plan becomes it.
    #[schema(example = false)]
    pub default: Option<bool>,
    /// Whether sellers may compare last month under it with their own plan. An inactive plan is not offered.
    #[schema(example = false)]
    pub offered: Option<bool>,
    /// false: Taxa Efetiva, priced by `fees`. true: Taxa MDR, priced by the `mdr_…` fees.
    #[schema(example = true)]
    pub mdr: Option<bool>,
    /// In percent, like all fees that are texts. Fees that are integers are in cents.
    #[schema(nullable = false, example = "0.35")]
    pub percentage_rate: Option<String>,
    /// In cents.
    #[schema(nullable = false, minimum = 0, example = 30)]
    pub flat_rate: Option<i64>,
    #[schema(nullable = false, minimum = 0, maximum = 99, example = 2)]
    pub settlement_days: Option<i64>,
    /// In cents. Not required for card machines.
    #[schema(nullable = false, minimum = 0, example = 349)]
    pub boleto_fee: Option<i64>,
    #[schema(example = false)]
    pub pix_fee_fixed: Option<bool>,
    #[schema(nullable = false)]
    pub pix_fee: Option<PixFeeValue>,
    #[schema(nullable = false, example = "1.8")]
    pub mdr_advance_fee_visamaster: Option<String>,
    #[schema(nullable = false, example = "1.19")]
    pub mdr_debit_fee_visamaster: Option<String>,
    #[schema(nullable = false, example = "2.39")]
    pub mdr_credit_1_fee_visamaster: Option<String>,
    #[schema(nullable = false, example = "2.79")]
    pub mdr_credit_2to6_fee_visamaster: Option<String>,
    #[schema(nullable = false, example = "3.19")]
    pub mdr_credit_7to12_fee_visamaster: Option<String>,
    #[schema(nullable = false, example = "3.59")]
    pub mdr_credit_13to21_fee_visamaster: Option<String>,
    #[schema(nullable = false, example = "1.95")]
    pub mdr_advance_fee_others: Option<String>,
    #[schema(nullable = false, example = "1.69")]
    pub mdr_debit_fee_others: Option<String>,
    #[schema(nullable = false, example = "2.99")]
    pub mdr_credit_1_fee_others: Option<String>,
    #[schema(nullable = false, example = "3.39")]
    pub mdr_credit_2to6_fee_others: Option<String>,
    #[schema(nullable = false, example = "3.79")]
    pub mdr_credit_7to12_fee_others: Option<String>,
    #[schema(nullable = false, example = "4.19")]
    pub mdr_credit_13to21_fee_others: Option<String>,
    /// For Taxa Efetiva: debit and credit in 1 to 21 installments, for each brand of plans.
    #[schema(nullable = false)]
    pub fees: Option<Vec<FeeEntry>>,
    /// UTC instant from which changed terms are valid; the default is now. Sales before it keep their terms.
    #[schema(nullable = false, example = "2027-01-04T03:00:00Z")]
    pub valid_from: Option<DateTime<Utc>>,
    /// The `revision` that the edit started from. If the plan was changed since, the answer is a 409.
    #[schema(nullable = false, minimum = 1, example = 1)]
    pub revision: Option<i32>,
}

macro_rules! overlay {
    ($form:ident, $base:ident, [$($field:ident),+], [$($optional:ident),+]) => {
        $($form.$field = $form.$field.or(Some($base.$field));)+
        $($form.$optional = $form.$optional.or($base.$optional);)+
    };
}

impl PlanForm {
    /// Whether a field of the terms is given.
    pub fn gives_terms(&self) -> bool {
        let flags = [self.mdr, self.pix_fee_fixed];
        let amounts = [self.flat_rate, self.settlement_days, self.boleto_fee];
        let rates = std::iter::once(&self.percentage_rate)
            .chain(self.mdr_fee_fields().into_iter().flatten().map(|(_, fee)| fee));
        flags.iter().any(Option::is_some)
            || amounts.iter().any(Option::is_some)
            || rates.into_iter().any(Option::is_some)
            || self.pix_fee.is_some()
            || self.fees.is_some()
    }

    /// The form with the terms of the plan in all fields that are left out.
    pub fn completed_with(self, base: PlanFees) -> Self {
        let mut form = self;
        // A fixed fee is not a percentage, so a changed kind needs a new fee. The blank text below is reported as a
        // missing fee. Without it, the plan's fee of the other kind would be used.
        if form
            .pix_fee_fixed
            .is_some_and(|fixed| fixed != base.pix_fee_fixed)
            && form.pix_fee.is_none()
        {
            form.pix_fee = Some(PixFeeValue::Percent(String::new()));
        }
        overlay!(
            form,
            base,
            [
                mdr,
                percentage_rate,
                flat_rate,
                boleto_fee,
                pix_fee_fixed,
                pix_fee,
                fees
            ],
            [
                mdr_advance_fee_visamaster,
                mdr_debit_fee_visamaster,
                mdr_credit_1_fee_visamaster,
                mdr_credit_2to6_fee_visamaster,
                mdr_credit_7to12_fee_visamaster,
                mdr_credit_13to21_fee_visamaster,
                mdr_advance_fee_others,
                mdr_debit_fee_others,
                mdr_credit_1_fee_others,
                mdr_credit_2to6_fee_others,
                mdr_credit_7to12_fee_others,
                mdr_credit_13to21_fee_others
            ]
        );
        form.settlement_days = form.settlement_days.or(Some(base.settlement_days.into()));
        form
    }

    /// The fields of both groups of brands, each in the order of `MdrFees`: advance, debit, then the bands of credit.
    pub fn mdr_fee_fields(&self) -> [[(&'static str, &Option<String>); 6]; 2] {
        [
            named_fields!(
                self,
                [
                    mdr_advance_fee_visamaster,
                    mdr_debit_fee_visamaster,
                    mdr_credit_1_fee_visamaster,
                    mdr_credit_2to6_fee_visamaster,
                    mdr_credit_7to12_fee_visamaster,
                    mdr_credit_13to21_fee_visamaster
                ]
            ),
            named_fields!(
                self,
                [
                    mdr_advance_fee_others,
                    mdr_debit_fee_others,
                    mdr_credit_1_fee_others,
                    mdr_credit_2to6_fee_others,
                    mdr_credit_7to12_fee_others,
                    mdr_credit_13to21_fee_others
                ]
            ),
        ]
    }
}
