//! The errors of starting and stopping the embedded PostgreSQL.

use std::io;
use std::path::{Path, PathBuf};

#[derive(Debug, thiserror::Error)]
pub enum EmbeddedError {
    #[error(
        "another razao{} is using the database in {}; stop it, or set another RAZAO_DATA or DATABASE_URL for this one",
        holder.map(|pid| format!(" (process {pid})")).unwrap_or_default(), data_dir.display()
    )]
    AlreadyRunning { data_dir: PathBuf, holder: Option<u32> },

    #[error(
        "no usable PostgreSQL was found; run `npm ci`, install the postgresql package, or set PG_BIN_DIR or \
         DATABASE_URL. Looked at: {}",
        listed(tried)
    )]
    NoBinaries { tried: Vec<String> },

    #[error(
        "{} was created by PostgreSQL {cluster_major}, and only that major version can open it; set PG_BIN_DIR to the \
         binaries of PostgreSQL {cluster_major}, or move the folder away to create a new database. Looked at: {}",
        data_dir.display(), listed(tried)
    )]
    WrongMajor {
        data_dir: PathBuf,
        cluster_major: u32,
        tried: Vec<String>,
    },

    #[error("{} was removed while its database ran; stop razao, and restore the folder from a backup", data_dir.display())]
    DataDirGone { data_dir: PathBuf },

    #[error("{} cannot be read ({source}); it was not changed", path.display())]
    DataDirUnreadable { path: PathBuf, source: io::Error },

    #[error(
        "{} belongs to {owner}, but PostgreSQL would run as {expected}; change the owner of the folder and its files",
        path.display()
    )]
    DataDirOwner {
        path: PathBuf,
        owner: String,
        expected: String,
    },

    #[error("{} holds files but no valid PG_VERSION; name another folder in RAZAO_DATA", path.display())]
    NotACluster { path: PathBuf },

    #[error(
        "{} must name the folder of the database by its full path; correct it, or remove the file to begin a new \
         database",
        path.display()
    )]
    Location { path: PathBuf },

    #[error(
        "{} exists, but {user} cannot reach it; let that user enter the folders above, or set PG_RUN_AS",
        path.display()
    )]
    DataDirUnreachable { path: PathBuf, user: String },

    #[error(
        "{} is missing, and without it the database in {} cannot be opened; put it back, or move the database away",
        path.display(), data_dir.display()
    )]
    PasswordLost { path: PathBuf, data_dir: PathBuf },

    #[error("the database in {} refuses the password in {}", data_dir.display(), path.display())]
    PasswordRefused { path: PathBuf, data_dir: PathBuf },

    #[error("PG_RUN_AS is {name}; it must name a user of this system other than root")]
    RunAs { name: String },

    #[error("PostgreSQL refuses to run as root, and there is neither `postgres` nor `nobody`; set PG_RUN_AS")]
    NoUnprivilegedUser,

    #[error("initdb exited with {status}: {output}")]
    InitdbFailed { status: String, output: String },

    #[error("PostgreSQL exited during startup ({status}): {output} (the full log is {})", log.display())]
    ServerEnded {
        status: String,
        output: String,
        log: PathBuf,
    },

    #[error("PostgreSQL (process {pid}) did not accept connections within {seconds} s; its log is {}", log.display())]
    Unresponsive { pid: i32, seconds: u64, log: PathBuf },

    #[error("the processes {pids:?} still use {}; end them first", data_dir.display())]
    StillInUse { data_dir: PathBuf, pids: Vec<i32> },

    #[error("PostgreSQL (process {pid}) did not stop within {seconds} s")]
    WillNotStop { pid: i32, seconds: u64 },

    #[error("the database `{database}` could not be created: {source}")]
    CreateDatabase {
        database: String,
        source: tokio_postgres::Error,
    },

    #[error("another process holds the lock of {}, but its PostgreSQL accepts no connections", data_dir.display())]
    LockedButUnreachable { data_dir: PathBuf },

    #[error("could not {action} {}: {source}", path.display())]
    Io {
        action: &'static str,
        path: PathBuf,
        source: io::Error,
    },
}

impl EmbeddedError {
    /// For `map_err`: adds the action and the path to an I/O error.
    pub(super) fn io(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> EmbeddedError {
        let path = path.to_owned();
        move |source| EmbeddedError::Io { action, path, source }
    }
}

fn listed(tried: &[String]) -> String {
    if tried.is_empty() {
        return "nothing".to_owned();
    }
    tried.join("; ")
}
