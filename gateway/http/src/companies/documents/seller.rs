//! A company's documents for its owners.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use gateway_identity::audience::Audience;
use gateway_platform::companies::remove_document;

use super::{BusinessDocuments, DocumentQuery, add, documents, one_document};
use crate::AppState;
use crate::companies::{DocumentId, editor};
use crate::edge::{CurrentBusiness, Db, Id, Json, PanelUrl, Query};
use crate::files::download::attached;
use crate::files::upload::{File, Upload};
use crate::problem::Result;
use crate::shared::change::{Change, Changed};

/// List own documents
#[utoipa::path(
    get, path = "/business/{businessId}/documents", tag = "business",
    responses((status = 200, body = BusinessDocuments))
)]
pub(crate) async fn list_own_documents(
    State(state): State<AppState>,
    business: CurrentBusiness,
    db: Db,
) -> Result<Json<BusinessDocuments>> {
    documents(&state, &*db, Audience::Seller, business.id)
        .await
        .map(Json)
}

/// Upload an own document
///
/// The body is the file: PDF, JPEG or PNG, up to 10 MB. The same file under the same kind is stored once, so the
/// request can be repeated. The owners of an approved company are notified by e-mail.
#[utoipa::path(
    post, path = "/business/{businessId}/documents", tag = "business",
    responses(
        (status = 201, body = BusinessDocuments),
        (status = 409, description = "The owners uploaded 20 documents, or 50 MB of them, or the company is deleted"),
    )
)]
pub(crate) async fn create_own_document(
    PanelUrl(panel_url): PanelUrl,
    Query(query): Query<DocumentQuery>,
    change: Change<CurrentBusiness, Upload>,
) -> Result<Response> {
    change
        .run(StatusCode::CREATED, async |work, upload| {
            let id = work.caller.id;
            add(work, &panel_url, id, query, &upload).await?;
            let all = documents(&work.state, &**work, Audience::Seller, id).await?;
            Ok(Changed::recorded(all))
        })
        .await
}

/// Download an own document
///
/// As an attachment: a browser saves it and does not show it.
#[utoipa::path(
    get, path = "/business/{businessId}/documents/{document_id}", tag = "business",
    responses((status = 200, description = "The file", content((File = "application/pdf"), (File = "image/jpeg"), (File = "image/png"))))
)]
pub(crate) async fn download_own_document(
    State(state): State<AppState>,
    business: CurrentBusiness,
    Id(DocumentId(document)): Id<DocumentId>,
) -> Result<Response> {
    let document = one_document(&*state.db().await?, business.id, document).await?;
    Ok(attached(state, &document.file, &document.file_name))
}

/// Remove an own document
#[utoipa::path(
    delete, path = "/business/{businessId}/documents/{document_id}", tag = "business",
    responses(
        (status = 204, description = "The document and its file are removed"),
        (status = 409, description = "Staff have decided on the company, or uploaded the document"),
    )
)]
pub(crate) async fn delete_own_document(
    Id(DocumentId(document)): Id<DocumentId>,
    change: Change<CurrentBusiness>,
) -> Result<Response> {
    change
        .run(StatusCode::NO_CONTENT, async |work, ()| {
            remove_document(&**work, editor(work), work.caller.id, document).await?;
            Ok(Changed::recorded(()))
        })
        .await
}
