//! The history of a record: action, actor, IP address, values before and after.

use chrono::{DateTime, Utc};
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use crate::shared::page::PageMeta;

#[derive(Debug, Serialize, ToSchema)]
pub struct HistoryEntry {
    #[schema(example = "1042")]
    pub id: String,
    /// UTC instant.
    pub at: DateTime<Utc>,
    /// create, update, delete, grant-access, change-access, remove-access, sign-in, and others.
    #[schema(example = "update")]
    pub action: String,
    /// The id of the changed record.
    #[schema(example = "usr_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b01")]
    pub subject_id: String,
    pub actor: HistoryActor,
    /// The IP address of the request. Null without a request, or if the reader may not see it.
    #[schema(required = true, example = "203.0.113.7")]
    pub address: Option<String>,
    /// The changed fields before the action; null if there was nothing before, as for create.
    #[schema(required = true, value_type = Option<Object>, example = json!({ "active": true }))]
    pub before: Option<Value>,
    /// The changed fields after the action; null if nothing is left, as for delete.
    #[schema(required = true, value_type = Option<Object>, example = json!({ "active": false }))]
    pub after: Option<Value>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct HistoryActor {
    pub kind: HistoryActorKind,
    /// The user's id. Null for the program itself, and for staff if a seller reads.
    #[schema(required = true, example = "usr_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b03")]
    pub id: Option<String>,
    /// The user's name, if it is known. Null whenever `id` is null.
    #[schema(required = true, example = "Bruno Lima")]
    pub name: Option<String>,
    /// Whether the actor is the user whose record was changed.
    pub is_subject: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum HistoryActorKind {
    Seller,
    Admin,
    System,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct HistoryPage {
    /// Latest first.
    pub data: Vec<HistoryEntry>,
    pub meta: PageMeta,
}
