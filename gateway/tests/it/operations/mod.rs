//! The program in operation: its listener, failing tasks, and sudden ends.

mod kill;
mod listener;
mod supervision;
