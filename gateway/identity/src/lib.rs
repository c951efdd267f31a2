//! The users and their access to the platform: seller users, admin users, roles and the authority between users. Also
//! sessions, passwords, rate limits, e-mails, messages to the platform, saved views and e-mails of reports, and the
//! audit log.
//!
//! This crate knows no HTTP. The HTTP layer handles cookies, headers and statuses.

pub mod account;
pub mod audience;
pub mod audit;
pub mod contact;
pub mod credentials;
pub mod email_address;
pub mod fields;
pub mod mail;
pub mod rate_limit;
pub mod reports;
pub mod roles;
pub mod sessions;
pub mod users;
