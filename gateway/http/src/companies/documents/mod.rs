//! The documents of a company. They can be removed until staff decide on the company.

pub mod seller;
pub mod staff;

use chrono::{DateTime, Utc};
use gateway_identity::audience::Audience;
use gateway_identity::audit::Actor;
use gateway_identity::users::user_names;
use gateway_platform::companies::{
    Approval, CompanyDocument, DOCUMENTS_BYTES_MAX, DOCUMENTS_MAX, DocumentKind, LockedCompany,
    company_fetch, document_create, document_fetch, document_remove, documents_of,
};
use gateway_platform::files::{StoredFile, file_create};
use gateway_platform::providers::mask_card_numbers;
use ledger_domain::BusinessId;
use ledger_domain::ids::UserId;
use serde::Serialize;
use serde_json::json;
use tokio_postgres::GenericClient;
use utoipa::ToSchema;
use utoipa::openapi::{RefOr, Schema};
use uuid::Uuid;

use super::notify::OwnersEmail;
use super::save::{lock, write_audit};
use crate::AppState;
use crate::edge::query::{QueryWord, text};
use crate::edge::{PathParam, QueryValue, Tx, query};
use crate::files::images::UploadUrl;
use crate::files::upload::Upload;
use crate::problem::{Problem, Result};
use crate::shared::author::{Author, Authors};
use crate::spreadsheet::safe_file_name;

#[derive(Debug, Serialize, ToSchema)]
pub struct BusinessDocuments {
    /// The oldest first.
    pub data: Vec<BusinessDocument>,
    /// The kinds that the approval asks for and that are missing.
    #[schema(example = json!(["articles"]))]
    pub missing: Vec<&'static str>,
    /// Whether documents can be removed: until staff decide on the company. An owner cannot remove those of staff.
    pub removable: bool,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct BusinessDocument {
    pub id: Uuid,
    /// identity, address (a proof of it), articles (of association), or other.
    #[schema(example = "identity")]
    pub kind: &'static str,
    #[schema(example = "rg.pdf")]
    pub file_name: String,
    /// application/pdf, image/jpeg or image/png, by content.
    #[schema(example = "application/pdf")]
    pub media_type: &'static str,
    #[schema(example = 123_456)]
    pub bytes: i32,
    /// The address for downloading it. The image call takes the address of an image as `url`.
    #[schema(
        example = "/api/business/biz_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b02/documents/0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b0c"
    )]
    pub url: String,
    /// UTC instant.
    pub uploaded_at: DateTime<Utc>,
    pub uploaded_by: Author,
}

query! {
    pub struct DocumentQuery {
        /// The kind of the document.
        #[example = "identity"]
        kind: DocumentKind,
        /// The name of the file, up to 120 characters. It decides nothing: the type follows from the content.
        #[example = "rg.pdf"]
        name: FileName,
    }
}

/// A name that every file system accepts, with card numbers masked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileName(String);

impl FileName {
    pub fn into_text(self) -> String {
        self.0
    }
}

impl QueryValue for FileName {
    const INVALID: &'static str = "O nome do arquivo deve ter até 120 caracteres.";
    const MISSING: &'static str = "Informe o nome do arquivo.";

    fn schema() -> RefOr<Schema> {
        text().min_length(Some(1)).max_length(Some(120)).into()
    }

    fn parse(text: &str) -> Option<Self> {
        // Making a name safe removes invisible characters, which can join digits to a card number. So the safe name is
        // masked. The asterisks of the mask are not safe in a file name, so the result is made safe again.
        let name = safe_file_name(&mask_card_numbers(&safe_file_name(text)));
        (!name.is_empty() && text.chars().count() <= 120).then_some(Self(name))
    }
}

impl QueryWord for DocumentKind {
    const WORDS: &'static [(&'static str, Self)] = &[
        ("identity", Self::Identity),
        ("address", Self::Address),
        ("articles", Self::Articles),
        ("other", Self::Other),
    ];
    const INVALID: &'static str = "Deve ser identity, address, articles ou other.";
}

/// The id of a document in a path.
#[derive(Debug, Clone, Copy)]
pub struct DocumentId(pub Uuid);

impl PathParam for DocumentId {
    const NOUN: &'static str = "document";
    const EXAMPLE: &'static str = "0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b0c";

    fn parse(text: &str) -> Option<Self> {
        Uuid::try_parse(text).ok().map(Self)
    }
}

/// The company's documents as this audience sees them.
async fn documents(
    client: &impl GenericClient,
    viewer: Audience,
    company: BusinessId,
) -> Result<BusinessDocuments> {
    let record = company_fetch(client, company)
        .await?
        .ok_or_else(Problem::not_found)?;
    let documents = documents_of(client, company).await?;
    let users: Vec<UserId> = documents.iter().map(|document| document.uploaded_by).collect();
    let authors = Authors::new(viewer, user_names(client, viewer, &users).await?);
    let asked = DocumentKind::required_of(record.is_person).iter();
    let missing = asked.filter(|kind| !documents.iter().any(|document| document.kind == **kind));
    Ok(BusinessDocuments {
        missing: missing.map(|kind| kind.as_str()).collect(),
        removable: is_removable(record.approval),
        data: documents
            .into_iter()
            .map(|document| BusinessDocument::of(viewer, &authors, company, document))
            .collect(),
    })
}

/// Documents stay after a decision, which may be based on them. `Pending` means that there was no decision yet, because
/// no company becomes pending again.
const fn is_removable(approval: Approval) -> bool {
    matches!(approval, Approval::Pending)
}

async fn one_document(client: &impl GenericClient, company: BusinessId, id: Uuid) -> Result<CompanyDocument> {
    document_fetch(client, company, id)
        .await?
        .ok_or_else(Problem::not_found)
}

