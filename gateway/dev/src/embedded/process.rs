//! What the system tells about the processes of a cluster: is its server alive, and does anything still sit on its
//! data. It signals and looks; it starts nothing.

use std::path::Path;

use nix::errno::Errno;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DirectoryOwner {
    /// Alive, and by all that can be seen the server of this data directory.
    Server,
    /// The number belongs to something else by now, or to a dead process that nobody has collected yet.
    Stranger,
    Nobody,
}

/// Who has the process number that postmaster.pid names.
pub fn occupant(pid: i32, data_dir: &Path) -> DirectoryOwner {
    if kill(Pid::from_raw(pid), None) == Err(Errno::ESRCH) {
        return DirectoryOwner::Nobody;
    }
    if cfg!(not(target_os = "linux")) {
        return DirectoryOwner::Server;
    }
    match (comm_and_state(pid), cwd_is(pid, data_dir)) {
        (None, _) => DirectoryOwner::Nobody,
        (Some((_, 'Z' | 'X')), _) | (_, Some(false)) => DirectoryOwner::Stranger,
        (Some((comm, _)), _) if comm != "postgres" => DirectoryOwner::Stranger,
        // A folder that may not be read (another user's, in a container) speaks for the server: to adopt it, it must
        // still prove itself by the password.
        (Some(_), Some(true) | None) => DirectoryOwner::Server,
    }
}

/// Processes at work in the data directory: backends that outlive their killed postmaster for a moment.
pub fn holders(data_dir: &Path) -> Vec<i32> {
    let Ok(processes) = std::fs::read_dir("/proc") else {
        return Vec::new();
    };
    processes
        .flatten()
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
        .filter(|pid| cwd_is(*pid, data_dir) == Some(true))
        .collect()
}

pub fn is_alive(pid: i32) -> bool {
    if kill(Pid::from_raw(pid), None) == Err(Errno::ESRCH) {
        return false;
    }
    !matches!(comm_and_state(pid), Some((_, 'Z' | 'X')))
}

/// A process that is gone already is no failure: ending it was the aim.
pub fn signal(pid: i32, signal: Signal) {
    if let Err(error) = kill(Pid::from_raw(pid), signal) {
        tracing::debug!("{signal} to process {pid}: {error}");
    }
}

fn cwd_is(pid: i32, data_dir: &Path) -> Option<bool> {
    let cwd = std::fs::read_link(format!("/proc/{pid}/cwd")).ok()?;
    Some(cwd == data_dir)
}

/// From `/proc/<pid>/stat`: `12 (postgres) S …`, where the name may itself hold brackets and blanks.
fn comm_and_state(pid: i32) -> Option<(String, char)> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let (head, tail) = stat.rsplit_once(')')?;
    let comm = head.split_once('(')?.1.to_owned();
    Some((comm, tail.trim_start().chars().next()?))
}
