//! The steps that users take on their own account: sign in, renew a session, enter the password again, replace it,
//! confirm or change the e-mail address.
//!
//! No HTTP: `gateway/http` reads and sets the cookies, and maps errors to statuses.

pub mod changed_email;
mod error;
pub mod new_password;
pub mod own_email;
pub mod reauthentication;
pub mod sign_in;

use std::sync::Arc;

use deadpool_postgres::Pool;
use gateway_environment::config::Keys;

use crate::credentials::Passwords;
use crate::email_queue::Mail;
use crate::rate_limit::RateLimiter;
use crate::sessions::Tokens;

pub use error::{AccountError, FieldErrors};

/// The dependencies of these steps: keys of tokens, password hashing, rate limits, database and e-mail.
pub struct AccountService {
    pub tokens: Tokens,
    pub passwords: Passwords,
    pub limits: RateLimiter,
    pool: Pool,
    mail: Arc<Mail>,
}

impl AccountService {
    pub fn new(keys: &Keys, pool: Pool, limits: RateLimiter, mail: Arc<Mail>) -> Self {
        Self {
            tokens: Tokens::new(keys),
            passwords: Passwords::new(),
            limits,
            pool,
            mail,
        }
    }
}
