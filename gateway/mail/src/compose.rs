//! The Portuguese texts of each e-mail.

use chrono::{DateTime, Utc};
use chrono_tz::America::Sao_Paulo;
use gateway_identity::email_queue::EmailKind;

use crate::adjustment::{self, AdjustmentFacts};
use crate::brand::Brand;
use crate::company::company_changed;
use crate::company_decision;
use crate::contact::{ContactText, answer_email, message_email};
use crate::hold;
use crate::order::{
    OrderFacts, expired_email, link_paid_email, missing_order_email, paid_email, to_pay_email,
};
use crate::plan_change::{PlanChangeFacts, decided_email, requested_email};
use crate::queue::StoredEmail;
use crate::rendered::{Action, RenderedEmail};
use crate::report::{self, ReportText, ready_email, stopped_email};
use crate::rule_change::loosened_email;
use crate::withdrawal::returned_email;

/// The facts that are available when an e-mail is sent.
pub struct EmailContext<'a> {
    pub email: &'a StoredEmail,
    /// The name of the user or the buyer as it was typed; empty for the platform's own address.
    pub name: &'a str,
    pub brand: &'a Brand,
    /// The code in the link, if the e-mail has such a link.
    pub code: Option<&'a str>,
    /// The message to the platform and its answer, if the e-mail is about one.
    pub contact: Option<&'a ContactText>,
    /// The requested change of a plan, if the e-mail is about one.
    pub plan_change: Option<&'a PlanChangeFacts>,
    /// The requested adjustment of a balance, if the e-mail is about one.
    pub adjustment: Option<&'a AdjustmentFacts>,
    /// The order on a payment link and the attempt to pay it, if the e-mail is about one.
    pub order: Option<&'a OrderFacts>,
    /// The report by e-mail, if the e-mail is about one.
    pub report: Option<&'a ReportText>,
}

pub fn compose(context: &EmailContext<'_>) -> RenderedEmail {
    match context.email.kind {
        EmailKind::Welcome => welcome(context),
        EmailKind::VerifyEmail => verify_email(context),
        EmailKind::ResetPassword => reset_password(context),
        EmailKind::PasswordChanged => password_changed(context),
        EmailKind::PasswordSet => password_set(context),
        EmailKind::EmailChangeAsked => email_change_asked(context),
        EmailKind::EmailChanged => email_changed(context),
        EmailKind::BankAccountChanged => company_changed(context, "conta bancária"),
        EmailKind::DocumentChanged => company_changed(context, "documento"),
        EmailKind::UserAdded => company_changed(context, "usuários"),
        EmailKind::CompanyDecided => company_decision::decided_email(context),
        EmailKind::ApprovalRequested => company_decision::requested_email(context),
        EmailKind::ApprovalAnswered => company_decision::answered_email(context),
        EmailKind::ContactMessage => message_email(context),
        EmailKind::ContactAnswer => answer_email(context),
        EmailKind::PlanChangeRequested => requested_email(context),
        EmailKind::PlanChangeDecided => decided_email(context),
        EmailKind::AdjustmentRequested => adjustment::requested_email(context),
        EmailKind::AdjustmentDecided => adjustment::decided_email(context),
        EmailKind::RuleLoosened => loosened_email(context),
        EmailKind::OrderToPay => about_order(context, to_pay_email),
        EmailKind::OrderPaid => about_order(context, paid_email),
        EmailKind::OrderExpired => about_order(context, expired_email),
        EmailKind::LinkPaid => about_order(context, link_paid_email),
        EmailKind::ReportReady => about_report(context, ready_email),
        EmailKind::ReportStopped => about_report(context, stopped_email),
        EmailKind::WithdrawalReturned => returned_email(context),
        EmailKind::HoldDocumentsAsked => hold::documents_asked_email(context),
        EmailKind::HoldDocumentRefused => hold::document_refused_email(context),
    }
}

