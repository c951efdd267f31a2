//! The documents that sellers send for a hold: their rules, the queue of staff, and the answers.
//!
//! A hold asks for documents by name (`Hold::documents`). A seller sends one or more files for each, and staff accept or
//! refuse each file once. A refused one stays, and the seller sends another.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use ledger_domain::hold::HoldKind;
use ledger_domain::ids::UserId;
use ledger_domain::{BusinessId, Cents, HoldId};
use ledger_rows::{FromRow, execute, fetch, fetch_one, fetch_opt, params, row};
use projections::holds::Hold;
use projections::{CountLimit, SortOrder};
use thiserror::Error;
use tokio_postgres::{Error, GenericClient};
use uuid::Uuid;

use super::hold_fetch;
use crate::companies::company_locked;
use crate::files::{MediaType, NewFile, StoredFile, TOO_SMALL_TO_READ, file_create, is_too_small_to_read};
use crate::list::{Conditions, List, Order};

/// Of one hold, as of a company: they leave room for replacements.
const DOCUMENTS_MAX: usize = 20;
const DOCUMENTS_BYTES_MAX: i64 = 50 * 1024 * 1024;

ledger_domain::words! {
    /// sent: staff have not answered. accepted and refused: they have.
    pub enum HoldDocumentState {
        Sent = "sent" => "Em análise",
        Accepted = "accepted" => "Aceito",
        Refused = "refused" => "Recusado",
    }
}

row! {
    /// A file that a seller sent for a hold, with the present names of its company and its sender.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct HoldDocument {
        pub id: Uuid = "d.id",
        pub business_id: BusinessId = "d.business_id",
        pub business_name: String = "b.name",
        pub hold_id: HoldId = "d.hold_id",
        /// `None` if the read model has no such hold, as while it is rebuilt.
        pub hold_kind: Option<HoldKind> = "h.kind",
        pub hold_amount: Option<Cents> = "h.amount",
        /// What the hold asked for.
        pub asked: String = "d.asked",
        pub file_name: String = "d.file_name",
        pub media_type: MediaType = "f.media_type",
        pub byte_count: i32 = "f.byte_count",
        /// In hexadecimal digits.
        pub sha256: String = "encode(f.sha256, 'hex')",
        pub sent_by: UserId = "d.sent_by",
        pub sender_name: String = "sender.name",
        pub sent_at: DateTime<Utc> = "d.sent_at",
        pub state: HoldDocumentState = "d.state",
        pub note: Option<String> = "d.note",
        pub answered_by: Option<UserId> = "d.answered_by",
        pub answered_at: Option<DateTime<Utc>> = "d.answered_at",
    }
}

/// Why a document is not stored or answered. The texts are shown to the user.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum HoldDocumentRefusal {
    #[error("not found")]
    NotFound,
    #[error("Esta retenção já foi encerrada e não recebe mais documentos.")]
    HoldEnded,
    #[error("Esta retenção não pede este documento.")]
    NotAsked,
    #[error("{TOO_SMALL_TO_READ}")]
    TooSmall,
    #[error("Este arquivo já foi enviado como {0}. Envie outro arquivo.")]
    SentAsOther(String),
    #[error("Esta retenção já tem 20 arquivos.")]
    TooMany,
    #[error("Os arquivos de uma retenção podem ter até 50 MB no total.")]
    TooManyBytes,
    #[error("Este documento já foi respondido: {}.", .0.label())]
    Answered(HoldDocumentState),
    #[error("Informe o que falta no documento.")]
    NoteMissing,
}

#[derive(Debug, Error)]
pub enum HoldDocumentError {
    #[error("the database failed: {0}")]
    Database(#[from] Error),
    #[error("refused: {0:?}")]
    Refused(#[from] HoldDocumentRefusal),
}

pub type Result<T, E = HoldDocumentError> = std::result::Result<T, E>;

/// Selects documents. A field that is `None` does not restrict.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct HoldDocumentFilter {
    pub business_id: Option<BusinessId>,
    pub state: Option<HoldDocumentState>,
    pub order: SortOrder,
}

impl List for HoldDocumentFilter {
    type Row = HoldDocument;
    const TABLE: &'static str = "hold_document d";
    const COUNTED_IN_ORDER: bool = true;
    const JOINS: &'static str = "JOIN stored_file f ON f.id = d.id
                                 JOIN business b ON b.id = d.business_id
                                 JOIN seller_user sender ON sender.id = d.sent_by
                                 LEFT JOIN hold h ON h.business_id = d.business_id AND h.hold_id = d.hold_id";

