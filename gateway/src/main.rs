//! The program `razao`. What it does is `gateway::cli`'s matter.

use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    gateway::cli::run()
}
