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
        part.name("name", long.as_ref());
        part.email("email", long.as_ref());
        part.phone("phone", long.as_ref());
        part.mcc("mcc", long.as_ref());
        part.cpf("cpf", long.as_ref());
        part.statement_descriptor("statement_descriptor", long.as_ref());
        part.birth_date("birth_date", long.as_ref(), NaiveDate::MAX);
    });
    let (of_address, of_account, single) = (8, 6, 7);
    assert_eq!(found.len(), of_address + of_account + single, "{found:?}");
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
    for valid in ["PADARIA SOUZA", "LOJA 24", &"a".repeat(22)] {
        let found = errors_of(|part| drop(part.statement_descriptor("d", Some(&valid.to_owned()))));
        assert_eq!(found, [], "{valid}");
    }
    // An accent, no letter, 23 characters, a hyphen.
    for invalid in ["AÇOUGUE", "24", &"a".repeat(23), "A-B"] {
        let found = errors_of(|part| drop(part.statement_descriptor("d", Some(&invalid.to_owned()))));
        assert_eq!(found.len(), 1, "{invalid}");
    }
}
