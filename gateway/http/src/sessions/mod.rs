//! Sign-in, refresh and sign-out in both panels, and CSRF tokens.

pub mod bodies;
pub mod csrf;
pub mod sign_in;
pub mod tokens;
