//! One function for each operation: extract, command or query, answer. Who may call it, and for which company, was
//! settled by the route's guard.

pub mod admin_session;
pub mod balance;
pub mod docs;
pub mod health;
pub mod overview;
pub mod profile;
pub mod receivables;
pub mod sale;
pub mod session;
