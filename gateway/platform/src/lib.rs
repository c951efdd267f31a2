//! What the platform does around the ledger: companies, plans and terminals; providers and their notices; the exceptions
//! queue; payouts and refunds; the jobs that the calendar brings about.
//!
//! It decides nothing about money (that is the ledger's domain), holds no SQL of read models (the projections'), and knows
//! neither users nor HTTP.

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
