//! A PostgreSQL server that the program runs itself: finds the binaries, creates the cluster, starts the server or
//! takes over that of a killed run, and stops it.
//!
//! It is for development, measurements and tests. Production names its database in `DATABASE_URL`.

mod binaries;
mod cluster;
mod cluster_paths;
mod error;
mod lock;
mod native_tree;
mod pid_file;
mod process;
mod restarter;
mod server;
mod settings;
#[cfg(test)]
mod tests;
mod throwaway;
mod user;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use cluster::{Found, ROLE};
use cluster_paths::ClusterPaths;
pub use error::EmbeddedError;
use ledger_store::Supervisor;
use ledger_store::supervisor::Supervised;
use lock::ClusterLock;
use restarter::{Restarter, ServerSlot};
use server::Server;
use throwaway::ThrowawayDir;
pub use throwaway::run_with_database;
pub(crate) use user::ServerUser;

/// The program's database on the cluster.
pub const DATABASE: &str = "razao";

#[derive(Debug, Clone)]
pub struct EmbeddedOptions {
    /// The requested folder of the cluster, for example `.data/postgres`. `ClusterPaths::locate` may choose another.
    pub data_dir: PathBuf,
    /// Whether a commit must survive a power failure.
    pub durable: bool,
}

/// A running server. Dropping it stops the server and waits a few seconds at most. [`Embedded::stop`] waits longer and
/// returns whether that worked. Neither stops a joined server.
#[derive(Debug)]
pub struct Embedded {
    // Fields are dropped in this order: first the server, then the lock that protects it, then its files.
    slot: Option<Arc<ServerSlot>>,
    _lock: Option<ClusterLock>,
    _throwaway: Option<ThrowawayDir>,
    port: u16,
    password: String,
    data_dir: PathBuf,
}

impl Embedded {
    /// Starts the server, and creates the cluster first if there is none. A server that a killed run left behind is
    /// taken over if it has the requested durability. Blocks its thread while initdb runs.
    pub async fn start(options: EmbeddedOptions) -> Result<Embedded, EmbeddedError> {
        let user = ServerUser::choose(&options.data_dir)?;
        let paths = ClusterPaths::locate(&options.data_dir, &user)?;
        // Checked before the lock as well: "belongs to another user" is a better message than a lock that cannot be
        // opened.
        cluster::inspect(&paths, &user)?;
        let lock = ClusterLock::take(&paths)?;
        let server = Embedded::start_server(&paths, &user, options.durable, None).await?;
        let embedded = Embedded {
            port: server.port(),
            slot: Some(Arc::new(ServerSlot::new(
                paths.clone(),
                user,
                options.durable,
                server,
            ))),
            _lock: Some(lock),
            _throwaway: None,
            password: cluster::password(&paths)?,
            data_dir: paths.data_dir().to_owned(),
        };
        embedded.ensure_database(DATABASE).await?;
        Ok(embedded)
    }

    /// Like [`Embedded::start`], but if another instance holds the cluster's lock, its server is used and left running.
    /// It is for commands that run next to a gateway.
    pub async fn join(options: EmbeddedOptions) -> Result<Embedded, EmbeddedError> {
        match Embedded::start(options.clone()).await {
            Err(EmbeddedError::AlreadyRunning { .. }) => {}
            started_or_failed => return started_or_failed,
        }
        let user = ServerUser::choose(&options.data_dir)?;
        let paths = ClusterPaths::locate(&options.data_dir, &user)?;
        let password = cluster::password(&paths)?;
        Ok(Embedded {
            slot: None,
            _lock: None,
            _throwaway: None,
            port: Server::find_running(&paths, &password).await?,
            password,
            data_dir: paths.data_dir().to_owned(),
        })
    }

    /// A separate cluster, in memory if there is enough room. It is removed when the value is dropped.
    pub async fn throwaway() -> Result<Embedded, EmbeddedError> {
        let dir = ThrowawayDir::create()?;
        let mut embedded = Embedded::start(EmbeddedOptions {
            data_dir: dir.data_dir(),
            durable: false,
        })
        .await?;
        embedded._throwaway = Some(dir);
        Ok(embedded)
    }

    async fn start_server(
        paths: &ClusterPaths,
        user: &ServerUser,
        durable: bool,
        on_port: Option<u16>,
    ) -> Result<Server, EmbeddedError> {
        let found = cluster::inspect(paths, user)?;
        let cluster_major = match found {
            // A restart must not hide the loss behind an empty database.
            Found::Nothing if on_port.is_some() => {
                return Err(EmbeddedError::DataDirGone {
                    data_dir: paths.data_dir().to_owned(),
                });
            }
            Found::Nothing => None,
            Found::Cluster { major } => {
                let password = cluster::password(paths)?;
                if let Some(server) = Server::take_over(paths, &password, durable).await? {
                    tracing::info!(
                        "took over the PostgreSQL that an earlier run left on {}",
                        paths.data_dir().display()
                    );
                    return Ok(server);
                }
                Some(major)
            }
        };
        let server_binaries = binaries::find(user, paths, cluster_major)?;
        if found == Found::Nothing {
            tracing::info!(
                "creating the database in {} (PostgreSQL {})",
                paths.data_dir().display(),
                server_binaries.major()
            );
            cluster::create(paths, user, &server_binaries, durable)?;
        }
        if user.is_other() {
            tracing::debug!("PostgreSQL refuses root and runs as {}", user.name());
        }
        let password = cluster::password(paths)?;
        Server::launch(paths, user, &server_binaries, &password, durable, on_port).await
    }

    /// Restarts the server on the same port whenever it dies. `None` if another program keeps the server.
    pub fn keep_running(&self, supervisor: &Supervisor) -> Option<Supervised> {
        let slot = Arc::clone(self.slot.as_ref()?);
        Some(supervisor.start("embedded database", Restarter::new(slot, self.port)))
    }

    /// The URL of a database on this server. `database` is a plain lower-case name.
    pub fn url(&self, database: &str) -> String {
        format!(
            "postgres://{ROLE}:{}@127.0.0.1:{}/{database}",
            self.password, self.port
        )
    }

    pub fn data_dir(&self) -> &Path {
        &self.data_dir
    }

    /// Ends the sessions and the server, or does nothing if another program keeps the server.
    pub async fn stop(self) -> Result<(), EmbeddedError> {
        match self.slot.as_ref().and_then(|slot| slot.close()) {
            Some(server) => server.stop(),
            None => Ok(()),
        }
    }

    async fn ensure_database(&self, database: &str) -> Result<(), EmbeddedError> {
        let failed = |source| EmbeddedError::CreateDatabase {
            database: database.to_owned(),
            source,
        };
        let client = server::connect(self.port, &self.password, "postgres")
            .await
            .map_err(failed)?;
        let known = client
            .query_opt("SELECT 1 FROM pg_database WHERE datname = $1", &[&database])
            .await
            .map_err(failed)?;
        if known.is_none() {
            client
                .batch_execute(&format!("CREATE DATABASE \"{database}\""))
                .await
                .map_err(failed)?;
        }
        Ok(())
    }
}

/// Stops the server first, even if other parts still hold its slot.
impl Drop for Embedded {
    fn drop(&mut self) {
        if let Some(slot) = &self.slot {
            drop(slot.close());
        }
    }
}
