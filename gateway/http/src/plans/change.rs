//! Changes of sales plans: create, update, withdraw a scheduled version.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use chrono::{DateTime, Utc};
use gateway_identity::audit::{Actor, Change, record};
use gateway_identity::users::StaffCaller;
use gateway_platform::plans::{NewPlan, plan_create, plan_offer_set, plan_version_add, solution_plans_lock};
use gateway_platform::validity::{Since, set_business_now};
use ledger_domain::PlanId;
use ledger_domain::fees::PlanTerms;
use tokio_postgres::GenericClient;

use super::apply::{apply, found, locked, set_default, withdraw_scheduled};
use super::audit::{PLAN, check_revision, plan_fields};
use super::bodies::form::PlanForm;
use super::bodies::plan::PlanDetail;
use super::emails::ask_second_person;
use super::form::{ValidPlanForm, read};
use super::pending::{ChangedBy, needs_two_people};
use super::requests::{RequestedForm, request_update, request_withdraw_scheduled};
use super::staff::plan_detail;
use crate::AppState;
use crate::edge::{Id, IdempotentJson, Json, PanelUrl};
use crate::problem::Result;

/// Create a sales plan
///
/// Its first version is valid from `valid_from`, else from now. Taxa Efetiva needs `fees`, Taxa MDR the `mdr_…` fees.
/// While changes of plans need two people, a plan that is to be active is inactive at first. `pending_change` makes it
/// active when another user approves it.
#[utoipa::path(
    post, path = "/admin/plans", tag = "plans",
    responses((status = 201, body = PlanDetail))
)]
pub(crate) async fn create_plan(
    State(state): State<AppState>,
    caller: StaffCaller,
    PanelUrl(panel_url): PanelUrl,
    IdempotentJson { body, idempotency }: IdempotentJson<PlanForm>,
) -> Result<Response> {
    let id = PlanId::from_uuid(state.ids.new_uuid());
    let now = state.clock.now();
    let form = read(body, id, None, now)?;
    let mut tx = state.begin().await?;
    if let Some(answer) = idempotency.replayed_answer(&tx).await? {
        return Ok(answer);
    }
    caller.lock_and_check_allowed(&*tx).await?;
    solution_plans_lock(&*tx, form.solution).await?;
    let waits = form.active && needs_two_people(&state, &*tx).await?;
    add(&*tx, Actor::Admin(caller.id), id, &form, (waits, now)).await?;
    if waits {
        let requested = request_activation(&*tx, &state, caller, id, &form, now).await?;
        ask_second_person(&state, &mut tx, &panel_url, caller.id, requested).await?;
    }
    let detail = plan_detail(&*tx, id, now).await?;
    let answer = idempotency
        .store_answer(&tx, StatusCode::CREATED, &detail)
        .await?;
    tx.commit().await?;
    Ok(answer)
}

/// Update a sales plan
///
/// Changes the given fields only. Changed terms or a new description are a new version, valid from `valid_from`, else
/// from now; sales before it keep theirs. It replaces a scheduled version, and keeps its start if no terms are given.
/// Fees that are left out stay as they are in the version in force, or with `valid_from` in the scheduled version.
/// Status and default change at once. While changes of plans need two people, a change gets a 202: the plan stays as it
/// is, and `pending_change` waits for another user's approval.
#[utoipa::path(
    patch, path = "/admin/plans/{id}", tag = "plans",
    responses(
        (status = 200, body = PlanDetail),
        (status = 202, body = PlanDetail, description = "The change waits for a second person"),
        (status = 409, description = "The plan was changed since the revision that the edit started from, or has a pending change"),
    )
)]
pub(crate) async fn update_plan(
    State(state): State<AppState>,
    caller: StaffCaller,
    PanelUrl(panel_url): PanelUrl,
    Id(id): Id<PlanId>,
    Json(body): Json<PlanForm>,
) -> Result<(StatusCode, Json<PlanDetail>)> {
    let mut tx = state.begin().await?;
    caller.lock_and_check_allowed(&*tx).await?;
    let (before, now) = locked(&*tx, &state, id).await?;
    check_revision(&*tx, &PLAN, &id.to_string(), before.revision, body.revision).await?;
    let change = read(body.clone(), id, Some(&before), now)?;
    let (mut status, mut at) = (StatusCode::OK, now);
    if needs_two_people(&state, &*tx).await? {
        let requested_form = RequestedForm {
            before: &before,
            body,
            change: &change,
        };
        let requested = request_update(&*tx, &state, caller, requested_form, now).await?;
        status = ask_second_person(&state, &mut tx, &panel_url, caller.id, requested).await?;
    } else {
        let changed_by = ChangedBy::alone(Actor::Admin(caller.id));
        at = apply(&*tx, changed_by, &before, &change, now).await?;
    }
    let detail = plan_detail(&*tx, id, at).await?;
    tx.commit().await?;
    Ok((status, Json(detail)))
}

