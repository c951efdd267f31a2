//! The demo story, on the usual day of the tests and on unusual days.

mod days;
mod screens;
pub mod story;
