//! The notices that acquirers and banks send.

pub mod bodies;
pub mod hints;
pub mod receive;
