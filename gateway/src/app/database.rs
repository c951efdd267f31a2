//! The program's database: the one in `DATABASE_URL`, or the embedded one.

#[cfg(feature = "dev")]
use std::path::{Path, PathBuf};

use deadpool_postgres::{ManagerConfig, Pool, QueueMode, RecyclingMethod};
#[cfg(feature = "dev")]
use gateway_dev::embedded::{DATABASE, Embedded, EmbeddedError, EmbeddedOptions};
use gateway_environment::config::DatabaseConfig;
use gateway_http::AppState;
use ledger_store::Connector;
#[cfg(feature = "dev")]
use ledger_store::Supervisor;
#[cfg(feature = "dev")]
use ledger_store::connector::Verification;
use ledger_store::durability::durability;
use ledger_store::layout::MoveProgress;
use ledger_store::migrate::{self, MigrateError, MigrateToSchemasError};
use ledger_store::supervisor::{Supervised, spawn_once};
use thiserror::Error;
use tokio_postgres::Client;
#[cfg(feature = "dev")]
use tokio_postgres::config::SslMode;

use super::AppError;
use super::slow_statements::{Sessions, SlowStatements};

#[derive(Debug, Error)]
pub enum DatabaseError {
    #[cfg(feature = "dev")]
    #[error(transparent)]
    Embedded(#[from] EmbeddedError),
    #[cfg(not(feature = "dev"))]
    #[error("DATABASE_URL is missing: this build has no embedded database")]
    NoAddress,
    #[cfg(feature = "dev")]
    #[error("the data of an earlier version in {} cannot be set aside: {source}", folder.display())]
    SetAside { folder: PathBuf, source: std::io::Error },
    #[cfg(feature = "dev")]
    #[error("the embedded database's address cannot be read")]
    Address,
    #[error("the database cannot be reached: {0}")]
    Connect(#[source] tokio_postgres::Error),
    #[error(transparent)]
    Migrate(#[from] MigrateError),
    #[error(transparent)]
    ToSchemas(#[from] MigrateToSchemasError),
    #[error("no pool of connections: {0}")]
    Pool(#[from] deadpool_postgres::BuildError),
}

/// Each use is one short statement.
const LIMIT_CONNECTIONS: usize = 4;

pub struct Database {
    connector: Connector,
    pool: Pool,
    limit_pool: Pool,
    sessions: Sessions,
    #[cfg(feature = "dev")]
    restarter: Option<Supervised>,
    #[cfg(feature = "dev")]
    embedded: Option<Embedded>,
    /// Where development parts keep what belongs to this database, if it outlives the program.
    #[cfg(feature = "dev")]
    data_folder: Option<PathBuf>,
}

impl Database {
    /// Opens the database for an `App`. Without `DATABASE_URL` it starts the embedded database, or takes over the one
    /// of a killed run. It fails if another program runs the embedded database. Data of an earlier version that cannot
    /// be migrated is set aside.
    pub async fn open(config: &DatabaseConfig) -> Result<Self, DatabaseError> {
        match &config.server {
            Some(server) => Self::at(server, config),
            #[cfg(feature = "dev")]
            None => Ok(Self {
                data_folder: Some(config.folder.clone()),
                ..Self::on(start_embedded(config).await?, config)?
            }),
            #[cfg(not(feature = "dev"))]
            None => Err(DatabaseError::NoAddress),
        }
    }

    /// Opens the database for a command without an `App`. Unlike `open`, it can use the embedded database of a running
    /// program.
    pub async fn join(config: &DatabaseConfig) -> Result<Self, DatabaseError> {
        match &config.server {
            Some(server) => Self::at(server, config),
            #[cfg(feature = "dev")]
            None => Self::on(Embedded::join(options(config)).await?, config),
            #[cfg(not(feature = "dev"))]
            None => Err(DatabaseError::NoAddress),
        }
    }

    /// Starts a cluster for this run only, for browser tests and experiments.
    #[cfg(feature = "dev")]
    pub async fn throwaway(config: &DatabaseConfig) -> Result<Self, DatabaseError> {
        Self::on(Embedded::throwaway().await?, config)
    }

    #[cfg(feature = "dev")]
    fn on(embedded: Embedded, config: &DatabaseConfig) -> Result<Self, DatabaseError> {
        let database = Self::at(&connector_of(&embedded)?, config)?;
        Ok(Self {
            embedded: Some(embedded),
            ..database
        })
    }

    /// The pool of the replica that answers reads, if there is one.
    pub fn replica_pool(config: &DatabaseConfig) -> Result<Option<Pool>, DatabaseError> {
        let replica = config.replica.as_ref();
        let pool = replica.map(|server| Ok(Self::at(server, config)?.pool));
        pool.transpose()
    }

    fn at(server: &Connector, config: &DatabaseConfig) -> Result<Self, DatabaseError> {
        let connector = server.with(|options| {
            if options.get_application_name().is_none() {
                options.application_name("razao");
            }
            if let Some(key) = &config.change_key {
                key.set_in(options);
            }
        });
        let sessions = Sessions::default();
        let pool = open_pool(&connector, config.connections, &sessions)?;
        let limit_pool = open_pool(&connector, LIMIT_CONNECTIONS, &sessions)?;
        Ok(Self {
            connector,
            pool,
            limit_pool,
            sessions,
            #[cfg(feature = "dev")]
            restarter: None,
            #[cfg(feature = "dev")]
            embedded: None,
            #[cfg(feature = "dev")]
            data_folder: None,
        })
    }

    /// Brings the schema up to date, or refuses one that is not, as the configuration says.
    pub async fn prepare(&self, config: &DatabaseConfig) -> Result<(), DatabaseError> {
        if config.migrate {
            self.migrate().await?;
            return Ok(());
        }
        self.with_own_client(async |client| migrate::check(client).await)
            .await??;
        Ok(())
    }

    /// Applies the migrations that are not applied yet and returns their names.
    pub async fn migrate(&self) -> Result<Vec<&'static str>, DatabaseError> {
        let applied = self
            .with_own_client(async |client| migrate::run(client).await)
            .await??;
        if !applied.is_empty() {
            tracing::info!(migrations = ?applied, "the database was migrated");
        }
        Ok(applied)
    }

    /// The same, and moves the tables to layout `schemas`. Returns whether it moved them.
    pub async fn migrate_to_schemas(
        &self,
        partition_size: i64,
        mut progress: impl FnMut(MoveProgress),
    ) -> Result<bool, DatabaseError> {
        let moved = self
            .with_own_client(async |client| {
                migrate::run_to_schemas(client, partition_size, &mut progress).await
            })
            .await??;
        Ok(moved)
    }

    /// Not of the pool, whose sessions have time-outs.
    pub async fn with_own_client<T>(
        &self,
        work: impl AsyncFnOnce(&mut Client) -> T,
    ) -> Result<T, DatabaseError> {
        let (mut client, connection) = self.connector.connect().await.map_err(DatabaseError::Connect)?;
        let driver = spawn_once("migration connection", connection);
        let done = work(&mut client).await;
        drop(client);
        // A connection error has already failed the statement.
        let _ = driver.await;
        Ok(done)
    }

    /// `/readyz` has it as an alarm, also if the setting changes later.
    pub async fn warn_of_weak_commit(&self) -> Result<(), AppError> {
        let client = self.pool.get().await?;
        let durability = durability(&**client).await.map_err(DatabaseError::Connect)?;
        if let Some(weak) = durability.weak {
            tracing::warn!(code = "weak_commit", "{weak}");
        }
        Ok(())
    }

    pub const fn connector(&self) -> &Connector {
        &self.connector
    }

    pub const fn pool(&self) -> &Pool {
        &self.pool
    }

    /// The pool of rate limits.
    pub const fn limit_pool(&self) -> &Pool {
        &self.limit_pool
    }

    /// Names the statements of this process that take long, as long as the handle lives.
    pub fn watch_slow_statements(&self, state: &AppState) -> Option<Supervised> {
        let limit = state.config.database.slow_statement?;
        // The other pool has no free session just when statements are slow.
        let watch = SlowStatements::new(
            self.limit_pool.clone(),
            self.sessions.clone(),
            state.writer.owner().to_owned(),
            limit,
        );
        Some(watch.start(&state.supervisor))
    }

    /// The folder for the files of the sandbox about a database at `DATABASE_URL`, if there is a folder of development
    /// data. No other database has its name: one that is made again, under the same name, begins without files.
    #[cfg(feature = "dev")]
    pub async fn with_data_folder(self, config: &DatabaseConfig) -> Result<Self, DatabaseError> {
        if self.embedded.is_some() || !config.folder.is_dir() {
            return Ok(self);
        }
        let sql = "SELECT (SELECT system_identifier FROM pg_control_system()) || '-' || oid
                     FROM pg_database WHERE datname = current_database()";
        let row = self
            .with_own_client(async |client| client.query_typed_one(sql, &[]).await)
            .await?
            .map_err(DatabaseError::Connect)?;
        let name: String = row.get(0);
        Ok(Self {
            data_folder: Some(config.folder.join(format!("database-{name}"))),
            ..self
        })
    }

    #[cfg(feature = "dev")]
    pub fn data_folder(&self) -> Option<&Path> {
        self.data_folder.as_deref()
    }

    /// Restarts the embedded server if this program started it and it dies.
    #[cfg(feature = "dev")]
    pub fn keep_running(self, supervisor: &Supervisor) -> Self {
        let embedded = self.embedded.as_ref();
        let restarter = embedded.and_then(|embedded| embedded.keep_running(supervisor));
        Self { restarter, ..self }
    }

    pub async fn close(self) {
        self.pool.close();
        self.limit_pool.close();
        #[cfg(feature = "dev")]
        drop(self.restarter);
        #[cfg(feature = "dev")]
        if let Some(embedded) = self.embedded
            && let Err(error) = embedded.stop().await
        {
            tracing::error!(%error, "the embedded database did not stop");
        }
    }
}

fn open_pool(
    connector: &Connector,
    connections: usize,
    sessions: &Sessions,
) -> Result<Pool, deadpool_postgres::BuildError> {
    let manager = connector.manager(ManagerConfig {
        recycling_method: RecyclingMethod::Fast,
    });
    // The connection that was used last has its plans and catalog entries at hand.
    Pool::builder(manager)
        .max_size(connections)
        .queue_mode(QueueMode::Lifo)
        .post_create(sessions.created())
        .post_recycle(sessions.taken())
        .build()
}

/// The embedded server has no TLS: it listens on this machine only.
#[cfg(feature = "dev")]
fn connector_of(embedded: &Embedded) -> Result<Connector, DatabaseError> {
    let parsed = embedded.url(DATABASE).parse::<tokio_postgres::Config>();
    let mut options = parsed.map_err(|_| DatabaseError::Address)?;
    options.ssl_mode(SslMode::Disable);
    Ok(Connector::new(options, Verification::Nothing))
}

/// Development data of another baseline is set aside, and a new database is created.
#[cfg(feature = "dev")]
async fn start_embedded(config: &DatabaseConfig) -> Result<Embedded, DatabaseError> {
    let embedded = Embedded::start(options(config)).await?;
    let connected = connector_of(&embedded)?.connect().await;
    let (client, connection) = connected.map_err(DatabaseError::Connect)?;
    let driver = spawn_once("check of the baseline", connection);
    let is_other = migrate::has_other_baseline(&client).await;
    drop(client);
    // A connection error has already failed the statement.
    let _ = driver.await;
    if !is_other.map_err(MigrateError::Database)? {
        return Ok(embedded);
    }
    embedded.stop().await?;
    let folder = &config.folder;
    let aside = set_aside(folder).map_err(|source| DatabaseError::SetAside {
        folder: folder.clone(),
        source,
    })?;
    tracing::warn!(
        "the data in {} is of an earlier version and now in {}; a new database is created",
        folder.display(),
        aside.display()
    );
    Ok(Embedded::start(options(config)).await?)
}

/// Renames the folder and makes a new one with copies of its keys, which the program has read already. Returns the
/// folder's new path.
#[cfg(feature = "dev")]
fn set_aside(folder: &Path) -> std::io::Result<PathBuf> {
    let folder = std::fs::canonicalize(folder)?;
    let named = |number: u32| {
        let mut name = folder.as_os_str().to_owned();
        name.push(format!("-earlier-{number}"));
        PathBuf::from(name)
    };
    let free = (1..).map(named).find(|path| !path.exists());
    let aside = free.expect("a number that no folder has");
    std::fs::rename(&folder, &aside)?;
    std::fs::create_dir(&folder)?;
    std::fs::set_permissions(&folder, std::fs::metadata(&aside)?.permissions())?;
    let (old, new) = (aside.join("keys"), folder.join("keys"));
    if old.exists() {
        std::fs::create_dir(&new)?;
        std::fs::set_permissions(&new, std::fs::metadata(&old)?.permissions())?;
        for key in std::fs::read_dir(&old)? {
            let key = key?;
            // Copies the permissions too.
            std::fs::copy(key.path(), new.join(key.file_name()))?;
        }
    }
    Ok(aside)
}

#[cfg(feature = "dev")]
fn options(config: &DatabaseConfig) -> EmbeddedOptions {
    EmbeddedOptions {
        data_dir: config.folder.join("postgres"),
        durable: true,
    }
}
