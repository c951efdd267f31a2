//! The open sessions of a user.

use chrono::{DateTime, Utc};
use gateway_identity::sessions::open_sessions::{OpenSession as OpenSessionRow, SessionId};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

#[derive(Debug, Serialize, ToSchema)]
pub struct OpenSessions {
    /// The last used session first.
    pub data: Vec<OpenSession>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct OpenSession {
    #[schema(example = "ses_0f8fad5b-d9cb-469f-a165-70867728950e")]
    pub id: String,
    /// The user agent of the sign-in.
    #[schema(example = "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0")]
    pub user_agent: String,
    /// The IP address of the sign-in.
    #[schema(required = true, example = "203.0.113.9")]
    pub address: Option<String>,
    /// UTC instant of the sign-in.
    pub created_at: DateTime<Utc>,
    /// UTC instant of the last use, to within a quarter of an hour.
    pub last_used_at: DateTime<Utc>,
    /// Whether it is the session of this request.
    pub current: bool,
}

impl OpenSession {
    pub fn of_row(row: OpenSessionRow, current: Uuid) -> Self {
        Self {
            id: SessionId(row.session_id).to_string(),
            user_agent: row.user_agent,
            address: row.address.map(|address| address.to_string()),
            created_at: row.created_at,
            last_used_at: row.last_used_at,
            current: row.session_id == current,
        }
    }
}
