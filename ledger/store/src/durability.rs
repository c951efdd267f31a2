//! Whether the server's settings make a commit as durable as an acknowledged event must be.

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

/// What becomes of a commit on this server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Durability {
    pub weak: Option<WeakCommit>,
    /// Commits wait for a standby, and none is connected. An insert that is rolled back does not show it.
    pub waits_in_vain: bool,
}

/// Reads the settings of this session, which are those of the server for the program's role and database.
pub async fn durability(client: &impl GenericClient) -> Result<Durability, Error> {
    // Every role may count the standbys; their states are for roles of pg_monitor.
    let row = client
        .query_one(
            "SELECT current_setting('synchronous_commit'), current_setting('synchronous_standby_names') <> '', \
                    EXISTS (SELECT 1 FROM pg_stat_replication)",
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
    Ok(Durability { weak, waits_in_vain })
}
