//! E-mails to users about a change: queued in the transaction of the change, sent after the commit.

use std::net::{IpAddr, Ipv4Addr};

use gateway_environment::request_context;
use gateway_identity::audience::Audience;
use gateway_identity::mail::{EmailKind, Facts, OutboxEmail};
use gateway_identity::rate_limit::{LimitKind, LimitedCaller};
use gateway_identity::users::{ChangeEmails, UserAddress};
use ledger_domain::ids::UserId;

use crate::AppState;
use crate::edge::Tx;
use crate::problem::{Problem, Result};

/// The recipient of an e-mail, the URL of the recipient's panel, and the user who caused the e-mail.
pub struct EmailRecipient<'a> {
    pub audience: Audience,
    pub user: UserId,
    pub panel_url: &'a str,
    pub caused_by: UserId,
}

/// One e-mail that several users of one audience get.
pub struct EmailToUsers<'a> {
    pub kind: EmailKind,
    pub audience: Audience,
    pub panel_url: &'a str,
    pub caused_by: UserId,
    pub facts: Facts,
}

impl EmailToUsers<'_> {
    /// Queues an e-mail to each user, which is sent after the commit.
    ///
    /// A user who repeats a change could send any number of e-mails, so each change counts against a limit. It counts
    /// once for all recipients, because their number may exceed the limit.
    pub(crate) async fn send(self, state: &AppState, tx: &mut Tx, recipients: &[UserAddress]) -> Result<()> {
        for (place, user) in recipients.iter().enumerate() {
            let recipient = EmailRecipient {
                audience: self.audience,
                user: user.id,
                panel_url: self.panel_url,
                caused_by: self.caused_by,
            };
            if place == 0 {
                recipient.take_from_limit(state)?;
            }
            let email = recipient.outbox_email(self.kind, &user.email, self.facts.clone());
            let queued = state.mail.enqueue(&**tx, &email).await?;
            tx.send_after_commit(queued);
        }
        Ok(())
    }
}

impl EmailRecipient<'_> {
    /// Queues the welcome e-mail of a new user, with the link that confirms the address.
    pub(crate) async fn welcome(&self, state: &AppState, tx: &mut Tx, email: &str) -> Result<()> {
        self.take_from_limit(state)?;
        let welcome = self.outbox_email(EmailKind::Welcome, email, Facts::default());
        let queued = state.mail.enqueue(&**tx, &welcome).await?;
        tx.send_after_commit(queued);
        Ok(())
    }

    /// Queues the e-mails about an address or a password that another user set. The old address gets an
    /// e-mail that names the new one. The new one gets a confirmation link. Only a new address counts against the
    /// limit.
    pub(crate) async fn notify_of_change(
        &self,
        state: &AppState,
        tx: &mut Tx,
        change: &ChangeEmails,
    ) -> Result<()> {
        // The e-mails do not disclose the IP address of the user who made the change.
        let mut emails = vec![];
        if let Some(before) = &change.email_before {
            self.take_from_limit(state)?;
            let facts = Facts {
                new_email: Some(change.email.clone()),
                ..Facts::default()
            };
            emails.push(self.outbox_email(EmailKind::EmailChanged, before, facts));
            emails.push(self.outbox_email(EmailKind::VerifyEmail, &change.email, Facts::default()));
        }
        if change.new_password {
            emails.push(self.outbox_email(EmailKind::PasswordChanged, &change.email, Facts::default()));
        }
        for outbox_email in &emails {
            let queued = state.mail.enqueue(&**tx, outbox_email).await?;
            tx.send_after_commit(queued);
        }
        Ok(())
    }

    /// Limits the e-mails that one user causes, because a user could enter any address as that of a colleague.
    pub fn take_from_limit(&self, state: &AppState) -> Result<()> {
        let from = request_context::current().address;
        let from = from.unwrap_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED));
        let limits = &state.accounts.limits;
        let counted = limits.take(
            LimitKind::EmailToOther,
            &self.caused_by.to_string(),
            LimitedCaller::from_address(from),
        );
        counted.map_err(Problem::too_many_requests)
    }

    pub const fn outbox_email<'a>(
        &'a self,
        kind: EmailKind,
        recipient: &'a str,
        facts: Facts,
    ) -> OutboxEmail<'a> {
        OutboxEmail {
            kind,
            audience: self.audience,
            user: Some(self.user),
            recipient,
            panel_url: self.panel_url,
            facts,
        }
    }
}
