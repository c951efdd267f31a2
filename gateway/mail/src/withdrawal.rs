//! The e-mail to a company's owners and admins about a withdrawal that the bank returned.

use crate::compose::{EmailContext, brasilia_time, greeting};
use crate::rendered::{Action, RenderedEmail};

pub(crate) fn returned_email(context: &EmailContext<'_>) -> RenderedEmail {
    let subject = "Saque devolvido pelo banco".to_owned();
    let action = Some(Action {
        label: "Ver os saques",
        url: format!("{}/financeiro", context.email.panel_url),
    });
    let Some(withdrawal) = &context.email.facts.withdrawal else {
        // The facts are always queued with the e-mail, so these words are only for a row that was restored without
        // them.
        return RenderedEmail {
            subject,
            greeting: greeting(context),
            paragraphs: vec!["O banco devolveu um saque. Veja no painel.".to_owned()],
            action,
            small_print: vec![],
        };
    };
    let mut paragraphs = vec![format!(
        "O banco devolveu um saque da empresa {}: {} voltaram para o saldo disponível.",
        withdrawal.company, withdrawal.paid
    )];
    if withdrawal.fee.get() > 0 {
        paragraphs.push(format!("A tarifa de {} também foi devolvida.", withdrawal.fee));
    }
    paragraphs.extend(
        withdrawal
            .reason
            .as_ref()
            .map(|reason| format!("Motivo informado: {reason}")),
    );
    paragraphs.push("Confira os dados do destino antes de solicitar outro saque.".to_owned());
    RenderedEmail {
        subject,
        greeting: greeting(context),
        paragraphs,
        action,
        small_print: vec![format!("Devolução de {}.", brasilia_time(withdrawal.at))],
    }
}
