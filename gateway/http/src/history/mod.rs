//! What was checked of the ledger, and proofs of it for outsiders.

pub mod bodies;
pub mod company;
pub mod keys;
pub mod staff;
