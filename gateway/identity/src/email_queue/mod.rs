//! Adds e-mails to the outbox: each is a row of `mail`. An e-mail that reports a change is added in the transaction of
//! that change. `gateway/mail` composes and sends it.
//!
//! A row holds the facts of an e-mail, but neither its text nor its code. The text is composed when the e-mail is sent.
//! The code is derived from the row's id.
//! `Mail::enqueue` checks no permission; its callers do.

mod facts;
mod kind;

use std::sync::Arc;

use ledger_domain::ids::UserId;
use ledger_store::trace;
use tokio::sync::Notify;
use tokio_postgres::types::{Json, Type};
use tokio_postgres::{Error, GenericClient};
use uuid::Uuid;

pub use facts::{
    CompanyAction, CompanyChange, CompanyDecision, CompanyOutcome, Facts, HoldFacts, ReportFacts,
    ReturnedWithdrawal, RuleChange,
};
pub use kind::EmailKind;

use crate::audience::Audience;
use crate::credentials::codes;

/// An e-mail to be queued.
pub struct OutboxEmail<'a> {
    pub kind: EmailKind,
    pub audience: Audience,
    /// `None` if only the address is known.
    pub user: Option<UserId>,
    /// In the form of `email_address::normalize_email`.
    pub recipient: &'a str,
    /// Scheme and host of the panel to which its links lead.
    pub panel_url: &'a str,
    pub facts: Facts,
}

/// Queues e-mails.
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

    /// Adds an e-mail. If the user is known, the code of its link is issued now, so that the profile shows the pending
    /// confirmation.
    pub async fn enqueue(
        &self,
        client: &impl GenericClient,
        outbox_email: &OutboxEmail<'_>,
    ) -> Result<QueuedEmail, Error> {
        let id = Uuid::now_v7();
        add(client, id, outbox_email).await?;
        if let (Some(purpose), Some(user)) = (outbox_email.kind.purpose(), outbox_email.user) {
            let owner = codes::CodeOwner {
                audience: outbox_email.audience,
                user,
                email: outbox_email.recipient,
            };
            self.codes.issue(client, id, purpose, owner).await?;
        }
        Ok(QueuedEmail(Arc::clone(&self.woken)))
    }

    pub const fn codes(&self) -> &codes::Codes {
        &self.codes
    }

    /// Is notified when an e-mail was queued.
    pub fn woken(&self) -> Arc<Notify> {
        Arc::clone(&self.woken)
    }
}

/// An e-mail of which the sender is told after the commit.
#[must_use = "wake the sender after the commit"]
pub struct QueuedEmail(Arc<Notify>);

impl QueuedEmail {
    /// Call this after the commit. Before it, the outbox does not see the row.
    pub fn wake(self) {
        self.0.notify_one();
    }
}

/// Always one statement, so that the response time does not reveal whether a user has the address.
async fn add(client: &impl GenericClient, id: Uuid, outbox_email: &OutboxEmail<'_>) -> Result<(), Error> {
    trace::remember(id);
    let user = outbox_email.user.map(UserId::uuid);
    client
        .execute_typed(
            "INSERT INTO mail (id, kind, audience, user_id, recipient, panel_url, facts)
             VALUES ($1, $2, $3, $4, $5, $6, $7)",
            &[
                (&id, Type::UUID),
                (&outbox_email.kind.as_str(), Type::TEXT),
                (&outbox_email.audience.as_str(), Type::TEXT),
                (&user, Type::UUID),
                (&outbox_email.recipient, Type::TEXT),
                (&outbox_email.panel_url, Type::TEXT),
                (&Json(&outbox_email.facts), Type::JSON),
            ],
        )
        .await
        .map(drop)
}
