//! The demo story, on the usual day of the tests and on unusual days.

mod days;
pub mod story;
