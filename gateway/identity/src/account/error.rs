//! The reasons why a step of a user's own account fails.

use std::collections::BTreeMap;

use deadpool_postgres::PoolError;
use thiserror::Error;

use crate::credentials::PasswordError;
use crate::fields::ValidationMessage;
use crate::rate_limit::LimitError;

#[derive(Debug, Error)]
pub enum AccountError {
    #[error("the session is missing or has ended")]
    SignedOut,
    #[error("too many tries; the next one is allowed in {retry_after_seconds} s")]
    TooManyTries { retry_after_seconds: u64 },
    #[error("no active user has this e-mail and this password")]
    WrongCredentials,
    #[error("invalid fields: {0:?}")]
    Fields(FieldErrors),
    /// `field` is the field's name in the form.
    #[error("the password in {field} is wrong")]
    WrongPassword { field: &'static str },
    #[error("the link for a new password is not valid")]
    ResetLinkInvalid,
    #[error("the link that confirms an address is not valid")]
    ConfirmationLinkInvalid,
    #[error("the user already has this e-mail")]
    SameEmail,
    #[error("the e-mail is already confirmed")]
    EmailAlreadyConfirmed,
    #[error("hashing a password failed: {0}")]
    Password(#[from] PasswordError),
    #[error("creating a token failed: {0}")]
    Token(#[from] jsonwebtoken::errors::Error),
    #[error("the database failed: {0}")]
    Database(#[from] tokio_postgres::Error),
    #[error("no connection to the database: {0}")]
    Pool(#[from] PoolError),
}

impl From<LimitError> for AccountError {
    fn from(error: LimitError) -> Self {
        match error {
            LimitError::TooMany { retry_after_seconds } => Self::TooManyTries { retry_after_seconds },
            LimitError::Pool(error) => error.into(),
            LimitError::Database(error) => error.into(),
        }
    }
}

/// The error text of each field of a form.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct FieldErrors(pub BTreeMap<&'static str, ValidationMessage>);

impl FieldErrors {
    pub(super) fn add(&mut self, name: &'static str, message: ValidationMessage) {
        self.0.insert(name, message);
    }

    pub(super) fn finish(self) -> Result<(), AccountError> {
        if self.0.is_empty() {
            Ok(())
        } else {
            Err(AccountError::Fields(self))
        }
    }
}
