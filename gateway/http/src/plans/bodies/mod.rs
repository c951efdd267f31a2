//! The requests and responses of the calls of plans: sales plans with their versions and requested changes, receiving
//! plans, a company's plans, and simulated prices.

pub mod changes;
pub mod company;
pub mod form;
pub mod impact;
pub mod plan;
pub mod receiving;
pub mod seller;
pub mod simulation;
pub mod terms;

#[cfg(test)]
mod tests;
