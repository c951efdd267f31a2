//! The signed-in user's own account: profile, password, e-mail address, open sessions.

pub mod bodies;
pub mod email;
pub mod open_sessions;
pub mod password;
pub mod profile;
