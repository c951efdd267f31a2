//! The acquirers that take payments online, and the routes: the lists of acquirers that are asked to charge a payment
//! type, in their order.

pub mod bodies;
pub mod form;
pub mod staff;
