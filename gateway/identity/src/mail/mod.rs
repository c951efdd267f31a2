//! Letters: a row of `mail` for each, put there by whoever changes something in that same transaction, and a worker
//! that writes the letter and gives it to an SMTP server, or in development to a folder.
//!
//! A row holds no text and no code: what stands in a letter is worked out when it is sent. Who may ask for which letter
//! is `sessions`' and `people`'s matter.

mod brand;
mod compose;
mod deliver;
mod queue;
mod rendered;
mod sweep;
mod worker;

use std::net::IpAddr;
use std::sync::Arc;

use ledger_domain::ids::UserId;
use serde::{Deserialize, Serialize};
use tokio::sync::Notify;
use tokio_postgres::{Error, GenericClient};
use uuid::Uuid;

pub use deliver::DeliveryError;
pub use queue::{EmailQueueStats, queue_stats};
pub use sweep::sweep_once;
pub use worker::{MailWorker, Mailing};

use crate::audience::Audience;
use crate::sessions::codes;

macro_rules! kinds {
    ($($variant:ident $name:literal,)+) => {
        /// What a letter is about.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum EmailKind {
            $($variant,)+
        }

        impl EmailKind {
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $name,)+ }
            }

            /// As the column has them.
            const NAMES: &'static [&'static str] = &[$($name),+];

            fn of_column(text: &str) -> Option<Self> {
                match text { $($name => Some(Self::$variant),)+ _ => None }
            }
        }
    };
}

kinds! {
    Welcome "welcome",
    VerifyEmail "verify-email",
    ResetPassword "reset-password",
    PasswordChanged "password-changed",
    EmailChangeAsked "email-change-asked",
    EmailChanged "email-changed",
}

impl EmailKind {
    /// What the code in its link is for; none in a notice.
    const fn purpose(self) -> Option<codes::Purpose> {
        match self {
            Self::Welcome | Self::VerifyEmail => Some(codes::Purpose::VerifyEmail),
            Self::ResetPassword => Some(codes::Purpose::ResetPassword),
            Self::PasswordChanged | Self::EmailChangeAsked | Self::EmailChanged => None,
        }
    }
}

/// What a letter's words need beside the person's name.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Facts {
    /// From where it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub address: Option<IpAddr>,
    /// Of notices to the old address.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub new_email: Option<String>,
}

/// A letter to be written.
pub struct OutboxEmail<'a> {
    pub kind: EmailKind,
    pub audience: Audience,
    /// None where only the address is known: whose it is, if anybody's, is looked up by whoever sends it.
    pub user: Option<UserId>,
    /// As `email_address::normal_email` spells it.
    pub recipient: &'a str,
    /// Scheme and host of the panel that its links lead to.
    pub panel_url: &'a str,
    pub facts: Facts,
}

/// Where letters are handed in.
pub struct Mail {
    codes: codes::Codes,
    woken: Arc<Notify>,
}

impl Mail {
    pub fn new(codes: codes::Codes) -> Self {
        Self {
            codes,
            woken: Arc::new(Notify::new()),
        }
    }

    /// In the caller's transaction. Where it is known whose address is to be confirmed, its code stands from now on, so
    /// that the person sees what they wait for.
    pub async fn enqueue(
        &self,
        client: &impl GenericClient,
        outbox_email: &OutboxEmail<'_>,
    ) -> Result<QueuedEmail, Error> {
        let id = Uuid::now_v7();
        queue::add(client, id, outbox_email).await?;
        if let (Some(purpose), Some(user)) = (outbox_email.kind.purpose(), outbox_email.user) {
            let owner = codes::Owner {
                audience: outbox_email.audience,
                user,
                email: outbox_email.recipient,
            };
            self.codes.issue(client, id, purpose, owner).await?;
        }
        Ok(QueuedEmail(Arc::clone(&self.woken)))
    }

    pub(crate) const fn codes(&self) -> &codes::Codes {
        &self.codes
    }

    pub(crate) fn woken(&self) -> Arc<Notify> {
        Arc::clone(&self.woken)
    }
}

/// A letter in a transaction that is still to be committed.
#[must_use = "wake the sender after the commit"]
pub struct QueuedEmail(Arc<Notify>);

impl QueuedEmail {
    /// After the commit: before it, nobody sees the row.
    pub fn wake(self) {
        self.0.notify_one();
    }
}
