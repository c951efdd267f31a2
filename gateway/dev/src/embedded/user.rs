//! The system user that PostgreSQL runs as: the current user, or another one if the program runs as root, because the
//! server refuses root. All commands on the cluster are built here, so that none runs with root's rights or with
//! variables that could change PostgreSQL's behavior.

use std::fs;
use std::io;
use std::os::unix::fs::{MetadataExt, chown};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};

use nix::unistd::{Uid, User, geteuid};

use super::error::EmbeddedError;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerUser {
    uid: u32,
    gid: u32,
    name: String,
    /// Whether commands must change to this user first (the program runs as root).
    change: bool,
}

impl ServerUser {
    /// Chooses the current user. For root: `PG_RUN_AS`, else the owner of `data_dir`, else the owner of the working
    /// directory, else `postgres`, else `nobody`.
    pub fn choose(data_dir: &Path) -> Result<ServerUser, EmbeddedError> {
        if !geteuid().is_root() {
            return Ok(ServerUser::current());
        }
        if let Some(name) = std::env::var("PG_RUN_AS").ok().filter(|name| !name.is_empty()) {
            return named(&name).ok_or(EmbeddedError::RunAs { name });
        }
        owner(data_dir)
            .or_else(|| owner(Path::new(".")))
            .or_else(|| named("postgres"))
            .or_else(|| named("nobody"))
            .ok_or(EmbeddedError::NoUnprivilegedUser)
    }

    fn current() -> ServerUser {
        let uid = geteuid();
        ServerUser {
            uid: uid.as_raw(),
            gid: nix::unistd::getegid().as_raw(),
            name: name_of(uid.as_raw()),
            change: false,
        }
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    pub fn uid(&self) -> u32 {
        self.uid
    }

    pub fn gid(&self) -> u32 {
        self.gid
    }

    /// Whether this is not the user who runs the program.
    pub fn is_other(&self) -> bool {
        self.change
    }

    /// A command that runs as this user, from `/`, without variables that could change PostgreSQL's behavior.
    pub fn command(&self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        let mut command = Command::new(program);
        command.current_dir("/").stdin(Stdio::null());
        for (name, _) in std::env::vars_os() {
            let text = name.to_string_lossy();
            if text.starts_with("PG")
                || text.starts_with("LC_")
                || text == "LANG"
                || text == "LD_LIBRARY_PATH"
            {
                command.env_remove(&name);
            }
        }
        if self.change {
            // The standard library also drops root's supplementary groups.
            command.gid(self.gid).uid(self.uid);
        }
        command
    }

    /// Tries it instead of reading mode bits, because access lists and mounts matter as well.
    pub fn can_enter(&self, dir: &Path) -> bool {
        if !self.change {
            return true;
        }
        let mut probe = self.command("/bin/sh");
        probe.args(["-c", "cd -- \"$1\"", "sh"]).arg(dir);
        probe.stdout(Stdio::null()).stderr(Stdio::null());
        probe.status().is_ok_and(|status| status.success())
    }

    pub fn chown(&self, path: &Path) -> io::Result<()> {
        if !self.change {
            return Ok(());
        }
        chown(path, Some(self.uid), Some(self.gid))
    }
}

/// A user's name, or `user` with the number if the system has no name for it.
pub fn name_of(uid: u32) -> String {
    match User::from_uid(Uid::from_raw(uid)) {
        Ok(Some(user)) => user.name,
        Ok(None) | Err(_) => format!("user {uid}"),
    }
}

fn named(name: &str) -> Option<ServerUser> {
    User::from_name(name).ok().flatten().and_then(unprivileged)
}

/// The owner of `path`. `None` if the path does not exist or root owns it. `None` also for a number without an account,
/// because initdb needs an account.
fn owner(path: &Path) -> Option<ServerUser> {
    let uid = fs::metadata(path).ok()?.uid();
    User::from_uid(Uid::from_raw(uid))
        .ok()
        .flatten()
        .and_then(unprivileged)
}

fn unprivileged(user: User) -> Option<ServerUser> {
    if user.uid.is_root() {
        return None;
    }
    Some(ServerUser {
        uid: user.uid.as_raw(),
        gid: user.gid.as_raw(),
        name: user.name,
        change: true,
    })
}
