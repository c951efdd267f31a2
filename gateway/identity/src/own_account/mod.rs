//! What users do about their own account: sign in, renew a session, replace the password, change the e-mail address.
//!
//! Each step joins the tables of `sessions` and `people` with the e-mails of `mail`. It knows no cookie and no status: the
//! HTTP layer reads the one and answers the other.

mod error;
pub mod new_password;
pub mod own_email;
pub mod password_again;
pub mod sign_in;

use std::sync::Arc;

use deadpool_postgres::Pool;
use gateway_environment::config::Keys;

use crate::mail::Mail;
use crate::sessions::{Limits, Passwords, Tokens};

pub use error::{AccountError, FieldFaults};

/// What these steps share.
pub struct Sessions {
    pub tokens: Tokens,
    pub passwords: Passwords,
    pub limits: Limits,
    pool: Pool,
    mail: Arc<Mail>,
}

impl Sessions {
    pub fn new(keys: &Keys, pool: Pool, mail: Arc<Mail>) -> Self {
        Self {
            tokens: Tokens::new(keys),
            passwords: Passwords::new(),
            limits: Limits::default(),
            pool,
            mail,
        }
    }
}
