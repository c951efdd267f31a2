//! Notices to the owners of a company about a change that a fraud would make.

use super::compose::{EmailContext, at, from, greeting};
use super::rendered::{Action, RenderedEmail};
use super::{CompanyAction, CompanyChange, EmailKind};

/// A notice to the company's owners. Its time is the business clock's, as in the company's history.
pub(super) fn company_changed(known: &EmailContext<'_>, what: &str) -> RenderedEmail {
    let Some(change) = &known.order.facts.company else {
        return about_company(known, what, format!("Mudança de {what}."), vec![]);
    };
    let done = match change.action {
        CompanyAction::Added => "adicionada",
        CompanyAction::MadeDefault => "escolhida como destino dos saques",
        CompanyAction::Removed => "removida",
    };
    let subject = &change.subject;
    let sentence = match known.order.kind {
        EmailKind::DocumentChanged => format!("Um documento da empresa {} mudou: {subject}.", change.name),
        _ => format!(
            "Uma conta bancária da empresa {} foi {done}: {subject}.",
            change.name
        ),
    };
    about_company(known, what, sentence, vec![author_of(known, change)])
}

fn about_company(
    known: &EmailContext<'_>,
    what: &str,
    sentence: String,
    small_print: Vec<String>,
) -> RenderedEmail {
    let help = match &known.brand.contact_email {
        Some(contact) => format!("Se você não reconhece esta mudança, escreva agora para {contact}."),
        None => "Se você não reconhece esta mudança, fale agora com a nossa equipe.".to_owned(),
    };
    RenderedEmail {
        subject: format!("Mudança de {what} da sua empresa"),
        greeting: greeting(known),
        paragraphs: vec![sentence, help],
        action: Some(Action {
            label: "Conferir no painel",
            url: format!("{}/dados-da-empresa", known.order.panel_url),
        }),
        small_print,
    }
}

fn author_of(known: &EmailContext<'_>, change: &CompanyChange) -> String {
    let author = match &change.by {
        Some(name) => format!("por {name}"),
        None => format!("pela equipe {}", known.brand.product_name),
    };
    format!("Mudança feita {author} em {}{}.", at(change.at), from(known))
}
