//! The JSON body of a checkout request, with hashes of the body and of its idempotency key. Unknown fields and card
//! numbers in free text are refused.
//!
//! Card data go from the browser to the acquirer's token endpoint. A page or a program that sends them here by mistake
//! gets a 422, and nothing of the body is stored or logged.

use std::collections::BTreeMap;

use axum::extract::{FromRequest, FromRequestParts, Request};
use gateway_formats::card_numbers::holds_written_card_number;
use gateway_platform::orders::RequestHashes;
use hmac::Mac;
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};
use utoipa::ToSchema;

use crate::AppState;
use crate::edge::idempotency::{IdempotencyKey, describe_key};
use crate::edge::json;
use crate::openapi::{CallDocument, Documented};
use crate::problem::{Problem, Result};
use crate::shared::form::FromBody;

pub const UNKNOWN_FIELD: &str = "Campo desconhecido.";
pub const CARD_NUMBER: &str = "Não escreva o número do cartão aqui.";
const KEY_MISSING: &str = "Informe o cabeçalho Idempotency-Key.";

/// Longer names of unknown fields are not repeated in answers.
const NAME_CHARACTERS_MAX: usize = 40;

/// A known field of a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Field {
    /// A text that is searched for card numbers.
    FreeText,
    /// Digits by nature: a document, a phone, an amount. It is not searched, because one in ten such numbers passes the
    /// Luhn check.
    NotSearched,
    /// An acquirer's token for a card. A card number in its place is refused (`is_bare_number`).
    Token,
    /// An object whose fields have lines in the same list, such as `buyer.name`.
    Object,
}

/// A body in which only listed fields are allowed.
pub trait CheckoutForm: FromBody + ToSchema {
    /// All fields by path, such as `buyer.name`.
    const FIELDS: &'static [(&'static str, Field)];
}

pub struct CheckoutJson<T> {
    /// The errors of the form matter only for a new key: a page that was loaded again has the key and no fields.
    pub form: Result<T>,
    pub hashes: RequestHashes,
}

impl<T: CheckoutForm> FromRequest<AppState> for CheckoutJson<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &AppState) -> Result<Self> {
        let (mut parts, body) = request.into_parts();
        let IdempotencyKey(key) = IdempotencyKey::from_request_parts(&mut parts, state).await?;
        let bytes = json::read_bytes(Request::from_parts(parts, body), state).await?;
        let value: Value = serde_json::from_slice(&bytes).map_err(|_| Problem::unreadable())?;
        check_fields(&value, T::FIELDS)?;
        let body: Map<String, Value> = json::parse(&bytes)?;
        let key = key.ok_or_else(|| Problem::field("Idempotency-Key", KEY_MISSING))?;
        let form = T::from_body(body);
        let mut body_hash = state.accounts.tokens.hmac_for("order body");
        body_hash.update(&bytes);
        Ok(Self {
            form,
            hashes: RequestHashes {
                key: Sha256::digest(key).into(),
                body: body_hash.finalize().into_bytes().into(),
            },
        })
    }
}

impl<T: CheckoutForm> Documented for CheckoutJson<T> {
    fn describe(call: &mut CallDocument) {
        call.body::<T>(true);
        let description = "Required. Chosen by the caller, unique for each request. A repeat with the same key gets the \
                           present status of the same order.";
        describe_key(call, description);
    }
}

/// Reports unknown fields and card numbers, without repeating any value.
fn check_fields(body: &Value, fields: &[(&str, Field)]) -> Result<()> {
    let mut errors = BTreeMap::new();
    walk(body, "", fields, &mut errors);
    if errors.is_empty() {
        Ok(())
    } else {
        Err(Problem::fields(errors))
    }
}

/// Checks the fields of the object at `path`, which is empty for the body itself.
fn walk(value: &Value, path: &str, fields: &[(&str, Field)], errors: &mut BTreeMap<String, Vec<String>>) {
    let Value::Object(object) = value else {
        return;
    };
    for (name, value) in object {
        let full = if path.is_empty() {
            name.clone()
        } else {
            format!("{path}.{name}")
        };
        let known = fields.iter().find(|(field, _)| *field == full);
        let mut add_error = |path: &str, message: &str| {
            errors.insert(path.to_owned(), vec![message.to_owned()]);
        };
        match (known.map(|(_, field)| *field), value) {
            (None, _) if name.chars().count() > NAME_CHARACTERS_MAX || holds_written_card_number(name) => {
                add_error(if path.is_empty() { "body" } else { path }, UNKNOWN_FIELD);
            }
            (None, _) => add_error(&full, UNKNOWN_FIELD),
            (Some(Field::FreeText), Value::String(text)) if holds_written_card_number(text) => {
                add_error(&full, CARD_NUMBER)
            }
            (Some(Field::Token), Value::String(text)) if is_bare_number(text) => {
                add_error(&full, CARD_NUMBER)
            }
            (Some(Field::Object), value) => walk(value, &full, fields, errors),
            (Some(Field::FreeText | Field::NotSearched | Field::Token), _) => {}
        }
    }
}

/// A token has letters or more than 19 digits. 12 to 19 digits without letters are taken as a card number.
fn is_bare_number(text: &str) -> bool {
    let digits = text.chars().filter(char::is_ascii_digit).count();
    (12..=19).contains(&digits) && !text.chars().any(char::is_alphabetic)
}

