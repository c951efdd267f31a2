//! The e-mails of reports: one with the report of a period, attached or by a link, and one that says why there are no
//! more. Their rows name the period or the order. Texts, file and access are read when the e-mail is sent.

use chrono::{DateTime, NaiveDate, Utc};
use tokio_postgres::types::Type;
use tokio_postgres::{Error, GenericClient};
use uuid::Uuid;

use super::EmailKind;
use super::compose::{EmailContext, at, greeting};
use super::deliver::Attachment;
use super::queue::EmailOrder;
use super::rendered::{Action, RenderedEmail};
use crate::reports::{
    Every, ReportDelivery, ReportEmail, StoppedBy, delivery_content, delivery_fetch, may_read_report,
    report_email_fetch,
};

/// The page of reports by e-mail, in both panels.
const PAGE: &str = "relatorios/por-email";

pub struct ReportText {
    email: ReportEmail,
    /// The report's title, as its screen has it.
    title: String,
    company: Option<String>,
    delivery: Option<ReportDelivery>,
}

/// `None` for e-mails about other things.
pub(super) async fn report_text(
    client: &impl GenericClient,
    order: &EmailOrder,
) -> Result<Option<ReportText>, Error> {
    let Some(facts) = &order.facts.report else {
        return Ok(None);
    };
    let delivery = match facts.delivery {
        Some(id) => delivery_fetch(client, id).await?,
        None => None,
    };
    let Some(email) = report_email_fetch(client, facts.report_email).await? else {
        return Ok(None);
    };
    let company = match email.owner.business {
        Some(business) => company_name(client, business.uuid()).await?,
        None => None,
    };
    Ok(Some(ReportText {
        title: facts.title.clone(),
        email,
        company,
        delivery,
    }))
}

async fn company_name(client: &impl GenericClient, business: Uuid) -> Result<Option<String>, Error> {
    let row = client
        .query_typed_opt(
            "SELECT coalesce(trade_name, name) FROM business WHERE id = $1",
            &[(&business, Type::UUID)],
        )
        .await?;
    row.map(|row| row.try_get(0)).transpose()
}

impl ReportText {
    /// Whether the user may still read the report and still wants it. A notice that it was stopped is always current.
    pub(super) async fn is_current(
        &self,
        client: &impl GenericClient,
        kind: EmailKind,
    ) -> Result<bool, Error> {
        if kind != EmailKind::ReportReady {
            return Ok(true);
        }
        match &self.delivery {
            Some(delivery) if self.email.stopped.is_none() => {
                may_read_report(client, self.email.owner, &delivery.roles).await
            }
            Some(_) | None => Ok(false),
        }
    }

    /// The file, if it is small enough to be in the e-mail.
    pub(super) async fn attachment(&self, client: &impl GenericClient) -> Result<Option<Attachment>, Error> {
        match &self.delivery {
            Some(delivery) if delivery.attached => {
                let content = delivery_content(client, delivery.id).await?;
                let name = delivery.file_name.clone();
                Ok((!content.is_empty()).then_some(Attachment { name, content }))
            }
            Some(_) | None => Ok(None),
        }
    }

    fn of_company(&self) -> String {
        let company = self.company.as_deref();
        company.map_or_else(String::new, |company| format!(" da empresa {company}"))
    }

    const fn rhythm(&self) -> &'static str {
        match self.email.every {
            Every::Week => "toda semana",
            Every::Month => "todo mês",
        }
    }
}

pub(super) fn ready_email(context: &EmailContext<'_>, text: &ReportText) -> RenderedEmail {
    let Some(delivery) = &text.delivery else {
        return without_text(context);
    };
    let panel = &context.order.panel_url;
    // The page may be opened while another company of the user is chosen.
    let company = text.email.owner.business;
    let period = period(delivery.period);
    let (how, action) = if delivery.attached {
        (
            "A planilha está anexada a este e-mail.".to_owned(),
            Action {
                label: "Ver meus relatórios por e-mail",
                url: format!(
                    "{panel}/{PAGE}{}",
                    company.map_or_else(String::new, |id| format!("?empresa={id}"))
                ),
            },
        )
    } else {
        (
            format!(
                "A planilha é grande demais para um anexo. Baixe-a até {}; é preciso entrar na plataforma.",
                at(delivery.expires_at)
            ),
            Action {
                label: "Baixar a planilha",
                url: format!(
                    "{panel}/{PAGE}?arquivo={}{}",
                    delivery.id,
                    company.map_or_else(String::new, |id| format!("&empresa={id}"))
                ),
            },
        )
    };
    RenderedEmail {
        subject: format!("{}: {period}", text.title),
        greeting: greeting(context),
        paragraphs: vec![
            format!(
                "Seu relatório “{}”{}, de {period}, está pronto.",
                text.title,
                text.of_company()
            ),
            how,
        ],
        action: Some(action),
        small_print: vec![
            format!(
                "Você pediu este relatório {} em {}.",
                text.rhythm(),
                at(text.email.created_at)
            ),
            "Para parar de receber, entre na plataforma e abra Relatórios por e-mail.".to_owned(),
        ],
    }
}

pub(super) fn stopped_email(context: &EmailContext<'_>, text: &ReportText) -> RenderedEmail {
    let why = match text.email.stopped {
        Some((_, StoppedBy::Filters)) => {
            "Não é mais possível gerar o relatório com os filtros que você escolheu. Peça de novo com outros filtros."
        }
        _ => "Você não tem mais acesso a este relatório. Se isso for um engano, fale com um administrador.",
    };
    let stopped_at: DateTime<Utc> = text
        .email
        .stopped
        .map_or(context.order.created_at, |(stopped_at, _)| stopped_at);
    RenderedEmail {
        subject: format!("Relatório por e-mail parado: {}", text.title),
        greeting: greeting(context),
        paragraphs: vec![
            format!(
                "O relatório “{}”{} não será mais enviado {}.",
                text.title,
                text.of_company(),
                text.rhythm()
            ),
            why.to_owned(),
        ],
        action: None,
        small_print: vec![format!("Parado em {}.", at(stopped_at))],
    }
}

/// "16/11/2026 a 22/11/2026"
fn period((start, end): (NaiveDate, NaiveDate)) -> String {
    format!("{} a {}", start.format("%d/%m/%Y"), end.format("%d/%m/%Y"))
}

/// Orders are never deleted, so this text is only for a row that was restored without its order.
pub(super) fn without_text(context: &EmailContext<'_>) -> RenderedEmail {
    RenderedEmail {
        subject: "Relatório por e-mail".to_owned(),
        greeting: greeting(context),
        paragraphs: vec!["Há uma novidade nos seus relatórios por e-mail. Veja no painel.".to_owned()],
        action: Some(Action {
            label: "Ver meus relatórios por e-mail",
            url: format!("{}/{PAGE}", context.order.panel_url),
        }),
        small_print: vec![],
    }
}
