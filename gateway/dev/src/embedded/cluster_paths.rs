//! The location of a cluster: its data directory, and next to it the lock, the password and the server's log. This
//! module does not read PostgreSQL's files in the directory; see `cluster`.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use super::error::EmbeddedError;
use super::user::ServerUser;

/// For root only: a folder that all users can enter, for files that cannot be below a closed home folder.
const STAGING_ROOT: &str = "/var/lib/razao";

#[derive(Debug, Clone)]
pub struct ClusterPaths {
    parent: PathBuf,
    name: OsString,
    data_dir: PathBuf,
}

impl ClusterPaths {
    /// The requested data directory, or one under `/var/lib/razao` if the server's user cannot reach it or if only the
    /// latter exists.
    pub fn locate(data_dir: &Path, user: &ServerUser) -> Result<ClusterPaths, EmbeddedError> {
        let requested = ClusterPaths::resolve(data_dir)?;
        if !user.is_other() {
            return Ok(requested);
        }
        let staged_parent = Path::new(STAGING_ROOT).join(short_hash([requested.data_dir.as_os_str()]));
        let staged_dir = staged_parent.join(&requested.name);
        // Data stays where it is: otherwise opening the folders above would seem to empty the database.
        if !requested.data_dir.exists() && staged_dir.exists() {
            return ClusterPaths::resolve(&staged_dir)?.in_place_of(&requested);
        }
        if user.can_enter(&requested.parent) {
            return Ok(requested);
        }
        if requested.data_dir.exists() {
            return Err(EmbeddedError::DataDirUnreachable {
                path: requested.data_dir,
                user: user.name().to_owned(),
            });
        }
        create_open_dir(Path::new(STAGING_ROOT))?;
        create_open_dir(&staged_parent)?;
        ClusterPaths::resolve(&staged_dir)?.in_place_of(&requested)
    }

    pub fn resolve(data_dir: &Path) -> Result<ClusterPaths, EmbeddedError> {
        let absolute = std::path::absolute(data_dir).map_err(EmbeddedError::io("find", data_dir))?;
        let (Some(parent), Some(name)) = (absolute.parent(), absolute.file_name()) else {
            return Err(EmbeddedError::NotACluster { path: absolute });
        };
        fs::create_dir_all(parent).map_err(EmbeddedError::io("create", parent))?;
        let parent = fs::canonicalize(parent).map_err(EmbeddedError::io("find", parent))?;
        Ok(ClusterPaths {
            data_dir: parent.join(name),
            name: name.to_owned(),
            parent,
        })
    }

    /// Logs where the data is, and writes it to a file next to the requested folder for `just db`.
    fn in_place_of(self, requested: &ClusterPaths) -> Result<ClusterPaths, EmbeddedError> {
        tracing::info!(
            "the database is in {} instead of {}, so that PostgreSQL's user can reach it",
            self.data_dir.display(),
            requested.data_dir.display()
        );
        let location = requested.sibling(".location");
        fs::write(&location, self.data_dir.as_os_str().as_bytes())
            .map_err(EmbeddedError::io("write", &location))?;
        Ok(self)
    }

    pub fn data_dir(&self) -> &Path {
        &self.data_dir
    }

    pub fn parent(&self) -> &Path {
        &self.parent
    }

    pub fn lock_file(&self) -> PathBuf {
        self.sibling(".lock")
    }

    pub fn password_file(&self) -> PathBuf {
        self.sibling(".password")
    }

    pub fn log_file(&self) -> PathBuf {
        self.sibling(".log")
    }

    /// The prefix of the folder and the file that an unfinished initdb may leave behind.
    pub fn unfinished_prefix(&self) -> OsString {
        let mut prefix = self.name.clone();
        prefix.push(".initdb-");
        prefix
    }

    fn sibling(&self, suffix: &str) -> PathBuf {
        let mut name = self.name.clone();
        name.push(suffix);
        self.parent.join(name)
    }
}

/// The path of a copy under the staging root. Its name is derived from the parts, which identify the source.
pub fn staging_dir<'a>(
    label: &str,
    parts: impl IntoIterator<Item = &'a OsStr>,
) -> Result<PathBuf, EmbeddedError> {
    let root = Path::new(STAGING_ROOT);
    create_open_dir(root)?;
    Ok(root.join(format!("{label}-{}", short_hash(parts))))
}

/// Creates a folder that all users can enter. The mode is set explicitly, because a umask of 077 would exclude the
/// server's user.
pub fn create_open_dir(dir: &Path) -> Result<(), EmbeddedError> {
    fs::create_dir_all(dir)
        .and_then(|()| fs::set_permissions(dir, fs::Permissions::from_mode(0o755)))
        .map_err(EmbeddedError::io("create", dir))
}

fn short_hash<'a>(parts: impl IntoIterator<Item = &'a OsStr>) -> String {
    let mut hasher = Sha256::new();
    for part in parts {
        hasher.update(part.as_bytes());
        hasher.update([0]);
    }
    hex::encode(&hasher.finalize()[..8])
}

#[cfg(test)]
mod tests {
    use std::error::Error;

    use super::*;

    #[test]
    fn a_closed_folder_is_replaced_only_if_postgresql_runs_as_another_user() -> Result<(), Box<dyn Error>> {
        let home = std::env::temp_dir().join(format!("razao-closed-{}", std::process::id()));
        fs::create_dir_all(&home)?;
        fs::set_permissions(&home, fs::Permissions::from_mode(0o700))?;
        let requested = home.join("postgres");
        let user = ServerUser::choose(&requested)?;
        let paths = ClusterPaths::locate(&requested, &user)?;
        let location = home.join("postgres.location");
        if user.is_other() {
            assert!(paths.data_dir().starts_with(STAGING_ROOT));
            assert_eq!(fs::read(location)?, paths.data_dir().as_os_str().as_bytes());
            fs::remove_dir(paths.parent())?;
        } else {
            // The program's own user is the server's user and can enter its own folder.
            assert_eq!(paths.data_dir(), fs::canonicalize(&home)?.join("postgres"));
            assert!(!location.exists());
        }
        fs::remove_dir_all(&home)?;
        Ok(())
    }
}
