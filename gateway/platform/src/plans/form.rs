//! Reads the form of a sales plan as the domain's terms (specification, sections 4 and 5). Reports all invalid fields
//! at once.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use ledger_domain::fees::{FeeRow, FeeTable, MdrFees, PixFee, PlanKind, PlanTerms};
use ledger_domain::sale::{CardBrand, PaymentType, Solution};
use ledger_domain::{Cents, PlanId, Rate};
use serde::{Deserialize, Serialize};

use super::terms::{FeeEntry, PixFeeValue, PlanFees};
use super::{PlanRecord, PlanVersion};
use crate::form_errors::{FormErrors, optional_text};

pub const DESCRIPTION_CHARACTERS_MAX: usize = 120;
pub const REQUIRED: &str = "requerido";
pub const INVALID: &str = "Valor inválido";

const DEFAULT_STAYS_ACTIVE: &str = "O plano padrão não pode ser inativado. Torne outro plano o padrão antes.";
const DEFAULT_STAYS: &str = "Para trocar o plano padrão, torne outro plano o padrão.";

/// A new plan, or the changed fields of one, as they arrive and as a request of a change stores them. The API's document
/// describes the fields.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct PlanForm {
    pub description: Option<String>,
    pub solution_id: Option<u8>,
    pub active: Option<bool>,
    pub default: Option<bool>,
    pub offered: Option<bool>,
    pub mdr: Option<bool>,
    pub percentage_rate: Option<String>,
    pub flat_rate: Option<i64>,
    pub settlement_days: Option<i64>,
    pub boleto_fee: Option<i64>,
    pub pix_fee_fixed: Option<bool>,
    pub pix_fee: Option<PixFeeValue>,
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
    pub fees: Option<Vec<FeeEntry>>,
    pub valid_from: Option<DateTime<Utc>>,
    pub revision: Option<i32>,
}

/// All fields of the plan after the change. The version number of the terms has no meaning.
pub struct ValidPlanForm {
    pub description: String,
    pub solution: Solution,
    pub active: bool,
    pub default: bool,
    pub offered: bool,
    pub terms: PlanTerms,
    pub valid_from: Option<DateTime<Utc>>,
    /// Whether the form has a field of the terms. If not, a scheduled version keeps its start unless `valid_from` gives
    /// another one.
    pub gives_terms: bool,
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
            [
                ("mdr_advance_fee_visamaster", &self.mdr_advance_fee_visamaster),
                ("mdr_debit_fee_visamaster", &self.mdr_debit_fee_visamaster),
                ("mdr_credit_1_fee_visamaster", &self.mdr_credit_1_fee_visamaster),
                (
                    "mdr_credit_2to6_fee_visamaster",
                    &self.mdr_credit_2to6_fee_visamaster,
                ),
                (
                    "mdr_credit_7to12_fee_visamaster",
                    &self.mdr_credit_7to12_fee_visamaster,
                ),
                (
                    "mdr_credit_13to21_fee_visamaster",
                    &self.mdr_credit_13to21_fee_visamaster,
                ),
            ],
            [
                ("mdr_advance_fee_others", &self.mdr_advance_fee_others),
                ("mdr_debit_fee_others", &self.mdr_debit_fee_others),
                ("mdr_credit_1_fee_others", &self.mdr_credit_1_fee_others),
                ("mdr_credit_2to6_fee_others", &self.mdr_credit_2to6_fee_others),
                ("mdr_credit_7to12_fee_others", &self.mdr_credit_7to12_fee_others),
                ("mdr_credit_13to21_fee_others", &self.mdr_credit_13to21_fee_others),
            ],
        ]
    }
}

impl ValidPlanForm {
    /// The version whose fees the change keeps where the form gives none.
    pub fn base_version<'a>(&self, before: &'a PlanRecord) -> Option<&'a PlanVersion> {
        before.base_version(self.gives_terms && self.valid_from.is_none())
    }
}

