//! Whether the server takes commits, and whether its settings make one as durable as an acknowledged event must be.

use std::fmt;

use tokio_postgres::{Error, GenericClient};

/// A setting of `synchronous_commit` under which a commit can be lost.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WeakCommit {
    /// Commits do not wait for the disk. The writer of the log waits all the same; other sessions do not.
    Off,
    /// The server has synchronous standbys, and commits do not wait until one of them has them on its disk.
    NotOnStandby { setting: String },
}

impl fmt::Display for WeakCommit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Off => f.write_str(
                "the database's synchronous_commit is off: after a crash, rows outside the log may be lost that were \
                 acknowledged",
            ),
            Self::NotOnStandby { setting } => write!(
                f,
                "the database's synchronous_commit is {setting}, and it has synchronous standbys: what was \
                 acknowledged may be lost when one takes over"
            ),
        }
    }
}

/// Why sessions cannot write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReadOnly {
    Standby,
    Setting,
}

impl fmt::Display for ReadOnly {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Standby => "the database is a standby, which is read-only",
            Self::Setting => "the database is read-only: its default_transaction_read_only is on",
        })
    }
}

/// What becomes of a commit on this server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Durability {
    pub read_only: Option<ReadOnly>,
    pub weak: Option<WeakCommit>,
    /// Commits wait for a standby, and none is connected. An insert that is rolled back does not show it.
    pub waits_in_vain: bool,
}

/// Reads the settings of this session, which are those of the server for the program's role and database. A setting of
/// the database or of the role holds in sessions that are opened later, as those that record may be, so
/// `default_transaction_read_only` is looked up there too.
pub async fn durability(client: &impl GenericClient) -> Result<Durability, Error> {
    // Every role may count the standbys; their states are for roles of pg_monitor.
    let row = client
        .query_one(
            "SELECT current_setting('synchronous_commit'), current_setting('synchronous_standby_names') <> '',
                    EXISTS (SELECT 1 FROM pg_stat_replication), pg_is_in_recovery(),
                    current_setting('default_transaction_read_only')::boolean OR coalesce((
                        SELECT split_part(entry, '=', 2)::boolean
                          FROM pg_db_role_setting, unnest(setconfig) AS entry
                         WHERE setdatabase IN (0, (SELECT oid FROM pg_database WHERE datname = current_database()))
                           AND setrole IN (0, (SELECT oid FROM pg_roles WHERE rolname = session_user))
                           AND split_part(entry, '=', 1) = 'default_transaction_read_only'
                         ORDER BY setrole <> 0 DESC, setdatabase <> 0 DESC LIMIT 1), false)",
            &[],
        )
        .await?;
    let (setting, asks_standbys, has_standbys): (String, bool, bool) = (row.get(0), row.get(1), row.get(2));
    let waits_in_vain = asks_standbys && !has_standbys && setting != "local";
    let weak = match setting.as_str() {
        "off" => Some(WeakCommit::Off),
        // The standby may have it in its memory only (`remote_write`), or not at all (`local`).
        "local" | "remote_write" if asks_standbys => Some(WeakCommit::NotOnStandby { setting }),
        _ => None,
    };
    let read_only = match (row.get(3), row.get(4)) {
        (true, _) => Some(ReadOnly::Standby),
        (false, true) => Some(ReadOnly::Setting),
        (false, false) => None,
    };
    Ok(Durability {
        read_only,
        weak,
        waits_in_vain,
    })
}
