//! Reads the form of a payment link. Reports all invalid fields at once.

use chrono::Months;
use ledger_domain::Cents;
use ledger_domain::calendar::Date;
use ledger_domain::sale::PaymentType;

use super::{FeePayer, LinkFields, PAYMENT_TYPES};
use crate::form_errors::{FormErrors, optional_text};

// The table has the same two limits (migration 0007).
pub const DESCRIPTION_CHARACTERS_MAX: usize = 120;
pub const USE_LIMIT_MAX: i32 = 1_000_000;
/// Longer validities are typing errors.
const VALIDITY_MONTHS_MAX: Months = Months::new(120);

/// A new link without its required fields.
pub(super) const NEW_LINK: LinkFields = LinkFields {
    description: String::new(),
    amount: None,
    amount_min: None,
    amount_max: None,
    payment_types: vec![],
    installments_max: 1,
    payer: FeePayer::Seller,
    expires_on: None,
    use_limit: None,
    active: true,
};

/// A new link, or the changed fields of one, as they arrive. A field that null clears is an option of an option.
#[derive(Debug, Clone, Default)]
pub struct LinkForm {
    pub description: Option<String>,
    pub amount: Option<Option<Cents>>,
    pub amount_min: Option<Option<Cents>>,
    pub amount_max: Option<Option<Cents>>,
    pub payment_types: Option<Vec<String>>,
    pub installments_max: Option<i64>,
    pub payer: Option<FeePayer>,
    pub expires_on: Option<Option<Date>>,
    pub use_limit: Option<Option<i64>>,
    pub active: Option<bool>,
}

impl LinkForm {
    /// The fields that result from the form, which starts from `before`. `uses` are those that the link has.
    pub(super) fn read(self, before: &LinkFields, uses: i32, today: Date) -> Result<LinkFields, FormErrors> {
        let mut errors = FormErrors::default();
        let mut after = before.clone();
        // Only a new link (`NEW_LINK`) has an empty description and no payment types. It requires both.
        if self.description.is_some() || before.description.is_empty() {
            let given = optional_text(
                &mut errors,
                "description",
                self.description,
                DESCRIPTION_CHARACTERS_MAX,
            );
            if given.is_none() {
                errors.add("description", "Informe a descrição.");
            }
            after.description = given.unwrap_or_default();
        }
        read_amounts(
            &mut errors,
            [self.amount, self.amount_min, self.amount_max],
            &mut after,
        );
        if self.payment_types.is_some() || before.payment_types.is_empty() {
            after.payment_types = payment_types(&mut errors, &self.payment_types.unwrap_or_default());
        }
        read_installments(&mut errors, self.installments_max, &mut after);
        after.payer = self.payer.unwrap_or(before.payer);
        if let Some(given) = self.expires_on {
            check_last_day(&mut errors, given, before.expires_on, today);
            after.expires_on = given;
        }
        if let Some(given) = self.use_limit {
            after.use_limit = given.and_then(|given| use_limit(&mut errors, given, uses));
        }
        after.active = self.active.unwrap_or(before.active);
        errors.finish()?;
        Ok(after)
    }
}

/// A fixed amount has no bounds, so giving one clears the earlier bounds.
fn read_amounts(errors: &mut FormErrors, given: [Option<Option<Cents>>; 3], after: &mut LinkFields) {
    let [given_amount, given_min, given_max] = given;
    let mut read = |field: &str, given: Option<Option<Cents>>, before: Option<Cents>| match given {
        None => before,
        Some(value) => value.and_then(|value| amount(errors, field, value)),
    };
    let is_given = |bound: Option<Option<Cents>>| bound.flatten().is_some();
    let given_bounds = [
        ("amount_min", is_given(given_min)),
        ("amount_max", is_given(given_max)),
    ];
    after.amount = read("amount", given_amount, after.amount);
    let amount_min = read("amount_min", given_min, after.amount_min);
    let amount_max = read("amount_max", given_max, after.amount_max);
    if after.amount.is_some() {
        // One error is enough: it stands at the first bound.
        if let Some((bound, _)) = given_bounds.into_iter().find(|(_, given)| *given) {
            errors.add(bound, "Um valor fixo não tem mínimo nem máximo.");
        }
        (after.amount_min, after.amount_max) = (None, None);
        return;
    }
    if amount_min.zip(amount_max).is_some_and(|(min, max)| min > max) {
        errors.add("amount_max", "O valor máximo deve ser igual ao mínimo ou maior.");
    }
    (after.amount_min, after.amount_max) = (amount_min, amount_max);
}

fn amount(errors: &mut FormErrors, field: &str, given: Cents) -> Option<Cents> {
    let checked = Cents::checked_amount(given.get());
    errors.validated(
        field,
        checked.map_err(|_| "O valor deve ser de R$ 0,01 a R$ 99.999.999,99."),
    )
}

fn payment_types(errors: &mut FormErrors, given: &[String]) -> Vec<PaymentType> {
    let known = |word: &String| PAYMENT_TYPES.iter().any(|kind| kind.as_str() == word);
    if given.is_empty() {
        errors.add("payment_types", "Selecione pelo menos uma forma de pagamento.");
    } else if !given.iter().all(known) {
        errors.add("payment_types", "Deve ser credit, pix ou boleto.");
    }
    PAYMENT_TYPES
        .into_iter()
        .filter(|kind| given.iter().any(|word| word == kind.as_str()))
        .collect()
}

/// A link that no longer takes cards has one installment.
fn read_installments(errors: &mut FormErrors, given: Option<i64>, after: &mut LinkFields) {
    let by_card = after.payment_types.contains(&PaymentType::Credit);
    let Some(given) = given else {
        if !by_card {
            after.installments_max = 1;
        }
        return;
    };
    let count = u8::try_from(given).ok();
    let count = count.filter(|count| (1..=PaymentType::INSTALLMENTS_MAX).contains(count));
    match count {
        None => errors.add("installments_max", "Deve ser um número de 1 a 21."),
        Some(2..) if !by_card => errors.add("installments_max", "Só o cartão tem parcelas."),
        Some(count) => after.installments_max = count,
    }
}

/// A day of the past is accepted only if it stays: an expired link can be edited.
fn check_last_day(errors: &mut FormErrors, given: Option<Date>, before: Option<Date>, today: Date) {
    let Some(date) = given else { return };
    if given != before && date < today {
        errors.add("expires_on", "A validade deve ser hoje ou um dia futuro.");
    }
    if today
        .checked_add_months(VALIDITY_MONTHS_MAX)
        .is_some_and(|last| date > last)
    {
        errors.add("expires_on", "A validade deve ser de até 10 anos.");
    }
}

fn use_limit(errors: &mut FormErrors, given: i64, uses: i32) -> Option<i32> {
    let limit = i32::try_from(given).ok();
    let limit = limit.filter(|limit| (1..=USE_LIMIT_MAX).contains(limit));
    match limit {
        None => errors.add("use_limit", "Deve ser um número de 1 a 1.000.000."),
        Some(limit) if limit < uses => errors.add(
            "use_limit",
            &format!("O limite deve ser de pelo menos {uses}, porque o link já tem {uses} usos."),
        ),
        Some(_) => {}
    }
    limit
}

#[cfg(test)]
mod tests;