/// `before` is the plan that is changed; `None` for a new one.
pub fn read(
    form: PlanForm,
    id: PlanId,
    before: Option<&PlanRecord>,
    now: DateTime<Utc>,
) -> Result<ValidPlanForm, FormErrors> {
    let mut errors = FormErrors::default();
    let description = description(
        &mut errors,
        form.description.clone(),
        before.map(|plan| plan.description.as_str()),
    );
    let solution = solution(&mut errors, &form, before);
    let (active, default) = flags(&mut errors, &form, before);
    let offered = form.offered.or(before.map(|plan| plan.offered)).unwrap_or(false) && active;
    let (in_force, scheduled) = before.map_or((false, false), |plan| {
        (plan.current.is_some(), plan.scheduled.is_some())
    });
    let starts_now = form.valid_from.is_none() && !scheduled;
    if default && !in_force && !starts_now {
        errors.add(
            "default",
            "Um plano só pode ser o padrão depois de entrar em vigor.",
        );
    }
    if form.valid_from.is_some_and(|from| from < now) {
        errors.add("valid_from", "A data deve ser futura.");
    }
    let valid_from = form.valid_from;
    let gives_terms = form.gives_terms();
    let base = before.and_then(|plan| plan.base_version(gives_terms && valid_from.is_none()));
    let base_terms = base.map(|version| &version.terms);
    let terms = match base_terms {
        Some(base) if !gives_terms => base.clone(),
        Some(base) => terms(&mut errors, &form.completed_with(PlanFees::of(base)), solution),
        None => terms(&mut errors, &form, solution),
    };
    errors.finish()?;
    Ok(ValidPlanForm {
        terms: PlanTerms {
            plan_id: id,
            name: description.clone(),
            solution,
            ..terms
        },
        description,
        solution,
        active,
        default,
        offered,
        valid_from,
        gives_terms,
    })
}

pub fn description(errors: &mut FormErrors, given: Option<String>, before: Option<&str>) -> String {
    match (given, before) {
        (None, Some(before)) => before.to_owned(),
        (given, _) => {
            let read = optional_text(errors, "description", given, DESCRIPTION_CHARACTERS_MAX);
            if read.is_none() {
                errors.add("description", REQUIRED);
            }
            read.unwrap_or_default()
        }
    }
}

fn solution(errors: &mut FormErrors, form: &PlanForm, before: Option<&PlanRecord>) -> Solution {
    let given = form.solution_id.map(Solution::from_number);
    match (given, before.map(|plan| plan.solution)) {
        (Some(Ok(given)), Some(kept)) if given != kept => {
            errors.add("solution_id", "A solução de um plano não muda. Crie outro plano.");
            kept
        }
        (_, Some(kept)) => kept,
        (Some(Ok(given)), None) => given,
        (Some(Err(_)), None) => {
            errors.add("solution_id", INVALID);
            Solution::CardMachine
        }
        (None, None) => {
            errors.add("solution_id", REQUIRED);
            Solution::CardMachine
        }
    }
}

fn flags(errors: &mut FormErrors, form: &PlanForm, before: Option<&PlanRecord>) -> (bool, bool) {
    active_and_default(
        errors,
        (form.active, form.default),
        before.map(|plan| (plan.active, plan.is_default)),
    )
}

/// `active` and `default` after the change. An inactive plan is never the default. The default plan cannot become
/// inactive, and it remains the default until another plan replaces it.
pub fn active_and_default(
    errors: &mut FormErrors,
    (active, default): (Option<bool>, Option<bool>),
    before: Option<(bool, bool)>,
) -> (bool, bool) {
    let (was_active, was_default) = before.unwrap_or((true, false));
    let active = active.unwrap_or(was_active);
    if !was_default {
        return (active, default.unwrap_or(false) && active);
    }
    if !active {
        errors.add("active", DEFAULT_STAYS_ACTIVE);
    }
    if default == Some(false) && active {
        errors.add("default", DEFAULT_STAYS);
    }
    (active, true)
}

