//! A disk that is full for some seconds. Captures that cannot be recorded are answered by 503 with `Retry-After`. Once
//! there is room, captures succeed again without a restart of the program. PostgreSQL itself may stop if its WAL finds
//! no room. The program's own log is on that disk too.

use std::fs::{self, File};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use super::ledger::{self, RecordedSales};
use super::senders::Senders;
use super::{CAPTURES_UNDER_LOAD, FaultReport, TortureOptions};
use crate::installation::{BoxError, Installation};

/// The size of the file system. A new cluster takes 60 MB with its WAL.
const DISK_MEBIBYTES: u32 = 320;
/// The disk stays full until there were this many answers of 503, and for `FULL_AT_LEAST`.
const UNAVAILABLE_MIN: u64 = 100;
const FULL_AT_LEAST: Duration = Duration::from_secs(3);
/// The trial fails if fewer answers of 503 came within this time.
const FULL_AT_MOST: Duration = Duration::from_secs(60);

/// A file system in memory. Dropping it unmounts it, and its files are lost.
pub struct SmallDisk {
    path: PathBuf,
    mounted: bool,
}

impl SmallDisk {
    /// `None` if it cannot be mounted, for example without the right to do so.
    pub fn mount(path: &Path) -> Result<Option<Self>, BoxError> {
        fs::create_dir_all(path)?;
        let path = fs::canonicalize(path)?;
        let size = format!("size={DISK_MEBIBYTES}m,mode=0755");
        let mounted = Command::new("mount")
            .args(["-t", "tmpfs", "-o", &size, "tmpfs"])
            .arg(&path)
            .output();
        match mounted {
            Ok(output) if output.status.success() => Ok(Some(Self { path, mounted: true })),
            _ => Ok(None),
        }
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    pub fn unmount(mut self) -> Result<(), BoxError> {
        self.mounted = false;
        unmount(&self.path)
    }

    fn ballast(&self) -> PathBuf {
        self.path.join("ballast")
    }

    /// Writes a file until there is no room for one more byte. Also fills the room of files that PostgreSQL deletes at
    /// the same time.
    fn fill(&self) -> Result<(), BoxError> {
        let mut file = File::options().create(true).append(true).open(self.ballast())?;
        let mut part = vec![0_u8; 1 << 20];
        while !part.is_empty() {
            match file.write(&part) {
                Ok(_) => {}
                Err(error) if error.kind() == ErrorKind::StorageFull => part.truncate(part.len() / 2),
                Err(error) => return Err(error.into()),
            }
        }
        Ok(())
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        if self.mounted
            && let Err(error) = unmount(&self.path)
        {
            tracing::error!(%error, path = %self.path.display(), "the small file system stays mounted");
        }
    }
}

/// The unmount is lazy, because a program that this process starts at the same time has copies of its open files until
/// it executes.
fn unmount(path: &Path) -> Result<(), BoxError> {
    let output = Command::new("umount").arg("--lazy").arg(path).output()?;
    if output.status.success() {
        return Ok(());
    }
    Err(String::from_utf8_lossy(&output.stderr).into_owned().into())
}

pub async fn run(
    installation: &Installation,
    disk: &SmallDisk,
    options: &TortureOptions,
) -> Result<FaultReport, BoxError> {
    let mut gateway = installation.spawn(&options.program, &[])?;
    gateway.wait_until_ready().await?;
    let senders = Senders::start(installation, &[gateway.addr], "disk-full", options.seed);
    senders.wait_for_more(CAPTURES_UNDER_LOAD).await?;
    let began = Instant::now();
    let before = senders.counts();
    while senders.counts().unavailable < before.unavailable + UNAVAILABLE_MIN
        || began.elapsed() < FULL_AT_LEAST
        || gateway.is_ready().await?
    {
        disk.fill()?;
        senders.check()?;
        if began.elapsed() > FULL_AT_MOST {
            let counts = senders.counts();
            return Err(format!(
                "a full disk stopped too few captures, or readiness did not show it: {counts:?}"
            )
            .into());
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let resident_mebibytes = gateway.resident_kib()? / 1024;
    fs::remove_file(disk.ballast())?;
    let recovered_after = senders.wait_for_more(1).await?;
    senders.wait_for_more(CAPTURES_UNDER_LOAD).await?;
    let counts = senders.counts();
    let acknowledged = senders.stop().await?;
    gateway.wait_until_ready().await?;
    gateway.wait_until_caught_up().await?;
    let database = installation.join_database().await?;
    RecordedSales::default().check(&database, &acknowledged).await?;
    ledger::audit(installation, &options.program).await?;
    drop(database);
    gateway.stop().await?;
    Ok(FaultReport {
        acknowledged: acknowledged.len() as u64,
        unavailable: counts.unavailable,
        recovered_after,
        resident_mebibytes,
        take_over: None,
    })
}