fn about_report(
    context: &EmailContext<'_>,
    write: fn(&EmailContext<'_>, &ReportText) -> RenderedEmail,
) -> RenderedEmail {
    match context.report {
        Some(text) => write(context, text),
        None => report::without_text(context),
    }
}

fn about_order(
    context: &EmailContext<'_>,
    write: fn(&EmailContext<'_>, &OrderFacts) -> RenderedEmail,
) -> RenderedEmail {
    match context.order {
        Some(order) => write(context, order),
        None => missing_order_email(context),
    }
}

fn welcome(context: &EmailContext<'_>) -> RenderedEmail {
    let product = &context.brand.product_name;
    let mut paragraphs = vec![format!(
        "Criamos um usuário para você na plataforma {product}. Para entrar, use este e-mail e a senha definida por quem \
         criou seu usuário. Se você não tem essa senha, escolha “Esqueci minha senha” na tela de login."
    )];
    paragraphs.extend(context.email.facts.takes_effect_at.map(|at| {
        format!(
            "Essa senha é provisória: não movimenta dinheiro nem altera contas bancárias, usuários ou endereços. A partir \
             de {}, crie a sua em “Esqueci minha senha”.",
            brasilia_time(at)
        )
    }));
    paragraphs.push("Antes de tudo, confirme que este e-mail é seu:".to_owned());
    RenderedEmail {
        subject: format!("Seu acesso à plataforma {product}"),
        greeting: greeting(context),
        paragraphs,
        action: confirmation_action(context),
        small_print: vec![
            "O link vale por 3 dias e só pode ser usado uma vez.".to_owned(),
            "Se você não esperava esta mensagem, ignore-a.".to_owned(),
        ],
    }
}

fn verify_email(context: &EmailContext<'_>) -> RenderedEmail {
    RenderedEmail {
        subject: "Confirme seu e-mail".to_owned(),
        greeting: greeting(context),
        paragraphs: vec![format!(
            "Para usar este e-mail na plataforma {}, confirme que ele é seu:",
            context.brand.product_name
        )],
        action: confirmation_action(context),
        small_print: vec![
            "O link vale por 3 dias e só pode ser usado uma vez.".to_owned(),
            request_sentence(context),
            "Se não foi você, ignore esta mensagem: nada será alterado.".to_owned(),
        ],
    }
}

fn reset_password(context: &EmailContext<'_>) -> RenderedEmail {
    RenderedEmail {
        subject: "Crie uma nova senha".to_owned(),
        greeting: greeting(context),
        paragraphs: vec![format!(
            "Recebemos um pedido para criar uma nova senha para o seu usuário na plataforma {}.",
            context.brand.product_name
        )],
        action: code_action(context, "Criar nova senha", "resetar-senha", "token"),
        small_print: vec![
            "O link vale por 1 hora e só pode ser usado uma vez.".to_owned(),
            request_sentence(context),
            "Se não foi você, ignore esta mensagem: sua senha continua a mesma.".to_owned(),
        ],
    }
}

fn password_changed(context: &EmailContext<'_>) -> RenderedEmail {
    RenderedEmail {
        subject: "Sua senha foi alterada".to_owned(),
        greeting: greeting(context),
        paragraphs: vec![
            format!(
                "A senha do seu usuário na plataforma {} foi alterada.",
                context.brand.product_name
            ),
            "Se foi você, não é preciso fazer nada. Se não foi, crie agora uma nova senha: isso desconecta todos os \
             dispositivos."
                .to_owned(),
        ],
        action: new_password_action(context),
        small_print: vec![change_sentence(context)],
    }
}

fn password_set(context: &EmailContext<'_>) -> RenderedEmail {
    RenderedEmail {
        subject: "Outra pessoa definiu sua senha".to_owned(),
        greeting: greeting(context),
        paragraphs: vec![
            format!(
                "Uma pessoa que administra usuários definiu uma nova senha para o seu usuário na plataforma {}. Ela é \
                 provisória: não movimenta dinheiro nem altera contas bancárias, usuários ou endereços.",
                context.brand.product_name
            ),
            "Para voltar a usar tudo, crie a sua própria senha. Se não foi você que pediu a troca, faça isso agora: a \
             senha provisória deixa de valer."
                .to_owned(),
        ],
        action: new_password_action(context),
        small_print: vec![change_sentence(context)],
    }
}

fn email_change_asked(context: &EmailContext<'_>) -> RenderedEmail {
    let mut paragraphs = vec![format!(
        "Recebemos um pedido para trocar o e-mail do seu usuário na plataforma {} para {}.",
        context.brand.product_name,
        new_email(context)
    )];
    paragraphs.extend(context.email.facts.takes_effect_at.map(|at| {
        format!(
            "A troca vale assim que você a confirmar por aqui. Sem a sua confirmação, ela vale a partir de {}. Até lá, \
             você entra e recebe links por este e-mail.",
            brasilia_time(at)
        )
    }));
    paragraphs
        .push("Se não foi você nem um administrador a seu pedido, abra o link e recuse a troca.".to_owned());
    RenderedEmail {
        subject: "Pedido de troca de e-mail".to_owned(),
        greeting: greeting(context),
        paragraphs,
        action: code_action(
            context,
            "Confirmar ou recusar a troca",
            "verificar-email",
            "approval",
        ),
        small_print: vec![
            "O link só pode ser usado uma vez.".to_owned(),
            request_sentence(context),
        ],
    }
}

/// To the old address and to the new one.
fn email_changed(context: &EmailContext<'_>) -> RenderedEmail {
    let product = &context.brand.product_name;
    let is_new = context.email.recipient == new_email(context);
    let changed = if is_new {
        format!(
            "O e-mail do seu usuário na plataforma {product} agora é este. Use-o para entrar e para criar senhas."
        )
    } else {
        format!(
            "O e-mail do seu usuário na plataforma {product} agora é {}. O e-mail anterior não pode mais ser usado para \
             entrar.",
            new_email(context)
        )
    };
    let help = match &context.brand.contact_email {
        Some(contact) => format!("Se não foi você, escreva agora para {contact}."),
        None => "Se não foi você, fale agora com um administrador da sua empresa.".to_owned(),
    };
    RenderedEmail {
        subject: "Seu e-mail foi alterado".to_owned(),
        greeting: greeting(context),
        paragraphs: vec![changed, help],
        action: None,
        small_print: vec![change_sentence(context)],
    }
}

pub(crate) fn greeting(context: &EmailContext<'_>) -> String {
    match first_name(context.name) {
        Some(name) => format!("Olá, {name}!"),
        None => "Olá!".to_owned(),
    }
}

/// The first name, if it looks like one. Another user may have typed it, and mail programs make links of web addresses.
fn first_name(name: &str) -> Option<&str> {
    let may_be_in_name = |c: char| c.is_alphabetic() || matches!(c, '\'' | '’' | '-');
    let first = name.split_whitespace().next();
    first.filter(|first| first.chars().all(may_be_in_name))
}

fn new_email<'a>(context: &EmailContext<'a>) -> &'a str {
    context.email.facts.new_email.as_deref().unwrap_or("outro e-mail")
}

