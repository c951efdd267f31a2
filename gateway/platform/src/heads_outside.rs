//! Signed heads outside of the database, where its writers cannot change them: the last heads and checkpoints as one file
//! a day, in a folder of another disk or in a bucket with object lock.
//!
//! No file is ever overwritten. Whoever rewrites the database's history cannot take back what is there.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use deadpool_postgres::Pool;
use futures::TryStreamExt;
use gateway_acquirers::calls::client_builder;
use gateway_environment::config::HeadsPlace;
use ledger_domain::calendar::business_date;
use ledger_store::audit::checkpoint::{self, CheckpointError};
use ledger_store::audit::export::{self, ExportError, Heads};
use ledger_store::{Shard, tree_head};
use object_store::aws::{AmazonS3Builder, Checksum};
use object_store::client::{HttpClient, HttpConnector};
use object_store::local::LocalFileSystem;
use object_store::path::Path;
use object_store::{ClientOptions, ObjectStore, ObjectStoreExt, PutMode, PutOptions, PutPayload};
use sha2::{Digest, Sha256};
use thiserror::Error;
use tokio_postgres::Client;
use tokio_postgres::types::Type;

use crate::error::PlatformError;
use crate::row_chains::heads as row_heads;

#[derive(Debug, Error)]
pub enum OutsideError {
    #[error("no connection to the database: {0}")]
    Pool(#[from] deadpool_postgres::PoolError),
    #[error("the database failed: {}", crate::error::DatabaseCause(.0))]
    Database(#[from] tokio_postgres::Error),
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    #[error(transparent)]
    Rows(#[from] PlatformError),
    #[error("RAZAO_HEADS_URL: {0}")]
    Store(#[from] object_store::Error),
    #[error("RAZAO_HEADS_URL: {name} is damaged: {source}")]
    Damaged { name: Path, source: ExportError },
}

/// The last heads and checkpoints of the log, and the last head of rows.
pub async fn last_heads(client: &Client) -> Result<Heads, OutsideError> {
    let mut heads = Heads::default();
    for shard in Shard::all() {
        heads.log.extend(tree_head::latest(client, shard).await?);
        heads.checkpoints.extend(checkpoint::latest(client, shard).await?);
    }
    heads.rows.extend(row_heads::latest(client).await?);
    Ok(heads)
}

/// When heads were last written, and where to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LastWritten {
    pub at: DateTime<Utc>,
    pub name: String,
}

#[derive(Clone)]
pub struct HeadsOutside {
    pool: Pool,
    place: Option<Place>,
}

#[derive(Clone)]
struct Place {
    store: Arc<dyn ObjectStore>,
    folder: Path,
    /// Without secrets.
    target: String,
}

impl HeadsOutside {
    pub fn new(pool: Pool, place: Option<&HeadsPlace>) -> Result<Self, OutsideError> {
        Ok(Self {
            pool,
            place: place.map(Place::open).transpose()?,
        })
    }

    /// One run: writes the last heads, unless today's file has them. Returns the name of a new file.
    pub async fn run(&self, now: DateTime<Utc>) -> Result<Option<String>, OutsideError> {
        let Some(place) = &self.place else { return Ok(None) };
        let client = self.pool.get().await?;
        let heads = last_heads(&client).await?;
        if heads == Heads::default() {
            return Ok(None);
        }
        let text = export::write(&heads);
        let digest = hex::encode(&Sha256::digest(&text)[..8]);
        let name = format!("heads-{}-{digest}.json", business_date(now));
        let only_new = PutOptions::from(PutMode::Create);
        let payload = PutPayload::from(text);
        let path = place.folder.clone().join(name.as_str());
        let written = place.store.put_opts(&path, payload, only_new);
        let is_new = match written.await {
            Ok(_) => true,
            Err(object_store::Error::AlreadyExists { .. }) => false,
            Err(error) => return Err(error.into()),
        };
        // The database does not decide what is written: whoever changes its rows could keep heads from being kept.
        note(&client, &place.target, &name).await?;
        if !is_new {
            return Ok(None);
        }
        tracing::info!(
            name,
            target = place.target,
            "signed heads were written outside of the database"
        );
        Ok(Some(name))
    }

    pub async fn tick(&self, now: DateTime<Utc>) -> Result<(), OutsideError> {
        self.run(now).await.map(drop)
    }

    /// All heads that were ever written there.
    pub async fn read(&self) -> Result<Heads, OutsideError> {
        let mut all = Heads::default();
        let Some(place) = &self.place else { return Ok(all) };
        let mut files: Vec<_> = place.store.list(Some(&place.folder)).try_collect().await?;
        files.sort_by(|one, other| one.location.cmp(&other.location));
        for file in files {
            let bytes = place.store.get(&file.location).await?.bytes().await?;
            let text = String::from_utf8_lossy(&bytes);
            let heads = export::read(&text).map_err(|source| OutsideError::Damaged {
                name: file.location,
                source,
            })?;
            all.log.extend(heads.log);
            all.rows.extend(heads.rows);
            all.checkpoints.extend(heads.checkpoints);
        }
        Ok(all)
    }
}

impl Place {
    fn open(place: &HeadsPlace) -> Result<Self, OutsideError> {
        match place {
            HeadsPlace::Folder(folder) => Ok(Self {
                store: Arc::new(LocalFileSystem::new_with_prefix(folder)?.with_fsync(true)),
                folder: Path::default(),
                target: format!("file://{}", folder.display()),
            }),
            HeadsPlace::Bucket(bucket) => {
                let store = AmazonS3Builder::new()
                    .with_endpoint(&bucket.endpoint)
                    .with_region(&bucket.region)
                    .with_bucket_name(&bucket.name)
                    .with_access_key_id(&bucket.access_key)
                    .with_secret_access_key(bucket.secret_key.reveal())
                    .with_allow_http(bucket.endpoint.starts_with("http://"))
                    // A bucket with object lock refuses what has no checksum.
                    .with_checksum_algorithm(Checksum::SHA256)
                    .with_http_connector(Connector)
                    .build()?;
                Ok(Self {
                    store: Arc::new(store),
                    folder: Path::from(bucket.folder.as_str()),
                    target: format!("s3://{}/{}", bucket.name, bucket.folder),
                })
            }
        }
    }
}

/// Calls with the certificates that all calls to others use.
#[derive(Debug)]
struct Connector;

const TIMEOUT: std::time::Duration = std::time::Duration::from_secs(30);

impl HttpConnector for Connector {
    fn connect(&self, _options: &ClientOptions) -> object_store::Result<HttpClient> {
        let client = client_builder().timeout(TIMEOUT).build();
        let client = client.map_err(|error| object_store::Error::Generic {
            store: "S3",
            source: Box::new(error),
        })?;
        Ok(HttpClient::new(client))
    }
}

async fn note(client: &Client, target: &str, name: &str) -> Result<(), tokio_postgres::Error> {
    client
        .execute_typed(
            "INSERT INTO heads_outside (target, name) VALUES ($1, $2) ON CONFLICT DO NOTHING",
            &[(&target, Type::TEXT), (&name, Type::TEXT)],
        )
        .await?;
    Ok(())
}

/// The last file that was written, of any place.
pub async fn last_written(client: &Client) -> Result<Option<LastWritten>, tokio_postgres::Error> {
    let sql = "SELECT written_at, target || '/' || name FROM heads_outside ORDER BY written_at DESC LIMIT 1";
    let row = client.query_typed_opt(sql, &[]).await?;
    Ok(row.map(|row| LastWritten {
        at: row.get(0),
        name: row.get(1),
    }))
}
