//! Why a step of a user's own account is not taken.

use std::collections::BTreeMap;

use deadpool_postgres::PoolError;
use thiserror::Error;

use crate::fields::Fault;
use crate::sessions::PasswordError;

#[derive(Debug, Error)]
pub enum AccountError {
    #[error("there is no session, or it is over")]
    SignedOut,
    #[error("too many tries; the next one in {retry_after_seconds} s")]
    TooManyTries { retry_after_seconds: u64 },
    #[error("no user has this e-mail and this password")]
    WrongCredentials,
    #[error("fields that can't be taken: {0:?}")]
    Fields(FieldFaults),
    /// By the form's name of the field.
    #[error("the password in {field} is wrong")]
    WrongPassword { field: &'static str },
    #[error("the link for a new password is spent")]
    ResetLinkSpent,
    #[error("the link that confirms an address is spent")]
    ConfirmationLinkSpent,
    #[error("the e-mail is the user's already")]
    SameEmail,
    #[error("the e-mail is confirmed already")]
    EmailConfirmed,
    #[error("a password can't be worked on: {0}")]
    Password(#[from] PasswordError),
    #[error("a token can't be made: {0}")]
    Token(#[from] jsonwebtoken::errors::Error),
    #[error("the database failed: {0}")]
    Database(#[from] tokio_postgres::Error),
    #[error("no connection to the database: {0}")]
    Pool(#[from] PoolError),
}

impl AccountError {
    pub(super) const fn too_many(retry_after_seconds: u64) -> Self {
        Self::TooManyTries { retry_after_seconds }
    }

    pub(super) fn field(name: &'static str, fault: Fault) -> Self {
        Self::Fields(FieldFaults(BTreeMap::from([(name, fault)])))
    }
}

/// What is wrong with each field of a form.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct FieldFaults(pub BTreeMap<&'static str, Fault>);

impl FieldFaults {
    pub(super) fn add(&mut self, name: &'static str, fault: Fault) {
        self.0.insert(name, fault);
    }

    pub(super) fn finish(self) -> Result<(), AccountError> {
        if self.0.is_empty() {
            Ok(())
        } else {
            Err(AccountError::Fields(self))
        }
    }
}