    fn conditions<'a>(&'a self, list: &mut Conditions<'a>) {
        list.equals("d.business_id", &self.business_id);
        match self.state {
            // Written out, so that the planner finds the index of the queue.
            Some(HoldDocumentState::Sent) => list.and("d.state = 'sent'"),
            Some(HoldDocumentState::Accepted | HoldDocumentState::Refused) => {
                list.equals("d.state", &self.state);
            }
            None => {}
        }
    }

    fn order(&self) -> Order {
        Order::by(&["d.sent_at", "d.id"], self.order)
    }
}

row! {
    /// The documents that staff have not answered.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct DocumentsWaiting {
        pub count: i64 = "count(*)",
        pub oldest_at: Option<DateTime<Utc>> = "min(sent_at)",
    }
}

/// The oldest ones, as far as a list is counted.
pub async fn documents_waiting(client: &impl GenericClient) -> Result<DocumentsWaiting, Error> {
    let sql = format!(
        "SELECT {} FROM (SELECT sent_at FROM hold_document WHERE state = 'sent' ORDER BY sent_at LIMIT $1) AS waiting",
        DocumentsWaiting::COLUMNS
    );
    fetch_one(client, &sql, params![CountLimit::LIST.last_row()]).await
}

/// The hold's documents, the oldest first. A hold has few.
pub async fn hold_documents(
    client: &impl GenericClient,
    business: BusinessId,
    hold: HoldId,
) -> Result<Vec<HoldDocument>, Error> {
    let sql =
        HoldDocumentFilter::select("WHERE d.business_id = $1 AND d.hold_id = $2 ORDER BY d.sent_at, d.id");
    fetch(client, &sql, params![business, hold]).await
}

pub async fn hold_document_fetch(
    client: &impl GenericClient,
    id: Uuid,
) -> Result<Option<HoldDocument>, Error> {
    fetch_opt(
        client,
        &HoldDocumentFilter::select("WHERE d.id = $1"),
        params![id],
    )
    .await
}

row! {
    /// A document of a hold for which a file was sent that staff did not refuse.
    struct Received {
        business_id: BusinessId,
        hold_id: HoldId,
        asked: String,
    }
}

/// What each of the open holds asks for and has not received: the seller sent no file, or staff refused it.
pub async fn documents_missing(
    client: &impl GenericClient,
    holds: &[Hold],
) -> Result<HashMap<(BusinessId, HoldId), Vec<String>>, Error> {
    let asking: Vec<&Hold> = holds
        .iter()
        .filter(|hold| hold.ended_at.is_none() && !hold.documents.is_empty())
        .collect();
    if asking.is_empty() {
        return Ok(HashMap::new());
    }
    let businesses: Vec<Uuid> = asking.iter().map(|hold| hold.business_id.uuid()).collect();
    let ids: Vec<Uuid> = asking.iter().map(|hold| hold.hold_id.uuid()).collect();
    let sql =
        "SELECT DISTINCT business_id, hold_id, asked FROM unnest($1, $2) AS named (business_id, hold_id)
                 JOIN hold_document USING (business_id, hold_id) WHERE state <> 'refused'";
    let received: Vec<Received> = fetch(client, sql, params![businesses, ids]).await?;
    let is_received = |hold: &Hold, name: &String| {
        received.iter().any(|document| {
            (document.business_id, document.hold_id) == (hold.business_id, hold.hold_id)
                && document.asked == *name
        })
    };
    let missing = asking.into_iter().map(|hold| {
        let mut names = hold.documents.clone();
        names.retain(|name| !is_received(hold, name));
        ((hold.business_id, hold.hold_id), names)
    });
    Ok(missing.collect())
}

/// A file that a seller sends for a hold.
pub struct NewHoldDocument<'a> {
    pub asked: String,
    pub file_name: String,
    pub file: NewFile<'a>,
    /// The width and the height of an image.
    pub pixels: Option<(u32, u32)>,
    pub sent_by: UserId,
}

