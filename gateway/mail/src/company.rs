//! E-mails to the owners of a company about changes that a fraudster would make: bank accounts, documents and users.

use gateway_identity::email_queue::{CompanyAction, CompanyChange, EmailKind};

use crate::compose::{EmailContext, brasilia_time, from_ip, greeting};
use crate::rendered::{Action, RenderedEmail};

/// `topic` is "conta bancária", "documento" or "usuários". The time of the change is the business clock's, as in the company's
/// history.
pub(crate) fn company_changed(context: &EmailContext<'_>, topic: &str) -> RenderedEmail {
    let Some(change) = &context.email.facts.company else {
        return about_company(context, topic, format!("Mudança de {topic}."), vec![]);
    };
    let participle = match change.action {
        CompanyAction::Added => "adicionada",
        CompanyAction::MadeDefault => "escolhida como destino dos saques",
        CompanyAction::Removed => "removida",
    };
    let subject = &change.subject;
    let sentence = match context.email.kind {
        EmailKind::DocumentChanged => format!("Um documento da empresa {} mudou: {subject}.", change.name),
        EmailKind::UserAdded => format!("{subject} agora tem acesso à empresa {}.", change.name),
        _ => format!(
            "Uma conta bancária da empresa {} foi {participle}: {subject}.",
            change.name
        ),
    };
    about_company(context, topic, sentence, vec![author_of(context, change)])
}

fn about_company(
    context: &EmailContext<'_>,
    topic: &str,
    sentence: String,
    small_print: Vec<String>,
) -> RenderedEmail {
    let help = match &context.brand.contact_email {
        Some(contact) => format!("Se você não reconhece esta mudança, escreva agora para {contact}."),
        None => "Se você não reconhece esta mudança, fale agora com a nossa equipe.".to_owned(),
    };
    let page = match context.email.kind {
        EmailKind::UserAdded => "usuarios",
        _ => "dados-da-empresa",
    };
    RenderedEmail {
        subject: format!("Mudança de {topic} da sua empresa"),
        greeting: greeting(context),
        paragraphs: vec![sentence, help],
        action: Some(Action {
            label: "Conferir no painel",
            url: format!("{}/{page}", context.email.panel_url),
        }),
        small_print,
    }
}

fn author_of(context: &EmailContext<'_>, change: &CompanyChange) -> String {
    let author = match &change.by {
        Some(name) => format!("por {name}"),
        None => format!("pela equipe {}", context.brand.product_name),
    };
    format!(
        "Mudança feita {author} em {}{}.",
        brasilia_time(change.at),
        from_ip(context)
    )
}
