//! Plans: sales plans and receiving plans for staff, the plans of a company, its fees and the calculator for sellers.

mod apply;
pub mod audit;
pub mod bodies;
pub mod change;
pub mod company;
pub mod decisions;
mod emails;
mod form;
pub mod impact;
mod pending;
pub mod preview;
mod query;
pub mod receiving;
mod requests;
pub mod seller;
pub mod simulation;
mod spreadsheets;
pub mod staff;
pub mod table;
pub mod what_if;
