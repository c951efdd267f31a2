//! The demo story, on one day and on unusual days.

mod days;
pub mod story;
