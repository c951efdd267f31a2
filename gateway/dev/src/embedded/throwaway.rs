//! Temporary clusters: a folder in memory if there is enough room, removed at the end. A later run removes the folders
//! of killed runs.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};
use std::time::{Duration, Instant, SystemTime};

use nix::sys::signal::Signal;
use nix::sys::statvfs::statvfs;
use nix::unistd::geteuid;
use tokio::signal::unix::{SignalKind, signal};

use super::cluster_paths::{self, ClusterPaths};
use super::error::EmbeddedError;
use super::lock::ClusterLock;
use super::pid_file::PidFile;
use super::process::{self, PidOwner};
use super::user::ServerUser;
use super::{DATABASE, Embedded};

const PREFIX: &str = "razao-throwaway-";
/// Enough for a cluster with its log and many test databases. The `/dev/shm` of containers often has only 64 MB.
const MEMORY_BYTES_MIN: u64 = 1 << 30;
/// A younger folder may belong to a run that has not taken its lock yet.
const AGE_TO_REMOVE: Duration = Duration::from_secs(60);

/// The variable with the URL of the cluster that [`run_with_database`] keeps for tests.
pub const TEST_DATABASE_VARIABLE: &str = "TEST_DATABASE_URL";

#[derive(Debug)]
pub struct ThrowawayDir {
    path: PathBuf,
}

impl ThrowawayDir {
    pub fn create() -> Result<ThrowawayDir, EmbeddedError> {
        let root = roomy_root();
        remove_left_behind(&root);
        let path = root.join(format!("{PREFIX}{:016x}", rand::random::<u64>()));
        cluster_paths::create_open_dir(&path)?;
        Ok(ThrowawayDir { path })
    }

    pub fn data_dir(&self) -> PathBuf {
        self.path.join("postgres")
    }
}

impl Drop for ThrowawayDir {
    fn drop(&mut self) {
        if let Err(error) = fs::remove_dir_all(&self.path) {
            tracing::warn!("{} could not be removed: {error}", self.path.display());
        }
    }
}

/// Runs a program with a temporary cluster, whose URL is in `TEST_DATABASE_URL`. SIGTERM is passed on. The cluster is
/// removed after the program has ended.
pub async fn run_with_database(program: &OsStr, arguments: &[OsString]) -> Result<ExitStatus, EmbeddedError> {
    let running = |source| EmbeddedError::io("run", Path::new(program))(source);
    let mut interrupt = signal(SignalKind::interrupt()).map_err(running)?;
    let mut terminate = signal(SignalKind::terminate()).map_err(running)?;

    let embedded = Embedded::throwaway().await?;
    let mut command = Command::new(program);
    command
        .args(arguments)
        .env(TEST_DATABASE_VARIABLE, embedded.url(DATABASE));
    let mut child = tokio::process::Command::from(command).spawn().map_err(running)?;
    let pid = child.id().and_then(|pid| i32::try_from(pid).ok());
    let status = loop {
        tokio::select! {
            status = child.wait() => break status.map_err(running)?,
            // A terminal sends SIGINT to the child as well, so it is not passed on.
            _ = interrupt.recv() => {}
            _ = terminate.recv() => if let Some(pid) = pid { process::signal(pid, Signal::SIGTERM) },
        }
    };
    embedded.stop().await?;
    Ok(status)
}

fn roomy_root() -> PathBuf {
    let memory = Path::new("/dev/shm");
    if bytes_free(memory) >= MEMORY_BYTES_MIN
        && nix::unistd::access(memory, nix::unistd::AccessFlags::W_OK).is_ok()
    {
        return memory.to_owned();
    }
    let own = std::env::temp_dir();
    match ServerUser::choose(&own) {
        Ok(user) if !user.can_enter(&own) => PathBuf::from("/tmp"),
        Ok(_) | Err(_) => own,
    }
}

// The counts are 32 bits wide on some systems and 64 on others.
#[allow(clippy::useless_conversion)]
fn bytes_free(path: &Path) -> u64 {
    statvfs(path).map_or(0, |metadata| {
        u64::from(metadata.blocks_available()) * u64::from(metadata.fragment_size())
    })
}

/// Removes folders that killed runs of this user left behind: they are old and no process holds their lock.
fn remove_left_behind(root: &Path) {
    let Ok(entries) = fs::read_dir(root) else { return };
    for entry in entries.flatten() {
        let is_abandoned = entry
            .file_name()
            .as_encoded_bytes()
            .starts_with(PREFIX.as_bytes())
            && entry.metadata().is_ok_and(|metadata| {
                let age = metadata
                    .modified()
                    .ok()
                    .and_then(|at| SystemTime::now().duration_since(at).ok());
                metadata.is_dir()
                    && metadata.uid() == geteuid().as_raw()
                    && age.is_some_and(|age| age > AGE_TO_REMOVE)
            });
        if is_abandoned {
            remove_abandoned(&entry.path());
        }
    }
}

fn remove_abandoned(dir: &Path) {
    let Ok(paths) = ClusterPaths::resolve(&dir.join("postgres")) else {
        return;
    };
    let Ok(_lock) = ClusterLock::take(&paths) else {
        return;
    };
    if let Ok(Some(file)) = PidFile::read(&paths)
        && process::process_owner(file.pid, paths.data_dir()) == PidOwner::Server
    {
        process::signal(file.pid, Signal::SIGQUIT);
        let deadline = Instant::now() + Duration::from_secs(5);
        while process::is_alive(file.pid) && Instant::now() < deadline {
            std::thread::sleep(Duration::from_millis(10));
        }
    }
    match fs::remove_dir_all(dir) {
        Ok(()) => tracing::debug!("removed the abandoned {}", dir.display()),
        Err(error) => tracing::warn!("{} could not be removed: {error}", dir.display()),
    }
}
