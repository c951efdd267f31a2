//! Plans: sales plans and receiving plans for staff, the plans of a company, its fees and the calculator for sellers.

pub mod bodies;
pub mod change;
pub mod company;
pub mod decisions;
mod emails;
pub mod impact;
mod pending;
pub mod preview;
mod query;
pub mod receiving;
pub(crate) mod refusals;
pub mod seller;
pub mod simulation;
pub mod spreadsheets;
pub mod staff;
pub mod table;
pub mod what_if;
