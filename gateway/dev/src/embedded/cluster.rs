//! The files of a cluster: their state, their owner, the password, and initdb. This module never repairs or empties a
//! directory that it does not recognize.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use super::binaries::PostgresBinaries;
use super::cluster_paths::ClusterPaths;
use super::error::EmbeddedError;
use super::user::{ServerUser, name_of};

/// The superuser of the cluster.
pub const ROLE: &str = "razao";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Found {
    Nothing,
    Cluster { major: u32 },
}

/// An unreadable directory is an error, because it must not count as empty. An empty one may have any owner: `create`
/// replaces it.
pub fn inspect(paths: &ClusterPaths, user: &ServerUser) -> Result<Found, EmbeddedError> {
    let data_dir = paths.data_dir();
    let unreadable = |source| EmbeddedError::DataDirUnreadable {
        path: data_dir.to_owned(),
        source,
    };
    let metadata = match fs::metadata(data_dir) {
        Ok(metadata) => metadata,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Found::Nothing),
        Err(error) => return Err(unreadable(error)),
    };
    let is_empty = match fs::read_dir(data_dir) {
        Ok(mut entries) => entries.next().is_none(),
        Err(_) if metadata.uid() != user.uid() => return Err(other_owner(data_dir, metadata.uid(), user)),
        Err(error) => return Err(unreadable(error)),
    };
    if is_empty {
        return Ok(Found::Nothing);
    }
    if metadata.uid() != user.uid() {
        return Err(other_owner(data_dir, metadata.uid(), user));
    }
    let version = match fs::read_to_string(data_dir.join("PG_VERSION")) {
        Ok(version) => version,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return Err(EmbeddedError::NotACluster {
                path: data_dir.to_owned(),
            });
        }
        Err(error) => return Err(unreadable(error)),
    };
    let major = version.trim().parse().map_err(|_| EmbeddedError::NotACluster {
        path: data_dir.to_owned(),
    })?;
    Ok(Found::Cluster { major })
}

fn other_owner(path: &Path, owner: u32, user: &ServerUser) -> EmbeddedError {
    EmbeddedError::DataDirOwner {
        path: path.to_owned(),
        owner: name_of(owner),
        expected: user.name().to_owned(),
    }
}

pub fn password(paths: &ClusterPaths) -> Result<String, EmbeddedError> {
    let path = paths.password_file();
    match fs::read_to_string(&path) {
        Ok(password) => Ok(password.trim().to_owned()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Err(EmbeddedError::PasswordLost {
            path,
            data_dir: paths.data_dir().to_owned(),
        }),
        Err(error) => Err(EmbeddedError::io("read", &path)(error)),
    }
}

/// Creates the cluster in a sibling folder and renames it into place, so that a kill never leaves an incomplete cluster
/// there. The caller holds the cluster's lock.
pub fn create(
    paths: &ClusterPaths,
    user: &ServerUser,
    server: &PostgresBinaries,
    durable: bool,
) -> Result<(), EmbeddedError> {
    remove_unfinished(paths)?;
    let password = read_or_create_password(paths)?;

    let mut name = paths.unfinished_prefix();
    name.push(format!("{:08x}", rand::random::<u32>()));
    let unfinished = paths.parent().join(&name);
    fs::DirBuilder::new()
        .create(&unfinished)
        .and_then(|()| user.chown(&unfinished))
        .map_err(EmbeddedError::io("create", &unfinished))?;

    name.push(".password");
    let password_file = paths.parent().join(name);
    write_secret(&password_file, &password)
        .and_then(|()| user.chown(&password_file))
        .map_err(EmbeddedError::io("write", &password_file))?;
    let made = run_initdb(&unfinished, &password_file, user, server, durable);
    fs::remove_file(&password_file).map_err(EmbeddedError::io("remove", &password_file))?;
    made?;

    fs::rename(&unfinished, paths.data_dir())
        .and_then(|()| fs::File::open(paths.parent())?.sync_all())
        .map_err(EmbeddedError::io("move the new database to", paths.data_dir()))
}

fn run_initdb(
    target: &Path,
    password_file: &Path,
    user: &ServerUser,
    server: &PostgresBinaries,
    durable: bool,
) -> Result<(), EmbeddedError> {
    let initdb = server.initdb();
    let mut command = user.command(&initdb);
    command
        .arg("--pgdata")
        .arg(target)
        .arg("--pwfile")
        .arg(password_file);
    command.args([
        "--username",
        ROLE,
        "--auth",
        "scram-sha-256",
        "--encoding",
        "UTF8",
    ]);
    command.args(["--data-checksums", "--no-instructions"]);
    // Text is sorted by code points, and `upper` and `lower` handle accents.
    if server.major() >= 17 {
        // No upgrade of the system's locales can corrupt an index of this provider.
        command.args([
            "--locale",
            "C",
            "--locale-provider",
            "builtin",
            "--builtin-locale",
            "C.UTF-8",
        ]);
    } else {
        command.args(["--locale", "C.UTF-8"]);
    }
    // Many iterations slow down guessing. The password is 32 random bytes, so they would only slow down each
    // connection.
    if server.major() >= 16 {
        command.args(["--set", "scram_iterations=1"]);
    }
    if !durable {
        command.arg("--no-sync");
    }
    let output = command.output().map_err(EmbeddedError::io("run", &initdb))?;
    if output.status.success() {
        return Ok(());
    }
    Err(EmbeddedError::InitdbFailed {
        status: output.status.to_string(),
        output: String::from_utf8_lossy(&output.stderr).trim().to_owned(),
    })
}

/// The password is stored next to the data with mode 0600, before the cluster exists: a cluster without its password
/// is useless.
fn read_or_create_password(paths: &ClusterPaths) -> Result<String, EmbeddedError> {
    match password(paths) {
        Err(EmbeddedError::PasswordLost { .. }) => {}
        // A start was killed between the creation of the file and its text.
        Ok(empty) if empty.is_empty() => {
            let path = paths.password_file();
            fs::remove_file(&path).map_err(EmbeddedError::io("remove", &path))?;
        }
        kept_or_failed => return kept_or_failed,
    }
    let path = paths.password_file();
    let fresh = hex::encode(rand::random::<[u8; 32]>());
    write_secret(&path, &fresh).map_err(EmbeddedError::io("write", &path))?;
    Ok(fresh)
}

fn write_secret(path: &Path, secret: &str) -> io::Result<()> {
    let mut file = OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(path)?;
    writeln!(file, "{secret}")?;
    file.sync_all()
}

fn remove_unfinished(paths: &ClusterPaths) -> Result<(), EmbeddedError> {
    let prefix = paths.unfinished_prefix();
    let entries = fs::read_dir(paths.parent()).map_err(EmbeddedError::io("read", paths.parent()))?;
    let leftovers = entries.flatten().filter(|entry| {
        entry
            .file_name()
            .as_encoded_bytes()
            .starts_with(prefix.as_encoded_bytes())
    });
    for path in leftovers.map(|entry| entry.path()).collect::<Vec<PathBuf>>() {
        let removed = if path.is_dir() {
            fs::remove_dir_all(&path)
        } else {
            fs::remove_file(&path)
        };
        removed.map_err(EmbeddedError::io("remove the unfinished", &path))?;
    }
    Ok(())
}
