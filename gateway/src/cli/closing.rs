//! Writes the accountant's month of a company to a file. It also works while the platform runs.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use clap::Args;
use gateway_environment::config::Config;
use gateway_http::reports::closing::{ClosingFile, write_closing};
use gateway_platform::closing::{Month, check_ended};
use ledger_domain::BusinessId;
use thiserror::Error;

use super::{CliError, Ending, print_line};
use crate::app::{Database, start_clock};

#[derive(Debug, Clone, Args)]
pub struct ClosingArguments {
    /// The company's id, such as biz_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b02
    #[arg(long)]
    business: BusinessId,
    /// A month that has ended, such as 2026-10
    #[arg(long, value_parser = parse_month)]
    month: Month,
    /// The workbook (XLSX) to write; an existing file is not replaced
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

/// Why there is no file. The log has the details of a fault.
#[derive(Debug, Error)]
#[error("{0}")]
pub struct ClosingError(String);

pub async fn closing(config: Config, arguments: ClosingArguments) -> Result<Ending, CliError> {
    let ClosingArguments { business, month, out } = arguments;
    let database = Database::join(&config.database).await?;
    let written = async {
        let clock = start_clock(&config, database.pool()).await?;
        check_ended(month, clock.today()).map_err(|error| refused(error.into()))?;
        Ok::<_, CliError>(write_closing(database.pool(), business, month, clock.now()).await)
    };
    let written = written.await;
    database.close().await;
    let written = written?;
    let ClosingFile { file, checks, .. } = written.map_err(refused)?;
    let bytes = save(file, &out).map_err(|source| CliError::File {
        path: out.clone(),
        source,
    })?;
    let failed = checks.iter().filter(|check| !check.holds());
    let failed: Vec<_> = failed
        .map(|check| format!("{}: {} instead of {}", check.name, check.actual, check.expected))
        .collect();
    failed.iter().for_each(|line| print_line(line));
    print_line(&format!(
        "{}: {bytes} bytes, {} checks, {} differences",
        out.display(),
        checks.len(),
        failed.len()
    ));
    Ok(if failed.is_empty() {
        Ending::Done
    } else {
        Ending::Findings
    })
}

/// Fails if `out` exists. A file that cannot be written completely, such as on a full disk, is removed.
fn save(mut file: File, out: &Path) -> io::Result<u64> {
    let mut target = OpenOptions::new().write(true).create_new(true).open(out)?;
    io::copy(&mut file, &mut target).inspect_err(|_| {
        let _ = fs::remove_file(out);
    })
}

fn refused(problem: gateway_http::Problem) -> ClosingError {
    let fields = problem.errors.into_values().flatten().collect::<Vec<_>>();
    ClosingError(if fields.is_empty() {
        problem.message.into_owned()
    } else {
        fields.join(" ")
    })
}

fn parse_month(text: &str) -> Result<Month, String> {
    Month::parse(text).ok_or_else(|| "a month is written as 2026-10".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_incomplete_workbook_is_removed_and_an_existing_file_stays() {
        let folder = tempfile::tempdir().expect("a folder");
        let out = folder.path().join("mes.xlsx");
        // A file that is open for writing only cannot be read.
        let unreadable = File::create(folder.path().join("source")).expect("a file");
        assert!(save(unreadable, &out).is_err());
        assert!(!out.exists(), "a part of the workbook is left");
        fs::write(&out, "kept").expect("a file");
        let source = File::open(&out).expect("a file");
        let error = save(source, &out).expect_err("the file exists");
        assert_eq!(error.kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(fs::read_to_string(&out).expect("the file"), "kept");
    }
}
