//! What others change of a person, seller or staff: the fields that differ, their trail, and what ends with them.

use chrono::Utc;
use ledger_domain::ids::UserId;
use serde_json::{Map, Value};
use tokio_postgres::{Error, GenericClient, Row};

use crate::audience::Audience;
use crate::audit::{Actor, Change, record};
use crate::sessions::{codes, families};

/// What is left out stays as it is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PersonChange {
    pub name: Option<String>,
    pub email: Option<String>,
    /// Of sellers only.
    pub document: Option<String>,
    pub active: Option<bool>,
    /// As `sessions::passwords` hashes it. Always a change: a hash tells of no other whether it is the same password.
    pub password_hash: Option<String>,
}

/// What the person is to be written to about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangeNotices {
    /// As it is now.
    pub email: String,
    /// What it was, if it is another one now.
    pub email_before: Option<String>,
    pub new_password: bool,
}

impl PersonChange {
    /// Without what is so already. The row has the columns of these names.
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

    pub(super) fn change_notices(&self, email_before: &str) -> ChangeNotices {
        ChangeNotices {
            email: self.email.clone().unwrap_or_else(|| email_before.to_owned()),
            email_before: self.email.as_ref().map(|_| email_before.to_owned()),
            new_password: self.password_hash.is_some(),
        }
    }

    /// The fields in one row, a new password in another, which says nothing of it but that there is one.
    pub(super) async fn write_audit_log(
        &self,
        client: &impl GenericClient,
        actor: Actor,
        (subject, person): (&str, UserId),
        (before, after): (Map<String, Value>, Map<String, Value>),
    ) -> Result<(), Error> {
        let subject_id = &person.to_string();
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

    /// After the row was written, whose lock holds a sign-in that is under way.
    pub(super) async fn revoke_sessions_and_codes(
        &self,
        client: &impl GenericClient,
        audience: Audience,
        person: UserId,
    ) -> Result<(), Error> {
        let out = self.active == Some(false);
        if out || self.password_hash.is_some() {
            let why = if out { "deactivated" } else { "password" };
            families::revoke_all(client, audience, person, why, Utc::now()).await?;
        }
        if out || self.password_hash.is_some() || self.email.is_some() {
            codes::end_all(client, audience, person).await?;
        }
        Ok(())
    }
}
