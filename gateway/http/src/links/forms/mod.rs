//! The forms of a payment link. Reading one reports all invalid fields at once.

use chrono::Months;
use gateway_platform::form_errors::optional_text;
use gateway_platform::links::{
    DESCRIPTION_CHARACTERS_MAX, FeePayer, LinkFields, PAYMENT_TYPES, PaymentLink, USE_LIMIT_MAX,
};
use ledger_domain::calendar::Date;
use ledger_domain::sale::PaymentType;
use ledger_domain::{Cents, Words};
use serde::Deserialize;
use serde_json::Value;
use utoipa::ToSchema;

use super::bodies::FeePayerName;
use crate::edge::FormErrors;
use crate::edge::query::day;
use crate::problem::Result;
use crate::shared::body_fields::{not_null, null_as_some};

/// Longer validities are typing errors.
const VALIDITY_MONTHS_MAX: Months = Months::new(120);

/// A new link without its required fields.
pub const NEW_LINK: LinkFields = LinkFields {
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

/// A new link requires description and payment_types. In a change, fields that are left out stay as they are, except
/// that a fixed amount clears amount_min and amount_max, and a link without credit gets 1 installment.
#[derive(Debug, Default, Deserialize, ToSchema)]
pub struct PaymentLinkForm {
    /// The description of the goods or the service.
    #[schema(nullable = false, max_length = 120, example = "Bolo de chocolate")]
    pub description: Option<String>,
    /// In cents. Null: the buyer chooses it.
    #[serde(default, deserialize_with = "null_as_some")]
    #[schema(value_type = Option<i64>, minimum = 1, maximum = 9_999_999_999_i64, example = 18_000)]
    pub amount: Option<Option<Value>>,
    /// The smallest amount that the buyer may choose, in cents. Only if `amount` is null.
    #[serde(default, deserialize_with = "null_as_some")]
    #[schema(value_type = Option<i64>, minimum = 1, maximum = 9_999_999_999_i64)]
    pub amount_min: Option<Option<Value>>,
    /// The largest amount that the buyer may choose, in cents. Only if `amount` is null.
    #[serde(default, deserialize_with = "null_as_some")]
    #[schema(value_type = Option<i64>, minimum = 1, maximum = 9_999_999_999_i64)]
    pub amount_max: Option<Option<Value>>,
    /// credit, pix, boleto.
    #[schema(nullable = false, example = json!(["credit", "pix"]))]
    pub payment_types: Option<Vec<String>>,
    /// Only credit has more than 1.
    #[schema(value_type = Option<u8>, nullable = false, minimum = 1, maximum = 21, example = 3)]
    pub installments_max: Option<Value>,
    /// The party that pays the fees. The default of a new link is seller.
    #[schema(value_type = Option<FeePayerName>, nullable = false)]
    pub payer: Option<String>,
    /// The last day in Brasília on which the link can be paid. Null: it does not expire.
    #[serde(default, deserialize_with = "null_as_some")]
    #[schema(value_type = Option<String>, format = Date, example = "2026-12-31")]
    pub expires_on: Option<Option<String>>,
    /// How many orders may use the link. Null: any number.
    #[serde(default, deserialize_with = "null_as_some")]
    #[schema(value_type = Option<i32>, minimum = 1, maximum = 1_000_000, example = 10)]
    pub use_limit: Option<Option<Value>>,
    /// The default of a new link is true.
    #[serde(default, deserialize_with = "not_null")]
    #[schema(nullable = false)]
    pub active: Option<bool>,
}

#[derive(Debug, Deserialize, ToSchema)]
pub struct PaymentLinkChange {
    /// The version of the link when it was read. A 409 says what another user has changed since.
    #[schema(required = true, nullable = false, example = 1)]
    pub version: Option<i32>,
    // Also here, because serde does not know the name of a flattened field that is null.
    #[serde(default, deserialize_with = "not_null")]
    #[schema(nullable = false)]
    pub active: Option<bool>,
    #[serde(flatten)]
    pub fields: PaymentLinkForm,
}

impl PaymentLinkChange {
    /// The fields after the change, and the version that it started from.
    pub fn read(self, before: &PaymentLink, today: Date) -> Result<(LinkFields, i32)> {
        let mut errors = FormErrors::default();
        if self.version.is_none() {
            errors.add("version", "Informe a versão lida do link.");
        }
        let form = PaymentLinkForm {
            active: self.active,
            ..self.fields
        };
        let fields = form.read_into(&mut errors, before.fields.clone(), before.uses, today);
        errors.finish()?;
        Ok((fields, self.version.unwrap_or_default()))
    }
}

impl PaymentLinkForm {
    /// The fields that result from the form, which starts from `before`.
    pub fn read(self, before: LinkFields, uses: i32, today: Date) -> Result<LinkFields> {
        let mut errors = FormErrors::default();
        let fields = self.read_into(&mut errors, before, uses, today);
        errors.finish()?;
        Ok(fields)
    }

    fn read_into(self, errors: &mut FormErrors, before: LinkFields, uses: i32, today: Date) -> LinkFields {
        let mut after = before.clone();
        // Only a new link (`NEW_LINK`) has an empty description and no payment types. It requires both.
        if self.description.is_some() || before.description.is_empty() {
            let given = optional_text(
                errors,
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
            errors,
            [self.amount, self.amount_min, self.amount_max],
            &mut after,
        );
        if self.payment_types.is_some() || before.payment_types.is_empty() {
            after.payment_types = payment_types(errors, self.payment_types.unwrap_or_default());
        }
        read_installments(errors, self.installments_max.as_ref(), &mut after);
        if let Some(payer) = &self.payer {
            after.payer = FeePayer::parse(payer).unwrap_or_else(|_| {
                errors.add("payer", FeePayer::INVALID);
                before.payer
            });
        }
        if let Some(given) = self.expires_on {
            after.expires_on = given
                .filter(|text| !text.trim().is_empty())
                .and_then(|text| last_day(errors, text.trim(), before.expires_on, today));
        }
        if let Some(given) = self.use_limit {
            after.use_limit = given.and_then(|given| use_limit(errors, &given, uses));
        }
        after.active = self.active.unwrap_or(before.active);
        after
    }
}

/// A fixed amount has no bounds, so giving one clears the earlier bounds.
fn read_amounts(errors: &mut FormErrors, given: [Option<Option<Value>>; 3], after: &mut LinkFields) {
    let [given_amount, given_min, given_max] = given;
    let mut read = |field: &str, given: Option<Option<Value>>, before: Option<Cents>| match given {
        None => before,
        Some(value) => value.and_then(|value| amount(errors, field, &value)),
    };
    let is_given = |bound: &Option<Option<Value>>| bound.as_ref().is_some_and(Option::is_some);
    let given_bounds = [
        ("amount_min", is_given(&given_min)),
        ("amount_max", is_given(&given_max)),
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

fn amount(errors: &mut FormErrors, field: &str, given: &Value) -> Option<Cents> {
    let Some(cents) = given.as_i64() else {
        errors.add(field, "O valor deve ser numérico");
        return None;
    };
    let amount = Cents::checked_amount(cents).ok();
    if amount.is_none() {
        errors.add(field, "O valor deve ser de R$ 0,01 a R$ 99.999.999,99.");
    }
    amount
}

fn payment_types(errors: &mut FormErrors, given: Vec<String>) -> Vec<PaymentType> {
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
fn read_installments(errors: &mut FormErrors, given: Option<&Value>, after: &mut LinkFields) {
    let by_card = after.payment_types.contains(&PaymentType::Credit);
    let Some(given) = given else {
        if !by_card {
            after.installments_max = 1;
        }
        return;
    };
    let count = given.as_u64().and_then(|count| u8::try_from(count).ok());
    let count = count.filter(|count| (1..=PaymentType::INSTALLMENTS_MAX).contains(count));
    match count {
        None => errors.add("installments_max", "Deve ser um número de 1 a 21."),
        Some(2..) if !by_card => errors.add("installments_max", "Só o cartão tem parcelas."),
        Some(count) => after.installments_max = count,
    }
}

/// A day of the past is accepted only if it stays: an expired link can be edited.
fn last_day(errors: &mut FormErrors, text: &str, before: Option<Date>, today: Date) -> Option<Date> {
    let Some(date) = day(text) else {
        errors.add("expires_on", "A data deve estar no formato AAAA-MM-DD.");
        return None;
    };
    if Some(date) != before && date < today {
        errors.add("expires_on", "A validade deve ser hoje ou um dia futuro.");
    }
    if today
        .checked_add_months(VALIDITY_MONTHS_MAX)
        .is_some_and(|last| date > last)
    {
        errors.add("expires_on", "A validade deve ser de até 10 anos.");
    }
    Some(date)
}

fn use_limit(errors: &mut FormErrors, given: &Value, uses: i32) -> Option<i32> {
    let limit = given.as_i64().and_then(|limit| i32::try_from(limit).ok());
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
