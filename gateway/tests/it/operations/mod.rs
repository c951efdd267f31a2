//! The program in operation: its listener, failing tasks, and faults of the machine.

mod faults;
mod full_log;
mod listener;
mod supervision;
