//! The calls of saved views. Both panels have the same ones.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use gateway_identity::reports::{
    NewView, ReportOwner, SavedView, VIEWS_MAX, ViewError, view_create, view_delete, view_locked,
    view_update, views_of,
};
use tokio_postgres::GenericClient;
use uuid::Uuid;

use super::bodies::{ReportView, ReportViews};
use super::form::{ReportViewChange, ReportViewForm};
use crate::AppState;
use crate::edge::{Db, Id, IdempotentJson, Json, PathParam, Query, QueryValue, query};
use crate::problem::{Problem, Result};
use crate::reports::caller::ReportCaller;
use crate::reports::names::ReportName;

/// List own saved views
///
/// The views that the signed-in user keeps, of one report or of all reports that the user may read. A seller's views
/// belong to the company of the request. `outdated` names the filters that the report no longer takes.
#[utoipa::path(
    get, path = "/report-views", tag = "reports",
    responses((status = 200, body = ReportViews))
)]
pub(crate) async fn list_report_views(
    State(state): State<AppState>,
    caller: ReportCaller,
    Query(query): Query<ViewQuery>,
    db: Db,
) -> Result<Json<ReportViews>> {
    let report = query.report.map(ReportName::as_str);
    let views = views_of(&*db, caller.owner, report).await?;
    let now = state.clock.now();
    let views = views.into_iter().filter_map(|view| ReportView::of(view, now));
    Ok(Json(ReportViews {
        data: views.filter(|view| caller.may_read(view.report)).collect(),
    }))
}

/// Save a view of a report
///
/// Keeps filters, columns, rows and sorting under a name. The filters are checked by the rules of the report's call.
/// The view grants nothing: opening it makes the report's own call.
#[utoipa::path(
    post, path = "/report-views", tag = "reports",
    responses(
        (status = 201, body = ReportView),
        (status = 409, description = "The list already has 30 views of the report"),
    )
)]
pub(crate) async fn create_report_view(
    State(state): State<AppState>,
    caller: ReportCaller,
    IdempotentJson { body, idempotency }: IdempotentJson<ReportViewForm>,
) -> Result<Response> {
    let now = state.clock.now();
    let (report, content) = body.read(now)?;
    caller.check_may_read(report)?;
    let tx = state.begin().await?;
    if let Some(answer) = idempotency.replayed_answer(&tx).await? {
        return Ok(answer);
    }
    caller.lock_and_check_may_read(&*tx, report).await?;
    let new = NewView {
        id: state.ids.new_uuid(),
        report: report.as_str(),
        content: &content,
        at: now,
    };
    let view = view_create(&*tx, caller.owner, &new).await?;
    let answer = answer_of(view, &state)?;
    let answer = idempotency
        .store_answer(&tx, StatusCode::CREATED, &answer)
        .await?;
    tx.commit().await?;
    Ok(answer)
}

/// Rename or replace a saved view
///
/// A field that is left out keeps its value. `filters` replaces all filters of the view.
#[utoipa::path(
    patch, path = "/report-views/{id}", tag = "reports",
    responses((status = 200, body = ReportView))
)]
pub(crate) async fn update_report_view(
    State(state): State<AppState>,
    caller: ReportCaller,
    Id(ViewId(id)): Id<ViewId>,
    Json(change): Json<ReportViewChange>,
) -> Result<Json<ReportView>> {
    let now = state.clock.now();
    let tx = state.begin().await?;
    let (view, report) = own_view(&*tx, caller.owner, id).await?;
    caller.lock_and_check_may_read(&*tx, report).await?;
    let content = change.read(&view, report, now)?;
    let view = view_update(&*tx, view, content, now).await?;
    let answer = answer_of(view, &state)?;
    tx.commit().await?;
    Ok(Json(answer))
}

/// Delete a saved view
#[utoipa::path(
    delete, path = "/report-views/{id}", tag = "reports",
    responses((status = 204, description = "The view is deleted"))
)]
pub(crate) async fn delete_report_view(
    State(state): State<AppState>,
    caller: ReportCaller,
    Id(ViewId(id)): Id<ViewId>,
) -> Result<StatusCode> {
    let tx = state.begin().await?;
    own_view(&*tx, caller.owner, id).await?;
    view_delete(&*tx, id).await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Another user's view is a 404, like an unknown one.
async fn own_view(
    client: &impl GenericClient,
    owner: ReportOwner,
    id: Uuid,
) -> Result<(SavedView, ReportName)> {
    let view = view_locked(client, owner, id)
        .await?
        .ok_or_else(Problem::not_found)?;
    let report = <ReportName as QueryValue>::parse(&view.report).ok_or_else(Problem::not_found)?;
    Ok((view, report))
}

fn answer_of(view: SavedView, state: &AppState) -> Result<ReportView> {
    let view = ReportView::of(view, state.clock.now());
    view.ok_or_else(|| Problem::internal("a saved view of an unknown report"))
}

query! {
    pub struct ViewQuery {
        /// Only the views of this report.
        #[example = "totals"]
        report: Option<ReportName>,
    }
}

pub struct ViewId(pub Uuid);

impl PathParam for ViewId {
    const NOUN: &'static str = "view";
    const EXAMPLE: &'static str = "0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b20";

    fn parse(text: &str) -> Option<Self> {
        Uuid::try_parse(text).ok().map(Self)
    }
}

impl From<ViewError> for Problem {
    fn from(error: ViewError) -> Self {
        match error {
            ViewError::NameTaken => Self::field("name", "Você já tem uma visão com este nome."),
            ViewError::TooMany => Self::conflict(format!(
                "Você já tem {VIEWS_MAX} visões deste relatório. Exclua uma para salvar outra."
            )),
            ViewError::Database(error) => error.into(),
        }
    }
}
