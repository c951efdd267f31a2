//! The program `razao`: its parts put together (`app`) and its command line (`cli`).
//!
//! What the parts do is in the crates beside it: `gateway-http`, `gateway-identity`, `gateway-platform`,
//! `gateway-environment`, and for development `gateway-dev`.

pub mod app;
pub mod cli;