#[cfg(test)]
mod tests {
    use ledger_domain::documents::Document;
    use rand::rngs::StdRng;
    use rand::{RngExt, SeedableRng};
    use serde_json::json;

    use super::*;
    use crate::checkout::forms::PlaceOrderForm;

    fn errors(body: Value) -> Vec<(String, String)> {
        match check_fields(&body, PlaceOrderForm::FIELDS) {
            Ok(()) => vec![],
            Err(problem) => {
                let errors = problem.errors.into_iter();
                errors
                    .map(|(field, messages)| (field, messages.join(" ")))
                    .collect()
            }
        }
    }

    #[test]
    fn a_card_number_in_free_text_and_an_unknown_field_are_named_and_never_repeated() {
        let body = json!({
            "buyer": { "name": "Ana 4242 4242 4242 4242", "document": "4242424242424242", "phone": "4242424242424242",
                       "email": "4242424242424242@x.com", "cvv": "123",
                       "address": { "street": "Rua 5555-5555-5555-4444", "number": "10" } },
            "card": { "token": "4242 4242 4242 4242", "number": "4242424242424242" },
            "note": "x", "4242424242424242": 1,
        });
        let of = |field: &str, message: &str| (field.to_owned(), message.to_owned());
        assert_eq!(
            errors(body),
            [
                of("body", UNKNOWN_FIELD),
                of("buyer.address.street", CARD_NUMBER),
                of("buyer.cvv", UNKNOWN_FIELD),
                of("buyer.email", CARD_NUMBER),
                of("buyer.name", CARD_NUMBER),
                of("card.number", UNKNOWN_FIELD),
                of("card.token", CARD_NUMBER),
                of("note", UNKNOWN_FIELD),
            ]
        );
    }

    #[test]
    fn a_card_number_in_other_digits_or_groups_is_found() {
        for written in [
            "４２４２４２４２４２４２４２４２",
            "٤٢٤٢٤٢٤٢٤٢٤٢٤٢٤٢",
            "4242_4242_4242_4242",
            "4242, 4242, 4242, 4242",
            "4242/4242/4242/4242",
        ] {
            let body = json!({ "buyer": { "name": format!("Maria {written}") } });
            assert_eq!(
                errors(body),
                [("buyer.name".to_owned(), CARD_NUMBER.to_owned())],
                "{written}"
            );
        }
        let street = json!({ "buyer": { "address": { "street": "Rua 25 de Março, 4242, bloco 12/14" } } });
        assert_eq!(errors(street), []);
    }

    /// A CPF or CNPJ with these digits before its two check digits.
    fn document(base: &[u32], weight_max: u32) -> String {
        let mut digits = base.to_vec();
        for _ in 0..2 {
            let weights = (2..=weight_max).cycle();
            let sum: u32 = digits
                .iter()
                .rev()
                .zip(weights)
                .map(|(digit, weight)| digit * weight)
                .sum();
            digits.push(match sum % 11 {
                0 | 1 => 0,
                remainder => 11 - remainder,
            });
        }
        digits.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn ten_thousand_random_documents_phones_and_ids_pass() {
        let mut random = StdRng::seed_from_u64(28);
        let mut digits =
            |count: usize| -> Vec<u32> { (0..count).map(|_| random.random_range(0..10)).collect() };
        for number in 0..10_000_u128 {
            let (cpf, cnpj) = (document(&digits(9), 11), document(&digits(12), 9));
            // Cards of Diners Club have 14 digits, like a CNPJ. In free text, 14 digits are taken as a CNPJ only if its
            // branch (digits 9 to 12) is below 1000, as in nearly every CNPJ.
            let mut low_branch = digits(12);
            low_branch[8] = 0;
            let cnpj_in_text = document(&low_branch, 9);
            let rest: String = digits(8).iter().map(ToString::to_string).collect();
            let phone = format!("+55 11 9{rest}");
            // An odd factor (the golden ratio's bits) makes a different id of each number, with digits in all places.
            let token = uuid::Uuid::from_u128(number.wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c834))
                .to_string();
            for (document, written) in [(&cpf, &cpf), (&cnpj, &cnpj_in_text)] {
                let is_one_digit_repeated = document.bytes().all(|byte| byte == document.as_bytes()[0]);
                assert!(
                    Document::parse(document).is_ok() || is_one_digit_repeated,
                    "{document} is valid"
                );
                let body = json!({ "buyer": { "name": format!("Maria {written}"), "document": document,
                                              "phone": phone, "address": { "complement": phone } },
                                   "card": { "token": token } });
                assert_eq!(errors(body), [], "{document} {written} {phone} {token}");
            }
        }
    }

    #[test]
    fn tokens_of_acquirers_are_no_card_numbers() {
        for token in [
            "tok_visa_4242_0b7e1d2c3f4a4b5c8d9e0f1a2b3c4d5e",
            "77C2565F6F064A26ABED4255894224F0",
            "4f3c2b1a-5555-4444-8888-424242424242",
        ] {
            assert_eq!(errors(json!({ "card": { "token": token } })), [], "{token}");
        }
    }
}
