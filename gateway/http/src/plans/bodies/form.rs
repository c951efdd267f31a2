//! The form of a sales plan. `gateway_platform::plans::form` has its rules, and takes the fields as they are given.

use chrono::{DateTime, Utc};
use gateway_platform::plans::form;
use gateway_platform::plans::terms::{FeeEntry, PixFeeValue};

use super::terms::{FeeEntryDocument, PixFeeDocument};
use crate::edge::QueryValue;
use crate::shared::form::{Declared, form, given, given_list, given_named, given_with, optional};

pub struct PlanForm(pub form::PlanForm);

form! {
    /// A new plan, or the changed fields of one. For a new plan `description`, `solution_id`, `mdr`, `settlement_days` and
    /// all fees of its kind are required. Fields that are left out or null do not change.
    impl FromBody for PlanForm {
        #[example = "Maquininha padrão"]
        description: Option<String> =
            optional(given::<String, String>().described(|schema| schema.max_length(Some(form::DESCRIPTION_CHARACTERS_MAX)))),
        /// 1 card machine, 2 e-commerce, 3 info product, 4 payment link. A plan keeps its solution.
        #[example = 1]
        solution_id: Option<u8> =
            optional(given::<u8, u8>().described(|schema| schema.minimum(Some(1)).maximum(Some(4)))),
        /// Whether the plan can be given to companies. A default plan cannot be inactive.
        active: Option<bool> = flag(),
        /// True makes the plan the default of its solution; ignored for an inactive plan. False is an error for the default
        /// plan: it stays the default until another plan becomes it.
        #[example = false]
        default: Option<bool> = flag(),
        /// Whether sellers may compare last month under it with their own plan. An inactive plan is not offered.
        #[example = false]
        offered: Option<bool> = flag(),
        /// false: Taxa Efetiva, priced by `fees`. true: Taxa MDR, priced by the `mdr_…` fees.
        #[example = true]
        mdr: Option<bool> = flag(),
        /// In percent, like all fees that are texts. Fees that are integers are in cents.
        #[example = "0.35"]
        percentage_rate: Option<String> = rate(),
        /// In cents.
        #[example = 30]
        flat_rate: Option<i64> = cents(),
        #[example = 2]
        settlement_days: Option<i64> =
            optional(given::<i64, i64>().described(|schema| schema.minimum(Some(0)).maximum(Some(99)))),
        /// In cents. Not required for card machines.
        #[example = 349]
        boleto_fee: Option<i64> = cents(),
        #[example = false]
        pix_fee_fixed: Option<bool> = flag(),
        pix_fee: Option<PixFeeValue> = optional(given_named::<PixFeeValue, PixFeeDocument>()),
        #[example = "1.8"]
        mdr_advance_fee_visamaster: Option<String> = rate(),
        #[example = "1.19"]
        mdr_debit_fee_visamaster: Option<String> = rate(),
        #[example = "2.39"]
        mdr_credit_1_fee_visamaster: Option<String> = rate(),
        #[example = "2.79"]
        mdr_credit_2to6_fee_visamaster: Option<String> = rate(),
        #[example = "3.19"]
        mdr_credit_7to12_fee_visamaster: Option<String> = rate(),
        #[example = "3.59"]
        mdr_credit_13to21_fee_visamaster: Option<String> = rate(),
        #[example = "1.95"]
        mdr_advance_fee_others: Option<String> = rate(),
        #[example = "1.69"]
        mdr_debit_fee_others: Option<String> = rate(),
        #[example = "2.99"]
        mdr_credit_1_fee_others: Option<String> = rate(),
        #[example = "3.39"]
        mdr_credit_2to6_fee_others: Option<String> = rate(),
        #[example = "3.79"]
        mdr_credit_7to12_fee_others: Option<String> = rate(),
        #[example = "4.19"]
        mdr_credit_13to21_fee_others: Option<String> = rate(),
        /// For Taxa Efetiva: debit and credit in 1 to 21 installments, for each brand of plans.
        fees: Option<Vec<FeeEntry>> = optional(given_list::<FeeEntry, FeeEntryDocument>()),
        /// UTC instant from which changed terms are valid; the default is now. Sales before it keep their terms.
        #[example = "2027-01-04T03:00:00Z"]
        valid_from: Option<DateTime<Utc>> = optional(given_with(<DateTime<Utc> as QueryValue>::schema)),
        /// The `revision` that the edit started from. If the plan was changed since, the answer is a 409.
        #[example = 1]
        revision: Option<i32> = revision(),
    } => Self(form::PlanForm {
        description,
        solution_id,
        active,
        default,
        offered,
        mdr,
        percentage_rate,
        flat_rate,
        settlement_days,
        boleto_fee,
        pix_fee_fixed,
        pix_fee,
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
        mdr_credit_13to21_fee_others,
        fees,
        valid_from,
        revision,
    })
}

pub(super) fn flag() -> Declared<Option<bool>> {
    optional(given::<bool, bool>()).or_null()
}

/// In percent.
fn rate() -> Declared<Option<String>> {
    optional(given::<String, String>())
}

pub(super) fn cents() -> Declared<Option<i64>> {
    optional(given::<i64, i64>().described(|schema| schema.minimum(Some(0))))
}

pub(super) fn revision() -> Declared<Option<i32>> {
    optional(given::<i32, i32>().described(|schema| schema.minimum(Some(1))))
}
