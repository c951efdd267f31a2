//! Finds the PostgreSQL to run: the one that `PG_BIN_DIR` names, npm's, or the system's. A candidate counts only if it
//! prints its version when it runs as the server's user.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::cluster_paths::ClusterPaths;
use super::error::EmbeddedError;
use super::native_tree;
use super::user::ServerUser;

#[derive(Debug, Clone)]
pub struct PostgresBinaries {
    bin: PathBuf,
    major: u32,
}

impl PostgresBinaries {
    pub fn initdb(&self) -> PathBuf {
        self.bin.join("initdb")
    }

    pub fn postgres(&self) -> PathBuf {
        self.bin.join("postgres")
    }

    pub fn major(&self) -> u32 {
        self.major
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Candidate {
    Named(PathBuf),
    /// The `native` folder of an `@embedded-postgres` package.
    Npm(PathBuf),
    System(PathBuf),
}

impl Candidate {
    fn bin(&self) -> PathBuf {
        match self {
            Candidate::Named(bin) | Candidate::System(bin) => bin.clone(),
            Candidate::Npm(native) => native.join("bin"),
        }
    }
}

/// The first usable installation. An existing cluster needs one of the same major version.
pub fn find(
    user: &ServerUser,
    paths: &ClusterPaths,
    cluster_major: Option<u32>,
) -> Result<PostgresBinaries, EmbeddedError> {
    let mut tried = Vec::new();
    let mut wrong_major = false;
    for candidate in candidates() {
        match examine(&candidate, user) {
            Ok(found) if cluster_major.is_none_or(|major| major == found.major) => {
                tracing::debug!("PostgreSQL {} from {}", found.major, found.bin.display());
                return Ok(found);
            }
            Ok(found) => {
                wrong_major = true;
                tried.push(format!("{} (PostgreSQL {})", found.bin.display(), found.major));
            }
            Err(reason) => tried.push(format!("{} ({reason})", candidate.bin().display())),
        }
    }
    match cluster_major {
        Some(cluster_major) if wrong_major => Err(EmbeddedError::WrongMajor {
            data_dir: paths.data_dir().to_owned(),
            cluster_major,
            tried,
        }),
        _ => Err(EmbeddedError::NoBinaries { tried }),
    }
}

fn candidates() -> Vec<Candidate> {
    if let Some(named) = std::env::var_os("PG_BIN_DIR").filter(|value| !value.is_empty()) {
        // A named installation is used without a fallback.
        return vec![Candidate::Named(PathBuf::from(named))];
    }
    let mut found: Vec<Candidate> = npm_packages().into_iter().map(Candidate::Npm).collect();
    for bin in system_folders() {
        let candidate = Candidate::System(bin);
        if candidate.bin().join("initdb").is_file() && !found.contains(&candidate) {
            found.push(candidate);
        }
    }
    found
}

/// Searches upwards from the working directory and from the executable.
fn npm_packages() -> Vec<PathBuf> {
    let system = match std::env::consts::OS {
        "macos" => "darwin",
        other => other,
    };
    let processor = match std::env::consts::ARCH {
        "x86_64" => "x64",
        "aarch64" => "arm64",
        other => other,
    };
    let package = format!("node_modules/@embedded-postgres/{system}-{processor}/native");
    let mut found = Vec::new();
    for start in [std::env::current_dir(), std::env::current_exe()]
        .into_iter()
        .flatten()
    {
        let start = fs::canonicalize(&start).unwrap_or(start);
        let native = start
            .ancestors()
            .map(|dir| dir.join(&package))
            .find(|dir| dir.is_dir());
        if let Some(native) = native.filter(|native| !found.contains(native)) {
            found.push(native);
        }
    }
    found
}

fn system_folders() -> Vec<PathBuf> {
    let mut folders = Vec::new();
    if let Ok(output) = Command::new("pg_config").arg("--bindir").output() {
        folders.push(PathBuf::from(String::from_utf8_lossy(&output.stdout).trim()));
    }
    let mut debian: Vec<(u32, PathBuf)> = fs::read_dir("/usr/lib/postgresql")
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|entry| {
            Some((
                entry.file_name().to_str()?.parse().ok()?,
                entry.path().join("bin"),
            ))
        })
        .collect();
    debian.sort_by_key(|(major, _)| std::cmp::Reverse(*major));
    folders.extend(debian.into_iter().map(|(_, bin)| bin));
    if let Some(path) = std::env::var_os("PATH") {
        folders.extend(std::env::split_paths(&path));
    }
    folders
}

fn examine(candidate: &Candidate, user: &ServerUser) -> Result<PostgresBinaries, String> {
    let Candidate::Npm(native) = candidate else {
        let bin = candidate.bin();
        return version(&bin, user).map(|major| PostgresBinaries { bin, major });
    };
    // If the links cannot be created, npm's install script may have done it before. The version check shows it.
    let links = native_tree::create_links(native);
    let bin = native.join("bin");
    match version(&bin, user) {
        Ok(major) => Ok(PostgresBinaries { bin, major }),
        // Another user than ours may not reach the folder, but can read a copy.
        Err(_) if user.is_other() => {
            let bin = native_tree::copy_for_all_users(native).map_err(|error| error.to_string())?;
            version(&bin, user).map(|major| PostgresBinaries { bin, major })
        }
        Err(reason) => Err(match links {
            Ok(()) => reason,
            Err(error) => format!("{reason}; its libraries could not be linked: {error}"),
        }),
    }
}

fn version(bin: &Path, user: &ServerUser) -> Result<u32, String> {
    if !bin.join("initdb").is_file() {
        return Err("no initdb there".to_owned());
    }
    let output = user
        .command(bin.join("postgres"))
        .arg("--version")
        .output()
        .map_err(|error| match error.kind() {
            io::ErrorKind::PermissionDenied => format!("{} cannot run it", user.name()),
            io::ErrorKind::NotFound => "no postgres there, or not built for this system".to_owned(),
            _ => error.to_string(),
        })?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).trim().to_owned());
    }
    let text = String::from_utf8_lossy(&output.stdout);
    major_of(&text).ok_or_else(|| format!("unknown version {text:?}"))
}

/// For example 18 for `postgres (PostgreSQL) 18.4`, 17 for `… 17.2 (Debian 17.2-1)` and 19 for `19beta1`.
fn major_of(text: &str) -> Option<u32> {
    let number = text.split_once("(PostgreSQL) ")?.1;
    let digits = number.split(|c: char| !c.is_ascii_digit()).next()?;
    digits.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::major_of;

    #[test]
    fn the_major_version_is_read_from_the_output_of_postgres() {
        assert_eq!(major_of("postgres (PostgreSQL) 18.4\n"), Some(18));
        assert_eq!(
            major_of("postgres (PostgreSQL) 15.19 (Debian 15.19-0+deb12u1)\n"),
            Some(15)
        );
        assert_eq!(major_of("postgres (PostgreSQL) 19beta1\n"), Some(19));
        assert_eq!(major_of("mysqld 8.0"), None);
    }
}
