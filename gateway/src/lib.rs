//! The program `razao`: starts its parts (`app`) and has its command line (`cli`).
//!
//! The parts are in other crates: `gateway-http`, `gateway-identity`, `gateway-platform`, the crates that these depend
//! on, and for development `gateway-dev`.

pub mod app;
pub mod cli;
