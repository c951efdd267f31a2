//! The location of a cluster: its data directory, and next to it the lock, the password and the server's log. This
//! module does not read PostgreSQL's files in the directory; see `cluster`.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
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
    /// latter exists. A file next to the requested directory names the other one. If the file is removed, the database
    /// that it named is left alone: the keys of a new data folder would not fit it.
    pub fn locate(data_dir: &Path, user: &ServerUser) -> Result<ClusterPaths, EmbeddedError> {
        let requested = ClusterPaths::resolve(data_dir)?;
        if !user.is_other() {
            return Ok(requested);
        }
        let staged_dir = requested.read_location()?;
        // Data stays where it is. Otherwise the database would seem empty once the server's user can enter the folders
        // above the requested directory.
        if let Some(staged_dir) = &staged_dir
            && !requested.data_dir.exists()
            && staged_dir.exists()
        {
            return ClusterPaths::resolve(staged_dir)?.in_place_of(&requested);
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
        let staged_dir = match staged_dir {
            Some(staged_dir) => staged_dir,
            None => requested.name_location()?,
        };
        let staged = ClusterPaths::resolve(&staged_dir)?;
        create_open_dir(Path::new(STAGING_ROOT))?;
        create_open_dir(&staged.parent)?;
        staged.in_place_of(&requested)
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

    fn in_place_of(self, requested: &ClusterPaths) -> Result<ClusterPaths, EmbeddedError> {
        tracing::info!(
            "the database is in {} instead of {}, so that PostgreSQL's user can reach it",
            self.data_dir.display(),
            requested.data_dir.display()
        );
        Ok(self)
    }

    /// The folder that the file names. `just db` reads it too.
    fn read_location(&self) -> Result<Option<PathBuf>, EmbeddedError> {
        let location = self.location_file();
        let named = match fs::read(&location) {
            Ok(named) => PathBuf::from(OsString::from_vec(named.trim_ascii_end().to_vec())),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(EmbeddedError::io("read", &location)(error)),
        };
        if !named.is_absolute() {
            return Err(EmbeddedError::Location { path: location });
        }
        Ok(Some(named))
    }

    /// Chooses a folder that no database has and writes its path to the file. If another program was first, its choice
    /// holds.
    fn name_location(&self) -> Result<PathBuf, EmbeddedError> {
        let location = self.location_file();
        let (staged_dir, earlier) = self.unused_staged_dir();
        // The file gets its name once it is complete, so that no process reads a part of it.
        let draft = self.sibling(&format!(".location-{:08x}", rand::random::<u32>()));
        fs::write(&draft, staged_dir.as_os_str().as_bytes()).map_err(EmbeddedError::io("write", &draft))?;
        let named = fs::hard_link(&draft, &location);
        fs::remove_file(&draft).map_err(EmbeddedError::io("remove", &draft))?;
        match named {
            Ok(()) => {}
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                return self
                    .read_location()?
                    .ok_or(EmbeddedError::Location { path: location });
            }
            Err(error) => return Err(EmbeddedError::io("write", &location)(error)),
        }
        if let Some(earlier) = earlier {
            tracing::warn!(
                "`{}` holds the database of an earlier `{}`. Remove it if it is not needed. To use it again, restore \
                 the `keys` of that folder and write `{}` to `{}`",
                earlier.display(),
                self.parent.display(),
                earlier.join(&self.name).display(),
                location.display()
            );
        }
        Ok(staged_dir)
    }

    /// The data directory in the first folder that does not exist yet, and the last folder that does. The names of
    /// these folders begin with a hash of the requested directory.
    fn unused_staged_dir(&self) -> (PathBuf, Option<PathBuf>) {
        let mut name = short_hash([self.data_dir.as_os_str()]);
        let first = name.clone();
        let mut earlier = None;
        for number in 2.. {
            let folder = Path::new(STAGING_ROOT).join(&name);
            if !folder.exists() {
                break;
            }
            earlier = Some(folder);
            name = format!("{first}-{number}");
        }
        (Path::new(STAGING_ROOT).join(name).join(&self.name), earlier)
    }

    fn location_file(&self) -> PathBuf {
        self.sibling(".location")
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

    type TestResult = Result<(), Box<dyn Error>>;

    /// A folder that only its owner can enter.
    fn closed_home(name: &str) -> std::io::Result<PathBuf> {
        let home = std::env::temp_dir().join(format!("razao-{name}-{}", std::process::id()));
        fs::create_dir_all(&home)?;
        fs::set_permissions(&home, fs::Permissions::from_mode(0o700))?;
        Ok(home)
    }

    fn locate(requested: &Path) -> Result<ClusterPaths, EmbeddedError> {
        ClusterPaths::locate(requested, &ServerUser::choose(requested)?)
    }

    #[test]
    fn a_closed_folder_is_replaced_only_if_postgresql_runs_as_another_user() -> TestResult {
        let home = closed_home("closed")?;
        let requested = home.join("postgres");
        let paths = locate(&requested)?;
        let location = home.join("postgres.location");
        if ServerUser::choose(&requested)?.is_other() {
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

    #[test]
    fn a_new_data_folder_does_not_get_the_database_of_a_removed_one() -> TestResult {
        let home = closed_home("removed")?;
        let requested = home.join("data/postgres");
        if !ServerUser::choose(&requested)?.is_other() {
            // The database is in the data folder and is removed with it.
            return Ok(fs::remove_dir_all(&home)?);
        }
        let first = locate(&requested)?;
        fs::create_dir(first.data_dir())?;
        assert_eq!(locate(&requested)?.data_dir(), first.data_dir());
        fs::remove_dir_all(home.join("data"))?;
        let second = locate(&requested)?;
        assert_ne!(second.data_dir(), first.data_dir());
        assert!(first.data_dir().exists());
        assert_eq!(locate(&requested)?.data_dir(), second.data_dir());
        fs::remove_dir_all(first.parent())?;
        fs::remove_dir_all(second.parent())?;
        Ok(fs::remove_dir_all(&home)?)
    }
}
