//! The forms of users, and the answers about users.

pub mod access_form;
pub mod admin_user;
pub mod history;
pub mod seller_user;
pub mod seller_user_form;