/// Withdraw the scheduled version of a sales plan
///
/// The version in force stays. Only possible before the scheduled version takes effect. While changes of plans need two
/// people, the answer is a 202, and `pending_change` waits for another user's approval.
#[utoipa::path(
    delete, path = "/admin/plans/{id}/scheduled", tag = "plans",
    responses(
        (status = 200, body = PlanDetail),
        (status = 202, body = PlanDetail, description = "The request waits for a second person"),
        (status = 409, description = "The plan has no scheduled version, or no other version, or a pending change"),
    )
)]
pub(crate) async fn withdraw_scheduled_version(
    State(state): State<AppState>,
    caller: StaffCaller,
    PanelUrl(panel_url): PanelUrl,
    Id(id): Id<PlanId>,
) -> Result<(StatusCode, Json<PlanDetail>)> {
    let mut tx = state.begin().await?;
    caller.lock_and_check_allowed(&*tx).await?;
    let (before, now) = locked(&*tx, &state, id).await?;
    let mut status = StatusCode::OK;
    if needs_two_people(&state, &*tx).await? {
        let requested = request_withdraw_scheduled(&*tx, &state, caller, &before, now).await?;
        status = ask_second_person(&state, &mut tx, &panel_url, caller.id, requested).await?;
    } else {
        withdraw_scheduled(&*tx, ChangedBy::alone(Actor::Admin(caller.id)), &before, now).await?;
    }
    let detail = plan_detail(&*tx, id, now).await?;
    tx.commit().await?;
    Ok((status, Json(detail)))
}

/// Adds a plan. If it waits for a second person, it is inactive, so that no company can get it.
async fn add(
    client: &impl GenericClient,
    actor: Actor,
    id: PlanId,
    form: &ValidPlanForm,
    (waits, now): (bool, DateTime<Utc>),
) -> Result<()> {
    set_business_now(client, now).await?;
    let new = NewPlan {
        id,
        description: form.description.clone(),
        solution: form.solution,
        active: form.active && !waits,
    };
    plan_create(client, &new).await?;
    let first = PlanTerms {
        version: 1,
        ..form.terms.clone()
    };
    plan_version_add(client, &first, Since::At(form.valid_from.unwrap_or(now))).await?;
    if !waits {
        plan_offer_set(client, id, form.offered).await?;
        if form.default {
            set_default(client, actor, form.solution, id, now).await?;
        }
    }
    let change = Change {
        action: "create",
        subject: PLAN.subject,
        subject_id: &id.to_string(),
        before: None,
        after: Some(plan_fields(&found(client, id, now).await?).into()),
    };
    Ok(record(client, actor, change).await?)
}

/// Requests that a new plan becomes active, with the flags of its form.
async fn request_activation(
    client: &impl GenericClient,
    state: &AppState,
    caller: StaffCaller,
    id: PlanId,
    form: &ValidPlanForm,
    now: DateTime<Utc>,
) -> Result<Option<uuid::Uuid>> {
    let before = found(client, id, now).await?;
    let body = PlanForm {
        active: Some(true),
        default: form.default.then_some(true),
        offered: form.offered.then_some(true),
        ..PlanForm::default()
    };
    let change = read(body.clone(), id, Some(&before), now)?;
    let requested_form = RequestedForm {
        before: &before,
        body,
        change: &change,
    };
    request_update(client, state, caller, requested_form, now).await
}