/// Stores a file for a document that the hold asks for. The same file for the same document is stored once. For another
/// one it is refused, because one file does not show what several documents show. Returns whether it is new.
pub async fn add_hold_document(
    client: &impl GenericClient,
    business: BusinessId,
    hold: HoldId,
    new: NewHoldDocument<'_>,
) -> Result<bool> {
    if is_too_small_to_read(new.pixels) {
        return Err(HoldDocumentRefusal::TooSmall.into());
    }
    // Uploads of a company are stored one after the other, so that the limits hold.
    company_locked(client, business)
        .await?
        .ok_or(HoldDocumentRefusal::NotFound)?;
    let found = hold_fetch(client, business, hold).await?;
    check_asked(&found.ok_or(HoldDocumentRefusal::NotFound)?, &new.asked)?;
    let known = hold_documents(client, business, hold).await?;
    let sha256 = hex::encode(new.file.sha256);
    let mut same = known.iter().filter(|document| document.sha256 == sha256);
    if let Some(first) = same.clone().next() {
        if same.any(|document| document.asked == new.asked) {
            return Ok(false);
        }
        return Err(HoldDocumentRefusal::SentAsOther(first.asked.clone()).into());
    }
    check_limits(&known, new.file.content.len())?;
    file_create(client, &new.file).await?;
    let sql =
        "INSERT INTO hold_document (id, business_id, hold_id, asked, file_name, sent_by, sent_at, state)
               VALUES ($1, $2, $3, $4, $5, $6, $7, $8)";
    let parameters = params![
        new.file.id,
        business,
        hold,
        new.asked,
        new.file_name,
        new.sent_by,
        new.file.created_at,
        HoldDocumentState::Sent,
    ];
    execute(client, sql, parameters).await?;
    Ok(true)
}

fn check_asked(hold: &Hold, asked: &str) -> Result<(), HoldDocumentRefusal> {
    if hold.ended_at.is_some() {
        return Err(HoldDocumentRefusal::HoldEnded);
    }
    if hold.documents.iter().any(|name| name == asked) {
        Ok(())
    } else {
        Err(HoldDocumentRefusal::NotAsked)
    }
}

fn check_limits(known: &[HoldDocument], new: usize) -> Result<(), HoldDocumentRefusal> {
    let bytes: i64 = known.iter().map(|document| i64::from(document.byte_count)).sum();
    if known.len() >= DOCUMENTS_MAX {
        return Err(HoldDocumentRefusal::TooMany);
    }
    if bytes.saturating_add(i64::try_from(new).unwrap_or(i64::MAX)) > DOCUMENTS_BYTES_MAX {
        return Err(HoldDocumentRefusal::TooManyBytes);
    }
    Ok(())
}

/// What staff answer to a document.
pub struct HoldDocumentAnswer {
    /// Whether it is accepted.
    pub accepted: bool,
    /// The seller reads it. Required for a refusal.
    pub note: Option<String>,
    pub by: UserId,
    pub at: DateTime<Utc>,
}

/// Stores the answer of staff, and returns the document as it is then.
pub async fn answer_hold_document(
    client: &impl GenericClient,
    id: Uuid,
    answer: &HoldDocumentAnswer,
) -> Result<HoldDocument> {
    if !answer.accepted && answer.note.is_none() {
        return Err(HoldDocumentRefusal::NoteMissing.into());
    }
    execute(
        client,
        "SELECT FROM hold_document WHERE id = $1 FOR UPDATE",
        params![id],
    )
    .await?;
    let document = hold_document_fetch(client, id).await?;
    let document = document.ok_or(HoldDocumentRefusal::NotFound)?;
    if document.state != HoldDocumentState::Sent {
        return Err(HoldDocumentRefusal::Answered(document.state).into());
    }
    let state = if answer.accepted {
        HoldDocumentState::Accepted
    } else {
        HoldDocumentState::Refused
    };
    let sql =
        "UPDATE hold_document SET state = $2, note = $3, answered_by = $4, answered_at = $5 WHERE id = $1";
    execute(client, sql, params![id, state, answer.note, answer.by, answer.at]).await?;
    Ok(HoldDocument {
        state,
        note: answer.note.clone(),
        answered_by: Some(answer.by),
        answered_at: Some(answer.at),
        ..document
    })
}

impl HoldDocument {
    pub fn file(&self) -> StoredFile {
        StoredFile {
            id: self.id,
            media_type: self.media_type,
            byte_count: self.byte_count,
            sha256: hex::decode(&self.sha256).unwrap_or_default(),
        }
    }
}
