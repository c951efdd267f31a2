//! Requests and responses about a user's own password and e-mail address.

use chrono::{DateTime, Utc};
use gateway_identity::fields;
use serde::Serialize;
use utoipa::ToSchema;

use crate::edge::query::text;
use crate::shared::form::{Kind, form, required_ruled, ruled};
use crate::users::fields::password;

form! {
    pub struct ForgotPassword {
        /// The user's e-mail address.
        #[example = "ana@padaria.example"]
        email: String = required_ruled(email()),
    }
}

form! {
    pub struct ResetPassword {
        /// The token in the link of the e-mail.
        #[example = "Zm9v…"]
        token: String = required_ruled(token()),
        /// The new password.
        #[example = "uma senha nova e longa"]
        password: String = required_ruled(password()),
    }
}

form! {
    pub struct ChangePassword {
        /// The current password.
        #[example = "a senha de agora"]
        current_password: String = required_ruled(current_password()),
        /// The new password.
        #[example = "uma senha nova e longa"]
        new_password: String = required_ruled(password()),
    }
}

form! {
    pub struct ChangeEmail {
        /// The new e-mail address.
        #[example = "ana.souza@padaria.example"]
        email: String = required_ruled(email()),
        /// The current password.
        #[example = "a senha de agora"]
        password: String = required_ruled(current_password()),
    }
}

fn email() -> Kind<String> {
    ruled(|| text().into(), fields::email)
}

/// An absent token is as invalid as an unknown one.
fn token() -> Kind<String> {
    ruled(|| text().into(), |token| Ok(token.to_owned()))
}

fn current_password() -> Kind<String> {
    ruled(
        || text().into(),
        |text| {
            if text.is_empty() {
                Err("Senha é requerida.")
            } else {
                Ok(text.to_owned())
            }
        },
    )
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
    /// The confirmed e-mail address, or the one that was approved.
    #[schema(example = "ana.souza@padaria.example")]
    pub email: String,
    /// Whether it is the address with which the user signs in now.
    pub is_effective: bool,
    /// If it is not: the UTC instant from which it is, without the approval of the present address. Null if the new
    /// address has to be confirmed first.
    #[schema(required = true, example = json!(null))]
    pub takes_effect_at: Option<DateTime<Utc>>,
}
