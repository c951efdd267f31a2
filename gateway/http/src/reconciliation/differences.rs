//! Differences for staff: the list, and the decisions resolve and reopen. Each decision writes a row of the audit log.

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use futures::Stream;
use gateway_identity::audience::Audience;
use gateway_identity::audit::{Actor, Change, record};
use gateway_identity::users::{StaffCaller, user_names};
use gateway_platform::reconciliation::{
    Difference, DifferenceFilter, DifferenceState, Resolution, difference_fetch, difference_locked,
    difference_reopen, difference_resolve, differences_batch, differences_list,
};
use ledger_domain::ids::UserId;
use serde::Deserialize;
use serde_json::json;
use tokio_postgres::GenericClient;
use utoipa::ToSchema;

use super::bodies::{DifferencePage, DifferenceRow};
use super::query::{Decision, DifferenceId, DifferenceQuery};
use super::spreadsheets::DIFFERENCES;
use crate::AppState;
use crate::buyers::erase::check_names_no_buyer;
use crate::edge::{FormErrors, Ids, Json, Query};
use crate::problem::{Problem, Result};
use crate::shared::body_fields::text;
use crate::shared::page::PageMeta;
use crate::spreadsheet::{PAGE_ROWS, ResponseFormat, pages};

/// The subject in the audit log.
const SUBJECT: &str = "settlement_difference";

#[derive(Debug, Deserialize, ToSchema)]
pub struct DecisionForm {
    /// For resolve: why nothing is left to do. Up to 500 characters. Card numbers are masked.
    #[schema(nullable = false, example = "Confirmado com a adquirente.")]
    pub reason: Option<String>,
    /// The version of the difference that the decision started from. Without it, changes in between are not noticed.
    #[schema(nullable = false, example = 1)]
    pub version: Option<i32>,
}

/// List differences of settlements
///
/// Without `state`, only those that are open. A spreadsheet has all differences that match the filter.
#[utoipa::path(
    get, path = "/admin/settlements/differences", tag = "settlements",
    responses((status = 200, body = DifferencePage))
)]
pub(crate) async fn list_settlement_differences(
    State(state): State<AppState>,
    format: ResponseFormat,
    Query(DifferenceQuery { filter, paging }): Query<DifferenceQuery>,
) -> Result<Response> {
    match format {
        ResponseFormat::Json => {
            let db = state.db().await?;
            let mut page = differences_list(&*db, &filter, paging.into()).await?;
            let rows = std::mem::take(&mut page.rows);
            let data = to_rows(&*db, rows).await?;
            let meta = PageMeta::numbered(&page, paging);
            Ok(Json(DifferencePage { data, meta }).into_response())
        }
        ResponseFormat::Spreadsheet(file) => file.respond(&DIFFERENCES, all_differences(state, filter)).await,
    }
}

/// Resolve or reopen a difference
///
/// `resolve` needs a reason. A resolved difference stays resolved until its figures change. Returns the difference.
#[utoipa::path(
    post, path = "/admin/settlements/differences/{id}/{action}", tag = "settlements",
    responses(
        (status = 200, body = DifferenceRow),
        (status = 409, description = "It is resolved or open already, is gone, or has changed since"),
    )
)]
pub(crate) async fn decide_settlement_difference(
    State(state): State<AppState>,
    staff: StaffCaller,
    Ids(DifferenceId(id), decision): Ids<DifferenceId, Decision>,
    Json(form): Json<DecisionForm>,
) -> Result<Json<DifferenceRow>> {
    let reason = read_reason(&decision, form.reason)?;
    let tx = state.begin().await?;
    staff.lock_and_check_allowed(&*tx).await?;
    let before = difference_locked(&*tx, id)
        .await?
        .ok_or_else(Problem::not_found)?;
    check_unchanged(&decision, &before, form.version)?;
    if let Some(sale_id) = before.sale_id {
        check_names_no_buyer(&*tx, sale_id, &reason).await?;
    }
    match decision {
        Decision::Resolve => {
            let resolution = Resolution {
                reason: reason.clone(),
                by: staff.id,
                at: state.clock.now(),
            };
            difference_resolve(&*tx, &before, &resolution).await?;
        }
        Decision::Reopen => difference_reopen(&*tx, &before).await?,
    }
    record(
        &*tx,
        Actor::Admin(staff.id),
        change_of(&decision, &before, &reason, &id.to_string()),
    )
    .await?;
    let after = difference_fetch(&*tx, id).await?.ok_or_else(Problem::not_found)?;
    let row = to_rows(&*tx, vec![after]).await?.pop();
    tx.commit().await?;
    row.map(Json).ok_or_else(Problem::not_found)
}

fn read_reason(decision: &Decision, given: Option<String>) -> Result<String> {
    match decision {
        Decision::Reopen => Ok(String::new()),
        Decision::Resolve => {
            let mut errors = FormErrors::default();
            let reason = text(&mut errors, "reason", given, "Informe o motivo.");
            errors.finish()?;
            Ok(reason)
        }
    }
}

fn check_unchanged(decision: &Decision, before: &Difference, seen: Option<i32>) -> Result<()> {
    let message = match (decision, before.state) {
        (_, DifferenceState::Gone) => "Esta diferença não existe mais: os valores agora conferem.",
        (Decision::Resolve, DifferenceState::Resolved) => "Outra pessoa já resolveu esta diferença.",
        (Decision::Reopen, DifferenceState::Open) => "Esta diferença já está em aberto.",
        (Decision::Resolve, DifferenceState::Open) | (Decision::Reopen, DifferenceState::Resolved) => {
            if seen.is_none_or(|seen| seen == before.version) {
                return Ok(());
            }
            "Os valores desta diferença mudaram enquanto você decidia. Confira os valores atuais."
        }
    };
    Err(Problem::conflict(message))
}

fn change_of<'a>(decision: &Decision, before: &Difference, reason: &str, subject_id: &'a str) -> Change<'a> {
    let was = before.resolution.as_ref().map(|resolution| &resolution.reason);
    let figures = json!({
        "kind": before.kind.as_str(), "state": before.state.as_str(), "expected": before.expected,
        "reported": before.reported, "expected_on": before.expected_on, "reported_on": before.reported_on,
        "reason": was,
    });
    let (action, after) = match decision {
        Decision::Resolve => ("resolve", json!({ "state": "resolved", "reason": reason })),
        Decision::Reopen => ("reopen", json!({ "state": "open" })),
    };
    Change {
        action,
        subject: SUBJECT,
        subject_id,
        before: Some(figures),
        after: Some(after),
    }
}

fn all_differences(
    state: AppState,
    filter: DifferenceFilter,
) -> impl Stream<Item = Result<Vec<DifferenceRow>>> {
    pages(move |after| {
        let (state, filter) = (state.clone(), filter.clone());
        async move {
            let db = state.db().await?;
            let batch = differences_batch(&*db, &filter, after, PAGE_ROWS).await?;
            Ok((to_rows(&*db, batch.rows).await?, batch.next))
        }
    })
}

async fn to_rows(client: &impl GenericClient, differences: Vec<Difference>) -> Result<Vec<DifferenceRow>> {
    let by = |difference: &Difference| difference.resolution.as_ref().map(|resolution| resolution.by);
    let users: Vec<UserId> = differences.iter().filter_map(by).collect();
    let names = user_names(client, Audience::Admin, &users).await?;
    let row = |difference: Difference| {
        let name = by(&difference).and_then(|user| names.get(&user).cloned());
        DifferenceRow::of(difference, name)
    };
    Ok(differences.into_iter().map(row).collect())
}
