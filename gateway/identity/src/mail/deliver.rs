//! How a letter leaves: through an SMTP server, or in development into a folder.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use gateway_environment::config::{MailConfig, MailRoute};
use lettre::message::header::{HeaderName, HeaderValue};
use lettre::message::{Mailbox, MultiPart};
use lettre::{Address, AsyncSmtpTransport, AsyncTransport, Message, Tokio1Executor};
use thiserror::Error;
use uuid::Uuid;

use super::brand::Brand;
use super::rendered::RenderedEmail;

/// For each command of the exchange.
const COMMAND_TIMEOUT: Duration = Duration::from_secs(15);
/// For all of it, the connection included.
pub const TIMEOUT: Duration = Duration::from_secs(60);

#[derive(Debug, Error)]
#[error("the SMTP server's address cannot be used")]
pub struct DeliveryError;

pub enum Delivery {
    Smtp(AsyncSmtpTransport<Tokio1Executor>),
    Folder(PathBuf),
}

/// Why a letter did not leave: in words of ours, because a server's own may repeat the address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Undelivered {
    /// Will be refused whenever it is tried.
    Refused(String),
    /// May pass.
    Later(String),
}

impl Delivery {
    pub fn new(config: &MailConfig) -> Result<Self, DeliveryError> {
        match &config.route {
            MailRoute::Smtp(url) => {
                let transport = AsyncSmtpTransport::<Tokio1Executor>::from_url(url.reveal());
                let transport = transport.map_err(|_| DeliveryError)?;
                Ok(Self::Smtp(transport.timeout(Some(COMMAND_TIMEOUT)).build()))
            }
            MailRoute::Folder(folder) => {
                tracing::warn!(
                    "letters are not sent: they are written to {}, links that let people in and all",
                    folder.display()
                );
                Ok(Self::Folder(folder.clone()))
            }
        }
    }

    pub async fn deliver(&self, id: Uuid, message: &Message) -> Result<(), Undelivered> {
        match self {
            Self::Smtp(transport) => {
                let raw = message.formatted();
                let sent = tokio::time::timeout(TIMEOUT, transport.send_raw(message.envelope(), &raw));
                match sent.await {
                    Ok(Ok(_)) => Ok(()),
                    Ok(Err(error)) => Err(told_by(&error)),
                    Err(_) => Err(Undelivered::Later("timeout".to_owned())),
                }
            }
            Self::Folder(folder) => write_whole(folder, id, &message.formatted())
                .await
                .map_err(|error| Undelivered::Later(format!("folder: {}", error.kind()))),
        }
    }
}

/// Of 5yz replies only those about the message itself (RFC 5321, 4.2.1: second digit 5) are for good. The others are
/// about how we speak to the server or sign in to it, which is ours to mend: no letter is lost by it.
fn told_by(error: &lettre::transport::smtp::Error) -> Undelivered {
    match error.status() {
        Some(code) => {
            let code = code.to_string();
            if code.starts_with("55") {
                Undelivered::Refused(format!("smtp {code}"))
            } else {
                Undelivered::Later(format!("smtp {code}"))
            }
        }
        None if error.is_timeout() => Undelivered::Later("timeout".to_owned()),
        None if error.is_tls() => Undelivered::Later("tls".to_owned()),
        None if error.is_response() => Undelivered::Later("unreadable answer".to_owned()),
        None => Undelivered::Later("connection".to_owned()),
    }
}

/// Under another name until it is whole, so that whoever watches the folder never reads half a letter.
async fn write_whole(folder: &Path, id: Uuid, text: &[u8]) -> io::Result<()> {
    tokio::fs::create_dir_all(folder).await?;
    let unfinished = folder.join(format!(".{id}"));
    tokio::fs::write(&unfinished, text).await?;
    tokio::fs::rename(&unfinished, folder.join(format!("{id}.eml"))).await
}

/// None where the recipient's address cannot stand in a letter.
pub fn message(
    config: &MailConfig,
    id: Uuid,
    recipient: (&str, &str),
    outbox_email: &RenderedEmail,
    brand: &Brand,
) -> Option<Message> {
    let (name, address) = recipient;
    let address: Address = address.parse().ok()?;
    let domain = config.from.email.domain();
    Message::builder()
        .from(config.from.clone())
        .to(Mailbox::new(Some(name.to_owned()), address))
        .subject(outbox_email.subject.clone())
        // The same at every try, by which a mail program tells a letter that came twice.
        .message_id(Some(format!("<{id}@{domain}>")))
        // RFC 3834: no out-of-office answers, please.
        .raw_header(HeaderValue::new(
            HeaderName::new_from_ascii_str("Auto-Submitted"),
            "auto-generated".to_owned(),
        ))
        .multipart(MultiPart::alternative_plain_html(
            outbox_email.text(brand),
            outbox_email.html(brand),
        ))
        .ok()
}
