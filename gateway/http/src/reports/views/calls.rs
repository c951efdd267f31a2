//! The calls of saved views. Both panels have the same ones.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use gateway_platform::reports::{
    NewView, ReportName, ReportOwner, SavedView, VIEWS_MAX, ViewError, view_create, view_delete, view_locked,
    view_update, views_of,
};
use tokio_postgres::Client;

use super::bodies::{ReportView, ReportViewChange, ReportViewForm, ReportViews};
use crate::AppState;
use crate::edge::{Db, Id, Json, Query, query, uuid_param};
use crate::problem::{Problem, Result};
use crate::reports::caller::ReportCaller;
use crate::shared::change::{Change, Changed, Work};
use crate::shared::form::{Form, IdempotentForm};

uuid_param!(ViewId, "view", "0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b20");

query! {
    pub struct ViewQuery {
        /// Only the views of this report.
        #[example = "totals"]
        report: Option<ReportName>,
    }
}

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
    let views = views_of(&*db, caller.owner, query.report).await?;
    let now = state.clock.now();
    let views = views.into_iter().filter_map(|view| ReportView::of(view, now));
    Ok(Json(ReportViews {
        data: views.filter(|view| caller.may_read(*view.report)).collect(),
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
    change: Change<ReportCaller, IdempotentForm<ReportViewForm>>,
) -> Result<Response> {
    change
        .run(StatusCode::CREATED, async |work, form| {
            work.caller.check_may_read_now(work, form.report).await?;
            let new = NewView {
                id: work.state.ids.new_uuid(),
                report: form.report,
                content: &form.content,
                at: work.now(),
            };
            let view = view_create(&**work, work.caller.owner, &new).await?;
            answer_of(work, view)
        })
        .await
}

/// Rename or replace a saved view
///
/// A field that is left out keeps its value. `filters` replaces all filters of the view.
#[utoipa::path(
    patch, path = "/report-views/{id}", tag = "reports",
    responses((status = 200, body = ReportView))
)]
pub(crate) async fn update_report_view(
    Id(ViewId(id)): Id<ViewId>,
    change: Change<ReportCaller, Form<ReportViewChange>>,
) -> Result<Response> {
    change
        .run(StatusCode::OK, async |work, form| {
            let (view, report) = own_view(work, work.caller.owner, id).await?;
            work.caller.check_may_read_now(work, report).await?;
            let content = form.apply(&view, report, work.now())?;
            let view = view_update(&**work, view, content, work.now()).await?;
            answer_of(work, view)
        })
        .await
}

/// Delete a saved view
#[utoipa::path(
    delete, path = "/report-views/{id}", tag = "reports",
    responses((status = 204, description = "The view is deleted"))
)]
pub(crate) async fn delete_report_view(
    Id(ViewId(id)): Id<ViewId>,
    change: Change<ReportCaller>,
) -> Result<Response> {
    change
        .run(StatusCode::NO_CONTENT, async |work, ()| {
            own_view(work, work.caller.owner, id).await?;
            view_delete(&**work, id).await?;
            Ok(Changed::unrecorded(()))
        })
        .await
}

/// Another user's view is a 404, like an unknown one.
async fn own_view(client: &Client, owner: ReportOwner, id: uuid::Uuid) -> Result<(SavedView, ReportName)> {
    let view = view_locked(client, owner, id)
        .await?
        .ok_or_else(Problem::not_found)?;
    let report = ReportName::parse(&view.report).map_err(|_| Problem::not_found())?;
    Ok((view, report))
}

/// A view is the user's own setting of a screen, so it has no entry in the audit log.
fn answer_of(work: &Work<ReportCaller>, view: SavedView) -> Result<Changed<ReportView>> {
    let view = ReportView::of(view, work.now());
    let view = view.ok_or_else(|| Problem::internal("a saved view of an unknown report"))?;
    Ok(Changed::unrecorded(view))
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
