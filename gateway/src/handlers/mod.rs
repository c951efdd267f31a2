//! One function for each operation: extract, command or query, answer. Who may call it, and for which company, was
//! settled by the route's guard.

pub mod adjustment;
pub mod admin_balance;
pub mod admin_business;
pub mod admin_overview;
pub mod admin_sale;
pub mod admin_sale_undo;
pub mod admin_session;
pub mod admin_transfer;
pub mod as_of;
pub mod balance;
mod command;
pub mod docs;
pub mod explanation;
pub mod health;
pub mod ledger_event;
pub mod overview;
pub mod profile;
pub mod receivables;
pub mod rental;
pub mod sale;
pub mod sale_query;
pub mod sale_undo;
pub mod session;
pub mod simulation;
mod transfer_list;
pub mod transfer_sheet;
pub mod transfer_step;
mod undo;
pub mod withdrawal;
