//! Plans: the calculator of a planned sale.

pub mod bodies;
pub mod simulation;
