//! Delivers e-mails through an SMTP server, or in development into a folder.

use std::io;
use std::path::Path;
use std::time::Duration;

use gateway_environment::config::{Live, MailConfig, MailTransport, Secret};
use gateway_outbox::Fault;
use lettre::message::header::ContentType;
use lettre::message::header::{HeaderName, HeaderValue};
use lettre::message::{self, Mailbox, MultiPart};
use lettre::{Address, AsyncSmtpTransport, AsyncTransport, Message, Tokio1Executor};
use thiserror::Error;
use uuid::Uuid;

use crate::brand::Brand;
use crate::rendered::RenderedEmail;

/// For each command of the SMTP session.
const COMMAND_TIMEOUT: Duration = Duration::from_secs(15);
/// For the complete delivery, including the connection.
pub const TIMEOUT: Duration = Duration::from_secs(60);

#[derive(Debug, Error)]
#[error("the SMTP server's address is invalid")]
pub struct InvalidSmtpUrl;

pub struct Delivery {
    /// A reload of the configuration may replace the server between two e-mails.
    transport: Live<MailTransport>,
}

/// The reason why an e-mail was not delivered. It never contains the server's text, which may repeat the recipient's
/// address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DeliveryFault {
    /// Permanent: a retry would be refused too.
    Refused(Fault),
    /// Temporary: a retry may succeed.
    Later(Fault),
    /// The server cannot be reached, or takes no e-mails at all now.
    Silent(Fault),
}

impl Delivery {
    pub fn new(config: &MailConfig) -> Result<Self, InvalidSmtpUrl> {
        match &*config.transport.get() {
            MailTransport::Smtp(url) => {
                server(url)?;
            }
            MailTransport::Folder(folder) => {
                tracing::warn!(
                    "e-mails are not sent but written to {}, including links that give access",
                    folder.display()
                );
            }
        }
        Ok(Self {
            transport: config.transport.clone(),
        })
    }

    pub async fn deliver(&self, id: Uuid, message: &Message) -> Result<(), DeliveryFault> {
        match &*self.transport.get() {
            MailTransport::Smtp(url) => {
                let server = server(url).map_err(|_| DeliveryFault::Later(Fault::code("address")))?;
                let raw = message.formatted();
                let sent = tokio::time::timeout(TIMEOUT, server.send_raw(message.envelope(), &raw));
                match sent.await {
                    Ok(Ok(_)) => Ok(()),
                    Ok(Err(error)) => Err(delivery_fault(&error)),
                    Err(_) => Err(DeliveryFault::Silent(Fault::code("timeout"))),
                }
            }
            MailTransport::Folder(folder) => write_atomically(folder, id, &message.formatted())
                .await
                .map_err(|error| DeliveryFault::Later(Fault(format!("folder: {}", error.kind()).into()))),
        }
    }
}

/// Without a pool, so that one for each e-mail costs nothing.
fn server(url: &Secret<String>) -> Result<AsyncSmtpTransport<Tokio1Executor>, InvalidSmtpUrl> {
    let server = AsyncSmtpTransport::<Tokio1Executor>::from_url(url.reveal());
    let server = server.map_err(|_| InvalidSmtpUrl)?;
    Ok(server.timeout(Some(COMMAND_TIMEOUT)).build())
}

/// Replies of the form 55z are permanent: they are about the receiving mail system (RFC 5321, 4.2.1). After any other
/// reply the e-mail is retried, because operators may repair its cause, such as a refused sign-in to the server.
fn delivery_fault(error: &lettre::transport::smtp::Error) -> DeliveryFault {
    match error.status() {
        Some(code) => {
            let code = code.to_string();
            let fault = Fault(format!("smtp {code}").into());
            match code.as_str() {
                permanent if permanent.starts_with("55") => DeliveryFault::Refused(fault),
                // It closes, or refuses the sign-in (RFC 5321, 3.8 and RFC 4954, 6). Others are about one e-mail.
                "421" | "454" | "530" | "534" | "535" => DeliveryFault::Silent(fault),
                _ => DeliveryFault::Later(fault),
            }
        }
        None if error.is_timeout() => DeliveryFault::Silent(Fault::code("timeout")),
        None if error.is_tls() => DeliveryFault::Silent(Fault::code("tls")),
        None if error.is_response() => DeliveryFault::Later(Fault::code("unreadable answer")),
        None => DeliveryFault::Silent(Fault::code("connection")),
    }
}

