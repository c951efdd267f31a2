//! The platform around the ledger: companies, plans and terminals; providers and their notices; the exceptions queue;
//! payouts and refunds; and the scheduled jobs.
//!
//! The ledger's domain makes the decisions about money, and `projections` contains the SQL of read models. This crate
//! does not know users or HTTP.

pub mod back_office;
pub mod effects;
pub mod error;
pub mod exceptions;
pub mod notices;
pub mod providers;
pub mod rentals;
pub mod resolution;
pub mod settlement;
pub mod tree_heads;

pub use error::PlatformError;
