//! Sessions: access and refresh tokens, the rows of sessions, CSRF tokens and the values of device cookies.
//!
//! The records of the users are in `users`, and the steps of a sign-in are in `account`.

pub mod csrf;
pub mod devices;
mod jwt_provider;
pub mod open_sessions;
pub mod session_store;
pub mod signed_in;
#[cfg(test)]
mod tests;
pub mod tokens;

pub use signed_in::{CompanyAccess, ProvisionalPassword, SignedInAdmin, SignedInSeller};
pub use tokens::{RefreshToken, Tokens};
