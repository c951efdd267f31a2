use serde_json::{Value, json};

use super::parts::{AddressForm, BankAccountForm, ProfileForm};
use super::{NewBankAccount, OwnBusinessChange};
use crate::shared::form::FromBody;

/// The errors of a form, each field's joined.
fn errors_of<F: FromBody>(body: Value) -> Vec<(String, String)> {
    let read = F::from_body(body.as_object().cloned().expect("an object"));
    let errors = read.err().map(|problem| problem.errors).unwrap_or_default();
    let joined = |(field, messages): (String, Vec<String>)| (field, messages.join("|"));
    errors.into_iter().map(joined).collect()
}

fn pairs(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    let owned = |(field, message): &(&str, &str)| ((*field).to_owned(), (*message).to_owned());
    pairs.iter().map(owned).collect()
}

#[test]
fn an_empty_address_names_every_required_field() {
    let expected = [
        ("address", "requerido"),
        ("city", "requerido"),
        ("neighborhood", "requerido"),
        ("postal_code", "requerido"),
        ("state", "O Estado é requerido."),
    ];
    assert_eq!(errors_of::<AddressForm>(json!({})), pairs(&expected));
}

#[test]
fn an_empty_bank_account_names_every_required_field() {
    let expected = pairs(&[
        ("account_digit", "requerido"),
        ("account_number", "requerido"),
        ("bank_code", "O Banco é requerido."),
        ("routing_number", "requerido"),
        ("type", "O tipo de conta é requerido."),
    ]);
    assert_eq!(errors_of::<BankAccountForm>(json!({})), expected);
    assert_eq!(errors_of::<NewBankAccount>(json!({ "data": {} })), expected);
}

#[test]
fn a_bank_account_has_limits() {
    let form = json!({
        "bank_code": "999", "type": "SAVINGS", "routing_number": "12345", "routing_digit": "123",
        "account_number": "1234567890123456789a", "account_digit": "X",
    });
    let expected = [
        ("account_number", "Use até 19 números."),
        ("bank_code", "Escolha um banco da lista."),
        ("routing_digit", "Use até 2 números ou letras."),
        ("routing_number", "Use até 4 números."),
    ];
    assert_eq!(errors_of::<BankAccountForm>(form), pairs(&expected));
}

#[test]
fn an_invalid_email_has_one_error() {
    let errors = |email: &str| errors_of::<ProfileForm>(json!({ "email": email }));
    assert_eq!(errors("  "), []);
    let long = format!("{}@padaria.example", "a".repeat(260));
    for invalid in ["ana@padaria", "ana@padaria.example\nbia@padaria.example", &long] {
        let expected = pairs(&[("email", "Email inválido.")]);
        assert_eq!(errors(invalid), expected, "{invalid}");
    }
}

#[test]
fn a_long_value_of_any_field_has_one_error() {
    let long = "9".repeat(121);
    let body = |fields: &[&str]| -> Value {
        let fields = fields.iter().map(|field| ((*field).to_owned(), json!(long)));
        Value::Object(fields.collect())
    };
    let of_address = [
        "address",
        "number",
        "complement",
        "reference",
        "neighborhood",
        "city",
        "state",
        "postal_code",
    ];
    let of_account = [
        "bank_code",
        "type",
        "routing_number",
        "routing_digit",
        "account_number",
        "account_digit",
    ];
    let of_profile = [
        "trade_name",
        "email",
        "phone",
        "mcc",
        "representative_name",
        "representative_document",
        "birth_date",
    ];
    for (found, count) in [
        (errors_of::<AddressForm>(body(&of_address)), of_address.len()),
        (errors_of::<BankAccountForm>(body(&of_account)), of_account.len()),
        (errors_of::<ProfileForm>(body(&of_profile)), of_profile.len()),
    ] {
        assert_eq!(found.len(), count, "{found:?}");
        assert!(
            found.iter().all(|(_, messages)| !messages.contains('|')),
            "{found:?}"
        );
    }
}

#[test]
fn a_blank_field_is_cleared_and_an_absent_one_stays() {
    let body = json!({ "version": 1, "phone": " ", "trade_name": null });
    let body = body.as_object().cloned().expect("an object");
    let change = OwnBusinessChange::from_body(body).expect("a form").change.profile;
    assert_eq!(
        (change.phone, change.trade_name, change.email),
        (Some(None), None, None)
    );
    let null = errors_of::<ProfileForm>(json!({ "phone": null }));
    assert_eq!(
        null,
        pairs(&[("phone", "Valor inválido.")]),
        "staff name what they clear"
    );
}

#[test]
fn the_address_of_an_own_company_has_errors_without_a_path() {
    let errors = errors_of::<OwnBusinessChange>(json!({ "version": 1, "address": { "number": 7 } }));
    let fields: Vec<_> = errors.iter().map(|(field, _)| field.as_str()).collect();
    let expected = [
        "address",
        "city",
        "neighborhood",
        "number",
        "postal_code",
        "state",
    ];
    assert_eq!(fields, expected);
}