/// The terms without the plan's id, name and version. Invalid fields are zero.
pub fn terms(errors: &mut FormErrors, form: &PlanForm, solution: Solution) -> PlanTerms {
    let boleto_required = solution != Solution::CardMachine;
    PlanTerms {
        plan_id: PlanId::from_uuid(uuid::Uuid::nil()),
        name: String::new(),
        version: 0,
        solution,
        kind: kind(errors, form),
        percentage_rate: rate(errors, "percentage_rate", form.percentage_rate.as_deref()),
        flat_rate: money(errors, "flat_rate", form.flat_rate),
        settlement_days: settlement_days(errors, form.settlement_days),
        boleto_fee: match form.boleto_fee {
            None if !boleto_required => Cents::ZERO,
            given => money(errors, "boleto_fee", given),
        },
        pix_fee: pix_fee(errors, form),
    }
}

fn kind(errors: &mut FormErrors, form: &PlanForm) -> PlanKind {
    match form.mdr {
        Some(true) => {
            let [visamaster, others] = form.mdr_fee_fields().map(|fields| mdr_fees(errors, fields));
            PlanKind::Mdr { visamaster, others }
        }
        Some(false) => PlanKind::Effective {
            fees: fee_table(errors, form.fees.as_deref()),
        },
        None => {
            errors.add("mdr", REQUIRED);
            PlanKind::Effective {
                fees: FeeTable::default(),
            }
        }
    }
}

