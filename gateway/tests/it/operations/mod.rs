//! The program in operation: its listener, readiness, several processes, failing tasks, faults of the machine, and data
//! of an earlier version.

mod earlier_data;
mod faults;
mod full_log;
mod listener;
mod processes;
mod readiness;
mod supervision;
