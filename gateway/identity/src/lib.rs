//! Who the users are and what opens the platform to them: seller users and admin users, roles and the authority between
//! users, sessions, passwords, rate limits, the e-mails about an account, and the audit log.
//!
//! It knows no HTTP: cookies, headers and statuses are the HTTP layer's.

pub mod audience;
pub mod audit;
pub mod email_address;
pub mod fields;
pub mod mail;
pub mod own_account;
pub mod people;
pub mod roles;
pub mod sessions;
