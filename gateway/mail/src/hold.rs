//! The e-mails to a company's owners and admins about a hold that asks for documents.

use gateway_identity::email_queue::HoldFacts;
use ledger_domain::Cents;

use crate::compose::{EmailContext, brasilia_time, greeting};
use crate::rendered::{Action, RenderedEmail};

pub(crate) fn documents_asked_email(context: &EmailContext<'_>) -> RenderedEmail {
    let subject = "Envie documentos para liberar um valor retido";
    let Some(hold) = &context.email.facts.hold else {
        return without_facts(context, subject);
    };
    let held = if hold.amount == Cents::ZERO {
        // A court's order that waits for credits.
        format!(
            "Há uma retenção para os próximos recebimentos da empresa {}.",
            hold.company
        )
    } else {
        format!(
            "Um valor da empresa {} está retido: {}.",
            hold.company, hold.amount
        )
    };
    let mut paragraphs = vec![
        format!("{held} Para a análise, envie no painel:"),
        hold.documents.join("; "),
    ];
    paragraphs.push("No painel você também vê o motivo e o histórico da retenção.".to_owned());
    about(context, subject, "Enviar documentos", hold, paragraphs)
}

pub(crate) fn document_refused_email(context: &EmailContext<'_>) -> RenderedEmail {
    let subject = "Documento recusado: envie outro";
    let Some(hold) = &context.email.facts.hold else {
        return without_facts(context, subject);
    };
    let mut paragraphs = vec![format!(
        "Recusamos um documento que a empresa {} enviou para um valor retido: {}.",
        hold.company,
        hold.documents.join("; ")
    )];
    paragraphs.extend(hold.note.as_ref().map(|note| format!("Motivo informado: {note}")));
    paragraphs.push("O valor continua retido. Envie outro arquivo no painel.".to_owned());
    about(context, subject, "Enviar outro documento", hold, paragraphs)
}

fn about(
    context: &EmailContext<'_>,
    subject: &str,
    label: &'static str,
    hold: &HoldFacts,
    paragraphs: Vec<String>,
) -> RenderedEmail {
    RenderedEmail {
        subject: subject.to_owned(),
        greeting: greeting(context),
        paragraphs,
        action: Some(Action {
            label,
            url: format!(
                "{}/financeiro/valores-retidos/{}",
                context.email.panel_url, hold.hold
            ),
        }),
        small_print: vec![format!("Em {}.", brasilia_time(hold.at))],
    }
}

/// The facts are always queued with the e-mail, so these words are only for a row that was restored without them.
fn without_facts(context: &EmailContext<'_>, subject: &str) -> RenderedEmail {
    RenderedEmail {
        subject: subject.to_owned(),
        greeting: greeting(context),
        paragraphs: vec!["Um valor retido da sua empresa precisa de documentos. Veja no painel.".to_owned()],
        action: Some(Action {
            label: "Ver os valores retidos",
            url: format!("{}/financeiro/valores-retidos", context.email.panel_url),
        }),
        small_print: vec![],
    }
}