/// Locks the company and stores an upload as its document. The same file under the same kind is stored once.
async fn add(
    state: &AppState,
    tx: &mut Tx,
    (actor, company, sellers_url): (Actor, BusinessId, &str),
    query: DocumentQuery,
    upload: &Upload,
) -> Result<()> {
    let locked = lock(&**tx, company).await?;
    if locked.fields.approval == Approval::Deleted {
        return Err(Problem::conflict("Esta empresa foi deletada."));
    }
    let by_staff = matches!(actor, Actor::Admin(_));
    let known = documents_of(&**tx, company).await?;
    let same =
        |document: &CompanyDocument| document.kind == query.kind && document.file.sha256 == upload.sha256;
    if known.iter().any(same) {
        return Ok(());
    }
    check_kind(&locked, query.kind)?;
    check_limits(by_staff, &known, upload)?;
    let document = CompanyDocument {
        file: StoredFile {
            id: state.ids.new_uuid(),
            media_type: upload.media_type,
            byte_count: i32::try_from(upload.content.len()).map_err(Problem::internal)?,
            sha256: upload.sha256.clone(),
        },
        kind: query.kind,
        file_name: query.name.0,
        by_staff,
        uploaded_by: actor
            .user_id()
            .ok_or_else(|| Problem::internal("only users upload documents"))?,
        uploaded_at: state.clock.now(),
    };
    file_create(&**tx, &upload.as_new_file(state, document.file.id)).await?;
    document_create(&**tx, company, &document).await?;
    let after = Some(as_json(&document));
    write_audit(&**tx, actor, company, "add-document", None, after).await?;
    // Before the approval, owners are expected to upload documents. After it, an upload may be part of a fraud.
    if locked.fields.approval == Approval::Enabled {
        let email = OwnersEmail::of_uploaded_document(document.kind.label());
        email.send(state, tx, sellers_url, (actor, company)).await?;
    }
    Ok(())
}

fn check_kind(company: &LockedCompany, kind: DocumentKind) -> Result<()> {
    if company.is_person && kind == DocumentKind::Articles {
        return Err(Problem::field("kind", "Só empresa com CNPJ tem contrato social."));
    }
    Ok(())
}

/// Sellers and staff have separate limits, so that a seller cannot use up those of staff.
fn check_limits(by_staff: bool, known: &[CompanyDocument], upload: &Upload) -> Result<()> {
    let sizes: Vec<i64> = known
        .iter()
        .filter(|document| document.by_staff == by_staff)
        .map(|document| i64::from(document.file.byte_count))
        .collect();
    if sizes.len() >= DOCUMENTS_MAX {
        return Err(Problem::conflict(if by_staff {
            "A equipe já enviou 20 documentos desta empresa."
        } else {
            "A empresa já enviou 20 documentos."
        }));
    }
    let stored: i64 = sizes.iter().sum();
    let new = i64::try_from(upload.content.len()).map_err(Problem::internal)?;
    if stored + new > DOCUMENTS_BYTES_MAX {
        return Err(Problem::conflict(if by_staff {
            "Os documentos que a equipe envia de uma empresa podem ter até 50 MB no total."
        } else {
            "Os documentos que a empresa envia podem ter até 50 MB no total."
        }));
    }
    Ok(())
}

async fn remove(client: &impl GenericClient, actor: Actor, company: BusinessId, id: Uuid) -> Result<()> {
    let locked = lock(client, company).await?;
    let document = one_document(client, company, id).await?;
    if !is_removable(locked.fields.approval) {
        return Err(Problem::conflict(
            "Depois da decisão sobre a empresa, os documentos não podem ser removidos. Envie um novo, se mudou.",
        ));
    }
    if document.by_staff && !matches!(actor, Actor::Admin(_)) {
        return Err(Problem::conflict(
            "Este documento foi enviado pela nossa equipe, e só ela pode removê-lo.",
        ));
    }
    document_remove(client, company, id).await?;
    let before = Some(as_json(&document));
    write_audit(client, actor, company, "remove-document", before, None).await
}

fn as_json(document: &CompanyDocument) -> serde_json::Value {
    json!({
        "document_kind": document.kind.as_str(), "file_name": document.file_name,
        "sha256": hex::encode(&document.file.sha256),
    })
}

impl BusinessDocument {
    fn of(viewer: Audience, authors: &Authors, company: BusinessId, document: CompanyDocument) -> Self {
        let id = document.file.id;
        let url = match viewer {
            Audience::Admin => UploadUrl::StaffDocument(company, id),
            Audience::Seller => UploadUrl::OwnDocument(company, id),
        };
        let author = if document.by_staff {
            ledger_store::Actor::Admin(document.uploaded_by)
        } else {
            ledger_store::Actor::Seller(document.uploaded_by)
        };
        Self {
            id,
            kind: document.kind.as_str(),
            file_name: document.file_name,
            media_type: document.file.media_type.as_str(),
            bytes: document.file.byte_count,
            url: url.to_string(),
            uploaded_at: document.uploaded_at,
            uploaded_by: authors.of(&author).unwrap_or(Author::PLATFORM),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_name_never_has_a_full_card_number() {
        for (given, kept) in [
            ("4111111111111111.pdf", "411111------1111.pdf"),
            ("rg 4111 1111 1111 1111.pdf", "rg 4111 11-- ---- 1111.pdf"),
            // Only the safe name has the number in one piece.
            ("4111/1111/1111/1111.pdf", "4111-11--------1111.pdf"),
            ("41111111\u{200b}11111111.pdf", "411111------1111.pdf"),
            ("rg.pdf", "rg.pdf"),
        ] {
            assert_eq!(FileName::parse(given), Some(FileName(kept.to_owned())), "{given}");
        }
    }
}
