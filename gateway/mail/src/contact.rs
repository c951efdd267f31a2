//! The e-mails of messages to the platform: the message to the platform's contact address, and the answer to its
//! author.

use gateway_identity::email_queue::EmailKind;
use gateway_platform::providers::mask_card_numbers;
use tokio_postgres::types::Type;
use tokio_postgres::{Error, GenericClient};
use uuid::Uuid;

use crate::compose::{EmailContext, brasilia_time, greeting};
use crate::queue::StoredEmail;
use crate::rendered::{Action, RenderedEmail};

/// The e-mail of an answer repeats at most this much of the user's message.
const QUOTE_CHARACTERS_MAX: usize = 300;

/// A message and, for the e-mail of an answer, that answer.
pub struct ContactText {
    number: i64,
    subject: String,
    body: String,
    author: String,
    author_email: String,
    company: String,
    answer: Option<String>,
}

/// `None` for e-mails about other things, and if the message is missing.
pub(crate) async fn contact_text(
    client: &impl GenericClient,
    email: &StoredEmail,
) -> Result<Option<ContactText>, Error> {
    let Some(id) = email.facts.contact else {
        return Ok(None);
    };
    let is_answer = email.kind == EmailKind::ContactAnswer;
    read(client, id, is_answer).await
}

/// `id` is that of an answer (`is_answer`) or of a message.
async fn read(client: &impl GenericClient, id: Uuid, is_answer: bool) -> Result<Option<ContactText>, Error> {
    let row = client
        .query_typed_opt(
            "SELECT m.number, m.subject, m.body, seller.name, seller.email, b.name, answer.body
               FROM contact_message m
               JOIN seller_user seller ON seller.id = m.seller_id
               JOIN business b ON b.id = m.business_id
               LEFT JOIN contact_answer answer ON $2 AND answer.id = $1 AND answer.message_id = m.id
              WHERE m.id = CASE WHEN $2 THEN (SELECT message_id FROM contact_answer WHERE id = $1) ELSE $1 END",
            &[(&id, Type::UUID), (&is_answer, Type::BOOL)],
        )
        .await?;
    Ok(row.map(|row| ContactText {
        number: row.get(0),
        subject: row.get(1),
        body: row.get(2),
        author: row.get(3),
        author_email: row.get(4),
        company: row.get(5),
        answer: row.get(6),
    }))
}

/// Whether the author of the answered message still has access to its company.
pub(crate) async fn answer_may_be_read(
    client: &impl GenericClient,
    email: &StoredEmail,
) -> Result<bool, Error> {
    let row = client
        .query_typed_one(
            "SELECT EXISTS (SELECT FROM contact_answer answer
                              JOIN contact_message m ON m.id = answer.message_id
                              JOIN business_access a ON a.seller_id = m.seller_id AND a.business_id = m.business_id
                             WHERE answer.id = $1)",
            &[(&email.facts.contact, Type::UUID)],
        )
        .await?;
    row.try_get(0)
}

pub(crate) fn message_email(context: &EmailContext<'_>) -> RenderedEmail {
    let Some(text) = context.contact else {
        return without_text(context);
    };
    let mut paragraphs = vec![format!(
        "{} ({}) escreveu pela empresa {}:",
        text.author, text.author_email, text.company
    )];
    paragraphs.extend(paragraphs_of(&text.body));
    RenderedEmail {
        subject: format!("Mensagem nº {}: {}", text.number, text.subject),
        greeting: "Olá!".to_owned(),
        paragraphs,
        action: None,
        small_print: vec![
            format!("Mensagem enviada em {}.", brasilia_time(context.email.created_at)),
            "Responda no painel da plataforma, em Ajustes, Mensagens. Uma resposta a este e-mail não chega ao cliente."
                .to_owned(),
        ],
    }
}

pub(crate) fn answer_email(context: &EmailContext<'_>) -> RenderedEmail {
    let Some((text, answer)) = context
        .contact
        .and_then(|text| Some((text, text.answer.as_deref()?)))
    else {
        return without_text(context);
    };
    RenderedEmail {
        subject: format!("Resposta à mensagem nº {}: {}", text.number, text.subject),
        greeting: greeting(context),
        paragraphs: paragraphs_of(answer),
        action: Some(Action {
            label: "Ver a conversa",
            url: format!("{}/fale-com-a-gente", context.email.panel_url),
        }),
        small_print: vec![
            format!("Você escreveu: “{}”", quote(&text.body)),
            "Para continuar a conversa, envie uma nova mensagem pelo painel.".to_owned(),
        ],
    }
}

/// Rows of messages and answers are never deleted. This text is only for an e-mail that was restored without them.
fn without_text(context: &EmailContext<'_>) -> RenderedEmail {
    RenderedEmail {
        subject: "Fale com a gente".to_owned(),
        greeting: greeting(context),
        paragraphs: vec!["Há uma novidade em uma mensagem do Fale com a gente. Veja no painel.".to_owned()],
        action: None,
        small_print: vec![],
    }
}

fn paragraphs_of(text: &str) -> Vec<String> {
    let lines = text.lines().map(str::trim);
    lines.filter(|line| !line.is_empty()).map(str::to_owned).collect()
}

/// The start of the text on one line. Masked again, because a card number may have been spread over several lines.
fn quote(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let line = mask_card_numbers(&line);
    let mut quoted: String = line.chars().take(QUOTE_CHARACTERS_MAX).collect();
    if quoted.len() < line.len() {
        quoted.push('…');
    }
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_becomes_paragraphs_and_its_quote_is_short_and_without_card_numbers() {
        assert_eq!(paragraphs_of("Olá\n\n  tudo bem? \n"), ["Olá", "tudo bem?"]);
        assert_eq!(quote("Olá\n\ntudo bem?"), "Olá tudo bem?");
        for text in ["4111  1111\u{a0}1111  1111", "4111 1111\n1111 1111"] {
            assert_eq!(quote(text), "4111 11** **** 1111");
        }
        let long = quote(&"á".repeat(301));
        assert_eq!(long.chars().count(), QUOTE_CHARACTERS_MAX + 1);
        assert!(long.ends_with("á…"));
    }
}
