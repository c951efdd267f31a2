//! The program's database: the one in `DATABASE_URL`, or the embedded one.

#[cfg(feature = "dev")]
use std::path::{Path, PathBuf};

use deadpool_postgres::{Manager, ManagerConfig, Pool, QueueMode, RecyclingMethod};
#[cfg(feature = "dev")]
use gateway_dev::embedded::{DATABASE, Embedded, EmbeddedError, EmbeddedOptions};
use gateway_environment::config::{DatabaseConfig, Secret};
#[cfg(feature = "dev")]
use ledger_store::Supervisor;
use ledger_store::migrate::{self, MigrateError};
#[cfg(feature = "dev")]
use ledger_store::supervisor::Supervised;
use ledger_store::supervisor::spawn_once;
use thiserror::Error;
use tokio_postgres::NoTls;

#[derive(Debug, Error)]
pub enum DatabaseError {
    #[cfg(feature = "dev")]
    #[error(transparent)]
    Embedded(#[from] EmbeddedError),
    #[cfg(not(feature = "dev"))]
    #[error("DATABASE_URL is missing: this build has no embedded database")]
    NoAddress,
    #[error("the database's address cannot be read")]
    Address,
    #[error("the database cannot be reached: {0}")]
    Connect(#[source] tokio_postgres::Error),
    #[error(transparent)]
    Migrate(#[from] MigrateError),
    #[error("no pool of connections: {0}")]
    Pool(#[from] deadpool_postgres::BuildError),
}

pub struct Database {
    url: Secret<String>,
    connection: tokio_postgres::Config,
    pool: Pool,
    #[cfg(feature = "dev")]
    restarter: Option<Supervised>,
    #[cfg(feature = "dev")]
    embedded: Option<Embedded>,
    /// The folder of an embedded database that outlives the program.
    #[cfg(feature = "dev")]
    data_folder: Option<PathBuf>,
}

impl Database {
    /// Opens the database for an `App`. Without `DATABASE_URL` it starts the embedded database, or takes over the one
    /// of a killed run. It fails if another program runs the embedded database.
    pub async fn open(config: &DatabaseConfig) -> Result<Self, DatabaseError> {
        match &config.url {
            Some(url) => Self::at(url.reveal(), config.connections),
            #[cfg(feature = "dev")]
            None => Ok(Self {
                data_folder: Some(config.folder.clone()),
                ..Self::on(Embedded::start(options(config)).await?, config)?
            }),
            #[cfg(not(feature = "dev"))]
            None => Err(DatabaseError::NoAddress),
        }
    }

    /// Opens the database for a command without an `App`. Unlike `open`, it can use the embedded database of a running
    /// program.
    pub async fn join(config: &DatabaseConfig) -> Result<Self, DatabaseError> {
        match &config.url {
            Some(url) => Self::at(url.reveal(), config.connections),
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
        let database = Self::at(&embedded.url(DATABASE), config.connections)?;
        Ok(Self {
            embedded: Some(embedded),
            ..database
        })
    }

    fn at(url: &str, connections: usize) -> Result<Self, DatabaseError> {
        let mut connection: tokio_postgres::Config = url.parse().map_err(|_| DatabaseError::Address)?;
        if connection.get_application_name().is_none() {
            connection.application_name("razao");
        }
        let recycling = ManagerConfig {
            recycling_method: RecyclingMethod::Fast,
        };
        let manager = Manager::from_config(connection.clone(), NoTls, recycling);
        // The connection that was used last has its plans and catalog entries at hand.
        let pool = Pool::builder(manager)
            .max_size(connections)
            .queue_mode(QueueMode::Lifo)
            .build()?;
        Ok(Self {
            url: Secret::new(url.to_owned()),
            connection,
            pool,
            #[cfg(feature = "dev")]
            restarter: None,
            #[cfg(feature = "dev")]
            embedded: None,
            #[cfg(feature = "dev")]
            data_folder: None,
        })
    }

    /// Applies the migrations that are not applied yet and returns their names.
    pub async fn migrate(&self) -> Result<Vec<&'static str>, DatabaseError> {
        let (mut client, connection) = self
            .connection
            .connect(NoTls)
            .await
            .map_err(DatabaseError::Connect)?;
        let driver = spawn_once("migration connection", connection);
        let applied = migrate::run(&mut client).await;
        drop(client);
        // A connection error has already failed the statement.
        let _ = driver.await;
        let applied = applied?;
        if !applied.is_empty() {
            tracing::info!(migrations = ?applied, "the database was migrated");
        }
        Ok(applied)
    }

    /// The URL, for readers with another driver.
    pub const fn url(&self) -> &Secret<String> {
        &self.url
    }

    pub const fn connection(&self) -> &tokio_postgres::Config {
        &self.connection
    }

    pub const fn pool(&self) -> &Pool {
        &self.pool
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

#[cfg(feature = "dev")]
fn options(config: &DatabaseConfig) -> EmbeddedOptions {
    EmbeddedOptions {
        data_dir: config.folder.join("postgres"),
        durable: true,
    }
}
