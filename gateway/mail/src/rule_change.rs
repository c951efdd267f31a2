//! The e-mail to staff about a loosened rule of the platform: fewer decisions will need two people.

use crate::compose::{EmailContext, brasilia_time, greeting};
use crate::rendered::{Action, RenderedEmail};

pub(crate) fn loosened_email(context: &EmailContext<'_>) -> RenderedEmail {
    let mut paragraphs = vec![];
    let mut small_print = vec![];
    if let Some(change) = &context.email.facts.rule {
        let who = change.by.as_deref().unwrap_or("Um proprietário");
        paragraphs.push(format!(
            "{who} afrouxou uma regra da plataforma: {}. Antes: {}. Depois: {}.",
            change.rule, change.before, change.after
        ));
        paragraphs.push(format!(
            "A mudança vale a partir de {}. Até lá, um proprietário pode retirá-la.",
            brasilia_time(change.starts)
        ));
        small_print.push(format!("Mudança feita em {}.", brasilia_time(change.at)));
    }
    paragraphs.push("Se você não esperava esta mudança, fale agora com um proprietário.".to_owned());
    RenderedEmail {
        subject: "Uma regra da plataforma vai mudar".to_owned(),
        greeting: greeting(context),
        paragraphs,
        action: Some(Action {
            label: "Ver as regras",
            url: format!("{}/ajustes/regras", context.email.panel_url),
        }),
        small_print,
    }
}
