//! Values that the gateway's crates share: the configuration from environment variables, the business clock, new ids,
//! time zones, and the context of the request that a task answers.
//!
//! It opens no connection and no port.

pub mod build;
pub mod clock;
pub mod config;
pub mod ids;
pub mod request_context;
pub mod time_zone;
