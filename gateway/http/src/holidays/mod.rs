//! The banking calendar: national holidays by rule, and the holidays that staff add.

mod bodies;
pub mod staff;
