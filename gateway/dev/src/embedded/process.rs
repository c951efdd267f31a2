//! Finds out about the processes of a cluster: whether its server is alive, and whether a process still uses its data.
//! It reads process data and sends signals, but starts nothing.

use std::path::Path;

use nix::errno::Errno;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PidOwner {
    /// Alive, and apparently the server of this data directory.
    Server,
    /// The number belongs to another process now, or to a dead process that is not collected yet.
    OtherProcess,
    NoProcess,
}

/// The owner of the process number in postmaster.pid.
pub fn process_owner(pid: i32, data_dir: &Path) -> PidOwner {
    if kill(Pid::from_raw(pid), None) == Err(Errno::ESRCH) {
        return PidOwner::NoProcess;
    }
    if cfg!(not(target_os = "linux")) {
        return PidOwner::Server;
    }
    match (comm_and_state(pid), cwd_is(pid, data_dir)) {
        (None, _) => PidOwner::NoProcess,
        (Some((_, 'Z' | 'X')), _) | (_, Some(false)) => PidOwner::OtherProcess,
        (Some((comm, _)), _) if comm != "postgres" => PidOwner::OtherProcess,
        // An unreadable working directory (of another user, in a container) counts as the server's. To be taken over,
        // the process must still accept the password.
        (Some(_), Some(true) | None) => PidOwner::Server,
    }
}

/// The processes whose working directory is the data directory. Backends can outlive their killed postmaster.
pub fn processes_in(data_dir: &Path) -> Vec<i32> {
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

/// Sends a signal. An error is only logged, because the process has usually ended.
pub fn signal(pid: i32, signal: Signal) {
    if let Err(error) = kill(Pid::from_raw(pid), signal) {
        tracing::debug!("{signal} to process {pid}: {error}");
    }
}

fn cwd_is(pid: i32, data_dir: &Path) -> Option<bool> {
    let cwd = std::fs::read_link(format!("/proc/{pid}/cwd")).ok()?;
    Some(cwd == data_dir)
}

/// Reads `/proc/<pid>/stat`: `12 (postgres) S …`, where the name may contain parentheses and spaces.
fn comm_and_state(pid: i32) -> Option<(String, char)> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let (head, tail) = stat.rsplit_once(')')?;
    let comm = head.split_once('(')?.1.to_owned();
    Some((comm, tail.trim_start().chars().next()?))
}
