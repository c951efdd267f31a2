//! The parts that several forms about companies have: an address, a bank account, and a profile.

use std::borrow::Cow;

use chrono::NaiveDate;
use gateway_identity::email_address::{email_error, normalize_email};
use gateway_identity::fields;
use gateway_platform::companies::{Address, ProfileChange, banks};
use ledger_domain::documents::{Cep, State};
use ledger_domain::transfer::{AccountType, BankAccount};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use crate::edge::QueryValue;
use crate::edge::query::text as text_schema;
use crate::shared::form::{
    Components, FieldDeclaration, FieldText, FormReader, FromBody, Kind, PartDeclaration, clearable,
    components_of, form, int32, optional, part, refuse_null, required, schema_of, trimmed,
};
use crate::shared::phone;
use crate::shared::postal_code::{self, check_state};

const REQUIRED: &str = "requerido";
const TEXT_CHARACTERS_MAX: usize = 120;

pub struct AddressForm {
    pub address: Address,
    /// The version that the change started from.
    pub version: Option<i32>,
}

form! {
    impl FromBody for AddressForm with form {
        #[example = "Praça da Sé"]
        address: String = required(one_line(TEXT_CHARACTERS_MAX), REQUIRED),
        #[example = "100"]
        number: Option<String> = optional(one_line(20)),
        #[example = "Sala 3"]
        complement: Option<String> = optional(one_line(TEXT_CHARACTERS_MAX)),
        #[example = "Ao lado do metrô"]
        reference: Option<String> = optional(one_line(TEXT_CHARACTERS_MAX)),
        #[example = "Sé"]
        neighborhood: String = required(one_line(TEXT_CHARACTERS_MAX), REQUIRED),
        #[example = "São Paulo"]
        city: String = required(one_line(TEXT_CHARACTERS_MAX), REQUIRED),
        /// The two letters of the state.
        #[example = "SP"]
        state: String = required(state(), STATE_MISSING),
        /// CEP, with or without its mask.
        #[example = "01001-000"]
        postal_code: Cep = required(postal_code(), REQUIRED),
        /// The company's version when it was read. The calls that save only an address return 409 if it has changed since.
        #[example = 1]
        version: Option<i32> = optional(int32()),
    } => {
        if let Err(message) = check_state(&postal_code, &state) {
            form.error("state", &message);
        }
        let postal_code = postal_code.unmasked().to_owned();
        Self {
            address: Address { address, number, complement, reference, neighborhood, city, state, postal_code },
            version,
        }
    }
}

pub struct BankAccountForm(pub BankAccount);

form! {
    impl FromBody for BankAccountForm {
        /// The bank's COMPE code: one of the banks of `GET /options`.
        #[example = "341"]
        bank_code: String = required(bank_code(), "O Banco é requerido."),
        /// CHECKING, SAVINGS, CHECKING_CONJUNCT or SAVINGS_CONJUNCT.
        #[name = "type"]
        #[example = "CHECKING"]
        account_type: AccountType = required(account_type(), ACCOUNT_TYPE_MISSING),
        /// The branch: up to 4 digits.
        #[example = "0071"]
        routing_number: String = required(digits(4, "Use até 4 números."), REQUIRED),
        #[example = "1"]
        routing_digit: Option<String> = optional(check_digit()),
        /// Up to 19 digits.
        #[example = "0012345"]
        account_number: String = required(digits(19, "Use até 19 números."), REQUIRED),
        #[example = "6"]
        account_digit: String = required(check_digit(), REQUIRED),
    } => Self(BankAccount {
        bank_code,
        account_type,
        routing_number,
        routing_digit,
        account_number,
        account_digit,
    })
}

/// A bank account whose fields may also be in `data`. A field of `data` wins.
pub struct NewBankAccount(pub BankAccount);

impl FromBody for NewBankAccount {
    fn fields() -> Vec<FieldDeclaration> {
        let data = FieldText {
            name: "data",
            description: &[
                "The fields of this body may also be in `data`, as the specification writes the call (section 7).",
            ],
            example: None,
        };
        vec![data.declaring(optional(part::<BankAccountForm>()))]
    }

    fn parts() -> Vec<PartDeclaration> {
        vec![PartDeclaration::of::<BankAccountForm>()]
    }

    fn read(form: &mut FormReader<'_>) -> Option<Self> {
        form.flatten("data");
        BankAccountForm::read(form).map(|BankAccountForm(account)| Self(account))
    }
}

impl PartialSchema for NewBankAccount {
    fn schema() -> RefOr<Schema> {
        schema_of::<Self>(&[])
    }
}

impl ToSchema for NewBankAccount {
    fn name() -> Cow<'static, str> {
        "NewBankAccount".into()
    }

    fn schemas(schemas: &mut Components) {
        schemas.extend(components_of::<Self>());
    }
}

