//! Changes to a user by another user: the fields that differ, their audit entries, and the sessions and codes that end.

use chrono::Utc;
use ledger_domain::ids::UserId;
use serde_json::{Map, Value};
use tokio_postgres::{Error, GenericClient, Row};

use crate::audience::Audience;
use crate::audit::{Actor, Change, record};
use crate::credentials::codes;
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
    /// The address after the change.
    pub email: String,
    /// The previous address, if it changed.
    pub email_before: Option<String>,
    pub new_password: bool,
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

    pub(super) fn change_emails(&self, email_before: &str) -> ChangeEmails {
        ChangeEmails {
            email: self.email.clone().unwrap_or_else(|| email_before.to_owned()),
            email_before: self.email.as_ref().map(|_| email_before.to_owned()),
            new_password: self.password_hash.is_some(),
        }
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
        if deactivated || self.password_hash.is_some() || self.email.is_some() {
            codes::end_all(client, audience, user).await?;
        }
        Ok(())
    }
}
