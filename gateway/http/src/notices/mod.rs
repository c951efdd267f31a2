//! The notices that acquirers and banks send.

pub mod bodies;
pub mod receive;
