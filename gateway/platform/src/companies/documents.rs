//! The documents that a company's approval asks for.

use chrono::{DateTime, Utc};
use ledger_domain::BusinessId;
use ledger_domain::ids::UserId;
use tokio_postgres::types::Type;
use tokio_postgres::{Error, GenericClient, Row};
use uuid::Uuid;

use crate::columns::{self, column_words};
use crate::files::{StoredFile, stored_file};

/// An approval needs three documents at most (`required_of`). These limits leave room for both sides of each and for
/// replacements. The uploads of the company's users and those of staff are counted separately.
pub const DOCUMENTS_MAX: usize = 20;
pub const DOCUMENTS_BYTES_MAX: i64 = 50 * 1024 * 1024;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DocumentKind {
    Identity,
    /// A proof of address.
    Address,
    /// The articles of association.
    Articles,
    Other,
}

impl DocumentKind {
    pub const ALL: [Self; 4] = [Self::Identity, Self::Address, Self::Articles, Self::Other];

    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Identity => "identity",
            Self::Address => "address",
            Self::Articles => "articles",
            Self::Other => "other",
        }
    }

    /// Its name in e-mails to the company's owners.
    pub const fn label(self) -> &'static str {
        match self {
            Self::Identity => "documento de identidade",
            Self::Address => "comprovante de endereço",
            Self::Articles => "contrato social",
            Self::Other => "outro documento",
        }
    }

    /// The documents that an approval needs. For a legal entity, the identity document is that of its representative.
    pub const fn required_of(is_person: bool) -> &'static [Self] {
        if is_person {
            &[Self::Identity, Self::Address]
        } else {
            &[Self::Identity, Self::Address, Self::Articles]
        }
    }
}

column_words! {
    DocumentKind = "kind of document" |word| Self::ALL.into_iter().find(|kind| kind.as_str() == word);
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

macro_rules! select_documents {
    ($condition:literal) => {
        concat!(
            "SELECT file.id, file.media_type, file.byte_count, file.sha256, document.kind, document.file_name,
                    document.audience = 'admin' AS by_staff, document.uploaded_by, document.uploaded_at
               FROM business_document document JOIN stored_file file USING (id)
              WHERE document.business_id = $1",
            $condition
        )
    };
}

/// The company's documents, the oldest first.
pub async fn documents_of(
    client: &impl GenericClient,
    company: BusinessId,
) -> Result<Vec<CompanyDocument>, Error> {
    let rows = client
        .query_typed(
            select_documents!(" ORDER BY document.uploaded_at, document.id"),
            &[(&company.uuid(), Type::UUID)],
        )
        .await?;
    rows.iter().map(document).collect()
}

/// `None` if the company has no such document.
pub async fn document_fetch(
    client: &impl GenericClient,
    company: BusinessId,
    id: Uuid,
) -> Result<Option<CompanyDocument>, Error> {
    let row = client
        .query_typed_opt(
            select_documents!(" AND document.id = $2"),
            &[(&company.uuid(), Type::UUID), (&id, Type::UUID)],
        )
        .await?;
    row.as_ref().map(document).transpose()
}

/// Adds a document. The caller has stored the file, locked the company and checked the limits.
pub async fn document_create(
    client: &impl GenericClient,
    company: BusinessId,
    document: &CompanyDocument,
) -> Result<(), Error> {
    let audience = if document.by_staff { "admin" } else { "seller" };
    client
        .execute_typed(
            "INSERT INTO business_document (id, business_id, kind, file_name, audience, uploaded_by, uploaded_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7)",
            &[
                (&document.file.id, Type::UUID),
                (&company.uuid(), Type::UUID),
                (&document.kind.as_str(), Type::TEXT),
                (&document.file_name, Type::TEXT),
                (&audience, Type::TEXT),
                (&document.uploaded_by.uuid(), Type::UUID),
                (&document.uploaded_at, Type::TIMESTAMPTZ),
            ],
        )
        .await
        .map(drop)
}

/// Removes a document. A trigger of the table removes the file too.
pub async fn document_remove(
    client: &impl GenericClient,
    company: BusinessId,
    id: Uuid,
) -> Result<(), Error> {
    client
        .execute_typed(
            "DELETE FROM business_document WHERE business_id = $1 AND id = $2",
            &[(&company.uuid(), Type::UUID), (&id, Type::UUID)],
        )
        .await
        .map(drop)
}

fn document(row: &Row) -> Result<CompanyDocument, Error> {
    Ok(CompanyDocument {
        file: stored_file(row)?,
        kind: columns::read(row, "kind")?,
        file_name: row.get("file_name"),
        by_staff: row.get("by_staff"),
        uploaded_by: UserId::from_uuid(row.get("uploaded_by")),
        uploaded_at: row.get("uploaded_at"),
    })
}
