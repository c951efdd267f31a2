//! What people ask of their own password, address and sessions, and what they are told.

use chrono::{DateTime, Utc};
use gateway_identity::sessions::open_sessions::{OpenSession as OpenSessionRow, SessionId};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

// Fields are optional here so that a missing one is named in the 422.
#[derive(Debug, Deserialize, ToSchema)]
pub struct ForgotPassword {
    #[schema(required = true, nullable = false, example = "ana@padaria.example")]
    pub email: Option<String>,
}

#[derive(Deserialize, ToSchema)]
pub struct ResetPassword {
    /// Out of the letter's link.
    #[schema(required = true, nullable = false, example = "Zm9v…")]
    pub token: Option<String>,
    #[schema(
        required = true,
        nullable = false,
        min_length = 8,
        max_length = 128,
        example = "uma senha nova e longa"
    )]
    pub password: Option<String>,
}

#[derive(Deserialize, ToSchema)]
pub struct ChangePassword {
    #[schema(required = true, nullable = false, example = "a senha de agora")]
    pub current_password: Option<String>,
    #[schema(
        required = true,
        nullable = false,
        min_length = 8,
        max_length = 128,
        example = "uma senha nova e longa"
    )]
    pub new_password: Option<String>,
}

#[derive(Deserialize, ToSchema)]
pub struct ChangeEmail {
    #[schema(required = true, nullable = false, example = "ana.souza@padaria.example")]
    pub email: Option<String>,
    #[schema(required = true, nullable = false, example = "a senha de agora")]
    pub password: Option<String>,
}

/// A letter may be on its way.
#[derive(Debug, Serialize, ToSchema)]
pub struct Accepted {
    /// For a person.
    #[schema(
        example = "Se este e-mail estiver cadastrado, você receberá um link para criar uma nova senha."
    )]
    pub message: &'static str,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct ConfirmedEmail {
    #[schema(example = "ana.souza@padaria.example")]
    pub email: String,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct OpenSessions {
    /// The last used first.
    pub data: Vec<OpenSession>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct OpenSession {
    #[schema(example = "ses_0f8fad5b-d9cb-469f-a165-70867728950e")]
    pub id: String,
    #[schema(example = "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0")]
    pub user_agent: String,
    /// From where it was opened.
    #[schema(required = true, example = "203.0.113.9")]
    pub address: Option<String>,
    pub created_at: DateTime<Utc>,
    /// To a quarter of an hour.
    pub last_used_at: DateTime<Utc>,
    /// The one by which this was asked.
    pub current: bool,
}

impl OpenSession {
    pub fn of_row(row: OpenSessionRow, current: Uuid) -> Self {
        Self {
            id: SessionId(row.family).to_string(),
            user_agent: row.user_agent,
            address: row.address.map(|address| address.to_string()),
            created_at: row.created_at,
            last_used_at: row.last_used_at,
            current: row.family == current,
        }
    }
}
