//! Sign-in, refresh and sign-out in both panels, and CSRF tokens.

pub mod bodies;
pub mod csrf;
pub mod seller;
pub mod staff;
pub mod tokens;
