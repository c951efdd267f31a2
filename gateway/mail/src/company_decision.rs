//! E-mails about decisions on companies: to the company's people when staff decide, to owners and admins of the platform
//! when an approval waits for a second person, and to the requester when that person answers.

use gateway_identity::email_queue::{CompanyDecision, CompanyOutcome};

use crate::compose::{EmailContext, brasilia_time, greeting};
use crate::rendered::{Action, RenderedEmail};

/// For the users of the company. Staff stay anonymous to them.
pub(crate) fn decided_email(context: &EmailContext<'_>) -> RenderedEmail {
    let Some(decision) = &context.email.facts.decision else {
        return without_decision(context);
    };
    let company = &decision.company;
    let (subject, sentence) = match decision.outcome {
        CompanyOutcome::Approved => (
            format!("{company}: cadastro aprovado"),
            format!("O cadastro da empresa {company} foi aprovado. Ela já pode vender e solicitar saques."),
        ),
        CompanyOutcome::Denied => (
            format!("{company}: cadastro negado"),
            format!(
                "O cadastro da empresa {company} foi negado. Ela não cria vendas nem solicita saques enquanto a decisão valer."
            ),
        ),
        CompanyOutcome::Deleted => (
            format!("{company}: cadastro deletado"),
            format!("O cadastro da empresa {company} foi deletado. Ela deixa de operar na plataforma."),
        ),
        CompanyOutcome::Requested | CompanyOutcome::Rejected => return without_decision(context),
    };
    let mut paragraphs = vec![sentence];
    if decision.outcome != CompanyOutcome::Approved {
        paragraphs.extend(reason(decision));
        paragraphs.push(match &context.brand.contact_email {
            Some(contact) => format!("Se tiver dúvidas, escreva para {contact}."),
            None => "Se tiver dúvidas, fale com a nossa equipe.".to_owned(),
        });
    }
    RenderedEmail {
        subject,
        greeting: greeting(context),
        paragraphs,
        action: Some(Action {
            label: "Ver no painel",
            url: format!("{}/dados-da-empresa", context.email.panel_url),
        }),
        small_print: vec![format!("Decisão de {}.", brasilia_time(decision.at))],
    }
}

pub(crate) fn requested_email(context: &EmailContext<'_>) -> RenderedEmail {
    let Some(decision) = &context.email.facts.decision else {
        return without_decision(context);
    };
    let (who, company) = (by(decision), &decision.company);
    let mut paragraphs = vec![format!("{who} pediu a aprovação da empresa {company}.")];
    paragraphs.extend(reason(decision));
    paragraphs.push(
        "A empresa só começa a vender depois que outra pessoa aprovar. Confira o cadastro e os documentos antes de \
         decidir."
            .to_owned(),
    );
    RenderedEmail {
        subject: format!("Aprovação da empresa {company} aguarda outra pessoa"),
        greeting: greeting(context),
        paragraphs,
        action: company_action(context, decision),
        small_print: vec![format!("Pedido feito em {}.", brasilia_time(decision.at))],
    }
}

pub(crate) fn answered_email(context: &EmailContext<'_>) -> RenderedEmail {
    let Some(decision) = &context.email.facts.decision else {
        return without_decision(context);
    };
    let (who, company) = (by(decision), &decision.company);
    let (title, verb) = match decision.outcome {
        CompanyOutcome::Approved => ("confirmada", "confirmou"),
        _ => ("rejeitada", "rejeitou"),
    };
    let mut paragraphs = vec![format!(
        "{who} {verb} a aprovação da empresa {company} que você pediu."
    )];
    paragraphs.extend(reason(decision));
    RenderedEmail {
        subject: format!("Aprovação da empresa {company} {title}"),
        greeting: greeting(context),
        paragraphs,
        action: company_action(context, decision),
        small_print: vec![format!("Resposta de {}.", brasilia_time(decision.at))],
    }
}

fn by(decision: &CompanyDecision) -> &str {
    decision.by.as_deref().unwrap_or("Outra pessoa")
}

fn reason(decision: &CompanyDecision) -> Option<String> {
    decision.reason.as_ref().map(|reason| format!("Motivo: {reason}"))
}

fn company_action(context: &EmailContext<'_>, decision: &CompanyDecision) -> Option<Action> {
    Some(Action {
        label: "Ver a empresa",
        url: format!("{}/empresas/{}", context.email.panel_url, decision.company_id),
    })
}

/// The facts are always queued with these e-mails, so these words are only for a row that was restored without them.
fn without_decision(context: &EmailContext<'_>) -> RenderedEmail {
    RenderedEmail {
        subject: "Decisão sobre uma empresa".to_owned(),
        greeting: greeting(context),
        paragraphs: vec!["Há uma novidade no cadastro de uma empresa. Veja no painel.".to_owned()],
        action: None,
        small_print: vec![],
    }
}
