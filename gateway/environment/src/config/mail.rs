//! How e-mails are sent: through an SMTP server, or in development into a folder.

use std::path::{Path, PathBuf};

use lettre::message::Mailbox;
use lettre::{AsyncSmtpTransport, Tokio1Executor};
use url::Url;

use super::{Live, Secret, Variables, is_local};

#[derive(Debug, Clone)]
pub struct MailConfig {
    pub transport: Live<MailTransport>,
    /// `RAZAO_MAIL_FROM`: the sender of e-mails, `Name <address>`; in development `Razão
    /// <nao-responda@exemplo.com.br>`.
    pub from: Mailbox,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MailTransport {
    /// `RAZAO_SMTP_URL`: `smtps://user:password@host:465`, or `smtp://…:587?tls=required` for STARTTLS. A path is the
    /// name that EHLO sends to the server. TLS is optional only for a server on this machine.
    Smtp(Secret<String>),
    /// `RAZAO_MAIL_FOLDER`, default `outbox` under `RAZAO_DATA`: without an SMTP server, each e-mail becomes a file
    /// `<id>.eml`. Development only, because the e-mails have links that sign in.
    Folder(PathBuf),
}

impl MailConfig {
    pub(super) fn read(variables: &mut Variables<'_>, data: &Path) -> Self {
        let smtp = variables.required_in_production(
            "RAZAO_SMTP_URL",
            "the outbox folder is for development",
            read_url,
        );
        let folder = variables.development_only("RAZAO_MAIL_FOLDER", |text| Ok(PathBuf::from(text)));
        let from = variables.required_in_production("RAZAO_MAIL_FROM", "e-mails need a sender", |text| {
            text.parse()
                .map_err(|_| "is not of the form Name <address>".to_owned())
        });
        Self {
            transport: Live::new(smtp.map_or_else(
                || MailTransport::Folder(folder.unwrap_or_else(|| data.join("outbox"))),
                MailTransport::Smtp,
            )),
            from: from.unwrap_or_else(development_sender),
        }
    }
}

fn development_sender() -> Mailbox {
    let address = "nao-responda@exemplo.com.br"
        .parse()
        .expect("the development sender is an address");
    Mailbox::new(Some("Razão".to_owned()), address)
}

/// Its errors never repeat the text, which may contain a password.
fn read_url(text: &str) -> Result<Secret<String>, String> {
    let form = "is not an address such as smtps://user:password@host:465";
    let url = Url::parse(text).map_err(|_| form.to_owned())?;
    AsyncSmtpTransport::<Tokio1Executor>::from_url(text).map_err(|_| form.to_owned())?;
    let required = url
        .query_pairs()
        .any(|(name, value)| name == "tls" && value == "required");
    let encrypted = url.scheme() == "smtps" || required;
    if encrypted || url.host_str().is_some_and(is_local) {
        Ok(Secret::new(text.to_owned()))
    } else {
        Err("would send sign-in links without TLS: use smtps:// or ?tls=required".to_owned())
    }
}
