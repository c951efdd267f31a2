//! The documents of a company, for staff and for its owners.

pub mod seller;
pub mod staff;

use chrono::{DateTime, Utc};
use gateway_identity::audience::Audience;
use gateway_identity::notify::companies::OwnersNews;
use gateway_identity::users::user_names;
use gateway_platform::companies::{
    CompanyDocument, DocumentKind, NewDocument, add_document, company_fetch, document_fetch,
    documents_missing, documents_of,
};
use gateway_platform::providers::mask_card_numbers;
use ledger_domain::BusinessId;
use ledger_domain::ids::UserId;
use serde::Serialize;
use tokio_postgres::GenericClient;
use utoipa::ToSchema;
use utoipa::openapi::{RefOr, Schema};
use uuid::Uuid;

use super::{editor, tell_owners};
use crate::AppState;
use crate::edge::query::text;
use crate::edge::{QueryValue, query};
use crate::files::images::UploadUrl;
use crate::files::upload::Upload;
use crate::problem::{Problem, Result};
use crate::shared::author::{Author, Authors};
use crate::shared::change::{Caller, Work};
use crate::spreadsheet::safe_file_name;

#[derive(Debug, Serialize, ToSchema)]
pub struct BusinessDocuments {
    /// The oldest first.
    pub data: Vec<BusinessDocument>,
    /// The kinds that the approval asks for and that are missing.
    #[schema(value_type = Vec<String>, example = json!(["articles"]))]
    pub missing: Vec<DocumentKind>,
    /// Whether documents can be removed: until staff decide on the company. An owner cannot remove those of staff.
    pub removable: bool,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct BusinessDocument {
    pub id: Uuid,
    /// identity, address (a proof of it), articles (of association), or other.
    #[schema(value_type = String, example = "identity")]
    pub kind: DocumentKind,
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

/// The company's documents as this audience sees them.
async fn documents(
    state: &AppState,
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
    let settings = state.settings_at(client, state.clock.now()).await?;
    let missing = documents_missing(client, &settings, &record).await?;
    Ok(BusinessDocuments {
        missing,
        removable: record.has_removable_documents(),
        data: documents
            .into_iter()
            .map(|document| BusinessDocument::of(viewer, &authors, company, document))
            .collect(),
    })
}

async fn one_document(client: &impl GenericClient, company: BusinessId, id: Uuid) -> Result<CompanyDocument> {
    document_fetch(client, company, id)
        .await?
        .ok_or_else(Problem::not_found)
}

/// Stores an upload, and e-mails the owners if they are to be told.
async fn add<C: Caller>(
    work: &mut Work<C>,
    sellers_url: &str,
    company: BusinessId,
    query: DocumentQuery,
    upload: &Upload,
) -> Result<()> {
    let user = work.caller.actor().user_id();
    let user = user.ok_or_else(|| Problem::internal("only users upload documents"))?;
    let new = NewDocument {
        kind: query.kind,
        file_name: query.name.0,
        file: upload.as_new_file(&work.state, work.state.ids.new_uuid()),
        pixels: upload.pixels,
    };
    if add_document(&**work, editor(work), company, user, new).await? {
        tell_owners(work, sellers_url, company, OwnersNews::Document(query.kind)).await?;
    }
    Ok(())
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
            kind: document.kind,
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
