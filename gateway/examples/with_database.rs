//! Runs a command with a throwaway PostgreSQL, whose address the command finds in `TEST_DATABASE_URL`.
//! `just test-rust` uses it, so that all test programs share one cluster. It is not a part of the product.

use std::ffi::OsString;
use std::os::unix::process::ExitStatusExt;
use std::process::ExitCode;

use gateway_dev::embedded::run_with_database;

#[tokio::main]
async fn main() -> ExitCode {
    let mut command = std::env::args_os().skip(1);
    let Some(program) = command.next() else {
        eprintln!("usage: with_database <command> [argument…]");
        return ExitCode::from(2);
    };
    let arguments: Vec<OsString> = command.collect();
    match run_with_database(&program, &arguments).await {
        // As a shell reports it: 128 plus the signal for a command that a signal ended.
        Ok(status) => status
            .code()
            .or_else(|| status.signal().map(|signal| 128 + signal))
            .and_then(|code| u8::try_from(code).ok())
            .map_or(ExitCode::FAILURE, ExitCode::from),
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