/// Writes under a hidden name and renames, so that a reader of the folder never sees a partial e-mail.
async fn write_atomically(folder: &Path, id: Uuid, text: &[u8]) -> io::Result<()> {
    tokio::fs::create_dir_all(folder).await?;
    let unfinished = folder.join(format!(".{id}"));
    tokio::fs::write(&unfinished, text).await?;
    tokio::fs::rename(&unfinished, folder.join(format!("{id}.eml"))).await
}

/// A spreadsheet in an e-mail.
pub struct Attachment {
    pub name: String,
    pub content: Vec<u8>,
}

const XLSX: &str = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

/// The MIME message of an e-mail for `recipient` (name and address). `None` if it cannot be built, as with an invalid
/// address.
pub fn message(
    config: &MailConfig,
    id: Uuid,
    recipient: (&str, &str),
    (email, attachment): (&RenderedEmail, Option<Attachment>),
    brand: &Brand,
) -> Option<Message> {
    let (name, address) = recipient;
    let address: Address = address.parse().ok()?;
    let domain = config.from.email.domain();
    let text = MultiPart::alternative_plain_html(email.text(brand), email.html(brand));
    Message::builder()
        .from(config.from.clone())
        .to(Mailbox::new(Some(name.to_owned()), address))
        .subject(email.subject.clone())
        // The same id at every try, so that mail programs can detect a repeated e-mail.
        .message_id(Some(format!("<{id}@{domain}>")))
        // Asks for no automatic replies (RFC 3834).
        .raw_header(HeaderValue::new(
            HeaderName::new_from_ascii_str("Auto-Submitted"),
            "auto-generated".to_owned(),
        ))
        .multipart(match attachment {
            None => text,
            Some(Attachment { name, content }) => {
                let file = message::Attachment::new(name).body(content, ContentType::parse(XLSX).ok()?);
                MultiPart::mixed().multipart(text).singlepart(file)
            }
        })
        .ok()
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;
    use gateway_identity::email_address::{email_error, normalize_email};

    /// Whether the mailer writes a message to the address.
    fn is_written(address: &str) -> bool {
        let config = MailConfig {
            transport: Live::new(MailTransport::Folder(PathBuf::new())),
            from: "Razão <nao-responda@razao.example>".parse().expect("a mailbox"),
        };
        let brand = Brand {
            product_name: "Loja".to_owned(),
            theme_color: "#000000".to_owned(),
            contact_email: None,
        };
        let email = RenderedEmail {
            subject: "Assunto".to_owned(),
            greeting: "Olá!".to_owned(),
            paragraphs: vec![],
            action: None,
            small_print: vec![],
        };
        message(&config, Uuid::nil(), ("Ana", address), (&email, None), &brand).is_some()
    }

    #[test]
    fn every_address_that_is_accepted_is_one_that_the_mailer_writes_to() {
        for accepted in [
            "ana@padaria.example",
            "ana.souza+loja@sub.padaria.com.br",
            "o'hara@x.io",
            "!#$%&'*+-/=?^_`{|}~@x.io",
            "ana@ação.com.br",
        ] {
            let address = normalize_email(accepted);
            assert_eq!(email_error(&address), None, "{accepted}");
            assert!(is_written(&address), "{accepted}");
        }
        for unwritten in ["ana@", "a b@x.com", "ana@x..com"] {
            assert!(!is_written(unwritten), "{unwritten}");
            assert!(email_error(unwritten).is_some(), "{unwritten}");
        }
    }
}
