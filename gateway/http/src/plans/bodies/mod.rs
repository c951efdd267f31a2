//! Bodies of plans: sales plans and their versions, receiving plans, a company's plans, prices.

pub mod changes;
pub mod company;
pub mod form;
pub mod impact;
pub mod plan;
pub mod receiving;
pub mod seller;
pub mod simulation;
pub mod terms;
