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

/// Reads the settings of this session, which are those of the server for the program's role and database.
pub async fn weak_commit(client: &impl GenericClient) -> Result<Option<WeakCommit>, Error> {
    let row = client
        .query_one(
            "SELECT current_setting('synchronous_commit'), current_setting('synchronous_standby_names') <> ''",
            &[],
        )
        .await?;
    let (setting, standbys): (String, bool) = (row.get(0), row.get(1));
    Ok(match setting.as_str() {
        "off" => Some(WeakCommit::Off),
        // The standby may have it in its memory only (`remote_write`), or not at all (`local`).
        "local" | "remote_write" if standbys => Some(WeakCommit::NotOnStandby { setting }),
        _ => None,
    })
}
