//! A lane: the pure state machine between commands and the log.

mod messages;
mod work;

pub use messages::*;
pub use work::{Answer, Work};
