//! Sessions and what opens one: access and refresh tokens, the rows behind them, CSRF tokens, device cookies' values, one-time
//! codes, passwords and rate limits.
//!
//! The records of the users are `people`'s, and the steps of a sign-in are `own_account`'s.

pub mod account;
pub mod codes;
pub mod csrf;
pub mod devices;
pub mod families;
pub mod open_sessions;
pub mod passwords;
pub mod rate_limit;
pub mod signed_in;
#[cfg(test)]
mod tests;
pub mod tokens;

pub use passwords::{PasswordError, Passwords};
pub use rate_limit::Limits;
pub use signed_in::{Access, SignedInAdmin, SignedInSeller};
pub use tokens::{RefreshToken, Tokens};
