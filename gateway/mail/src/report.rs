//! The e-mails of reports by e-mail: one with the report of a period, attached or by a link, and one that says why the
//! report is no longer sent. Their rows name the report by e-mail, its title and the delivery of the period. The rest
//! is read when they are sent.

use chrono::{DateTime, NaiveDate, Utc};
use gateway_identity::email_queue::EmailKind;
use gateway_identity::report_access::has_role_of;
use gateway_platform::reports::{
    ReportDelivery, ReportEmail, Rhythm, StoppedBy, delivery_content, delivery_fetch, report_email_fetch,
};
use tokio_postgres::types::Type;
use tokio_postgres::{Error, GenericClient};
use uuid::Uuid;

use crate::compose::{EmailContext, brasilia_time, greeting};
use crate::deliver::Attachment;
use crate::queue::StoredEmail;
use crate::rendered::{Action, RenderedEmail};

/// The page of reports by e-mail, in both panels.
const PAGE: &str = "relatorios/por-email";

pub struct ReportText {
    report_email: ReportEmail,
    /// The report's title, as its screen has it.
    title: String,
    company: Option<String>,
    delivery: Option<ReportDelivery>,
}

/// `None` for e-mails about other things, and if the report by e-mail is missing.
pub(crate) async fn report_text(
    client: &impl GenericClient,
    email: &StoredEmail,
) -> Result<Option<ReportText>, Error> {
    let Some(facts) = &email.facts.report else {
        return Ok(None);
    };
    let delivery = match facts.delivery {
        Some(id) => delivery_fetch(client, id).await?,
        None => None,
    };
    let Some(report_email) = report_email_fetch(client, facts.report_email).await? else {
        return Ok(None);
    };
    let company = match report_email.owner.business {
        Some(business) => company_name(client, business.uuid()).await?,
        None => None,
    };
    Ok(Some(ReportText {
        title: facts.title.clone(),
        report_email,
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
    /// Whether the user may still read the report and still wants it. The e-mail that it was stopped is always current.
    pub(crate) async fn is_current(
        &self,
        client: &impl GenericClient,
        kind: EmailKind,
    ) -> Result<bool, Error> {
        if kind != EmailKind::ReportReady {
            return Ok(true);
        }
        match &self.delivery {
            Some(delivery) if self.report_email.stopped.is_none() => {
                has_role_of(client, self.report_email.owner, &delivery.roles).await
            }
            Some(_) | None => Ok(false),
        }
    }

    /// The file, if it is small enough to be in the e-mail and not deleted yet.
    pub(crate) async fn attachment(&self, client: &impl GenericClient) -> Result<Option<Attachment>, Error> {
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
        match self.report_email.rhythm {
            Rhythm::Week => "toda semana",
            Rhythm::Month => "todo mês",
        }
    }
}

pub(crate) fn ready_email(context: &EmailContext<'_>, text: &ReportText) -> RenderedEmail {
    let Some(delivery) = &text.delivery else {
        return without_text(context);
    };
    let panel = &context.email.panel_url;
    // The page may be opened while another company of the user is chosen.
    let company = text.report_email.owner.business;
    let period = period((delivery.start, delivery.end));
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
                brasilia_time(delivery.expires_at)
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
                brasilia_time(text.report_email.created_at)
            ),
            "Para parar de receber, entre na plataforma e abra Relatórios por e-mail.".to_owned(),
        ],
    }
}

pub(crate) fn stopped_email(context: &EmailContext<'_>, text: &ReportText) -> RenderedEmail {
    let why = match text.report_email.stopped {
        Some((_, StoppedBy::Filters)) => {
            "Não é mais possível gerar o relatório com os filtros que você escolheu. Peça de novo com outros filtros."
        }
        _ => "Você não tem mais acesso a este relatório. Se isso for um engano, fale com um administrador.",
    };
    let stopped_at: DateTime<Utc> = text
        .report_email
        .stopped
        .map_or(context.email.created_at, |(stopped_at, _)| stopped_at);
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
        small_print: vec![format!("Parado em {}.", brasilia_time(stopped_at))],
    }
}

/// "16/11/2026 a 22/11/2026"
fn period((start, end): (NaiveDate, NaiveDate)) -> String {
    format!("{} a {}", start.format("%d/%m/%Y"), end.format("%d/%m/%Y"))
}

/// Reports by e-mail are never deleted, so this text is only for a row that was restored without its report.
pub(crate) fn without_text(context: &EmailContext<'_>) -> RenderedEmail {
    RenderedEmail {
        subject: "Relatório por e-mail".to_owned(),
        greeting: greeting(context),
        paragraphs: vec!["Há uma novidade nos seus relatórios por e-mail. Veja no painel.".to_owned()],
        action: Some(Action {
            label: "Ver meus relatórios por e-mail",
            url: format!("{}/{PAGE}", context.email.panel_url),
        }),
        small_print: vec![],
    }
}
