//! Declared forms: the document's schema, the values that are read, and the errors of one 422.

use chrono::NaiveDate;
use serde_json::{Value, json};
use utoipa::PartialSchema;

use super::*;
use crate::edge::control_characters;
use crate::problem::Result;

ledger_domain::words! {
    enum TicketState {
        New = "new" => "Nova",
        Closed = "closed" => "Encerrada",
    }
}

form! {
    /// A ticket.
    #[derive(Debug)]
    struct TicketForm {
        /// One line.
        #[example = "Dúvida"]
        subject: String = required(line(120), "Informe o assunto."),
        message: String = required(paragraphs(4_000), "Escreva a sua mensagem."),
        state: TicketState = word(),
        due: Option<NaiveDate> = optional(value()),
        #[example = 1]
        version: Option<i32> = optional(int32()),
        weight: Option<i32> = optional(int32().then(|weight| if weight > 0 { Ok(weight) } else { Err("Deve ser positivo.") })),
    }
}

fn read(body: Value) -> Result<TicketForm> {
    TicketForm::from_body(body.as_object().cloned().expect("an object"))
}

fn with(field: &str, value: Value) -> Result<TicketForm> {
    let mut body = json!({ "subject": "a", "message": "b", "state": "new" });
    body[field] = value;
    read(body)
}

fn errors(field: &str, value: Value) -> Vec<String> {
    let mut problem = with(field, value).expect_err("invalid");
    assert_eq!(problem.errors.len(), 1, "{:?}", problem.errors);
    problem.errors.remove(field).expect("an error of the field")
}

#[test]
fn the_document_has_what_is_declared() {
    let schema = serde_json::to_value(TicketForm::schema()).expect("a schema");
    assert_eq!(schema["description"], "A ticket.");
    assert_eq!(schema["required"], json!(["subject", "message", "state"]));
    let subject =
        json!({ "type": "string", "maxLength": 120, "description": "One line.", "example": "Dúvida" });
    assert_eq!(schema["properties"]["subject"], subject);
    let state = json!({ "$ref": "#/components/schemas/TicketState" });
    assert_eq!(schema["properties"]["state"], state);
    assert_eq!(
        schema["properties"]["due"],
        json!({ "type": "string", "format": "date" })
    );
    let version = json!({ "type": "integer", "format": "int32", "example": 1 });
    assert_eq!(schema["properties"]["version"], version);
}

#[test]
fn absent_null_and_blank_values_are_missing() {
    for blank in [
        json!({}),
        json!({ "subject": null, "message": "\n \n", "due": " " }),
        json!({ "subject": " " }),
    ] {
        let expected = json!({
            "subject": ["Informe o assunto."],
            "message": ["Escreva a sua mensagem."],
            "state": ["Deve ser new ou closed."],
        });
        assert_eq!(json!(read(blank).expect_err("missing").errors), expected);
    }
    let form = with("due", Value::Null).expect("a form");
    assert_eq!((form.due, form.version, form.weight), (None, None, None));
    assert_eq!(form.state, TicketState::New);
}

#[test]
fn one_422_has_the_errors_of_all_fields() {
    let body = json!({
        "subject": 7, "message": "a".repeat(4_001), "state": "open", "due": "amanhã", "version": 1.5, "weight": 0,
    });
    let expected = json!({
        "subject": ["Valor inválido."],
        "message": ["O texto deve ter até 4.000 caracteres."],
        "state": ["Deve ser new ou closed."],
        "due": ["A data deve estar no formato AAAA-MM-DD."],
        "version": ["Valor inválido."],
        "weight": ["Deve ser positivo."],
    });
    assert_eq!(json!(read(body).expect_err("invalid").errors), expected);
    assert_eq!(
        errors("subject", json!("a".repeat(121))),
        ["O texto deve ter até 120 caracteres."]
    );
    assert_eq!(errors("message", json!("a\u{7}")), [control_characters::MESSAGE]);
    assert!(with("subject", json!("á".repeat(120))).is_ok());
    assert!(with("message", json!("á".repeat(4_000))).is_ok());
}

#[test]
fn texts_keep_their_lines_and_no_card_number() {
    let form = with("subject", json!("  Uma   dúvida ")).expect("a form");
    assert_eq!(form.subject, "Uma dúvida");
    let message = |text: &str| with("message", json!(text)).expect("a form").message;
    let text = message("  Bom dia,\r\n\r\n\n\no cartão 4111 1111 1111 1111\tfalhou. \n\n");
    assert!(text.starts_with("Bom dia,\n\no cartão "), "{text}");
    assert!(text.ends_with("falhou."), "{text}");
    for (written, stored) in [
        ("4111  1111  1111  1111", "4111 11** **** 1111"),
        ("4111\u{a0}1111\u{a0} 1111\t1111", "4111 11** **** 1111"),
        ("4111 1111\n1111 1111", "4111 11**\n**** 1111"),
        (
            "o cartão\r\n4111 1111 \r\n\r\n\r\n 1111\r\n1111\nnão passou",
            "o cartão\n4111 11**\n\n****\n1111\nnão passou",
        ),
    ] {
        assert_eq!(message(written), stored);
    }
    let without_cards = "Olá,\n\nmeu telefone é (11) 98888-7777 ou 11 3333-4444.\nAs vendas de 21/11/2026:\n1.234,56\n\
                         300,00\n\nPedido 1042, CNPJ 11.222.333/0001-81.";
    assert_eq!(message(without_cards), without_cards);
}

#[derive(Debug)]
struct Period(NaiveDate, NaiveDate);

form! {
    impl FromBody for Period with form {
        start: NaiveDate = required(value(), "Informe o início."),
        end: NaiveDate = required(value(), "Informe o fim."),
    } => {
        if start > end {
            form.error("end", "A data final deve ser igual ou posterior à inicial.");
        }
        Self(start, end)
    }
}

#[test]
fn a_rule_over_two_fields_is_checked_once_both_are_valid() {
    let read = |start: &str, end: &str| {
        let body = json!({ "start": start, "end": end });
        Period::from_body(body.as_object().cloned().expect("an object"))
    };
    let Period(start, end) = read("2026-11-20", "2026-11-21").expect("a period");
    assert_eq!((end - start).num_days(), 1);
    let reversed = read("2026-11-21", "2026-11-20").expect_err("an error");
    assert_eq!(reversed.errors.keys().collect::<Vec<_>>(), ["end"]);
    let both = read("", "amanhã").expect_err("two errors");
    assert_eq!(both.errors.keys().collect::<Vec<_>>(), ["end", "start"]);
}
