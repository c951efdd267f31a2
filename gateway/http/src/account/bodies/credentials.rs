//! Requests and responses about a user's own password and e-mail address.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

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

/// The request is accepted. The message is the same whether or not an e-mail is sent.
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