/// The fees of one group of brands. The advance fee may be zero, the others may not.
fn mdr_fees(errors: &mut FormErrors, fields: [(&'static str, &Option<String>); 6]) -> MdrFees {
    let [advance, debit, credit_1, credit_2to6, credit_7to12, credit_13to21] = fields;
    let mut nonzero_rate = |(field, given): (&'static str, &Option<String>)| {
        let is_zero = given
            .as_deref()
            .is_some_and(|text| Rate::parse(text.trim()).is_ok_and(|rate| rate.is_zero()));
        if is_zero {
            errors.add(field, INVALID);
        }
        rate(errors, field, given.as_deref())
    };
    MdrFees {
        debit: nonzero_rate(debit),
        credit_1: nonzero_rate(credit_1),
        credit_2to6: nonzero_rate(credit_2to6),
        credit_7to12: nonzero_rate(credit_7to12),
        credit_13to21: nonzero_rate(credit_13to21),
        advance: rate(errors, advance.0, advance.1.as_deref()),
    }
}

/// Every brand of plans needs a fee other than zero for debit and for each number of installments.
fn fee_table(errors: &mut FormErrors, given: Option<&[FeeEntry]>) -> FeeTable {
    let Some(given) = given.filter(|rows| !rows.is_empty()) else {
        errors.add("fees", REQUIRED);
        return FeeTable::default();
    };
    let mut rows = BTreeMap::new();
    for (at, entry) in given.iter().enumerate() {
        let Some(row) = fee_row(errors, at, entry) else {
            continue;
        };
        let key = (row.card_brand.clone(), row.payment_type, row.number_installments);
        if rows.insert(key, row).is_some() {
            errors.add(
                &format!("fees[{at}]"),
                "Há mais de uma taxa para esta bandeira, forma de pagamento e número de parcelas.",
            );
        }
    }
    for brand in CardBrand::IN_PLANS {
        let debit = (PaymentType::Debit, 1);
        let credit = (1..=PaymentType::INSTALLMENTS_MAX).map(|count| (PaymentType::Credit, count));
        for (payment_type, count) in std::iter::once(debit).chain(credit) {
            let found = rows.get(&(brand.clone(), payment_type, count));
            if found.is_none_or(|row| row.percent_amount.is_zero()) {
                errors.add(&fee_field(brand, payment_type, count), INVALID);
            }
        }
    }
    FeeTable::new(rows.into_values().collect()).unwrap_or_default()
}

/// The name of a fee in errors, such as `fees.visa.debit` or `fees.elo.12`.
pub fn fee_field(brand: &CardBrand, payment_type: PaymentType, count: u8) -> String {
    match payment_type {
        PaymentType::Debit => format!("fees.{brand}.debit"),
        _ => format!("fees.{brand}.{count}"),
    }
}

/// A rate that cannot be read is taken as zero. `fee_table` refuses a zero under the name of the fee, and a second row
/// of the same fee.
fn fee_row(errors: &mut FormErrors, at: usize, entry: &FeeEntry) -> Option<FeeRow> {
    let brand = CardBrand::parse(&entry.card_brand).ok();
    let brand = brand.filter(|brand| CardBrand::IN_PLANS.contains(brand));
    if brand.is_none() {
        errors.add(&format!("fees[{at}].card_brand"), INVALID);
    }
    let payment_type = PaymentType::parse(&entry.payment_type).ok();
    let payment_type = payment_type.filter(|payment_type| payment_type.is_card());
    if payment_type.is_none() {
        errors.add(&format!("fees[{at}].payment_type"), INVALID);
    }
    let count = entry.number_installments;
    if payment_type.is_some_and(|payment_type| !payment_type.takes_installments(count)) {
        errors.add(&format!("fees[{at}].number_installments"), INVALID);
        return None;
    }
    Some(FeeRow {
        card_brand: brand?,
        payment_type: payment_type?,
        number_installments: count,
        percent_amount: fee_rate(&entry.percent_amount).unwrap_or(Rate::ZERO),
    })
}

fn rate(errors: &mut FormErrors, field: &str, given: Option<&str>) -> Rate {
    let text = given.map(str::trim).filter(|text| !text.is_empty());
    let Some(text) = text else {
        errors.add(field, REQUIRED);
        return Rate::ZERO;
    };
    fee_rate(text).unwrap_or_else(|| {
        errors.add(field, INVALID);
        Rate::ZERO
    })
}

fn fee_rate(text: &str) -> Option<Rate> {
    let rate = Rate::parse(text.trim()).ok()?;
    (rate <= Rate::FEE_MAX).then_some(rate)
}

/// Zero is a valid fee, but no valid amount of a sale.
pub fn money(errors: &mut FormErrors, field: &str, given: Option<i64>) -> Cents {
    match given {
        Some(cents) if (0..=Cents::AMOUNT_MAX.get()).contains(&cents) => Cents::new(cents),
        Some(_) => {
            errors.add(field, INVALID);
            Cents::ZERO
        }
        None => {
            errors.add(field, REQUIRED);
            Cents::ZERO
        }
    }
}

fn settlement_days(errors: &mut FormErrors, given: Option<i64>) -> u8 {
    let Some(days) = given else {
        errors.add("settlement_days", REQUIRED);
        return 0;
    };
    let valid = u8::try_from(days)
        .ok()
        .filter(|days| *days <= PlanTerms::SETTLEMENT_DAYS_MAX);
    valid.unwrap_or_else(|| {
        errors.add("settlement_days", "Deve ser de 0 a 99.");
        0
    })
}

fn pix_fee(errors: &mut FormErrors, form: &PlanForm) -> PixFee {
    let fixed = form.pix_fee_fixed.unwrap_or(false);
    match (fixed, &form.pix_fee) {
        (true, Some(PixFeeValue::Fixed(cents))) => PixFee::Fixed(money(errors, "pix_fee", Some(*cents))),
        (false, Some(PixFeeValue::Percent(text))) => PixFee::Percent(rate(errors, "pix_fee", Some(text))),
        (true, Some(PixFeeValue::Percent(text))) if !text.trim().is_empty() => {
            errors.add("pix_fee", INVALID);
            PixFee::Fixed(Cents::ZERO)
        }
        (false, Some(PixFeeValue::Fixed(_))) => {
            errors.add("pix_fee", INVALID);
            PixFee::Percent(Rate::ZERO)
        }
        (_, Some(PixFeeValue::Percent(_)) | None) => {
            errors.add("pix_fee", REQUIRED);
            PixFee::Percent(Rate::ZERO)
        }
    }
}