fn confirmation_action(context: &EmailContext<'_>) -> Option<Action> {
    code_action(context, "Confirmar e-mail", "verificar-email", "code")
}

/// A link with the e-mail's one-time code. Codes have only letters, digits, hyphens and underscores: no escaping.
fn code_action(
    context: &EmailContext<'_>,
    label: &'static str,
    page: &str,
    parameter: &str,
) -> Option<Action> {
    let panel = &context.email.panel_url;
    context.code.map(|code| Action {
        label,
        url: format!("{panel}/{page}?{parameter}={code}"),
    })
}

fn new_password_action(context: &EmailContext<'_>) -> Option<Action> {
    Some(Action {
        label: "Criar nova senha",
        url: format!("{}/esqueci-minha-senha", context.email.panel_url),
    })
}

fn request_sentence(context: &EmailContext<'_>) -> String {
    format!(
        "Pedido feito em {}{}.",
        brasilia_time(context.email.created_at),
        from_ip(context)
    )
}

fn change_sentence(context: &EmailContext<'_>) -> String {
    format!(
        "Alteração feita em {}{}.",
        brasilia_time(context.email.created_at),
        from_ip(context)
    )
}

pub(crate) fn from_ip(context: &EmailContext<'_>) -> String {
    let address = context.email.facts.address;
    address.map_or_else(String::new, |address| {
        format!(", a partir do IP {}", address.to_canonical())
    })
}

