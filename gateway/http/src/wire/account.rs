//! Requests and responses about a user's own password, e-mail address and sessions.

use chrono::{DateTime, Utc};
use gateway_identity::sessions::open_sessions::{OpenSession as OpenSessionRow, SessionId};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

// The fields are optional in Rust so that the 422 names a missing one.
#[derive(Debug, Deserialize, ToSchema)]
pub struct ForgotPassword {
    /// The user's e-mail address.
    #[schema(required = true, nullable = false, example = "ana@padaria.example")]
    pub email: Option<String>,
}

#[derive(Deserialize, ToSchema)]
pub struct ResetPassword {
    /// The token in the link of the e-mail.
    #[schema(required = true, nullable = false, example = "Zm9v…")]
    pub token: Option<String>,
    /// The new password.
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
    /// The current password.
    #[schema(required = true, nullable = false, example = "a senha de agora")]
    pub current_password: Option<String>,
    /// The new password.
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
    /// The new e-mail address.
    #[schema(required = true, nullable = false, example = "ana.souza@padaria.example")]
    pub email: Option<String>,
    /// The current password.
    #[schema(required = true, nullable = false, example = "a senha de agora")]
    pub password: Option<String>,
}

/// The request is accepted. An e-mail is sent if the address allows it.
#[derive(Debug, Serialize, ToSchema)]
pub struct Accepted {
    /// A message for the user.
    #[schema(
        example = "Se este e-mail estiver cadastrado, você receberá um link para criar uma nova senha."
    )]
    pub message: &'static str,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct ConfirmedEmail {
    /// The confirmed e-mail address.
    #[schema(example = "ana.souza@padaria.example")]
    pub email: String,
}

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
            id: SessionId(row.family).to_string(),
            user_agent: row.user_agent,
            address: row.address.map(|address| address.to_string()),
            created_at: row.created_at,
            last_used_at: row.last_used_at,
            current: row.family == current,
        }
    }
}
