//! The program in operation: its listener, TLS to its database, readiness, `razao doctor`, several processes, their ends, failing tasks, faults of
//! the machine, and data of an earlier version.

mod database_tls;
mod doctor;
mod durability;
mod earlier_data;
mod faults;
mod full_log;
mod lifecycle;
mod listener;
mod metrics;
mod peers;
mod processes;
mod readiness;
mod replica;
mod retries;
mod roles;
mod secrets;
mod slow_statements;
mod standbys;
mod supervision;
