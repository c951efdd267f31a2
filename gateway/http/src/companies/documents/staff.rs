//! A company's documents for staff.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use gateway_environment::config::Panel;
use gateway_identity::audience::Audience;
use gateway_identity::users::StaffCaller;
use gateway_platform::companies::remove_document;
use ledger_domain::BusinessId;

use super::{BusinessDocuments, DocumentQuery, add, documents, one_document};
use crate::AppState;
use crate::companies::{DocumentId, editor};
use crate::edge::{Db, Id, Ids, Json, Query};
use crate::files::download::attached;
use crate::files::upload::{File, Upload};
use crate::problem::Result;
use crate::shared::change::{Change, Changed};

/// List the documents of a company
#[utoipa::path(
    get, path = "/admin/businesses/{id}/documents", tag = "businesses",
    responses((status = 200, body = BusinessDocuments))
)]
pub(crate) async fn list_documents(
    State(state): State<AppState>,
    Id(id): Id<BusinessId>,
    db: Db,
) -> Result<Json<BusinessDocuments>> {
    documents(&state, &*db, Audience::Admin, id).await.map(Json)
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
    Id(id): Id<BusinessId>,
    Query(query): Query<DocumentQuery>,
    change: Change<StaffCaller, Upload>,
) -> Result<Response> {
    change
        .run(StatusCode::CREATED, async |work, upload| {
            let sellers_url = work.state.config.hosts.url(Panel::Seller);
            add(work, &sellers_url, id, query, &upload).await?;
            let all = documents(&work.state, &**work, Audience::Admin, id).await?;
            Ok(Changed::recorded(all))
        })
        .await
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
    Ids(id, DocumentId(document)): Ids<BusinessId, DocumentId>,
) -> Result<Response> {
    let document = one_document(&*state.db().await?, id, document).await?;
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
    Ids(id, DocumentId(document)): Ids<BusinessId, DocumentId>,
    change: Change<StaffCaller>,
) -> Result<Response> {
    change
        .run(StatusCode::NO_CONTENT, async |work, ()| {
            remove_document(&**work, editor(work), id, document).await?;
            Ok(Changed::recorded(()))
        })
        .await
}
