//! What the trial needs beyond this project, and installs by no means: PostgreSQL with its client programs, Patroni,
//! etcd.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use crate::embedded::ServerUser;

/// The programs of a node.
#[derive(Debug, Clone)]
pub struct Needs {
    /// The folder of `postgres`, `initdb`, `pg_basebackup` and `pg_rewind`. The embedded PostgreSQL lacks the last two.
    pub postgres: PathBuf,
    pub patroni: PathBuf,
    pub patronictl: PathBuf,
    pub etcd: PathBuf,
}

const POSTGRES_PROGRAMS: [&str; 5] = [
    "postgres",
    "initdb",
    "pg_basebackup",
    "pg_rewind",
    "pg_controldata",
];
/// Where Debian has the server's programs, a folder for each major version.
const DEBIAN: &str = "/usr/lib/postgresql";

impl Needs {
    /// The error names everything that is missing, and how Debian gets it.
    pub fn find(user: &ServerUser) -> Result<Self, String> {
        let mut missing = vec![];
        let mut need = |found: Option<PathBuf>, name: &str| {
            found.unwrap_or_else(|| {
                missing.push(name.to_owned());
                PathBuf::new()
            })
        };
        let needs = Self {
            postgres: need(
                postgres_folder(),
                "PostgreSQL's server with pg_basebackup and pg_rewind (`apt-get install postgresql`)",
            ),
            etcd: need(in_path("etcd"), "etcd (`apt-get install etcd-server`)"),
            patroni: need(
                in_path("patroni"),
                "Patroni (`just torture-standby` installs it in node_modules/.cache)",
            ),
            patronictl: need(in_path("patronictl"), "patronictl, which comes with Patroni"),
        };
        if !missing.is_empty() {
            return Err(format!("missing: {}", missing.join("; ")));
        }
        let mut probe = user.command(&needs.patroni);
        probe.arg("--version").stdout(Stdio::null()).stderr(Stdio::null());
        if probe.status().is_ok_and(|status| status.success()) {
            Ok(needs)
        } else {
            Err(format!(
                "the user {} cannot run {}: move it, with its Python, to where that user may read it",
                user.name(),
                needs.patroni.display()
            ))
        }
    }
}

fn in_path(program: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    env::split_paths(&path)
        .map(|folder| folder.join(program))
        .find(|file| file.is_file())
        .and_then(|file| fs::canonicalize(file.parent()?).ok())
        .map(|folder| folder.join(program))
}

/// The folder in `PG_BIN_DIR`, or one of `PATH` that has every program, or Debian's newest.
fn postgres_folder() -> Option<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    let named = env::var_os("PG_BIN_DIR").map(PathBuf::from);
    let mut debian: Vec<(u32, PathBuf)> = fs::read_dir(DEBIAN)
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|entry| {
            let major = entry.file_name().to_str()?.parse().ok()?;
            Some((major, entry.path().join("bin")))
        })
        .collect();
    debian.sort_unstable_by(|a, b| b.cmp(a));
    named
        .into_iter()
        .chain(env::split_paths(&path))
        .chain(debian.into_iter().map(|(_, bin)| bin))
        .find(|folder| has_all(folder))
}

fn has_all(folder: &Path) -> bool {
    POSTGRES_PROGRAMS
        .iter()
        .all(|program| folder.join(program).is_file())
}
