//! The check of a proof, with public keys alone.

use ed25519_dalek::VerifyingKey;
use serde_json::Value;
use sha2::{Digest, Sha256};
use thiserror::Error;
use uuid::Uuid;

use crate::event::{GENESIS, digest, next_chain, uuid_of};
use crate::merkle::{self, Hash, PathError};
use crate::note::{Checkpoint, Cosignature, Note, NoteError, Witness};
use crate::postings::{Accounts, PostingError, postings};
use crate::proof::{CompanyProof, Event, GrowthProof, Hex, Micros, Path, Period, Proof, SaleProof};

/// What a valid proof shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checked {
    pub checkpoint: Checkpoint,
    /// Which of the known witnesses saw this checkpoint, and when.
    pub cosignatures: Vec<Cosignature>,
    pub shows: Shows,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Shows {
    /// These events of a sale are in the log.
    Sale {
        business_id: String,
        sale_id: String,
        events: usize,
    },
    /// A company has these events and no others, and its balances are these.
    Company {
        business_id: String,
        events: usize,
        accounts: Accounts,
        period: Option<Period>,
    },
    /// The log has everything that it had at that checkpoint, unchanged.
    Growth { from: Checkpoint },
}

#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Invalid {
    #[error("not a proof: {0}")]
    Form(String),
    #[error("the public key is not one of the known keys")]
    UnknownKey,
    #[error("checkpoint: {0}")]
    Note(#[from] NoteError),
    #[error("{0:?} is not an id of a {1}")]
    Id(String, &'static str),
    #[error("the company is not of this shard")]
    OtherShard,
    #[error("there are no events")]
    NoEvents,
    #[error("event {0}: out of order, missing or after the checkpoint")]
    Order(i64),
    #[error("event {0}: a path belongs to the events of a sale's proof, and only to them")]
    PathPlace(i64),
    #[error("event {0}: it is not of this sale")]
    OtherSale(i64),
    #[error("event {0}: {1}")]
    Path(i64, PathError),
    #[error("event {0}: {1}")]
    Posting(i64, PostingError),
    #[error("the events are not all events of the company, or one was changed: {0}")]
    Member(PathError),
    #[error("the events give other balances than `accounts`")]
    Accounts,
    #[error("the events give other figures for the period")]
    Period,
    #[error("the checkpoints are not of one log, or the earlier one is larger")]
    OtherLog,
    #[error("the log does not continue the earlier checkpoint: {0}")]
    Rewritten(PathError),
}

/// Checks a proof. `keys` are those that the caller trusts, whatever the file says.
pub fn check(text: &str, keys: &[VerifyingKey], witnesses: &[Witness]) -> Result<Checked, Invalid> {
    let proof: Proof = serde_json::from_str(text).map_err(|error| Invalid::Form(error.to_string()))?;
    let (public_key, checkpoint) = match &proof {
        Proof::Sale(SaleProof {
            public_key,
            checkpoint,
            ..
        })
        | Proof::Company(CompanyProof {
            public_key,
            checkpoint,
            ..
        })
        | Proof::Growth(GrowthProof {
            public_key,
            checkpoint,
            ..
        }) => (public_key, checkpoint),
    };
    let key = keys
        .iter()
        .find(|key| key.as_bytes() == &public_key.0)
        .ok_or(Invalid::UnknownKey)?;
    let note: Note = checkpoint.parse()?;
    note.signed_by(std::slice::from_ref(key))?;
    let cosignatures = note.cosigned_by(witnesses)?;
    let checkpoint = note.checkpoint;
    let shows = match proof {
        Proof::Sale(proof) => check_sale(proof, &checkpoint)?,
        Proof::Company(proof) => check_company(proof, &checkpoint)?,
        Proof::Growth(proof) => check_growth(&proof, &checkpoint, keys)?,
    };
    Ok(Checked {
        checkpoint,
        cosignatures,
        shows,
    })
}

fn company_of(business_id: &str, checkpoint: &Checkpoint) -> Result<Uuid, Invalid> {
    let company =
        uuid_of(business_id, "biz").ok_or_else(|| Invalid::Id(business_id.to_owned(), "company"))?;
    // A company in two shards could have two histories.
    let shard = Sha256::digest(company.as_bytes())[0] % 16;
    if checkpoint.origin.ends_with(&format!("/shard/{shard}")) {
        Ok(company)
    } else {
        Err(Invalid::OtherShard)
    }
}

fn digest_of(company: Uuid, event: &Event) -> Result<Hash, Invalid> {
    digest(company, event).ok_or_else(|| Invalid::Id(event.event_id.clone(), "event"))
}

fn hashes(path: &Path) -> Vec<Hash> {
    path.iter().map(|Hex(hash)| *hash).collect()
}

fn check_sale(proof: SaleProof, checkpoint: &Checkpoint) -> Result<Shows, Invalid> {
    let company = company_of(&proof.business_id, checkpoint)?;
    if uuid_of(&proof.sale_id, "sal").is_none() {
        return Err(Invalid::Id(proof.sale_id, "sale"));
    }
    if proof.events.is_empty() {
        return Err(Invalid::NoEvents);
    }
    let (mut sequence, mut position) = (0, 0);
    for event in &proof.events {
        let at = event.sequence;
        if event.sequence <= sequence || event.position <= position {
            return Err(Invalid::Order(at));
        }
        (sequence, position) = (event.sequence, event.position);
        let payload: Value =
            serde_json::from_str(&event.payload).map_err(|_| Invalid::Posting(at, PostingError::Payload))?;
        if !has_text(&payload, &proof.sale_id) {
            return Err(Invalid::OtherSale(at));
        }
        let path = event.path.as_ref().ok_or(Invalid::PathPlace(at))?;
        let leaf = merkle::leaf(&digest_of(company, event)?);
        let tree = &checkpoint.events;
        merkle::check_inclusion(&leaf, position - 1, tree.size, &hashes(path), &tree.root)
            .map_err(|error| Invalid::Path(at, error))?;
    }
    Ok(Shows::Sale {
        business_id: proof.business_id,
        sale_id: proof.sale_id,
        events: proof.events.len(),
    })
}

fn has_text(value: &Value, text: &str) -> bool {
    match value {
        Value::String(found) => found == text,
        Value::Array(values) => values.iter().any(|value| has_text(value, text)),
        Value::Object(members) => members.values().any(|value| has_text(value, text)),
        _ => false,
    }
}

fn check_company(proof: CompanyProof, checkpoint: &Checkpoint) -> Result<Shows, Invalid> {
    let company = company_of(&proof.business_id, checkpoint)?;
    if proof.events.is_empty() {
        return Err(Invalid::NoEvents);
    }
    let (mut chain, mut sequence, mut position) = (GENESIS, 0, 0);
    let mut accounts = Accounts::default();
    let (mut opening, mut closing) = (Accounts::default(), Accounts::default());
    for event in &proof.events {
        let at = event.sequence;
        let is_next = event.sequence == sequence + 1 && event.position > position;
        if !is_next || event.position > checkpoint.events.size {
            return Err(Invalid::Order(at));
        }
        if event.path.is_some() {
            return Err(Invalid::PathPlace(at));
        }
        (sequence, position) = (event.sequence, event.position);
        chain = next_chain(&chain, &digest_of(company, event)?);
        let of_event = |error| Invalid::Posting(at, error);
        let postings = postings(event).map_err(of_event)?;
        accounts.post(&postings).map_err(of_event)?;
        let occurred_before = |end: Micros| event.occurred_at < end;
        if proof
            .period
            .as_ref()
            .is_some_and(|period| occurred_before(period.from))
        {
            opening.post(&postings).map_err(of_event)?;
        }
        if proof
            .period
            .as_ref()
            .is_some_and(|period| occurred_before(period.to))
        {
            closing.post(&postings).map_err(of_event)?;
        }
    }
    let data = [&company.as_bytes()[..], &sequence.to_be_bytes(), &chain].concat();
    let tree = &checkpoint.companies;
    let path = hashes(&proof.member.path);
    merkle::check_inclusion(
        &merkle::leaf(&data),
        proof.member.index,
        tree.size,
        &path,
        &tree.root,
    )
    .map_err(Invalid::Member)?;
    if accounts != proof.accounts {
        return Err(Invalid::Accounts);
    }
    if let Some(period) = &proof.period {
        let fees = closing.platform_fees - opening.platform_fees;
        let claimed = (period.opening, period.closing, period.fees);
        if period.from > period.to || claimed != (opening, closing, fees) {
            return Err(Invalid::Period);
        }
    }
    Ok(Shows::Company {
        business_id: proof.business_id,
        events: proof.events.len(),
        accounts,
        period: proof.period,
    })
}

fn check_growth(
    proof: &GrowthProof,
    checkpoint: &Checkpoint,
    keys: &[VerifyingKey],
) -> Result<Shows, Invalid> {
    let earlier: Note = proof.earlier.parse()?;
    earlier.signed_by(keys)?;
    let from = earlier.checkpoint;
    if from.origin != checkpoint.origin || from.events.size > checkpoint.events.size {
        return Err(Invalid::OtherLog);
    }
    merkle::check_consistency(&from.events, &checkpoint.events, &hashes(&proof.path))
        .map_err(Invalid::Rewritten)?;
    Ok(Shows::Growth { from })
}
