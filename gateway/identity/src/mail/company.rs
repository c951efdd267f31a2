//! Notices to the owners of a company about a change that a fraud would make.

use super::compose::{EmailContext, at, from, greeting};
use super::rendered::{Action, RenderedEmail};
use super::{CompanyAction, CompanyChange, EmailKind};

/// A notice to the company's owners. Its time is the business clock's, as in the company's history.
pub(super) fn company_changed(context: &EmailContext<'_>, what: &str) -> RenderedEmail {
    let Some(change) = &context.order.facts.company else {
        return about_company(context, what, format!("Mudança de {what}."), vec![]);
    };
    let done = match change.action {
        CompanyAction::Added => "adicionada",
        CompanyAction::MadeDefault => "escolhida como destino dos saques",
        CompanyAction::Removed => "removida",
    };
    let subject = &change.subject;
    let sentence = match context.order.kind {
        EmailKind::DocumentChanged => format!("Um documento da empresa {} mudou: {subject}.", change.name),
        _ => format!(
            "Uma conta bancária da empresa {} foi {done}: {subject}.",
            change.name
        ),
    };
    about_company(context, what, sentence, vec![author_of(context, change)])
}

fn about_company(
    context: &EmailContext<'_>,
    what: &str,
    sentence: String,
    small_print: Vec<String>,
) -> RenderedEmail {
    let help = match &context.brand.contact_email {
        Some(contact) => format!("Se você não reconhece esta mudança, escreva agora para {contact}."),
        None => "Se você não reconhece esta mudança, fale agora com a nossa equipe.".to_owned(),
    };
    RenderedEmail {
        subject: format!("Mudança de {what} da sua empresa"),
        greeting: greeting(context),
        paragraphs: vec![sentence, help],
        action: Some(Action {
            label: "Conferir no painel",
            url: format!("{}/dados-da-empresa", context.order.panel_url),
        }),
        small_print,
    }
}

fn author_of(context: &EmailContext<'_>, change: &CompanyChange) -> String {
    let author = match &change.by {
        Some(name) => format!("por {name}"),
        None => format!("pela equipe {}", context.brand.product_name),
    };
    format!("Mudança feita {author} em {}{}.", at(change.at), from(context))
}
