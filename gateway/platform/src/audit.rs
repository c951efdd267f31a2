//! The audit log of back-office records: who changed which record, the values before and after, when, from which
//! address, and in which request.

use gateway_environment::request_context;
use ledger_domain::ids::UserId;
use ledger_store::Job;
use serde_json::{Map, Value};
use tokio_postgres::types::{Json, Type};
use tokio_postgres::{Error, GenericClient};

/// The user or the program that made the change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Actor {
    Seller(UserId),
    Admin(UserId),
    /// The program itself: its command line, a job, or the demo.
    System,
}

impl Actor {
    pub const fn audience(self) -> &'static str {
        match self {
            Self::Seller(_) => "seller",
            Self::Admin(_) => "admin",
            Self::System => "system",
        }
    }

    pub const fn user_id(self) -> Option<UserId> {
        match self {
            Self::Seller(id) | Self::Admin(id) => Some(id),
            Self::System => None,
        }
    }
}

impl From<Actor> for ledger_store::Actor {
    fn from(actor: Actor) -> Self {
        match actor {
            Actor::Seller(id) => Self::Seller(id),
            Actor::Admin(id) => Self::Admin(id),
            Actor::System => Self::Job(Job::Installation),
        }
    }
}

/// `subject` is the kind of the record, in most cases its table. `before` and `after` must not contain passwords.
pub struct Change<'a> {
    pub action: &'a str,
    pub subject: &'a str,
    pub subject_id: &'a str,
    pub before: Option<Value>,
    pub after: Option<Value>,
}

pub async fn record(client: &impl GenericClient, actor: Actor, change: Change<'_>) -> Result<(), Error> {
    let (audience, actor_id) = (actor.audience(), actor.user_id().map(UserId::uuid));
    let request = request_context::current();
    let (before, after) = (change.before.map(Json), change.after.map(Json));
    client
        .query_typed(
            "INSERT INTO audit_log (audience, actor_id, action, subject, subject_id, before, after, request_id,
                                      address, at)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
            &[
                (&audience, Type::TEXT),
                (&actor_id, Type::UUID),
                (&change.action, Type::TEXT),
                (&change.subject, Type::TEXT),
                (&change.subject_id, Type::TEXT),
                (&before, Type::JSON),
                (&after, Type::JSON),
                (&request.id, Type::TEXT),
                (&request.address, Type::INET),
                (&request.clock.now(), Type::TIMESTAMPTZ),
            ],
        )
        .await
        .map(|_| ())
}

/// The fields that entries of one record changed after a version of it. Only entries count whose `after` has the
/// version that the change led to.
pub async fn fields_changed_since(
    client: &impl GenericClient,
    subject: &str,
    subject_id: &str,
    version: i32,
) -> Result<Vec<String>, Error> {
    let rows = client
        .query_typed(
            "SELECT DISTINCT json_object_keys(after) AS field FROM audit_log
              WHERE subject = $1 AND subject_id = $2 AND (after ->> 'version')::integer > $3",
            &[
                (&subject, Type::TEXT),
                (&subject_id, Type::TEXT),
                (&version, Type::INT4),
            ],
        )
        .await?;
    Ok(rows.iter().map(|row| row.get(0)).collect())
}

/// The fields of `of` that `other` lacks or has with another value.
pub fn changed(of: &Map<String, Value>, other: &Map<String, Value>) -> Value {
    let differs = |(field, value): &(&String, &Value)| other.get(*field) != Some(*value);
    let changed = of.iter().filter(differs);
    Value::Object(
        changed
            .map(|(field, value)| (field.clone(), value.clone()))
            .collect(),
    )
}
