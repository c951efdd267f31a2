//! The problems of a user's own account and of signing in.

use std::collections::BTreeMap;

use axum::http::StatusCode;
use chrono::{DateTime, Utc};

use gateway_identity::account::AccountError;
use gateway_identity::credentials::PasswordError;
use gateway_identity::rate_limit::LimitError;
use gateway_identity::sessions::ProvisionalPassword;
use gateway_mail::brasilia_time;

use super::{PROVISIONAL_PASSWORD, Problem};

/// The same text for every invalid link, whatever the reason.
const LINK_INVALID: &str = "Este link não é mais válido. Peça outro.";

impl From<AccountError> for Problem {
    fn from(error: AccountError) -> Self {
        use AccountError as E;
        match error {
            E::SignedOut => Self::signed_out(),
            E::TooManyTries { retry_after_seconds } => Self::too_many_requests(retry_after_seconds),
            E::WrongCredentials => {
                Self::unprocessable("E-mail ou senha incorretos. Confira ou use “Esqueci minha senha”.")
            }
            E::Fields(errors) => {
                let errors = errors.0.into_iter();
                let texts = errors.map(|(field, message)| (field.to_owned(), vec![message.to_owned()]));
                Self::fields(texts.collect::<BTreeMap<_, _>>())
            }
            // Not a 401, because clients answer a 401 by refreshing the session.
            E::WrongPassword { field } => Self::field(field, "Senha incorreta."),
            E::ResetLinkInvalid => Self::field("token", LINK_INVALID),
            E::ConfirmationLinkInvalid => Self::unprocessable(LINK_INVALID),
            E::SameEmail => Self::field("email", "Este já é o seu e-mail."),
            E::EmailAlreadyConfirmed => Self::conflict("Seu e-mail já está confirmado."),
            E::Password(error) => error.into(),
            E::Token(error) => Self::internal(error),
            E::Database(error) => error.into(),
            E::Pool(error) => error.into(),
        }
    }
}

impl From<LimitError> for Problem {
    fn from(error: LimitError) -> Self {
        AccountError::from(error).into()
    }
}

impl Problem {
    /// A 403: another user set the password of this session. The text says how to proceed.
    pub fn provisional_password(password: ProvisionalPassword, now: DateTime<Utc>) -> Self {
        let from = password.link_counts_from;
        let when = if from > now {
            format!(
                " Seu e-mail é recente: peça o link a partir de {}.",
                brasilia_time(from)
            )
        } else {
            String::new()
        };
        Self {
            kind: PROVISIONAL_PASSWORD,
            ..Self::new(
                StatusCode::FORBIDDEN,
                format!(
                    "Sua senha foi definida por outra pessoa e é provisória. Para fazer isso, crie a sua própria senha \
                     pelo link de “Esqueci minha senha” e entre de novo.{when}"
                ),
            )
        }
    }
}

impl From<PasswordError> for Problem {
    fn from(error: PasswordError) -> Self {
        Self::internal(error)
    }
}