/// The optional data of a company.
pub struct ProfileForm(pub ProfileChange);

form! {
    impl FromBody for ProfileForm {
        #[example = "Padaria da Ana"]
        trade_name: Option<Option<String>> = refuse_null(clearable(one_line(TEXT_CHARACTERS_MAX))),
        #[example = "contato@padaria.example"]
        email: Option<Option<String>> = refuse_null(clearable(email())),
        /// With area code.
        #[example = "(11) 3333-4444"]
        phone: Option<Option<String>> = refuse_null(clearable(phone())),
        /// Merchant category code (ISO 18245).
        #[example = "5462"]
        mcc: Option<Option<String>> = refuse_null(clearable(mcc())),
        /// The legal representative of a company with a CNPJ.
        #[example = "Ana Souza"]
        representative_name: Option<Option<String>> = refuse_null(clearable(one_line(TEXT_CHARACTERS_MAX))),
        /// The representative's CPF.
        #[example = "529.982.247-25"]
        representative_document: Option<Option<String>> = refuse_null(clearable(cpf())),
        /// A natural person's date of birth.
        birth_date: Option<Option<NaiveDate>> = refuse_null(clearable(birth_date())),
    } => Self(ProfileChange {
        trade_name,
        email,
        phone,
        mcc,
        representative_name,
        representative_document,
        birth_date,
    })
}

/// A text of one line.
pub(super) fn one_line(characters_max: usize) -> Kind<String> {
    let schema = move || text_schema().max_length(Some(characters_max)).into();
    crate::shared::form::text(schema, move |given, field| {
        let text = given.trim();
        let breaks = |c: char| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}');
        if text.chars().count() > characters_max || text.chars().any(breaks) {
            field.error(&format!(
                "O texto deve ter até {characters_max} caracteres, em uma linha."
            ));
        }
        Some(text.to_owned())
    })
}

/// The address to which buyers write. Unlike that of a user, it may be left out.
pub(super) fn email() -> Kind<String> {
    let schema = || text_schema().max_length(Some(254)).into();
    trimmed(schema, |text| {
        let email = normalize_email(text);
        match email_error(&email) {
            Some(message) => Err(message),
            None => Ok(email),
        }
    })
}

pub(super) fn phone() -> Kind<String> {
    trimmed(|| text_schema().into(), phone::of_company)
}

fn mcc() -> Kind<String> {
    trimmed(
        || text_schema().into(),
        |text| of_digits(text, 4..=4, "O MCC tem 4 números."),
    )
}

fn cpf() -> Kind<String> {
    trimmed(|| text_schema().into(), fields::cpf)
}

fn birth_date() -> Kind<NaiveDate> {
    trimmed(
        || text_schema().into(),
        |text| <NaiveDate as QueryValue>::parse(text).ok_or(NaiveDate::INVALID),
    )
}

const STATE_MISSING: &str = "O Estado é requerido.";

fn state() -> Kind<String> {
    trimmed(
        || text_schema().into(),
        |text| {
            let state = text.to_ascii_uppercase();
            match State::parse(&state) {
                Ok(_) => Ok(state),
                Err(_) => Err(STATE_MISSING),
            }
        },
    )
}

fn postal_code() -> Kind<Cep> {
    trimmed(|| text_schema().into(), postal_code::read)
}

fn bank_code() -> Kind<String> {
    trimmed(
        || text_schema().into(),
        |code| {
            if banks().iter().any(|bank| bank.code == code) {
                Ok(code.to_owned())
            } else {
                Err("Escolha um banco da lista.")
            }
        },
    )
}

const ACCOUNT_TYPE_MISSING: &str = "O tipo de conta é requerido.";

fn account_type() -> Kind<AccountType> {
    trimmed(
        || text_schema().into(),
        |text| AccountType::parse(text).map_err(|_| ACCOUNT_TYPE_MISSING),
    )
}

fn digits(length_max: usize, invalid: &'static str) -> Kind<String> {
    let schema = move || text_schema().max_length(Some(length_max)).into();
    trimmed(schema, move |text| of_digits(text, 1..=length_max, invalid))
}

/// A check digit may be a letter.
fn check_digit() -> Kind<String> {
    let schema = || text_schema().max_length(Some(2)).into();
    trimmed(schema, |text| {
        let digit = text.to_ascii_uppercase();
        if digit.len() <= 2 && digit.chars().all(|c| c.is_ascii_alphanumeric()) {
            Ok(digit)
        } else {
            Err("Use até 2 números ou letras.")
        }
    })
}

fn of_digits(
    text: &str,
    length: std::ops::RangeInclusive<usize>,
    invalid: &'static str,
) -> Result<String, &'static str> {
    if length.contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit()) {
        Ok(text.to_owned())
    } else {
        Err(invalid)
    }
}