/// An instant in a text for users, such as `21/11/2026 às 09:05 (horário de Brasília)`.
pub fn brasilia_time(instant: DateTime<Utc>) -> String {
    instant
        .with_timezone(&Sao_Paulo)
        .format("%d/%m/%Y às %H:%M (horário de Brasília)")
        .to_string()
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;

    use super::*;
    use gateway_identity::audience::Audience;
    use gateway_identity::email_queue::{CompanyAction, CompanyChange, Facts};

    /// An e-mail to Ana, requested on 21 November at 12:05 UTC from 203.0.113.9, with the facts that these tests need.
    fn composed(kind: EmailKind, code: Option<&str>) -> RenderedEmail {
        let email = StoredEmail {
            kind,
            audience: Audience::Seller,
            user: None,
            recipient: "ana@padaria.example".to_owned(),
            panel_url: "https://app.loja.example".to_owned(),
            facts: Facts {
                address: Some(IpAddr::from([203, 0, 113, 9])),
                new_email: Some("nova@padaria.example".to_owned()),
                company: Some(CompanyChange {
                    name: "Padaria".to_owned(),
                    action: CompanyAction::MadeDefault,
                    subject: "Itaú, ag. 0071, conta final 345-6".to_owned(),
                    by: Some("Ana Souza".to_owned()),
                    at: "2026-11-20T12:05:00Z".parse().expect("an instant"),
                }),
                ..Facts::default()
            },
            created_at: "2026-11-21T12:05:00Z".parse().expect("an instant"),
        };
        let brand = Brand {
            product_name: "Loja".to_owned(),
            theme_color: "#000000".to_owned(),
            contact_email: None,
        };
        compose(&EmailContext {
            email: &email,
            name: "Ana Souza",
            brand: &brand,
            code,
            contact: None,
            plan_change: None,
            adjustment: None,
            order: None,
            report: None,
        })
    }

    #[test]
    fn a_name_that_looks_like_a_web_address_is_left_out() {
        for (name, called) in [
            ("Ana Souza", Some("Ana")),
            ("D’Ávila", Some("D’Ávila")),
            ("Ana-Luísa", Some("Ana-Luísa")),
            ("https://premio.example Ana", None),
            ("premio.example", None),
            ("<b>Ana</b>", None),
            ("", None),
        ] {
            assert_eq!(first_name(name), called, "{name}");
        }
    }

    #[test]
    fn links_lead_to_the_panel_of_the_request_and_carry_the_code() {
        let url = |kind, code| composed(kind, code).action.map(|action| action.url);
        assert_eq!(
            url(EmailKind::ResetPassword, Some("c0de")).as_deref(),
            Some("https://app.loja.example/resetar-senha?token=c0de")
        );
        // The page asks before it approves.
        assert_eq!(
            url(EmailKind::EmailChangeAsked, Some("c0de")).as_deref(),
            Some("https://app.loja.example/verificar-email?approval=c0de")
        );
        for kind in [EmailKind::Welcome, EmailKind::VerifyEmail] {
            assert_eq!(
                url(kind, Some("c0de")).as_deref(),
                Some("https://app.loja.example/verificar-email?code=c0de")
            );
        }
        for kind in [EmailKind::PasswordChanged, EmailKind::PasswordSet] {
            assert_eq!(
                url(kind, None).as_deref(),
                Some("https://app.loja.example/esqueci-minha-senha")
            );
        }
        assert_eq!(url(EmailKind::EmailChanged, None), None);
    }

    #[test]
    fn an_e_mail_about_a_company_states_what_changed_when_and_from_where() {
        let email = composed(EmailKind::BankAccountChanged, None);
        assert_eq!(email.subject, "Mudança de conta bancária da sua empresa");
        assert_eq!(
            email.paragraphs[0],
            "Uma conta bancária da empresa Padaria foi escolhida como destino dos saques: \
             Itaú, ag. 0071, conta final 345-6."
        );
        assert_eq!(
            email.small_print,
            [
                "Mudança feita por Ana Souza em 20/11/2026 às 09:05 (horário de Brasília), a partir do IP 203.0.113.9."
            ]
        );
        let document = composed(EmailKind::DocumentChanged, None);
        assert!(document.paragraphs[0].starts_with("Um documento da empresa Padaria mudou"));
        assert_eq!(
            document.action.map(|action| action.url).as_deref(),
            Some("https://app.loja.example/dados-da-empresa")
        );
    }

    #[test]
    fn an_e_mail_states_time_and_address_of_the_request_and_how_to_object() {
        let email = composed(EmailKind::ResetPassword, Some("c0de"));
        assert_eq!(email.greeting, "Olá, Ana!");
        assert!(
            email.small_print.contains(
                &"Pedido feito em 21/11/2026 às 09:05 (horário de Brasília), a partir do IP 203.0.113.9."
                    .to_owned()
            ),
            "{email:?}"
        );
        for kind in [
            EmailKind::VerifyEmail,
            EmailKind::ResetPassword,
            EmailKind::PasswordChanged,
            EmailKind::PasswordSet,
            EmailKind::EmailChangeAsked,
            EmailKind::EmailChanged,
        ] {
            let email = composed(kind, Some("c0de"));
            let words = [email.paragraphs, email.small_print].concat().join(" ");
            assert!(words.contains("Se não foi"), "{kind:?}: {words}");
            let origin = "21/11/2026 às 09:05 (horário de Brasília), a partir do IP 203.0.113.9.";
            assert!(words.contains(origin), "{kind:?}: {words}");
        }
        assert!(composed(EmailKind::EmailChanged, None).paragraphs[0].contains("nova@padaria.example"));
    }
}
