//! The documents that a company's approval asks for. They can be removed until staff decide on the company.

use chrono::{DateTime, Utc};
use ledger_domain::BusinessId;
use ledger_domain::ids::UserId;
use ledger_rows::{FromRow, Row, execute, fetch, fetch_opt, get, params};
use serde_json::{Value, json};
use tokio_postgres::{Error, GenericClient};
use uuid::Uuid;

use super::approval::Approval;
use super::edit::{Editor, lock};
use super::records::{BusinessType, CompanyRecord};
use super::refusal::{CompanyRefusal, Result};
use crate::audit::Actor;
use crate::files::{NewFile, StoredFile, TOO_SMALL_TO_READ, file_create, is_too_small_to_read, stored_file};

/// An approval asks for three documents at most (`DocumentKinds`). These limits leave room for both sides of each and for
/// replacements. The uploads of the company's users and those of staff are counted separately, so that a seller cannot
/// use up those of staff.
const DOCUMENTS_MAX: usize = 20;
const DOCUMENTS_BYTES_MAX: i64 = 50 * 1024 * 1024;

// The label is its name in e-mails and refusals.
ledger_domain::words! {
    pub enum DocumentKind {
        Identity = "identity" => "documento de identidade",
        /// A proof of address.
        Address = "address" => "comprovante de endereço",
        /// The articles of association.
        Articles = "articles" => "contrato social",
        Other = "other" => "outro documento",
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CompanyDocument {
    pub file: StoredFile,
    pub kind: DocumentKind,
    pub file_name: String,
    pub by_staff: bool,
    pub uploaded_by: UserId,
    pub uploaded_at: DateTime<Utc>,
}

impl FromRow for CompanyDocument {
    const COLUMNS: &'static str = "file.id, file.media_type, file.byte_count, file.sha256, document.kind, \
                                   document.file_name, document.audience = 'admin' AS by_staff, \
                                   document.uploaded_by, document.uploaded_at";

    fn from_row(row: &Row) -> Result<Self, Error> {
        Ok(Self {
            file: stored_file(row)?,
            kind: get(row, "kind")?,
            file_name: get(row, "file_name")?,
            by_staff: get(row, "by_staff")?,
            uploaded_by: get(row, "uploaded_by")?,
            uploaded_at: get(row, "uploaded_at")?,
        })
    }
}

fn select(rest: &str) -> String {
    let columns = CompanyDocument::COLUMNS;
    format!(
        "SELECT {columns} FROM business_document document JOIN stored_file file USING (id)
          WHERE document.business_id = $1 {rest}"
    )
}

/// The company's documents, the oldest first.
pub async fn documents_of(
    client: &impl GenericClient,
    company: BusinessId,
) -> Result<Vec<CompanyDocument>, Error> {
    let sql = select("ORDER BY document.uploaded_at, document.id");
    fetch(client, &sql, params![company]).await
}

/// `None` if the company has no such document.
pub async fn document_fetch(
    client: &impl GenericClient,
    company: BusinessId,
    id: Uuid,
) -> Result<Option<CompanyDocument>, Error> {
    fetch_opt(client, &select("AND document.id = $2"), params![company, id]).await
}

/// A file that a user uploads as a document.
#[derive(Debug, Clone)]
pub struct NewDocument<'a> {
    pub kind: DocumentKind,
    pub file_name: String,
    pub file: NewFile<'a>,
    /// The width and the height of an image.
    pub pixels: Option<(u32, u32)>,
}

/// Locks the company and stores an upload as its document. The same file under the same kind is stored once. Under
/// another kind it is refused, because one file does not show what several documents show. Returns whether the company's
/// owners are to be told: before the approval they are expected to upload documents. After it, an upload may be part of
/// a fraud.
pub async fn add_document(
    client: &impl GenericClient,
    editor: Editor<'_>,
    company: BusinessId,
    by: UserId,
    new: NewDocument<'_>,
) -> Result<bool> {
    check_pixels(new.pixels)?;
    let locked = lock(client, company).await?;
    if locked.approval == Approval::Deleted {
        return Err(CompanyRefusal::Deleted.into());
    }
    let known = documents_of(client, company).await?;
    let mut same = known
        .iter()
        .filter(|document| document.file.sha256 == new.file.sha256);
    if let Some(first) = same.clone().next() {
        if same.any(|document| document.kind == new.kind) {
            return Ok(false);
        }
        let kind = first.kind.label();
        let message = format!("Este arquivo já foi enviado como {kind}. Envie outro arquivo.");
        return Err(CompanyRefusal::of_field("file", &message).into());
    }
    check_kind(&locked, new.kind)?;
    let by_staff = matches!(editor.actor, Actor::Admin(_));
    let byte_count = i32::try_from(new.file.content.len()).unwrap_or(i32::MAX);
    check_limits(by_staff, &known, byte_count.into())?;
    let document = CompanyDocument {
        file: StoredFile {
            id: new.file.id,
            media_type: new.file.media_type,
            byte_count,
            sha256: new.file.sha256.to_vec(),
        },
        kind: new.kind,
        file_name: new.file_name,
        by_staff,
        uploaded_by: by,
        uploaded_at: editor.now(),
    };
    file_create(client, &new.file).await?;
    document_create(client, company, &document).await?;
    let after = Some(document.as_json());
    editor
        .record(client, company, "add-document", None, after)
        .await?;
    Ok(locked.approval == Approval::Enabled)
}

fn check_pixels(pixels: Option<(u32, u32)>) -> Result<(), CompanyRefusal> {
    if is_too_small_to_read(pixels) {
        return Err(CompanyRefusal::of_field("file", TOO_SMALL_TO_READ));
    }
    Ok(())
}

fn check_kind(company: &CompanyRecord, kind: DocumentKind) -> Result<(), CompanyRefusal> {
    if company.business_type == BusinessType::Pf && kind == DocumentKind::Articles {
        let only = "Só empresa com CNPJ tem contrato social.";
        return Err(CompanyRefusal::of_field("kind", only));
    }
    Ok(())
}

fn check_limits(by_staff: bool, known: &[CompanyDocument], new: i64) -> Result<(), CompanyRefusal> {
    let sizes: Vec<i64> = known
        .iter()
        .filter(|document| document.by_staff == by_staff)
        .map(|document| i64::from(document.file.byte_count))
        .collect();
    let too_many = sizes.len() >= DOCUMENTS_MAX;
    let too_large = sizes.iter().sum::<i64>() + new > DOCUMENTS_BYTES_MAX;
    match (too_many, too_large, by_staff) {
        (true, _, true) => Err(CompanyRefusal::TooManyDocumentsOfStaff),
        (true, _, false) => Err(CompanyRefusal::TooManyDocuments),
        (false, true, true) => Err(CompanyRefusal::TooManyBytesOfStaff),
        (false, true, false) => Err(CompanyRefusal::TooManyBytes),
        (false, false, _) => Ok(()),
    }
}

async fn document_create(
    client: &impl GenericClient,
    company: BusinessId,
    document: &CompanyDocument,
) -> Result<(), Error> {
    let audience = if document.by_staff { "admin" } else { "seller" };
    let sql =
        "INSERT INTO business_document (id, business_id, kind, file_name, audience, uploaded_by, uploaded_at)
               VALUES ($1, $2, $3, $4, $5, $6, $7)";
    let parameters = params![
        document.file.id,
        company,
        document.kind,
        document.file_name,
        audience,
        document.uploaded_by,
        document.uploaded_at,
    ];
    execute(client, sql, parameters).await.map(drop)
}

/// Removes a document. A trigger of the table removes the file too.
pub async fn remove_document(
    client: &impl GenericClient,
    editor: Editor<'_>,
    company: BusinessId,
    id: Uuid,
) -> Result<()> {
    let locked = lock(client, company).await?;
    let document = document_fetch(client, company, id).await?;
    let document = document.ok_or(CompanyRefusal::NotFound)?;
    if !locked.has_removable_documents() {
        return Err(CompanyRefusal::DocumentsDecidedOn.into());
    }
    if document.by_staff && !matches!(editor.actor, Actor::Admin(_)) {
        return Err(CompanyRefusal::DocumentOfStaff.into());
    }
    let sql = "DELETE FROM business_document WHERE business_id = $1 AND id = $2";
    execute(client, sql, params![company, id]).await?;
    let before = Some(document.as_json());
    Ok(editor
        .record(client, company, "remove-document", before, None)
        .await?)
}

impl CompanyRecord {
    /// Documents stay after a decision, which may be based on them. `Pending` means that there was no decision yet,
    /// because no company becomes pending again.
    pub const fn has_removable_documents(&self) -> bool {
        matches!(self.approval, Approval::Pending)
    }
}

impl CompanyDocument {
    /// The fields as the audit log has them.
    fn as_json(&self) -> Value {
        json!({
            "document_kind": self.kind, "file_name": self.file_name, "sha256": hex::encode(&self.file.sha256),
        })
    }
}
