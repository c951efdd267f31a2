//! Letters: a row of `mail` for each, put there by whoever changes something in that same transaction, and a worker
//! that writes the letter and gives it to an SMTP server, or in development to a folder.
//!
//! A row holds no text and no code: what stands in a letter is worked out when it is sent. Who may ask for which letter
//! is `sessions`' and `people`'s matter.

mod brand;
mod compose;
mod deliver;
mod letter;
mod queue;
mod sweep;
mod worker;

use std::net::IpAddr;
use std::sync::Arc;

use ledger_domain::ids::UserId;
use lettre::Address;
use serde::{Deserialize, Serialize};
use tokio::sync::Notify;
use tokio_postgres::{Error, GenericClient};
use uuid::Uuid;

pub use deliver::DeliveryError;
pub use queue::{Standing, standing};
pub use sweep::sweep_once;
pub use worker::{MailWorker, Mailing};

use crate::sessions::{Audience, codes};

macro_rules! kinds {
    ($($variant:ident $name:literal,)+) => {
        /// What a letter is about.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum LetterKind {
            $($variant,)+
        }

        impl LetterKind {
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

impl LetterKind {
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
pub struct NewLetter<'a> {
    pub kind: LetterKind,
    pub audience: Audience,
    /// None where only the address is known: whose it is, if anybody's, is looked up by whoever sends it.
    pub user: Option<UserId>,
    /// As `people::normal_email` spells it.
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
        letter: &NewLetter<'_>,
    ) -> Result<Posted, Error> {
        let id = Uuid::now_v7();
        queue::add(client, id, letter).await?;
        if let (Some(purpose), Some(user)) = (letter.kind.purpose(), letter.user) {
            let owner = codes::Owner {
                audience: letter.audience,
                user,
                email: letter.recipient,
            };
            self.codes.issue(client, id, purpose, owner).await?;
        }
        Ok(Posted(Arc::clone(&self.woken)))
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
pub struct Posted(Arc<Notify>);

impl Posted {
    /// After the commit: before it, nobody sees the row.
    pub fn wake(self) {
        self.0.notify_one();
    }
}

/// The columns' length (RFC 3696, erratum 1690).
const EMAIL_CHARACTERS_MAX: usize = 254;

/// What is wrong with an address that was typed, as `people::normal_email` spells it. What passes can be written to.
pub fn email_fault(email: &str) -> Option<&'static str> {
    if email.is_empty() {
        return Some("Email é requerido.");
    }
    let sound = email.len() <= EMAIL_CHARACTERS_MAX
        // No server of ours speaks SMTPUTF8.
        && email.is_ascii()
        && email
            .parse::<Address>()
            .is_ok_and(|address| has_public_domain(address.domain()));
    (!sound).then_some("Email inválido.")
}

/// A name with a dot between two parts. No number and no address in brackets: letters go to nobody's inner network.
fn has_public_domain(domain: &str) -> bool {
    let sound = |part: &str| !part.is_empty() && part.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
    let top_level = domain.rsplit('.').next().unwrap_or_default();
    domain.contains('.') && domain.split('.').all(sound) && !top_level.chars().all(|c| c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::email_fault;

    #[test]
    fn an_address_is_one_that_can_be_written_to() {
        for sound in [
            "ana@padaria.example",
            "ana.souza+loja@sub.padaria.com.br",
            "o'hara@x.io",
        ] {
            assert_eq!(email_fault(sound), None, "{sound}");
        }
        assert_eq!(email_fault(""), Some("Email é requerido."));
        let long = format!("{}@padaria.example", "a".repeat(260));
        for wrong in [
            "ana",
            "ana@",
            "@x.com",
            "ana@padaria",
            "a b@x.com",
            "ana@x..com",
            "ana@x.com\r\nbcc: b@x.com",
            "joão@padaria.example",
            "ana@[10.0.0.1]",
            "ana@10.0.0.1",
            &long,
        ] {
            assert_eq!(email_fault(wrong), Some("Email inválido."), "{wrong}");
        }
    }
}
