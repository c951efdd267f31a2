//! The platform around the ledger: companies, plans and terminals; users' commands, withdrawals and adjustments;
//! providers and their notices; the exceptions queue; payouts and refunds; acquirers and the orders of payment links;
//! messages of sellers; the accountant's month; the reports that users keep; the audit log; and the scheduled jobs.
//!
//! The ledger's domain makes the decisions about money, and `projections` contains the SQL of read models. This crate
//! has no sessions, no permissions and no HTTP API. The caller has checked that the user may act, and passes the user's
//! id to be stored.

pub mod acquirers;
pub mod adjustments;
pub mod audience;
pub mod audit;
pub mod buyers;
pub mod closing;
pub mod commands;
pub mod companies;
mod company_emails;
pub mod contact;
pub mod effects;
pub mod error;
pub mod exceptions;
pub mod files;
pub mod form_errors;
pub mod heads_outside;
pub mod hold_release;
pub mod holds;
pub mod holidays;
pub mod late_rows;
pub mod links;
pub mod list;
pub mod notices;
pub mod orders;
pub mod outboxes;
pub mod plans;
pub mod proofs;
pub mod providers;
pub mod reach;
pub mod recent_audit;
pub mod reconciliation;
pub mod reference_data;
pub mod rentals;
pub mod reports;
pub mod reserves;
pub mod resolution;
pub mod row_chains;
pub mod settings;
pub mod settlement;
pub mod terminals;
pub mod tree_heads;
pub mod validity;
pub mod withdrawals;
pub mod witnesses;
pub mod word_search;

pub use error::PlatformError;
