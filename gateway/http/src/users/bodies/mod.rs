//! The answers about users.

pub mod admin_user;
pub mod history;
pub mod seller_user;
