//! The forms of messages and answers. Each reports all invalid fields at once.

use gateway_identity::contact::ContactState;
use gateway_platform::providers::mask_card_numbers;
use serde::Deserialize;
use utoipa::ToSchema;

use super::bodies::ContactStateName;
use crate::edge::{FormErrors, control_characters};
use crate::problem::Result;
use crate::shared::body_fields::optional_text;

const SUBJECT_CHARACTERS_MAX: usize = 120;
const MESSAGE_CHARACTERS_MAX: usize = 4_000;

#[derive(Debug, Deserialize, ToSchema)]
pub struct ContactMessageForm {
    #[schema(
        required = true,
        nullable = false,
        max_length = 120,
        example = "Dúvida sobre o repasse"
    )]
    pub subject: Option<String>,
    /// Several empty lines become one. Card numbers are masked.
    #[schema(
        required = true,
        nullable = false,
        max_length = 4000,
        example = "Quando recebo a venda de ontem?"
    )]
    pub message: Option<String>,
}

impl ContactMessageForm {
    /// The subject and the message.
    pub fn read(self) -> Result<(String, String)> {
        let mut errors = FormErrors::default();
        let subject = optional_text(&mut errors, "subject", self.subject, SUBJECT_CHARACTERS_MAX);
        if subject.is_none() {
            errors.add("subject", "Informe o assunto.");
        }
        let message = paragraphs(&mut errors, self.message, "Escreva a sua mensagem.");
        errors.finish()?;
        Ok((subject.unwrap_or_default(), message))
    }
}

#[derive(Debug, Deserialize, ToSchema)]
pub struct ContactAnswerForm {
    /// The text of the answer. Several empty lines become one. Card numbers are masked.
    #[schema(
        required = true,
        nullable = false,
        max_length = 4000,
        example = "Amanhã, até as 12h."
    )]
    pub message: Option<String>,
    /// The version of the message that the answer started from. Without it, changes in between are not noticed.
    #[schema(nullable = false, example = 1)]
    pub version: Option<i32>,
}

impl ContactAnswerForm {
    pub fn read(self) -> Result<(String, Option<i32>)> {
        let mut errors = FormErrors::default();
        let message = paragraphs(&mut errors, self.message, "Escreva a resposta.");
        errors.finish()?;
        Ok((message, self.version))
    }
}

#[derive(Debug, Deserialize, ToSchema)]
pub struct ContactStateForm {
    #[schema(required = true, nullable = false, value_type = ContactStateName)]
    pub state: Option<String>,
    /// The version of the message that the change started from. Without it, changes in between are not noticed.
    #[schema(nullable = false, example = 1)]
    pub version: Option<i32>,
}

impl ContactStateForm {
    pub fn read(self) -> Result<(ContactState, Option<i32>)> {
        let mut errors = FormErrors::default();
        let state = self.state.as_deref().and_then(ContactState::parse);
        if state.is_none() {
            errors.add("state", "Deve ser new, answered ou closed.");
        }
        errors.finish()?;
        Ok((state.unwrap_or(ContactState::New), self.version))
    }
}

/// A text of several lines, with single spaces between words, and at most one empty line between two lines of text.
fn paragraphs(errors: &mut FormErrors, given: Option<String>, missing: &str) -> String {
    let given = given.unwrap_or_default().replace("\r\n", "\n");
    let mut lines: Vec<String> = vec![];
    for line in given.split(['\n', '\r']) {
        let line = line.split_whitespace().collect::<Vec<_>>().join(" ");
        if !line.is_empty() || lines.last().is_some_and(|last| !last.is_empty()) {
            lines.push(line);
        }
    }
    let text = lines.join("\n");
    let text = text.trim_end();
    if text.is_empty() {
        errors.add("message", missing);
    }
    if text.chars().count() > MESSAGE_CHARACTERS_MAX {
        errors.add("message", "O texto deve ter até 4.000 caracteres.");
    }
    if lines.iter().any(|line| control_characters::is_in(line)) {
        errors.add("message", control_characters::MESSAGE);
    }
    mask_across_lines(text)
}

/// Masks card numbers, also those that continue on another line: a reader would still read them as one number. The line
/// ends stay.
fn mask_across_lines(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let masked = mask_card_numbers(&line);
    // A mask replaces characters one by one, so the number of characters that are not spaces stays the same.
    let mut shown = masked.chars().filter(|character| *character != ' ');
    text.chars()
        .map(|character| {
            if character.is_whitespace() {
                character
            } else {
                shown.next().unwrap_or('*')
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(subject: &str, message: &str) -> Result<(String, String)> {
        let form = ContactMessageForm {
            subject: Some(subject.to_owned()),
            message: Some(message.to_owned()),
        };
        form.read()
    }

    #[test]
    fn a_message_keeps_its_lines_and_no_card_number() {
        let message = "  Bom dia,\r\n\r\n\n\no cartão 4111 1111 1111 1111\tfalhou. \n\n";
        let (subject, message) = read("  Uma   dúvida ", message).expect("valid");
        assert_eq!(subject, "Uma dúvida");
        assert!(message.starts_with("Bom dia,\n\no cartão "), "{message}");
        assert!(message.ends_with("falhou."), "{message}");
        assert!(!message.contains("1111 1111 1111"), "{message}");
    }

    #[test]
    fn card_numbers_are_masked_across_spaces_and_line_ends() {
        for (written, stored) in [
            ("4111  1111  1111  1111", "4111 11** **** 1111"),
            ("4111\u{a0}1111\u{a0} 1111\t1111", "4111 11** **** 1111"),
            ("4111 1111\n1111 1111", "4111 11**\n**** 1111"),
            (
                "o cartão\r\n4111 1111 \r\n\r\n\r\n 1111\r\n1111\nnão passou",
                "o cartão\n4111 11**\n\n****\n1111\nnão passou",
            ),
        ] {
            let (_, message) = read("Cartão", written).expect("valid");
            assert_eq!(message, stored);
        }
        let answer = ContactAnswerForm {
            message: Some("4111 1111\n1111 1111".to_owned()),
            version: None,
        };
        assert_eq!(answer.read().expect("valid").0, "4111 11**\n**** 1111");
    }

    #[test]
    fn a_message_without_card_numbers_stays_as_it_is() {
        let written = "Olá,\n\nmeu telefone é (11) 98888-7777 ou 11 3333-4444.\nAs vendas de 21/11/2026:\n1.234,56\n\
                       300,00\n\nPedido 1042, CNPJ 11.222.333/0001-81.";
        let (_, message) = read("Dúvida", written).expect("valid");
        assert_eq!(message, written);
    }

    #[test]
    fn all_invalid_fields_are_reported_at_once() {
        let errors = |subject: &str, message: &str| read(subject, message).expect_err("invalid").errors;
        let missing = errors(" ", "\n \n");
        assert_eq!(missing["subject"], ["Informe o assunto."]);
        assert_eq!(missing["message"], ["Escreva a sua mensagem."]);
        let long = errors(&"a".repeat(121), &"a".repeat(4_001));
        assert_eq!(long["subject"], ["O texto deve ter até 120 caracteres."]);
        assert_eq!(long["message"], ["O texto deve ter até 4.000 caracteres."]);
        assert_eq!(errors("a", "a\u{7}")["message"], [control_characters::MESSAGE]);
        assert!(read(&"á".repeat(120), &"á".repeat(4_000)).is_ok());
    }
}
