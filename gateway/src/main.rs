//! The program `razao`. What it does is `gateway::cli`'s matter.

use std::process::ExitCode;

fn main() -> ExitCode {
    gateway::cli::run()
}
