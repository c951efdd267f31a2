//! Proofs of the ledger: their format, and their check with public keys alone.
//!
//! docs/proof-format.md is the contract. The program that runs the ledger makes proofs with the types, trees and notes of
//! this crate; the check of a proof uses nothing of that program.

pub mod check;
pub mod event;
pub mod merkle;
pub mod note;
pub mod postings;
pub mod proof;
mod values;

pub use check::{Checked, Invalid, check};
pub use postings::Accounts;
