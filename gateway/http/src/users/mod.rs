//! Users: a company's team, the seller users of all companies, admin users, and the history of each. The rules are in
//! `gateway_identity::users`.

pub mod admin_users;
pub mod bodies;
mod caller;
mod editor;
pub mod fields;
mod forms;
pub mod history;
pub mod seller_users;
pub mod team;
