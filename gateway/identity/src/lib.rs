//! The users and their access to the platform: seller users, admin users, roles and the authority between users. Also
//! sessions, passwords, rate limits, which e-mails users get, and the histories of the audit log, which
//! `gateway_platform` writes.
//!
//! This crate knows no HTTP. The HTTP layer handles cookies, headers and statuses.

pub mod access;
pub mod account;
pub mod credentials;
pub mod email_address;
pub mod email_queue;
pub mod fields;
pub mod notify;
pub mod rate_limit;
pub mod report_access;
pub mod roles;
pub mod sessions;
pub mod users;

pub use gateway_platform::{audience, audit};
