//! Makes proofs for outsiders (docs/proof-format.md), each of a shard at one of its checkpoints.

use ed25519_dalek::VerifyingKey;
use ledger_domain::{BusinessId, SaleId};
use razao_verify::check::Invalid;
use razao_verify::merkle::{Hash, inclusion_ranges};
use razao_verify::note::{Note, NoteError};
use razao_verify::postings::{Accounts, PostingError, postings};
use razao_verify::proof::{
    CompanyProof, Event, Format, GrowthProof, Hex, Key, Member, Micros, Path, Period, Proof, SaleProof,
};
use sha2::{Digest, Sha256};
use thiserror::Error;
use tokio_postgres::types::Type;
use tokio_postgres::{Client, IsolationLevel, Transaction};

use super::checkpoint::{self, CheckpointError};
use super::companies;
use super::subtrees::{self, TreeError};
use crate::event::StoredEvent;
use crate::layout::search_path;
use crate::log::{self, LogError};
use crate::position::Shard;

#[derive(Debug, Error)]
pub enum ProveError {
    #[error(transparent)]
    Log(#[from] LogError),
    #[error(transparent)]
    Database(#[from] tokio_postgres::Error),
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    #[error(transparent)]
    Tree(#[from] TreeError),
    #[error("shard {0} has no such checkpoint yet: make one with `razao audit checkpoint`")]
    NoCheckpoint(Shard),
    #[error("nothing of it was recorded by the checkpoint's time")]
    NothingRecorded,
    #[error("the checkpoint cannot be used: {0}")]
    Note(#[from] NoteError),
    #[error("event {sequence} of {business_id}: {source}")]
    Posting {
        business_id: BusinessId,
        sequence: i64,
        source: PostingError,
    },
    #[error("the log does not agree with its checkpoint, so there is no proof: {0}")]
    NotProvable(Invalid),
}

/// A snapshot for proofs. It ends with the transaction, however the work on it ends, and the session's settings with it.
pub async fn snapshot(client: &mut Client) -> Result<Transaction<'_>, tokio_postgres::Error> {
    let transaction = client.build_transaction().read_only(true);
    transaction
        .isolation_level(IsolationLevel::RepeatableRead)
        .start()
        .await
}

/// Proofs of a shard at a checkpoint.
pub struct Prover<'a> {
    client: &'a Transaction<'a>,
    shard: Shard,
    note: Note,
    public_key: Hex<32>,
    keys: &'a [VerifyingKey],
}

/// What happened from `from` until before `to`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Range {
    pub from: Micros,
    pub to: Micros,
}

/// Events in a page.
const PAGE: i64 = 2_000;

impl<'a> Prover<'a> {
    /// At the shard's last checkpoint, or at that of a size. `keys` are the ledger's public keys.
    pub async fn at(
        client: &'a Transaction<'a>,
        shard: Shard,
        size: Option<u64>,
        keys: &'a [VerifyingKey],
    ) -> Result<Self, ProveError> {
        let path = search_path(shard);
        client
            .batch_execute(&format!("SET LOCAL search_path = {path}"))
            .await?;
        let note = match size {
            None => checkpoint::latest(client, shard).await?,
            Some(size) => checkpoint::of_size(client, shard, size).await?,
        };
        let note = note.ok_or(ProveError::NoCheckpoint(shard))?;
        let public_key = Hex(note.signed_by(keys)?.to_bytes());
        Ok(Self {
            client,
            shard,
            note,
            public_key,
            keys,
        })
    }

    pub const fn note(&self) -> &Note {
        &self.note
    }

    fn size(&self) -> u64 {
        self.note.checkpoint.events.size
    }

    /// The events of a sale.
    pub async fn sale(&self, business_id: BusinessId, sale_id: SaleId) -> Result<Proof, ProveError> {
        self.checked(self.events_of_sale(business_id, sale_id).await?)
    }

    /// All events of a company, and the figures of a period.
    pub async fn company(&self, business_id: BusinessId, range: Option<Range>) -> Result<Proof, ProveError> {
        self.checked(self.events_of_company(business_id, range).await?)
    }

    /// That everything up to the earlier checkpoint is unchanged. Its own signature is checked by the reader.
    pub async fn growth(&self, earlier: &Note) -> Result<Proof, ProveError> {
        let from = earlier.checkpoint.events.size;
        let path = checkpoint::growth(self.client, self.shard, from, self.size()).await?;
        self.checked(Proof::Growth(GrowthProof {
            format: Format::Proof1,
            public_key: self.public_key,
            checkpoint: self.note.to_string(),
            earlier: earlier.to_string(),
            path: hexadecimal(path),
        }))
    }

    /// Nothing leaves that its reader would refuse: the log may have been changed.
    fn checked(&self, proof: Proof) -> Result<Proof, ProveError> {
        razao_verify::check(&proof.text(), self.keys, &[]).map_err(ProveError::NotProvable)?;
        Ok(proof)
    }

