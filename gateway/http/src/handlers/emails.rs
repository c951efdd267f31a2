//! The letters that follow from changes of people: handed in with the change, sent once it is committed.

use std::net::{IpAddr, Ipv4Addr};

use gateway_environment::request_context;
use gateway_identity::audience::Audience;
use gateway_identity::mail::{EmailKind, Facts, OutboxEmail, QueuedEmail};
use gateway_identity::people::ChangeNotices;
use gateway_identity::sessions::rate_limit::{Caller, Kind};
use ledger_domain::ids::UserId;
use tokio_postgres::GenericClient;

use crate::AppState;
use crate::problem::{Problem, Result};

/// Whoever is written to, where their panel is, and who causes it.
pub struct EmailRecipient<'a> {
    pub audience: Audience,
    pub person: UserId,
    pub panel_url: &'a str,
    pub caused_by: UserId,
}

/// Letters of a transaction that is still to be committed.
#[must_use = "send them after the commit"]
#[derive(Default)]
pub struct QueuedEmails(Vec<QueuedEmail>);

impl QueuedEmails {
    pub fn send(self) {
        self.0.into_iter().for_each(QueuedEmail::wake);
    }
}

impl EmailRecipient<'_> {
    /// To somebody new, with the link that confirms their address.
    pub async fn welcome(
        &self,
        state: &AppState,
        client: &impl GenericClient,
        email: &str,
    ) -> Result<QueuedEmails> {
        self.count(state)?;
        let welcome = self.outbox_email(EmailKind::Welcome, email, Facts::default());
        Ok(QueuedEmails(vec![state.mail.enqueue(client, &welcome).await?]))
    }

    /// Of an address or a password that somebody else set: the old address learns of the new one, which is to be
    /// confirmed.
    pub async fn tell(
        &self,
        state: &AppState,
        client: &impl GenericClient,
        reported: &ChangeNotices,
    ) -> Result<QueuedEmails> {
        // From where somebody else works is theirs to know, as in a record's history.
        let mut emails = vec![];
        if let Some(before) = &reported.email_before {
            self.count(state)?;
            let facts = Facts {
                address: None,
                new_email: Some(reported.email.clone()),
            };
            emails.push(self.outbox_email(EmailKind::EmailChanged, before, facts));
            emails.push(self.outbox_email(EmailKind::VerifyEmail, &reported.email, Facts::default()));
        }
        if reported.new_password {
            emails.push(self.outbox_email(EmailKind::PasswordChanged, &reported.email, Facts::default()));
        }
        let mut posted = QueuedEmails::default();
        for outbox_email in &emails {
            posted.0.push(state.mail.enqueue(client, outbox_email).await?);
        }
        Ok(posted)
    }

    /// Anybody's mailbox can be written to by naming it as a colleague's: so only so often.
    fn count(&self, state: &AppState) -> Result<()> {
        let from = request_context::current().address;
        let from = from.unwrap_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED));
        let limits = &state.sessions.limits;
        let counted = limits.take(Kind::Email, &self.caused_by.to_string(), Caller::at(from));
        counted.map_err(Problem::too_many_requests)
    }

    const fn outbox_email<'a>(
        &'a self,
        kind: EmailKind,
        recipient: &'a str,
        facts: Facts,
    ) -> OutboxEmail<'a> {
        OutboxEmail {
            kind,
            audience: self.audience,
            user: Some(self.person),
            recipient,
            panel_url: self.panel_url,
            facts,
        }
    }
}
