//! The program `razao`: starts its parts (`app`), has its command line (`cli`), and
//! says what is wrong now (`doctor`).
//!
//! The parts are in other crates: `gateway-http`, `gateway-identity`, `gateway-platform`, the crates that these depend
//! on, and for development `gateway-dev`.

pub mod app;
pub mod cli;
mod doctor;
mod traces;
