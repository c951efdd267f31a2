//! Changes to a user by another user: the fields that differ, their audit entries, and the sessions and codes that end.

use chrono::Utc;
use gateway_environment::request_context;
use ledger_domain::ids::UserId;
use serde_json::{Map, Value, json};
use tokio_postgres::{Error, GenericClient, Row};

use super::UserError;
use crate::audience::Audience;
use crate::audit::{Actor, Change, record};
use crate::credentials::account::email_is_taken;
use crate::credentials::codes::{self, Purpose};
use crate::credentials::email_change::{self, Canceled, EmailChange, NewEmailChange};
use crate::sessions::session_store;

/// A field that is `None` stays unchanged.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct UserChange {
    pub name: Option<String>,
    pub email: Option<String>,
    /// Only for sellers.
    pub document: Option<String>,
    pub active: Option<bool>,
    /// A hash of `credentials::passwords`. It always counts as a change, because two hashes do not show whether the
    /// passwords are equal.
    pub password_hash: Option<String>,
}

/// The changes about which the user gets an e-mail.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangeEmails {
    /// A requested change of the address.
    pub email_change: Option<EmailChange>,
    /// The addresses that are told about a new password; empty without one.
    pub new_password_told: Vec<String>,
}

impl UserChange {
    /// Removes the fields that are equal to the row's columns of the same names.
    pub(super) fn differing_fields(self, was: &Row) -> Self {
        let differs = |field: &str, now: Option<String>| now.filter(|now| now != was.get::<_, &str>(field));
        Self {
            name: differs("name", self.name),
            email: differs("email", self.email),
            document: differs("document", self.document),
            active: self.active.filter(|now| *now != was.get::<_, bool>("active")),
            password_hash: self.password_hash,
        }
    }

    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Requests the change of the address, which takes effect later, and collects what the user is told. Call this
    /// after the other fields are written: the row is locked then.
    pub(super) async fn request_email_change(
        &self,
        client: &impl GenericClient,
        asked_by: Actor,
        (audience, user): (Audience, UserId),
        (email_before, panel_url): (&str, &str),
    ) -> Result<ChangeEmails, UserError> {
        let now = request_context::now();
        let mut email_change = None;
        if let Some(email) = &self.email {
            if email_is_taken(client, audience, user, email).await? {
                return Err(UserError::EmailTaken);
            }
            let new = NewEmailChange {
                audience,
                user,
                email_before,
                email,
                asked_by,
                panel_url,
            };
            email_change = email_change::request(client, &new, now).await?;
            if email_change.is_some() {
                let change = Change {
                    action: "ask-email-change",
                    subject: audience.table(),
                    subject_id: &user.to_string(),
                    before: Some(json!({ "email": email_before })),
                    after: Some(json!({ "email": email })),
                };
                record(client, asked_by, change).await?;
            }
        }
        let new_password_told = if self.password_hash.is_some() {
            email_change::addresses_to_tell(client, (audience, user), now).await?
        } else {
            vec![]
        };
        Ok(ChangeEmails {
            email_change,
            new_password_told,
        })
    }

    /// Records the fields in one entry and a new password in another, which has no values.
    pub(super) async fn write_audit_log(
        &self,
        client: &impl GenericClient,
        actor: Actor,
        (subject, user): (&str, UserId),
        (before, after): (Map<String, Value>, Map<String, Value>),
    ) -> Result<(), Error> {
        let subject_id = &user.to_string();
        if !after.is_empty() {
            let change = Change {
                action: "update",
                subject,
                subject_id,
                before: Some(Value::Object(before)),
                after: Some(Value::Object(after)),
            };
            record(client, actor, change).await?;
        }
        if self.password_hash.is_some() {
            let change = Change {
                action: "set-password",
                subject,
                subject_id,
                before: None,
                after: None,
            };
            record(client, actor, change).await?;
        }
        Ok(())
    }

    /// Call this after the row is written: its lock makes a concurrent sign-in wait.
    pub(super) async fn revoke_sessions_and_codes(
        &self,
        client: &impl GenericClient,
        audience: Audience,
        user: UserId,
    ) -> Result<(), Error> {
        let deactivated = self.active == Some(false);
        if deactivated || self.password_hash.is_some() {
            let why = if deactivated { "deactivated" } else { "password" };
            session_store::revoke_all(client, audience, user, why, Utc::now()).await?;
        }
        let now = request_context::now();
        if deactivated {
            codes::end_all(client, audience, user).await?;
            email_change::cancel(client, (audience, user), Canceled::Any, now).await?;
        } else if self.password_hash.is_some() {
            codes::end_open(client, audience, user, Purpose::ResetPassword, Utc::now()).await?;
            email_change::cancel(client, (audience, user), Canceled::Own, now).await?;
        }
        Ok(())
    }
}
