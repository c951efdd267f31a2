//! A company's documents for its owners.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use gateway_identity::audience::Audience;
use gateway_identity::audit::Actor;

use super::{BusinessDocuments, DocumentId, DocumentQuery, add, documents, one_document, remove};
use crate::AppState;
use crate::edge::{CurrentBusiness, Db, Id, Json, PanelUrl, Query};
use crate::files::download::attached;
use crate::files::upload::{File, Upload};
use crate::problem::Result;

/// List own documents
#[utoipa::path(
    get, path = "/business/{businessId}/documents", tag = "business",
    responses((status = 200, body = BusinessDocuments))
)]
pub(crate) async fn list_own_documents(business: CurrentBusiness, db: Db) -> Result<Json<BusinessDocuments>> {
    documents(&*db, Audience::Seller, business.id).await.map(Json)
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
    State(state): State<AppState>,
    business: CurrentBusiness,
    PanelUrl(panel_url): PanelUrl,
    Query(query): Query<DocumentQuery>,
    upload: Upload,
) -> Result<(StatusCode, Json<BusinessDocuments>)> {
    let mut tx = state.begin().await?;
    business.caller().lock_and_check_allowed(&*tx).await?;
    let uploaded = (Actor::Seller(business.seller), business.id, panel_url.as_str());
    add(&state, &mut tx, uploaded, query, &upload).await?;
    let all = documents(&*tx, Audience::Seller, business.id).await?;
    tx.commit().await?;
    Ok((StatusCode::CREATED, Json(all)))
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
    Id(document): Id<DocumentId>,
) -> Result<Response> {
    let document = one_document(&*state.db().await?, business.id, document.0).await?;
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
    State(state): State<AppState>,
    business: CurrentBusiness,
    Id(document): Id<DocumentId>,
) -> Result<StatusCode> {
    let tx = state.begin().await?;
    business.caller().lock_and_check_allowed(&*tx).await?;
    remove(&*tx, Actor::Seller(business.seller), business.id, document.0).await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}
