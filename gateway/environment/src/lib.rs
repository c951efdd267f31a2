//! What the program is told from outside and what its crates share: the configuration, the business clock, new ids, time
//! zones, and the request that a task answers.
//!
//! It opens no connection and no port, and knows neither users nor HTTP.

pub mod clock;
pub mod config;
pub mod ids;
pub mod request_context;
pub mod time_zone;
