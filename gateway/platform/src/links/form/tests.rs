//! The form of a payment link: accepted values, and the errors of the others.

use chrono::NaiveDate;

use super::*;

fn date(year: i32, month: u32, day: u32) -> Option<Date> {
    NaiveDate::from_ymd_opt(year, month, day)
}

fn read(form: LinkForm, before: &LinkFields, uses: i32) -> Result<LinkFields, FormErrors> {
    form.read(before, uses, date(2026, 11, 21).expect("a date"))
}

fn words(words: &[&str]) -> Option<Vec<String>> {
    Some(words.iter().map(|word| (*word).to_owned()).collect())
}

fn cake() -> LinkFields {
    let form = LinkForm {
        description: Some("Bolo".to_owned()),
        amount: Some(Some(Cents::new(180_00))),
        payment_types: words(&["pix", "credit"]),
        installments_max: Some(3),
        expires_on: Some(date(2026, 12, 31)),
        use_limit: Some(Some(10)),
        ..LinkForm::default()
    };
    read(form, &NEW_LINK, 0).expect("a link")
}

/// The errors of a change of the cake, each with its field.
fn errors(form: LinkForm, uses: i32) -> Vec<(String, String)> {
    let errors = read(form, &cake(), uses).expect_err("invalid").into_messages();
    errors
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
    let errors = read(LinkForm::default(), &NEW_LINK, 0).expect_err("invalid");
    assert_eq!(
        errors.into_messages().keys().collect::<Vec<_>>(),
        ["description", "payment_types"]
    );
}

#[test]
fn a_change_leaves_the_other_fields_and_a_cleared_field_is_empty() {
    let to_open = LinkForm {
        amount: Some(None),
        amount_min: Some(Some(Cents::new(10_00))),
        use_limit: Some(None),
        ..LinkForm::default()
    };
    let open = read(to_open, &cake(), 4).expect("an open amount");
    assert_eq!(
        (open.amount, open.amount_min, open.use_limit),
        (None, Some(Cents::new(10_00)), None)
    );
    assert_eq!(open.description, "Bolo");
    let to_fixed = LinkForm {
        amount: Some(Some(Cents::new(5_00))),
        ..LinkForm::default()
    };
    let fixed = read(to_fixed, &open, 4).expect("a fixed amount");
    assert_eq!((fixed.amount, fixed.amount_min), (Some(Cents::new(5_00)), None));
    let to_pix = LinkForm {
        payment_types: words(&["pix"]),
        ..LinkForm::default()
    };
    let pix = read(to_pix, &fixed, 4).expect("a link without cards");
    assert_eq!(pix.installments_max, 1);
}

#[test]
fn all_invalid_fields_are_reported_at_once() {
    let form = LinkForm {
        description: Some(" ".to_owned()),
        amount: Some(Some(Cents::ZERO)),
        payment_types: words(&["cheque"]),
        installments_max: Some(22),
        expires_on: Some(date(2026, 11, 20)),
        use_limit: Some(Some(3)),
        ..LinkForm::default()
    };
    assert_eq!(
        errors(form, 4),
        [
            of("amount", "O valor deve ser de R$ 0,01 a R$ 99.999.999,99."),
            of("description", "Informe a descrição."),
            of("expires_on", "A validade deve ser hoje ou um dia futuro."),
            of("installments_max", "Deve ser um número de 1 a 21."),
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
    let bounds = |amount, amount_min, amount_max| LinkForm {
        amount,
        amount_min,
        amount_max,
        ..LinkForm::default()
    };
    let cents = |cents| Some(Some(Cents::new(cents)));
    let fixed = "Um valor fixo não tem mínimo nem máximo.";
    assert_eq!(
        errors(bounds(None, cents(1_00), None), 0),
        [of("amount_min", fixed)]
    );
    assert_eq!(
        errors(bounds(None, None, cents(1_00)), 0),
        [of("amount_max", fixed)]
    );
    assert_eq!(
        errors(bounds(Some(None), cents(2_00), cents(1_00)), 0),
        [of(
            "amount_max",
            "O valor máximo deve ser igual ao mínimo ou maior."
        )]
    );
}

#[test]
fn only_a_link_that_takes_cards_has_installments() {
    let form = LinkForm {
        payment_types: words(&["pix"]),
        installments_max: Some(2),
        ..LinkForm::default()
    };
    assert_eq!(
        errors(form, 0),
        [of("installments_max", "Só o cartão tem parcelas.")]
    );
}

#[test]
fn an_expired_link_keeps_its_last_day_when_another_field_changes() {
    let expired = LinkFields {
        expires_on: date(2026, 11, 1),
        ..cake()
    };
    let form = LinkForm {
        description: Some("Torta".to_owned()),
        expires_on: Some(expired.expires_on),
        ..LinkForm::default()
    };
    let changed = read(form, &expired, 0).expect("a change");
    assert_eq!(
        (changed.description.as_str(), changed.expires_on),
        ("Torta", expired.expires_on)
    );
}

#[test]
fn a_last_day_is_within_ten_years() {
    let until = |last_day| LinkForm {
        expires_on: Some(last_day),
        ..LinkForm::default()
    };
    assert!(read(until(date(2036, 11, 21)), &cake(), 0).is_ok());
    assert_eq!(
        errors(until(date(2036, 11, 22)), 0),
        [of("expires_on", "A validade deve ser de até 10 anos.")]
    );
}
