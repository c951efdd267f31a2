//! The steps that users take on their own account: sign in, renew a session, replace the password, change the e-mail
//! address.
//!
//! Each step joins the tables of `sessions` and `users` with the e-mails of `mail`. It knows no HTTP: the
//! HTTP layer reads and sets the cookies, and maps errors to statuses.

mod error;
pub mod new_password;
pub mod own_email;
pub mod reauthentication;
pub mod sign_in;

use std::sync::Arc;

use deadpool_postgres::Pool;
use gateway_environment::config::Keys;

use crate::credentials::Passwords;
use crate::mail::Mail;
use crate::rate_limit::RateLimiter;
use crate::sessions::Tokens;

pub use error::{AccountError, FieldFaults};

/// The dependencies that these steps share.
pub struct Sessions {
    pub tokens: Tokens,
    pub passwords: Passwords,
    pub limits: RateLimiter,
    pool: Pool,
    mail: Arc<Mail>,
}

impl Sessions {
    pub fn new(keys: &Keys, pool: Pool, mail: Arc<Mail>) -> Self {
        Self {
            tokens: Tokens::new(keys),
            passwords: Passwords::new(),
            limits: RateLimiter::default(),
            pool,
            mail,
        }
    }
}
