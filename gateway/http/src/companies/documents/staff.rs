//! A company's documents for staff.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use gateway_identity::audience::Audience;
use gateway_identity::audit::Actor;
use gateway_identity::users::StaffCaller;
use ledger_domain::BusinessId;

use super::{BusinessDocuments, DocumentId, DocumentQuery, add, documents, one_document, remove};
use crate::AppState;
use crate::edge::{Db, Id, Ids, Json, PanelUrl, Query};
use crate::files::download::attached;
use crate::files::upload::{File, Upload};
use crate::problem::Result;

/// List the documents of a company
#[utoipa::path(
    get, path = "/admin/businesses/{id}/documents", tag = "businesses",
    responses((status = 200, body = BusinessDocuments))
)]
pub(crate) async fn list_documents(Id(id): Id<BusinessId>, db: Db) -> Result<Json<BusinessDocuments>> {
    documents(&*db, Audience::Admin, id).await.map(Json)
}

/// Upload a document of a company
///
/// The body is the file: PDF, JPEG or PNG, up to 10 MB. The same file under the same kind is stored once, so the
/// request can be repeated. The owners of an approved company are notified by e-mail.
#[utoipa::path(
    post, path = "/admin/businesses/{id}/documents", tag = "businesses",
    responses(
        (status = 201, body = BusinessDocuments),
        (status = 409, description = "Staff uploaded 20 documents, or 50 MB of them, or the company is deleted"),
    )
)]
pub(crate) async fn create_document(
    State(state): State<AppState>,
    staff: StaffCaller,
    PanelUrl(panel_url): PanelUrl,
    Id(id): Id<BusinessId>,
    Query(query): Query<DocumentQuery>,
    upload: Upload,
) -> Result<(StatusCode, Json<BusinessDocuments>)> {
    let mut tx = state.begin().await?;
    staff.lock_and_check_allowed(&*tx).await?;
    let sellers_url = state.config.hosts.seller_url(&panel_url);
    let actor = Actor::Admin(staff.id);
    add(&state, &mut tx, (actor, id, &sellers_url), query, &upload).await?;
    let all = documents(&*tx, Audience::Admin, id).await?;
    tx.commit().await?;
    Ok((StatusCode::CREATED, Json(all)))
}

/// Download a document of a company
///
/// As an attachment: a browser saves it and does not show it.
#[utoipa::path(
    get, path = "/admin/businesses/{id}/documents/{document_id}", tag = "businesses",
    responses((status = 200, description = "The file", content((File = "application/pdf"), (File = "image/jpeg"), (File = "image/png"))))
)]
pub(crate) async fn download_document(
    State(state): State<AppState>,
    Ids(id, document): Ids<BusinessId, DocumentId>,
) -> Result<Response> {
    let document = one_document(&*state.db().await?, id, document.0).await?;
    Ok(attached(state, &document.file, &document.file_name))
}

/// Remove a document of a company
#[utoipa::path(
    delete, path = "/admin/businesses/{id}/documents/{document_id}", tag = "businesses",
    responses(
        (status = 204, description = "The document and its file are removed"),
        (status = 409, description = "Staff have decided on the company"),
    )
)]
pub(crate) async fn delete_document(
    State(state): State<AppState>,
    staff: StaffCaller,
    Ids(id, document): Ids<BusinessId, DocumentId>,
) -> Result<StatusCode> {
    let tx = state.begin().await?;
    staff.lock_and_check_allowed(&*tx).await?;
    remove(&*tx, Actor::Admin(staff.id), id, document.0).await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}
