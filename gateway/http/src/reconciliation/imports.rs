//! Imports for staff: the list, one with its bad lines, and the upload of a file.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use gateway_identity::audience::Audience;
use gateway_identity::audit::{Actor, Change, record};
use gateway_identity::users::{StaffCaller, user_names};
use gateway_platform::list::list_page;
use gateway_platform::reconciliation::{
    BadLinesOf, Import, NewUpload, UploadCompletion, import_fetch, import_warnings, upload_complete,
    upload_remove_repeated,
};
use ledger_domain::ids::UserId;
use tokio_postgres::GenericClient;

use super::bodies::{BadLine, ImportWarning, SettlementImport, SettlementImportDetail, SettlementImportPage};
use super::query::{ImportId, ImportsQuery, UploadQuery};
use super::upload::{Received, SettlementBody, interrupted, receive, remove};
use crate::AppState;
use crate::edge::{Db, Id, Json, Paging, Query};
use crate::problem::{Problem, Result};
use crate::shared::page::PageMeta;

/// The subject in the audit log.
const SUBJECT: &str = "settlement_import";

/// List imports of settlements
///
/// Files, and answers of acquirers. The latest first.
#[utoipa::path(
    get, path = "/admin/settlements/imports", tag = "settlements",
    responses((status = 200, body = SettlementImportPage))
)]
pub(crate) async fn list_settlement_imports(
    Query(ImportsQuery { imports, paging }): Query<ImportsQuery>,
    db: Db,
) -> Result<Json<SettlementImportPage>> {
    let mut page = list_page(&*db, &imports, paging.into()).await?;
    let rows = std::mem::take(&mut page.rows);
    Ok(Json(SettlementImportPage {
        data: to_bodies(&*db, rows).await?,
        meta: PageMeta::numbered(&page, paging),
    }))
}

/// Get an import of settlements
///
/// With a page of its bad lines, and with what was mended.
#[utoipa::path(
    get, path = "/admin/settlements/imports/{id}", tag = "settlements",
    responses((status = 200, body = SettlementImportDetail))
)]
pub(crate) async fn get_settlement_import(
    Id(ImportId(id)): Id<ImportId>,
    Query(paging): Query<Paging>,
    db: Db,
) -> Result<Json<SettlementImportDetail>> {
    let import = import_fetch(&*db, id).await?.ok_or_else(Problem::not_found)?;
    let mut page = list_page(&*db, &BadLinesOf(id), paging.into()).await?;
    let bad = std::mem::take(&mut page.rows);
    let warnings = import_warnings(&*db, id).await?;
    Ok(Json(SettlementImportDetail {
        import: to_body(&*db, import).await?,
        bad: bad.into_iter().map(BadLine::from).collect(),
        warnings: warnings.into_iter().map(ImportWarning::from).collect(),
        meta: PageMeta::numbered(&page, paging),
    }))
}

/// Import a settlement file
///
/// The body is the file, up to 2 GB. It is read after it has arrived; the import has its progress. A file that was
/// imported before changes nothing, so the request can be repeated. An import that took no payment fails, and its file
/// can be uploaded again.
#[utoipa::path(
    post, path = "/admin/settlements/imports", tag = "settlements",
    responses(
        (status = 201, body = SettlementImport),
        (status = 200, description = "The same file was imported before", body = SettlementImport),
    )
)]
pub(crate) async fn create_settlement_import(
    State(state): State<AppState>,
    staff: StaffCaller,
    Query(query): Query<UploadQuery>,
    body: SettlementBody,
) -> Result<Response> {
    let _slot = state
        .slots
        .uploads
        .take(staff.id)
        .ok_or_else(|| Problem::too_many_at_once("Seus outros arquivos ainda estão sendo enviados."))?;
    let (id, created_at) = (state.ids.new_uuid(), state.clock.now());
    let file_name = query.name.into_text();
    let received = receive(&state, body, query.confirm_date, move |format| NewUpload {
        id,
        provider: query.provider,
        format,
        file_name: Some(file_name),
        imported_by: Some(staff.id),
        created_at,
    })
    .await?;
    let ended = end(&state, staff, &received).await;
    if ended.is_err() {
        remove(&state, received.import).await;
    }
    ended
}

/// Ends an upload together with its audit entry. The user may have lost the access while the file arrived.
async fn end(state: &AppState, staff: StaffCaller, received: &Received) -> Result<Response> {
    let tx = state.begin().await?;
    staff.lock_and_check_allowed(&*tx).await?;
    match upload_complete(&*tx, received.import, &received.sha256).await? {
        UploadCompletion::Interrupted => Err(interrupted()),
        UploadCompletion::Repeated => {
            drop(tx);
            let db = state.db().await?;
            let first = upload_remove_repeated(&*db, received.import, &received.sha256).await?;
            let import = import_fetch(&*db, first).await?.ok_or_else(Problem::not_found)?;
            let import = to_body(&*db, import).await?;
            let repeated = true;
            Ok((StatusCode::OK, Json(SettlementImport { repeated, ..import })).into_response())
        }
        UploadCompletion::Waiting => {
            let import = import_fetch(&*tx, received.import)
                .await?
                .ok_or_else(Problem::not_found)?;
            let change = Change {
                action: "create",
                subject: SUBJECT,
                subject_id: &import.id.to_string(),
                before: None,
                after: Some(import.audit_facts()),
            };
            record(&*tx, Actor::Admin(staff.id), change).await?;
            let import = to_body(&*tx, import).await?;
            tx.commit().await?;
            Ok((StatusCode::CREATED, Json(import)).into_response())
        }
    }
}

async fn to_body(client: &impl GenericClient, import: Import) -> Result<SettlementImport> {
    let bodies = to_bodies(client, vec![import]).await?;
    bodies.into_iter().next().ok_or_else(Problem::not_found)
}

async fn to_bodies(client: &impl GenericClient, imports: Vec<Import>) -> Result<Vec<SettlementImport>> {
    let users: Vec<UserId> = imports.iter().filter_map(|import| import.imported_by).collect();
    let names = user_names(client, Audience::Admin, &users).await?;
    let body = |import: Import| {
        let name = import.imported_by.and_then(|user| names.get(&user).cloned());
        SettlementImport::of(import, name)
    };
    Ok(imports.into_iter().map(body).collect())
}
