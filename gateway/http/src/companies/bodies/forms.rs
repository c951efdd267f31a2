//! The parts of forms about companies: an address, a bank account, and single fields. Each part records its errors
//! under its own prefix, with the messages of the specification.

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
    /// The company's version when it was read. The calls that save only an address return 409 if another user changed
    /// the company since.
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
            postal_code: cep.map(|cep| cep.digits().to_owned()).unwrap_or_default(),
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

#[cfg(test)]
mod tests {
    use super::*;

    fn errors_of(read: impl FnOnce(&mut FormPart<'_>)) -> Vec<(String, String)> {
        let mut errors = FormErrors::default();
        read(&mut FormPart {
            errors: &mut errors,
            prefix: "",
        });
        let Err(problem) = errors.finish() else {
            return vec![];
        };
        let joined = |(field, messages): (String, Vec<String>)| (field, messages.join("|"));
        problem.errors.into_iter().map(joined).collect()
    }

    fn text(text: &str) -> Option<String> {
        Some(text.to_owned())
    }

    fn pairs(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
        let owned = |(field, message): &(&str, &str)| ((*field).to_owned(), (*message).to_owned());
        pairs.iter().map(owned).collect()
    }

    #[test]
    fn an_empty_address_names_every_required_field() {
        let found = errors_of(|part| drop(part.address(&AddressForm::default())));
        let expected = [
            ("address", "requerido"),
            ("city", "requerido"),
            ("neighborhood", "requerido"),
            ("postal_code", "requerido"),
            ("state", "O Estado é requerido."),
        ];
        assert_eq!(found, pairs(&expected));
    }

    #[test]
    fn an_empty_bank_account_names_every_required_field() {
        let found = errors_of(|part| drop(part.bank_account(&BankAccountForm::default())));
        let expected = [
            ("account_digit", "requerido"),
            ("account_number", "requerido"),
            ("bank_code", "O Banco é requerido."),
            ("routing_number", "requerido"),
            ("type", "O tipo de conta é requerido."),
        ];
        assert_eq!(found, pairs(&expected));
    }

    #[test]
    fn a_bank_account_has_limits() {
        let form = BankAccountForm {
            bank_code: text("999"),
            r#type: text("SAVINGS"),
            routing_number: text("12345"),
            routing_digit: text("123"),
            account_number: text("1234567890123456789a"),
            account_digit: text("X"),
        };
        let found = errors_of(|part| drop(part.bank_account(&form)));
        let expected = [
            ("account_number", "Use até 19 números."),
            ("bank_code", "Escolha um banco da lista."),
            ("routing_digit", "Use até 2 números ou letras."),
            ("routing_number", "Use até 4 números."),
        ];
        assert_eq!(found, pairs(&expected));
    }

    #[test]
    fn an_invalid_email_has_one_error() {
        let errors = |email: &str| errors_of(|part| drop(part.email("email", Some(&email.to_owned()))));
        assert_eq!(errors("  "), []);
        let long = format!("{}@padaria.example", "a".repeat(260));
        for invalid in ["ana@padaria", "ana@padaria.example\nbia@padaria.example", &long] {
            assert_eq!(
                errors(invalid),
                pairs(&[("email", "Email inválido.")]),
                "{invalid}"
            );
        }
    }

    #[test]
    fn a_long_value_of_any_field_has_one_error() {
        let long = Some("9".repeat(121));
        let address = AddressForm {
            address: long.clone(),
            number: long.clone(),
            complement: long.clone(),
            reference: long.clone(),
            neighborhood: long.clone(),
            city: long.clone(),
            state: long.clone(),
            postal_code: long.clone(),
            version: None,
        };
        let account = BankAccountForm {
            bank_code: long.clone(),
            r#type: long.clone(),
            routing_number: long.clone(),
            routing_digit: long.clone(),
            account_number: long.clone(),
            account_digit: long.clone(),
        };
        let found = errors_of(|part| {
            part.address(&address);
            part.bank_account(&account);
            part.phone("phone", long.as_ref());
            part.mcc("mcc", long.as_ref());
            part.cpf("cpf", long.as_ref());
            part.statement_descriptor("statement_descriptor", long.as_ref());
            part.birth_date("birth_date", long.as_ref(), NaiveDate::MAX);
        });
        assert_eq!(found.len(), 19, "{found:?}");
        assert!(
            found.iter().all(|(_, messages)| !messages.contains('|')),
            "{found:?}"
        );
    }

    #[test]
    fn a_birth_date_is_of_an_adult_born_since_1900() {
        let today = NaiveDate::from_ymd_opt(2026, 11, 25).expect("a date");
        let errors = |date: &str| {
            errors_of(|part| {
                let _date = part.birth_date("d", Some(&date.to_owned()), today);
            })
        };
        assert_eq!(errors("2008-11-25"), []);
        for (invalid, message) in [
            ("2008-11-26", "A pessoa deve ter 18 anos ou mais."),
            ("1899-12-31", "Confira o ano de nascimento."),
            ("20/05/1990", "A data deve estar no formato AAAA-MM-DD."),
        ] {
            assert_eq!(errors(invalid), pairs(&[("d", message)]), "{invalid}");
        }
    }

    #[test]
    fn a_statement_descriptor_fits_a_card_statement() {
        for valid in ["PADARIA SOUZA", "LOJA 24", "abcdefghijklmnopqrstuv"] {
            let found = errors_of(|part| drop(part.statement_descriptor("d", Some(&valid.to_owned()))));
            assert_eq!(found, [], "{valid}");
        }
        for invalid in ["AÇOUGUE", "24", "abcdefghijklmnopqrstuvw", "A-B"] {
            let found = errors_of(|part| drop(part.statement_descriptor("d", Some(&invalid.to_owned()))));
            assert_eq!(found.len(), 1, "{invalid}");
        }
    }
}
