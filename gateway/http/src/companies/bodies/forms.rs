//! The parts of forms about companies: an address, a bank account, and single fields. Each part records its errors
//! under its own prefix.

#[cfg(test)]
mod tests;

use chrono::{Datelike, NaiveDate};
use gateway_identity::email_address::{email_error, normalize_email};
use gateway_identity::fields;
use gateway_platform::companies::{Address, banks};
use ledger_domain::documents::{Cep, State};
use ledger_domain::transfer::{AccountType, BankAccount};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::edge::{FormErrors, QueryValue};

const REQUIRED: &str = "requerido";
const TEXT_CHARACTERS_MAX: usize = 120;
/// The longest name on a card statement that acquirers take.
const STATEMENT_DESCRIPTOR_CHARACTERS_MAX: usize = 22;
/// Earlier dates of birth are typing errors.
const BIRTH_YEAR_MIN: i32 = 1900;

// The fields are optional in Rust so that the 422 names a missing one.
#[derive(Debug, Default, Clone, Deserialize, ToSchema)]
pub struct AddressForm {
    #[schema(required = true, nullable = false, max_length = 120, example = "Praça da Sé")]
    pub address: Option<String>,
    #[schema(max_length = 20, example = "100")]
    pub number: Option<String>,
    #[schema(max_length = 120, example = "Sala 3")]
    pub complement: Option<String>,
    #[schema(max_length = 120, example = "Ao lado do metrô")]
    pub reference: Option<String>,
    #[schema(required = true, nullable = false, max_length = 120, example = "Sé")]
    pub neighborhood: Option<String>,
    #[schema(required = true, nullable = false, max_length = 120, example = "São Paulo")]
    pub city: Option<String>,
    /// The two letters of the state.
    #[schema(required = true, nullable = false, example = "SP")]
    pub state: Option<String>,
    /// CEP, with or without its mask.
    #[schema(required = true, nullable = false, example = "01001-000")]
    pub postal_code: Option<String>,
    /// The company's version when it was read. The calls that save only an address return 409 if it has changed since.
    #[schema(nullable = false, example = 1)]
    pub version: Option<i32>,
}

#[derive(Debug, Default, Clone, Deserialize, ToSchema)]
pub struct BankAccountForm {
    /// The bank's COMPE code: one of the banks of `GET /options`.
    #[schema(required = true, nullable = false, example = "341")]
    pub bank_code: Option<String>,
    /// CHECKING, SAVINGS, CHECKING_CONJUNCT or SAVINGS_CONJUNCT.
    #[schema(required = true, nullable = false, example = "CHECKING")]
    pub r#type: Option<String>,
    /// The branch: up to 4 digits.
    #[schema(required = true, nullable = false, max_length = 4, example = "0071")]
    pub routing_number: Option<String>,
    #[schema(max_length = 2, example = "1")]
    pub routing_digit: Option<String>,
    /// Up to 19 digits.
    #[schema(required = true, nullable = false, max_length = 19, example = "0012345")]
    pub account_number: Option<String>,
    #[schema(required = true, nullable = false, max_length = 2, example = "6")]
    pub account_digit: Option<String>,
}

/// Collects the errors of one part of a form.
pub struct FormPart<'a> {
    pub errors: &'a mut FormErrors,
    /// Empty, or the part's name and a dot.
    pub prefix: &'static str,
}

