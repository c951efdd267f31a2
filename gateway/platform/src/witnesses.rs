//! The job that sends checkpoints to witnesses and stores their cosignatures (C2SP's tlog-witness).
//!
//! Any number of processes can run it: a repeated request changes nothing at a witness, and a cosignature is one row.

use std::collections::BTreeMap;
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use deadpool_postgres::Pool;
use gateway_acquirers::calls;
use gateway_environment::config::WitnessAddress;
use ledger_store::Shard;
use ledger_store::audit::checkpoint::{self, CheckpointError, LastCosigned};
use razao_verify::note::Note;
use reqwest::{Client, Response, StatusCode};
use thiserror::Error;

#[derive(Debug, Error)]
pub enum WitnessError {
    #[error("no connection to the database: {0}")]
    Pool(#[from] deadpool_postgres::PoolError),
    #[error("the database failed: {}", crate::error::DatabaseCause(.0))]
    Database(#[from] tokio_postgres::Error),
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// Of each witness that did not cosign, the first reason.
    #[error("not cosigned: {0}")]
    NotCosigned(String),
}

/// Why a witness did not cosign.
#[derive(Debug, Error)]
enum Failure {
    #[error("it cannot be reached: {0}")]
    Http(#[from] reqwest::Error),
    #[error("it refused with {status}: {reason}")]
    Refused { status: StatusCode, reason: String },
    /// It has seen more than our last checkpoint, or what we never had.
    #[error("it has seen {seen} events of shard {shard}, and our last checkpoint has {size}")]
    Ahead { shard: Shard, seen: u64, size: u64 },
    #[error("its answer is no cosignature of its key")]
    Answer,
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    #[error("the database failed: {}", crate::error::DatabaseCause(.0))]
    Database(#[from] tokio_postgres::Error),
}

#[derive(Clone)]
pub struct Witnesses {
    pool: Pool,
    addresses: Vec<WitnessAddress>,
    http: Client,
}

const TIMEOUT: Duration = Duration::from_secs(10);
/// Some signature lines, or a reason.
const ANSWER_BYTES_MAX: usize = 16 * 1024;
const REASON_MAX: usize = 200;

impl Witnesses {
    pub fn new(pool: Pool, addresses: Vec<WitnessAddress>) -> Result<Self, reqwest::Error> {
        Ok(Self {
            pool,
            addresses,
            http: calls::client(TIMEOUT)?,
        })
    }

    /// One run: each witness gets the last checkpoint of each shard that it has not cosigned. One that fails does not
    /// keep the others from theirs.
    pub async fn tick(&self) -> Result<(), WitnessError> {
        if self.addresses.is_empty() {
            return Ok(());
        }
        let client = self.pool.get().await?;
        let cosigned = checkpoint::last_cosigned(&**client).await?;
        let mut failures: BTreeMap<&str, Failure> = BTreeMap::new();
        for shard in Shard::all() {
            let Some(note) = checkpoint::latest(&**client, shard).await? else {
                continue;
            };
            for address in &self.addresses {
                let name = &address.witness.name;
                let old = size_cosigned(&cosigned, shard, name);
                if old >= note.checkpoint.events.size || failures.contains_key(name.as_str()) {
                    continue;
                }
                if let Err(failure) = self.cosign(&client, shard, &note, address, old).await {
                    tracing::error!(
                        code = "witness_did_not_cosign", witness = name, %shard, error = %failure,
                        "a witness did not cosign a checkpoint"
                    );
                    failures.insert(name, failure);
                }
            }
        }
        if failures.is_empty() {
            return Ok(());
        }
        let reasons = failures
            .iter()
            .map(|(name, failure)| format!("{name}: {failure}"));
        Err(WitnessError::NotCosigned(reasons.collect::<Vec<_>>().join("; ")))
    }

    async fn cosign(
        &self,
        client: &tokio_postgres::Client,
        shard: Shard,
        note: &Note,
        address: &WitnessAddress,
        mut old: u64,
    ) -> Result<(), Failure> {
        let size = note.checkpoint.events.size;
        // A witness may know more than we stored, if an answer of it was lost. It then says how much.
        for _ in 0..2 {
            let path = checkpoint::consistency(client, shard, old, size).await?;
            let mut body = format!("old {old}\n");
            for hash in path {
                body += &(STANDARD.encode(hash) + "\n");
            }
            let request = self.http.post(format!("{}/add-checkpoint", address.url));
            let response = request.body(format!("{body}\n{note}")).send().await?;
            let status = response.status();
            let answer = text(response).await?;
            match (status, answer.trim().parse::<u64>()) {
                (StatusCode::OK, _) => return store(client, shard, note, address, &answer).await,
                (StatusCode::CONFLICT, Ok(seen)) if seen > size => {
                    return Err(Failure::Ahead { shard, seen, size });
                }
                (StatusCode::CONFLICT, Ok(seen)) if seen != old => old = seen,
                _ => {
                    let reason = answer.trim().chars().take(REASON_MAX).collect();
                    return Err(Failure::Refused { status, reason });
                }
            }
        }
        Err(Failure::Answer)
    }
}

async fn text(mut response: Response) -> Result<String, Failure> {
    let mut body = vec![];
    while let Some(chunk) = response.chunk().await? {
        body.extend_from_slice(&chunk);
        if body.len() > ANSWER_BYTES_MAX {
            return Err(Failure::Answer);
        }
    }
    String::from_utf8(body).map_err(|_| Failure::Answer)
}

async fn store(
    client: &tokio_postgres::Client,
    shard: Shard,
    note: &Note,
    address: &WitnessAddress,
    answer: &str,
) -> Result<(), Failure> {
    let size = note.checkpoint.events.size;
    for line in answer.lines() {
        let line = format!("{line}\n");
        let added = note
            .clone()
            .add_cosignatures(&line, std::slice::from_ref(&address.witness));
        if let Some(cosignature) = added.map_err(|_| Failure::Answer)?.first() {
            checkpoint::add_cosignature(client, shard, size, cosignature, &line).await?;
            tracing::info!(witness = cosignature.witness, %shard, size, "a checkpoint was cosigned");
            return Ok(());
        }
    }
    Err(Failure::Answer)
}

fn size_cosigned(cosigned: &[LastCosigned], shard: Shard, witness: &str) -> u64 {
    let last = cosigned
        .iter()
        .find(|last| last.shard == shard && last.witness == witness);
    last.map_or(0, |last| last.size.cast_unsigned())
}
