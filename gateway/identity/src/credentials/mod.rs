//! The credentials of users: passwords, one-time codes of e-mails, and the sign-in data in the users' records.

pub mod account;
pub mod codes;
pub mod email_change;
pub mod passwords;

pub use passwords::{PasswordError, Passwords};