impl FormPart<'_> {
    pub fn error(&mut self, field: &str, message: &str) {
        self.errors.add(&format!("{}{field}", self.prefix), message);
    }

    /// A text of one line. `None` if it is empty.
    pub fn text(&mut self, field: &str, given: Option<&String>, characters_max: usize) -> Option<String> {
        let text = filled(given)?;
        let breaks = |c: char| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}');
        if text.chars().count() > characters_max || text.chars().any(breaks) {
            self.error(
                field,
                &format!("O texto deve ter até {characters_max} caracteres, em uma linha."),
            );
        }
        Some(text.to_owned())
    }

    pub fn required_text(&mut self, field: &str, given: Option<&String>, missing_message: &str) -> String {
        let text = self.text(field, given, TEXT_CHARACTERS_MAX);
        if text.is_none() {
            self.error(field, missing_message);
        }
        text.unwrap_or_default()
    }

    pub fn optional_text(&mut self, field: &str, given: Option<&String>) -> Option<String> {
        self.text(field, given, TEXT_CHARACTERS_MAX)
    }

    pub fn name(&mut self, field: &str, given: Option<&String>) -> String {
        let name = fields::name(given.map_or("", String::as_str));
        name.map_err(|message| self.error(field, message))
            .unwrap_or_default()
    }

    pub fn email(&mut self, field: &str, given: Option<&String>) -> Option<String> {
        let email = normalize_email(given?);
        if email.is_empty() {
            return None;
        }
        if let Some(message) = email_error(&email) {
            self.error(field, message);
        }
        Some(email)
    }

    pub fn phone(&mut self, field: &str, given: Option<&String>) -> Option<String> {
        let text = filled(given)?;
        let digits: String = text.chars().filter(char::is_ascii_digit).collect();
        let has_phone_characters = text.chars().all(|c| c.is_ascii_digit() || " ()-".contains(c));
        if !has_phone_characters || !(10..=11).contains(&digits.len()) {
            self.error(field, "Informe o número com DDD.");
        }
        Some(digits)
    }

    pub fn mcc(&mut self, field: &str, given: Option<&String>) -> Option<String> {
        let mcc = filled(given)?;
        if !is_digits(mcc, 4..=4) {
            self.error(field, "O MCC tem 4 números.");
        }
        Some(mcc.to_owned())
    }

    pub fn cpf(&mut self, field: &str, given: Option<&String>) -> Option<String> {
        let cpf = fields::cpf(filled(given)?);
        cpf.map_err(|message| self.error(field, message)).ok()
    }

    /// The date of birth of an adult.
    pub fn birth_date(&mut self, field: &str, given: Option<&String>, today: NaiveDate) -> Option<NaiveDate> {
        let Some(date) = NaiveDate::parse(filled(given)?) else {
            self.error(field, "A data deve estar no formato AAAA-MM-DD.");
            return None;
        };
        if date.year() < BIRTH_YEAR_MIN {
            self.error(field, "Confira o ano de nascimento.");
            return None;
        }
        let of_age = date.checked_add_months(chrono::Months::new(18 * 12));
        if of_age.is_none_or(|of_age| of_age > today) {
            self.error(field, "A pessoa deve ter 18 anos ou mais.");
        }
        Some(date)
    }

    pub fn statement_descriptor(&mut self, field: &str, given: Option<&String>) -> Option<String> {
        let text = filled(given)?;
        let allowed = |c: char| c.is_ascii_alphanumeric() || c == ' ';
        let valid = text.chars().count() <= STATEMENT_DESCRIPTOR_CHARACTERS_MAX
            && text.chars().all(allowed)
            && text.chars().any(|c| c.is_ascii_alphabetic());
        if !valid {
            self.error(
                field,
                "Use até 22 letras sem acento, números e espaços, com pelo menos uma letra.",
            );
        }
        Some(text.to_owned())
    }

    pub fn address(&mut self, form: &AddressForm) -> Address {
        let postal_code = filled(form.postal_code.as_ref());
        let cep = postal_code.and_then(|text| Cep::parse(text).ok());
        if cep.is_none() {
            let message = postal_code.map_or(REQUIRED, |_| "CEP inválido.");
            self.error("postal_code", message);
        }
        let state = form
            .state
            .as_deref()
            .map(|state| state.trim().to_ascii_uppercase());
        let state = state.filter(|state| State::parse(state).is_ok());
        if state.is_none() {
            self.error("state", "O Estado é requerido.");
        }
        Address {
            address: self.required_text("address", form.address.as_ref(), REQUIRED),
            number: self.text("number", form.number.as_ref(), 20),
            complement: self.optional_text("complement", form.complement.as_ref()),
            reference: self.optional_text("reference", form.reference.as_ref()),
            neighborhood: self.required_text("neighborhood", form.neighborhood.as_ref(), REQUIRED),
            city: self.required_text("city", form.city.as_ref(), REQUIRED),
            state: state.unwrap_or_default(),
            postal_code: cep.map(|cep| cep.unmasked().to_owned()).unwrap_or_default(),
        }
    }

    pub fn bank_account(&mut self, form: &BankAccountForm) -> BankAccount {
        let bank_code = form.bank_code.as_deref().map(str::trim).unwrap_or_default();
        if bank_code.is_empty() {
            self.error("bank_code", "O Banco é requerido.");
        } else if !banks().iter().any(|bank| bank.code == bank_code) {
            self.error("bank_code", "Escolha um banco da lista.");
        }
        let account_type = form.r#type.as_deref().map(str::trim).unwrap_or_default();
        let account_type = AccountType::parse(account_type).ok();
        if account_type.is_none() {
            self.error("type", "O tipo de conta é requerido.");
        }
        let routing_number = self.digits("routing_number", form.routing_number.as_ref(), 4);
        let account_number = self.digits("account_number", form.account_number.as_ref(), 19);
        let account_digit = self.check_digit("account_digit", form.account_digit.as_ref());
        if account_digit.is_none() {
            self.error("account_digit", REQUIRED);
        }
        BankAccount {
            bank_code: bank_code.to_owned(),
            account_type: account_type.unwrap_or(AccountType::Checking),
            routing_number,
            routing_digit: self.check_digit("routing_digit", form.routing_digit.as_ref()),
            account_number,
            account_digit: account_digit.unwrap_or_default(),
        }
    }

    fn digits(&mut self, field: &str, given: Option<&String>, length_max: usize) -> String {
        let text = filled(given).unwrap_or_default();
        if text.is_empty() {
            self.error(field, REQUIRED);
        } else if !is_digits(text, 1..=length_max) {
            self.error(field, &format!("Use até {length_max} números."));
        }
        text.to_owned()
    }

    /// A check digit may be a letter.
    fn check_digit(&mut self, field: &str, given: Option<&String>) -> Option<String> {
        let text = filled(given)?.to_ascii_uppercase();
        if text.len() > 2 || !text.chars().all(|c| c.is_ascii_alphanumeric()) {
            self.error(field, "Use até 2 números ou letras.");
        }
        Some(text)
    }
}

/// The text without surrounding spaces. `None` if nothing else is there.
fn filled(given: Option<&String>) -> Option<&str> {
    given.map(|text| text.trim()).filter(|text| !text.is_empty())
}

fn is_digits(text: &str, length: std::ops::RangeInclusive<usize>) -> bool {
    length.contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())
}
