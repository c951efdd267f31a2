//! A record's history on the wire: who did what to it, from where, what it was and what it became.

use chrono::{DateTime, Utc};
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use super::page::PageMeta;

#[derive(Debug, Serialize, ToSchema)]
pub struct HistoryEntry {
    #[schema(example = "1042")]
    pub id: String,
    pub at: DateTime<Utc>,
    /// create, update, delete, grant-access, change-access, remove-access, sign-in, and others.
    #[schema(example = "update")]
    pub action: String,
    /// The record that it happened to.
    #[schema(example = "usr_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b01")]
    pub subject_id: String,
    pub actor: HistoryActor,
    /// Where the request came from; null where there was none, or it is not for the reader.
    #[schema(required = true, example = "203.0.113.7")]
    pub address: Option<String>,
    /// What changed, as it was; null of what began here.
    #[schema(required = true, value_type = Option<Object>, example = json!({ "active": true }))]
    pub before: Option<Value>,
    /// What changed, as it became; null of what ended here.
    #[schema(required = true, value_type = Option<Object>, example = json!({ "active": false }))]
    pub after: Option<Value>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct HistoryActor {
    pub kind: HistoryActorKind,
    /// Null for the program itself, and of staff where a seller reads.
    #[schema(required = true, example = "usr_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b03")]
    pub id: Option<String>,
    #[schema(required = true, example = "Bruno Lima")]
    pub name: Option<String>,
    /// They did it to their own record.
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
    /// The latest first.
    pub data: Vec<HistoryEntry>,
    pub meta: PageMeta,
}
