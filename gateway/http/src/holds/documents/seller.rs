//! A seller sends and downloads the documents of an own hold.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use gateway_identity::audience::Audience;
use gateway_platform::holds::documents::{NewHoldDocument, add_hold_document, hold_document_fetch};
use gateway_platform::holds::hold_fetch;
use ledger_domain::HoldId;
use serde_json::json;
use utoipa::openapi::{RefOr, Schema};

use super::HOLD;
use crate::AppState;
use crate::companies::DocumentId;
use crate::companies::documents::FileName;
use crate::edge::query::text;
use crate::edge::{CurrentBusiness, Id, Ids, Query, QueryValue, query};
use crate::files::download::attached;
use crate::files::upload::{File, Upload};
use crate::holds::bodies::HoldDetail;
use crate::holds::forms::DOCUMENT_NAME_MAX;
use crate::problem::{Problem, Result};
use crate::shared::change::{Change, Changed};

query! {
    pub struct HoldDocumentQuery {
        /// The name of the document, as the hold asks for it.
        #[example = "Notas fiscais de novembro"]
        asked: AskedName,
        /// The name of the file, up to 120 characters. It decides nothing: the type follows from the content.
        #[example = "nota-123.pdf"]
        name: FileName,
    }
}

/// The name of a document that a hold asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AskedName(String);

impl QueryValue for AskedName {
    const INVALID: &'static str = "Escolha um dos documentos que a retenção pede.";
    const MISSING: &'static str = "Escolha um dos documentos que a retenção pede.";

    fn schema() -> RefOr<Schema> {
        text()
            .min_length(Some(1))
            .max_length(Some(DOCUMENT_NAME_MAX))
            .into()
    }

    fn parse(text: &str) -> Option<Self> {
        let length = text.chars().count();
        (1..=DOCUMENT_NAME_MAX)
            .contains(&length)
            .then(|| Self(text.to_owned()))
    }
}

/// Send a document of an own hold
///
/// The body is the file: PDF, JPEG or PNG, up to 10 MB. The same file for the same document is stored once, so the request
/// can be repeated. A document may have several files. Staff answer each of them.
#[utoipa::path(
    post, path = "/balance/holds/{hold_id}/documents", tag = "balance",
    responses(
        (status = 201, body = HoldDetail),
        (status = 409, description = "The hold has ended, or has 20 files or 50 MB of them"),
    )
)]
pub(crate) async fn create_hold_document(
    Id(hold_id): Id<HoldId>,
    Query(query): Query<HoldDocumentQuery>,
    change: Change<CurrentBusiness, Upload>,
) -> Result<Response> {
    change
        .run(StatusCode::CREATED, async |work, upload| {
            let business = work.caller.id;
            let AskedName(asked) = query.asked;
            let file_name = query.name.into_text();
            let entry = HOLD.entry("send-document", hold_id).after(json!({
                "business_id": business, "document": &asked, "file_name": &file_name,
                "sha256": hex::encode(&upload.sha256),
            }));
            let new = NewHoldDocument {
                asked,
                file_name,
                file: upload.as_new_file(&work.state, work.state.ids.new_uuid()),
                pixels: upload.pixels,
                sent_by: work.caller.seller,
            };
            let is_new = add_hold_document(&**work, business, hold_id, new).await?;
            let hold = hold_fetch(&**work, business, hold_id).await?;
            let hold = hold.ok_or_else(Problem::not_found)?;
            let detail = HoldDetail::of(&work.state, work, Audience::Seller, hold).await?;
            Ok(Changed::with_entry(detail, is_new.then_some(entry)))
        })
        .await
}

/// Download a document of an own hold
///
/// As an attachment: a browser saves it and does not show it.
#[utoipa::path(
    get, path = "/balance/holds/{hold_id}/documents/{document_id}", tag = "balance",
    responses((status = 200, description = "The file", content((File = "application/pdf"), (File = "image/jpeg"), (File = "image/png"))))
)]
pub(crate) async fn download_own_hold_document(
    State(state): State<AppState>,
    business: CurrentBusiness,
    Ids(hold_id, DocumentId(document)): Ids<HoldId, DocumentId>,
) -> Result<Response> {
    let document = hold_document_fetch(&*state.db().await?, document).await?;
    let document = document.filter(|found| (found.business_id, found.hold_id) == (business.id, hold_id));
    let document = document.ok_or_else(Problem::not_found)?;
    Ok(attached(state, &document.file(), &document.file_name))
}
