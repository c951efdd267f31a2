//! Differences for staff: the list, and the decisions resolve and reopen.

use axum::http::StatusCode;
use axum::response::Response;
use gateway_identity::audience::Audience;
use gateway_identity::users::{StaffCaller, user_names};
use gateway_platform::reconciliation::{
    Difference, DifferenceFilter, DifferenceState, Resolution, difference_fetch, difference_locked,
    difference_reopen, difference_resolve,
};
use ledger_domain::ids::UserId;
use serde_json::json;
use tokio_postgres::Client;

use super::bodies::{DecisionForm, DifferencePage, DifferenceRow};
use super::query::{Decision, DifferenceId};
use super::spreadsheets::DIFFERENCES;
use crate::AppState;
use crate::buyers::erase::check_names_no_buyer;
use crate::edge::Ids;
use crate::problem::{Problem, Result};
use crate::shared::change::{Change, Subject};
use crate::shared::form::Form;
use crate::shared::list::{FromRows, Listing};

const DIFFERENCE: Subject = Subject("settlement_difference");

/// List differences of settlements
///
/// Without `state`, only those that are open. A spreadsheet has all differences that match the filter.
#[utoipa::path(
    get, path = "/admin/settlements/differences", tag = "settlements",
    responses((status = 200, body = DifferencePage))
)]
pub(crate) async fn list_settlement_differences(list: Listing<DifferenceFilter>) -> Result<Response> {
    list.respond::<DifferenceRow>(&DIFFERENCES).await
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
    Ids(DifferenceId(id), decision): Ids<DifferenceId, Decision>,
    change: Change<StaffCaller, Form<DecisionForm>>,
) -> Result<Response> {
    change
        .run(StatusCode::OK, async |work, form| {
            let reason = match decision {
                Decision::Resolve => form
                    .reason
                    .ok_or_else(|| Problem::field("reason", "Informe o motivo."))?,
                Decision::Reopen => String::new(),
            };
            let before = difference_locked(&**work, id)
                .await?
                .ok_or_else(Problem::not_found)?;
            check_unchanged(&decision, &before, form.version)?;
            if let Some(sale_id) = before.sale_id {
                check_names_no_buyer(&**work, sale_id, &reason).await?;
            }
            let (action, after) = match decision {
                Decision::Resolve => ("resolve", json!({ "state": "resolved", "reason": reason })),
                Decision::Reopen => ("reopen", json!({ "state": "open" })),
            };
            match decision {
                Decision::Resolve => {
                    let (by, at) = (work.caller.id, work.now());
                    difference_resolve(&**work, &before, &Resolution { reason, by, at }).await?;
                }
                Decision::Reopen => difference_reopen(&**work, &before).await?,
            }
            let decided = difference_fetch(&**work, id)
                .await?
                .ok_or_else(Problem::not_found)?;
            let row = DifferenceRow::from_rows(&work.state, work, vec![decided])
                .await?
                .pop();
            let entry = DIFFERENCE.entry(action, id).before(figures(&before)).after(after);
            Ok(entry.answer(row.ok_or_else(Problem::not_found)?))
        })
        .await
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

/// What the audit log keeps of a difference before a decision.
fn figures(before: &Difference) -> serde_json::Value {
    let reason = before.resolution.as_ref().map(|resolution| &resolution.reason);
    json!({
        "kind": before.kind, "state": before.state, "expected": before.expected, "reported": before.reported,
        "expected_on": before.expected_on, "reported_on": before.reported_on, "reason": reason,
    })
}

impl FromRows<Difference> for DifferenceRow {
    async fn from_rows(_: &AppState, client: &Client, differences: Vec<Difference>) -> Result<Vec<Self>> {
        let by = |difference: &Difference| difference.resolution.as_ref().map(|resolution| resolution.by);
        let users: Vec<UserId> = differences.iter().filter_map(by).collect();
        let names = user_names(client, Audience::Admin, &users).await?;
        let row = |difference: Difference| {
            let name = by(&difference).and_then(|user| names.get(&user).cloned());
            Self::of(difference, name)
        };
        Ok(differences.into_iter().map(row).collect())
    }
}
