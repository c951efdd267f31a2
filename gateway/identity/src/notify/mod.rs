//! The e-mails to users about a change that another user makes: who gets which. They are queued in the transaction of
//! the change.

pub mod companies;

use std::net::{IpAddr, Ipv4Addr};

use chrono::{DateTime, Utc};
use gateway_environment::request_context;
use ledger_domain::ids::UserId;
use tokio_postgres::{Error, GenericClient};

use crate::audience::Audience;
use crate::email_queue::{EmailKind, Facts, Mail, OutboxEmail, QueuedEmail};
use crate::rate_limit::{LimitError, LimitKind, LimitedCaller, RateLimiter};
use crate::users::{ChangeEmails, UserAddress};

/// The panel of the recipients, and the user who causes the e-mails.
#[derive(Debug, Clone, Copy)]
pub struct Cause<'a> {
    pub audience: Audience,
    /// Scheme and host of the panel to which the links lead.
    pub panel_url: &'a str,
    pub user: UserId,
}

/// The e-mails of one change.
#[must_use = "the users must be told"]
#[derive(Debug)]
pub struct Emails<'a> {
    cause: Cause<'a>,
    is_limited: bool,
    emails: Vec<Email>,
}

#[derive(Debug)]
struct Email {
    kind: EmailKind,
    user: UserId,
    recipient: String,
    facts: Facts,
}

impl<'a> Emails<'a> {
    /// One e-mail that several users get. It counts once against the limit, because their number may exceed it.
    pub fn to_users(cause: Cause<'a>, kind: EmailKind, facts: &Facts, recipients: &[UserAddress]) -> Self {
        let email = |user: &UserAddress| Email {
            kind,
            user: user.id,
            recipient: user.email.clone(),
            facts: facts.clone(),
        };
        Self {
            cause,
            is_limited: !recipients.is_empty(),
            emails: recipients.iter().map(email).collect(),
        }
    }

    /// The welcome of a new user, with the link that confirms the address. `own_password_from` is given if the password
    /// is provisional.
    pub fn welcome(
        cause: Cause<'a>,
        user: UserId,
        address: &str,
        own_password_from: Option<DateTime<Utc>>,
    ) -> Self {
        let welcome = Email {
            kind: EmailKind::Welcome,
            user,
            recipient: address.to_owned(),
            facts: Facts {
                takes_effect_at: own_password_from,
                ..Facts::default()
            },
        };
        Self {
            cause,
            is_limited: true,
            emails: vec![welcome],
        }
    }

    /// The e-mails about an address or a password that another user set. The old address gets a link that approves or
    /// refuses the new one. The new one gets a confirmation link. Both are told about a password. Only a new address
    /// counts against the limit. The e-mails do not disclose the IP address of the user who made the change.
    pub fn of_change(cause: Cause<'a>, user: UserId, change: &ChangeEmails) -> Self {
        let email = |kind, recipient: &String, facts| Email {
            kind,
            user,
            recipient: recipient.clone(),
            facts,
        };
        let mut emails = vec![];
        if let Some(new) = &change.email_change {
            let facts = Facts {
                new_email: Some(new.email.clone()),
                takes_effect_at: Some(new.waits_until),
                ..Facts::default()
            };
            emails.push(email(EmailKind::EmailChangeAsked, &new.email_before, facts));
            emails.push(email(EmailKind::VerifyEmail, &new.email, Facts::default()));
        }
        for told in &change.new_password_told {
            emails.push(email(EmailKind::PasswordSet, told, Facts::default()));
        }
        Self {
            cause,
            is_limited: change.email_change.is_some(),
            emails,
        }
    }

    /// Limits the e-mails that one user causes: a user who repeats a change could send any number of e-mails, and could
    /// enter any address as that of a colleague.
    pub async fn take_from_limit(&self, limits: &RateLimiter) -> Result<(), LimitError> {
        if !self.is_limited {
            return Ok(());
        }
        let from = request_context::current().address;
        let from = from.unwrap_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED));
        let (user, caller) = (self.cause.user.to_string(), LimitedCaller::from_address(from));
        limits.take(LimitKind::EmailToOther, &user, caller).await
    }

    /// Adds the e-mails in the caller's transaction.
    pub async fn queue(self, client: &impl GenericClient, mail: &Mail) -> Result<Vec<QueuedEmail>, Error> {
        let mut queued = vec![];
        for email in self.emails {
            let email = OutboxEmail {
                kind: email.kind,
                audience: self.cause.audience,
                user: Some(email.user),
                recipient: &email.recipient,
                panel_url: self.cause.panel_url,
                facts: email.facts,
            };
            queued.push(mail.enqueue(client, &email).await?);
        }
        Ok(queued)
    }
}
