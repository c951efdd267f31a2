//! Request and response bodies.

pub mod credentials;
pub mod open_session;
pub mod profile;
