//! The read models on a real database: followers update them, and the tests call the queries of the gateway.

pub mod as_of;
mod as_of_lists;
mod composition;
mod exports;
mod fee_payers;
mod figures;
mod followers;
mod histories;
pub mod indexes;
mod indexes_as_of;
mod indexes_of_reports;
mod indexes_of_transfers;
mod layouts;
pub mod ledger;
mod money;
mod outcomes;
mod partly_settled_sale;
mod rankings;
mod rebuild;
mod refolding;
pub mod reversal_commands;
mod reversals;
mod sales;
mod schedule;
mod transfer_commands;
mod transfer_list;
mod transfers;