    async fn events_of_sale(&self, business_id: BusinessId, sale_id: SaleId) -> Result<Proof, ProveError> {
        let mut events = vec![];
        for stored in log::events_containing(self.client, business_id, &sale_id.to_string()).await? {
            let position = stored.position.cast_unsigned();
            if position > self.size() {
                break;
            }
            let ranges = inclusion_ranges(position - 1, self.size());
            let path = subtrees::path(self.client, self.shard, ranges).await?;
            events.push(Event {
                path: Some(hexadecimal(path)),
                ..event(stored)
            });
        }
        if events.is_empty() {
            return Err(ProveError::NothingRecorded);
        }
        Ok(Proof::Sale(SaleProof {
            format: Format::Proof1,
            public_key: self.public_key,
            checkpoint: self.note.to_string(),
            business_id: business_id.to_string(),
            sale_id: sale_id.to_string(),
            events,
        }))
    }

    async fn events_of_company(
        &self,
        business_id: BusinessId,
        range: Option<Range>,
    ) -> Result<Proof, ProveError> {
        let member = self.member(business_id).await?;
        let mut events: Vec<Event> = vec![];
        let mut accounts = Accounts::default();
        let (mut opening, mut closing) = (Accounts::default(), Accounts::default());
        loop {
            let after = events.last().map_or(0, |last| last.sequence);
            let page = log::of_business(self.client, business_id, after, PAGE).await?;
            let covered = page
                .iter()
                .take_while(|event| event.position.cast_unsigned() <= self.size())
                .count();
            let is_last = covered < page.len() || page.is_empty();
            for stored in page.into_iter().take(covered) {
                let event = event(stored);
                let (sequence, occurred_at) = (event.sequence, event.occurred_at);
                let failed = |source| ProveError::Posting {
                    business_id,
                    sequence,
                    source,
                };
                let postings = postings(&event).map_err(failed)?;
                accounts.post(&postings).map_err(failed)?;
                if range.is_some_and(|range| occurred_at < range.from) {
                    opening.post(&postings).map_err(failed)?;
                }
                if range.is_some_and(|range| occurred_at < range.to) {
                    closing.post(&postings).map_err(failed)?;
                }
                events.push(event);
            }
            if is_last {
                break;
            }
        }
        Ok(Proof::Company(CompanyProof {
            format: Format::Proof1,
            public_key: self.public_key,
            checkpoint: self.note.to_string(),
            business_id: business_id.to_string(),
            member,
            accounts,
            period: range.map(|Range { from, to }| Period {
                from,
                to,
                opening,
                closing,
                fees: closing.platform_fees - opening.platform_fees,
            }),
            events,
        }))
    }

    /// The company's leaf among those of the checkpoint's companies.
    async fn member(&self, business_id: BusinessId) -> Result<Member, ProveError> {
        let companies = self.companies().await?;
        let index = companies.binary_search_by_key(&business_id.uuid(), |(id, _)| *id);
        let index = index.map_err(|_| ProveError::NothingRecorded)?;
        let leaves: Vec<Hash> = companies.into_iter().map(|(_, leaf)| leaf).collect();
        Ok(Member {
            index: index as u64,
            path: hexadecimal(companies::path(&leaves, index)),
        })
    }

    /// The leaves of the companies at the checkpoint: their heads, except for those that have later events.
    async fn companies(&self) -> Result<Vec<(uuid::Uuid, Hash)>, ProveError> {
        let rows = self
            .client
            .query_typed(
                "SELECT head.business_id, coalesce(later.first - 1, head.version), \
                        CASE WHEN later.first IS NULL THEN head.chain ELSE before.chain END \
                   FROM business_head head \
                   LEFT JOIN (SELECT business_id, min(sequence) AS first FROM event \
                               WHERE shard = $1 AND position > $2 GROUP BY business_id) later \
                     ON later.business_id = head.business_id \
                   LEFT JOIN event before ON before.shard = $1 AND before.business_id = later.business_id \
                                         AND before.sequence = later.first - 1 \
                  WHERE head.shard = $1 ORDER BY head.business_id",
                &[
                    (&self.shard.sql(), Type::INT2),
                    (&subtrees::sql(self.size()), Type::INT8),
                ],
            )
            .await?;
        let mut companies = Vec::with_capacity(rows.len());
        for row in rows {
            let (id, sequence): (uuid::Uuid, i64) = (row.get(0), row.get(1));
            if sequence == 0 {
                continue;
            }
            let business_id = BusinessId::from_uuid(id);
            let chain = match row.get::<_, Option<&[u8]>>(2) {
                Some(chain) => chain.try_into().ok(),
                // The company's last event by then is archived.
                None => log::event(self.client, business_id, sequence)
                    .await?
                    .map(|event| event.chain),
            };
            let chain = chain.ok_or(ProveError::NothingRecorded)?;
            companies.push((id, companies::leaf(business_id, sequence, &chain)));
        }
        Ok(companies)
    }
}

fn hexadecimal(hashes: Vec<Hash>) -> Path {
    hashes.into_iter().map(Hex).collect()
}

fn event(stored: StoredEvent) -> Event {
    Event {
        sequence: stored.sequence,
        position: stored.position.cast_unsigned(),
        event_id: stored.event_id.to_string(),
        event_type: stored.event_type,
        event_version: stored.event_version,
        recorded_at: stored.recorded_at.timestamp_micros(),
        occurred_at: stored.occurred_at.timestamp_micros(),
        key: stored.key.map(|key| Key {
            key: Hex(key.key),
            fingerprint: Hex(key.fingerprint),
            events: key.event_count,
        }),
        metadata_sha256: Hex(Sha256::digest(&stored.metadata).into()),
        payload: stored.payload,
        path: None,
    }
}
