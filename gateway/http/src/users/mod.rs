//! Users: a company's team, the seller users of all companies, admin users, and the history of each.

pub mod admin_users;
pub mod bodies;
pub mod emails;
pub mod history;
pub mod query;
pub mod seller_user_editor;
pub mod seller_users;
pub mod spreadsheets;
pub mod team;
