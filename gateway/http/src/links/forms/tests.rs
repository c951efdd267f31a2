//! The forms of payment links: accepted values, and the errors of the others.

use chrono::NaiveDate;
use serde_json::json;

use super::*;

fn today() -> Date {
    NaiveDate::from_ymd_opt(2026, 11, 21).expect("a date")
}

fn read(body: Value, before: LinkFields, uses: i32) -> Result<LinkFields> {
    let form: PaymentLinkForm = serde_json::from_value(body).expect("a form");
    form.read(before, uses, today())
}

fn cake() -> LinkFields {
    let body = json!({ "description": "Bolo", "amount": 180_00, "payment_types": ["pix", "credit"],
                       "installments_max": 3, "expires_on": "2026-12-31", "use_limit": 10 });
    read(body, NEW_LINK, 0).expect("a link")
}

fn errors(body: Value, uses: i32) -> Vec<(String, String)> {
    let problem = read(body, cake(), uses).expect_err("invalid");
    problem
        .errors
        .into_iter()
        .map(|(field, messages)| (field, messages.join(" ")))
        .collect()
}

fn of(field: &str, message: &str) -> (String, String) {
    (field.to_owned(), message.to_owned())
}

#[test]
fn a_new_link_has_its_payment_types_in_the_order_of_screens() {
    let cake = cake();
    assert_eq!(cake.payment_types, [PaymentType::Credit, PaymentType::Pix]);
    assert_eq!(
        (cake.installments_max, cake.payer, cake.active),
        (3, FeePayer::Seller, true)
    );
}

#[test]
fn a_new_link_requires_a_description_and_payment_types() {
    let problem = read(json!({}), NEW_LINK, 0).expect_err("invalid");
    assert_eq!(
        problem.errors.keys().collect::<Vec<_>>(),
        ["description", "payment_types"]
    );
}

#[test]
fn a_change_leaves_the_other_fields_and_null_clears_a_field() {
    let open = read(
        json!({ "amount": null, "amount_min": 10_00, "use_limit": null }),
        cake(),
        4,
    );
    let open = open.expect("an open amount");
    assert_eq!(
        (open.amount, open.amount_min, open.use_limit),
        (None, Some(Cents::new(10_00)), None)
    );
    assert_eq!(open.description, "Bolo");
    let fixed = read(json!({ "amount": 5_00 }), open, 4).expect("a fixed amount");
    assert_eq!((fixed.amount, fixed.amount_min), (Some(Cents::new(5_00)), None));
    let pix = read(json!({ "payment_types": ["pix"] }), fixed, 4).expect("a link without cards");
    assert_eq!(pix.installments_max, 1);
}

#[test]
fn all_invalid_fields_are_reported_at_once() {
    let body = json!({ "description": " ", "amount": "dez", "payment_types": ["cheque"],
                       "installments_max": 22, "payer": "x", "expires_on": "2026-11-20", "use_limit": 3 });
    assert_eq!(
        errors(body, 4),
        [
            of("amount", "O valor deve ser numérico"),
            of("description", "Informe a descrição."),
            of("expires_on", "A validade deve ser hoje ou um dia futuro."),
            of("installments_max", "Deve ser um número de 1 a 21."),
            of("payer", "Deve ser seller ou buyer."),
            of("payment_types", "Deve ser credit, pix ou boleto."),
            of(
                "use_limit",
                "O limite deve ser de pelo menos 4, porque o link já tem 4 usos."
            ),
        ]
    );
}

#[test]
fn bounds_belong_to_an_open_amount_and_are_in_order() {
    let fixed = "Um valor fixo não tem mínimo nem máximo.";
    assert_eq!(
        errors(json!({ "amount_min": 1_00 }), 0),
        [of("amount_min", fixed)]
    );
    assert_eq!(
        errors(json!({ "amount_max": 1_00 }), 0),
        [of("amount_max", fixed)]
    );
    assert_eq!(
        errors(
            json!({ "amount": null, "amount_min": 2_00, "amount_max": 1_00 }),
            0
        ),
        [of(
            "amount_max",
            "O valor máximo deve ser igual ao mínimo ou maior."
        )]
    );
}

#[test]
fn a_fixed_amount_is_at_least_one_cent() {
    assert_eq!(
        errors(json!({ "amount": 0 }), 0),
        [of("amount", "O valor deve ser de R$ 0,01 a R$ 99.999.999,99.")]
    );
}

#[test]
fn only_a_link_that_takes_cards_has_installments() {
    let pix = json!({ "payment_types": ["pix"], "installments_max": 2 });
    assert_eq!(
        errors(pix, 0),
        [of("installments_max", "Só o cartão tem parcelas.")]
    );
}

#[test]
fn an_expired_link_keeps_its_last_day_when_another_field_changes() {
    let mut expired = cake();
    expired.expires_on = NaiveDate::from_ymd_opt(2026, 11, 1);
    let form = json!({ "description": "Torta", "expires_on": "2026-11-01" });
    let last_day = expired.expires_on;
    let changed = read(form, expired, 0).expect("a change");
    assert_eq!(
        (changed.description.as_str(), changed.expires_on),
        ("Torta", last_day)
    );
}

#[test]
fn a_last_day_is_a_date_within_ten_years() {
    assert_eq!(
        errors(json!({ "expires_on": "31/12/2026" }), 0),
        [of("expires_on", "A data deve estar no formato AAAA-MM-DD.")]
    );
    let today_in_ten_years = json!({ "expires_on": "2036-11-21" });
    assert!(read(today_in_ten_years, cake(), 0).is_ok());
    assert_eq!(
        errors(json!({ "expires_on": "2036-11-22" }), 0),
        [of("expires_on", "A validade deve ser de até 10 anos.")]
    );
}
