//! Receiving plans for staff: list, create, update, history.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use gateway_identity::audit::{Actor, Change, record};
use gateway_identity::users::StaffCaller;
use gateway_platform::companies::{NewReceivingPlan, receiving_plan_create};
use gateway_platform::plans::changes::{ChangedPlan, PlanChangeRecord};
use gateway_platform::plans::receiving::{
    ReceivingPlan as Record, ReceivingPlanFilter, receiving_plan_fetch, receiving_plan_list,
    receiving_plan_update, receiving_plans_locked,
};
use serde_json::json;
use tokio_postgres::GenericClient;
use uuid::Uuid;

use super::audit::{
    RECEIVING_PLAN, REQUESTED_BY, changed, check_revision, check_revision_of_request, receiving_plan_fields,
};
use super::bodies::receiving::{ReceivingPlan, ReceivingPlanForm, ReceivingPlanPage};
use super::emails::ask_second_person;
use super::form::{active_and_default, description, money};
use super::pending::{
    ChangedBy, Requested, begin_trial, check_default_of_request, names_of, needs_two_people, outdated,
    pending_of, pending_of_receiving, request, undo_trial,
};
use super::query::ReceivingPlanQuery;
use super::spreadsheets::RECEIVING_PLANS;
use crate::AppState;
use crate::edge::{Db, FormErrors, Id, IdempotentJson, Json, Paging, PanelUrl, Query};
use crate::problem::{Problem, Result};
use crate::shared::page::PageMeta;
use crate::spreadsheet::{PAGE_ROWS, ResponseFormat, pages};
use crate::users::bodies::history::HistoryPage;
use crate::users::history::staff_history;

/// List receiving plans
///
/// By default, the plan that was created last is the first. A spreadsheet has all plans that match the filter.
#[utoipa::path(
    get, path = "/admin/plans/receiving", tag = "plans",
    responses((status = 200, body = ReceivingPlanPage))
)]
pub(crate) async fn list_receiving_plans(
    State(state): State<AppState>,
    format: ResponseFormat,
    Query(ReceivingPlanQuery { filter, paging }): Query<ReceivingPlanQuery>,
) -> Result<Response> {
    match format {
        ResponseFormat::Json => {
            let db = state.db().await?;
            let page = receiving_plan_list(&*db, &filter, paging.into()).await?;
            let meta = PageMeta::numbered(&page, paging);
            let data = with_pending(&*db, page.rows).await?;
            Ok(Json(ReceivingPlanPage { data, meta }).into_response())
        }
        ResponseFormat::Spreadsheet(file) => {
            let plans = pages(move |page| batch(state.clone(), filter.clone(), page.unwrap_or(1)));
            file.respond(&RECEIVING_PLANS, plans).await
        }
    }
}

async fn batch(
    state: AppState,
    filter: ReceivingPlanFilter,
    page: u32,
) -> Result<(Vec<ReceivingPlan>, Option<u32>)> {
    let db = state.db().await?;
    let per_page = PAGE_ROWS;
    let found = receiving_plan_list(&*db, &filter, projections::Paging { page, per_page }).await?;
    let next = u32::try_from(found.rows.len()).is_ok_and(|count| count == per_page);
    Ok((with_pending(&*db, found.rows).await?, next.then_some(page + 1)))
}

/// Create a receiving plan
///
/// While changes of plans need two people, a plan that is to be active is inactive at first. `pending_change` makes it
/// active when another user approves it.
#[utoipa::path(
    post, path = "/admin/plans/receiving", tag = "plans",
    responses((status = 201, body = ReceivingPlan))
)]
pub(crate) async fn create_receiving_plan(
    State(state): State<AppState>,
    caller: StaffCaller,
    PanelUrl(panel_url): PanelUrl,
    IdempotentJson { body, idempotency }: IdempotentJson<ReceivingPlanForm>,
) -> Result<Response> {
    let id = state.ids.new_uuid();
    let wanted = read(body, None)?;
    let mut tx = state.begin().await?;
    if let Some(answer) = idempotency.replayed_answer(&tx).await? {
        return Ok(answer);
    }
    caller.lock_and_check_allowed(&*tx).await?;
    let actor = Actor::Admin(caller.id);
    let (_, default) = receiving_plans_locked(&*tx, id).await?;
    let waits = wanted.active && needs_two_people(&state, &*tx).await?;
    if wanted.default && !waits {
        unset_default(&*tx, actor, default).await?;
    }
    let new = NewReceivingPlan {
        id,
        description: wanted.description,
        flat_rate: wanted.flat_rate,
        is_default: wanted.default && !waits,
        active: wanted.active && !waits,
    };
    receiving_plan_create(&*tx, &new).await?;
    let made = found(&*tx, id).await?;
    let change = Change {
        action: "create",
        subject: RECEIVING_PLAN.subject,
        subject_id: &id.to_string(),
        before: None,
        after: Some(receiving_plan_fields(&made).into()),
    };
    record(&*tx, actor, change).await?;
    if waits {
        let body = ReceivingPlanForm {
            active: Some(true),
            default: wanted.default.then_some(true),
            ..ReceivingPlanForm::default()
        };
        let requested = request_update(&*tx, &state, caller, &made, body).await?;
        ask_second_person(&state, &mut tx, &panel_url, caller.id, requested).await?;
    }
    let pending = pending_of(&*tx, ChangedPlan::Receiving(id)).await?;
    let answer = idempotency
        .store_answer(&tx, StatusCode::CREATED, &ReceivingPlan::of(made, pending))
        .await?;
    tx.commit().await?;
    Ok(answer)
}

/// Update a receiving plan
///
/// Changes the given fields only, at once: the next withdrawal of a company with this plan has the new fee. While
/// changes of plans need two people, a change gets a 202: the plan stays as it is, and `pending_change` waits for
/// another user's approval.
#[utoipa::path(
    patch, path = "/admin/plans/receiving/{id}", tag = "plans",
    responses(
        (status = 200, body = ReceivingPlan),
        (status = 202, body = ReceivingPlan, description = "The change waits for a second person"),
        (status = 409, description = "The plan was changed since the revision that the edit started from, or has a pending change"),
    )
)]
pub(crate) async fn update_receiving_plan(
    State(state): State<AppState>,
    caller: StaffCaller,
    PanelUrl(panel_url): PanelUrl,
    Id(id): Id<Uuid>,
    Json(body): Json<ReceivingPlanForm>,
) -> Result<(StatusCode, Json<ReceivingPlan>)> {
    let mut tx = state.begin().await?;
    caller.lock_and_check_allowed(&*tx).await?;
    let (before, default) = receiving_plans_locked(&*tx, id).await?;
    let before = before.ok_or_else(Problem::not_found)?;
    check_revision(
        &*tx,
        &RECEIVING_PLAN,
        &id.to_string(),
        before.revision,
        body.revision,
    )
    .await?;
    let mut status = StatusCode::OK;
    if needs_two_people(&state, &*tx).await? {
        let requested = request_update(&*tx, &state, caller, &before, body).await?;
        status = ask_second_person(&state, &mut tx, &panel_url, caller.id, requested).await?;
    } else {
        let wanted = read(body, Some(&before))?;
        let changed_by = ChangedBy::alone(Actor::Admin(caller.id));
        apply(&*tx, changed_by, &before, default, wanted).await?;
    }
    let saved = found(&*tx, id).await?;
    let pending = pending_of(&*tx, ChangedPlan::Receiving(id)).await?;
    tx.commit().await?;
    Ok((status, Json(ReceivingPlan::of(saved, pending))))
}

/// Applies a requested change. Its form is validated again, because the plan or the rules may have changed.
pub(super) async fn approve(
    client: &impl GenericClient,
    actor: Actor,
    id: Uuid,
    requested: &PlanChangeRecord,
) -> Result<()> {
    let (before, default) = receiving_plans_locked(client, id).await?;
    let before = before.ok_or_else(Problem::not_found)?;
    let text = id.to_string();
    check_revision_of_request(
        client,
        &RECEIVING_PLAN,
        &text,
        before.revision,
        requested.revision,
    )
    .await?;
    let body = serde_json::from_value(requested.form.clone()).map_err(Problem::internal)?;
    let wanted = read(body, Some(&before)).map_err(outdated)?;
    if wanted.default && !before.is_default {
        let default = default.as_ref();
        check_default_of_request(
            requested,
            default.map(|plan| (plan.id, plan.description.as_str())),
        )?;
    }
    let names = names_of(client, std::slice::from_ref(requested)).await?;
    let changed_by = ChangedBy {
        actor,
        requested_by: names.get(&requested.requested_by).map(String::as_str),
    };
    apply(client, changed_by, &before, default, wanted).await
}

/// Get a receiving plan
#[utoipa::path(
    get, path = "/admin/plans/receiving/{id}", tag = "plans",
    responses((status = 200, body = ReceivingPlan))
)]
pub(crate) async fn get_receiving_plan(Id(id): Id<Uuid>, db: Db) -> Result<Json<ReceivingPlan>> {
    let plan = found(&*db, id).await?;
    let pending = pending_of(&*db, ChangedPlan::Receiving(id)).await?;
    Ok(Json(ReceivingPlan::of(plan, pending)))
}

/// List the history of a receiving plan
///
/// Latest first.
#[utoipa::path(
    get, path = "/admin/plans/receiving/{id}/history", tag = "plans",
    responses((status = 200, body = HistoryPage))
)]
pub(crate) async fn list_receiving_plan_history(
    Id(id): Id<Uuid>,
    Query(paging): Query<Paging>,
    db: Db,
) -> Result<Json<HistoryPage>> {
    found(&*db, id).await?;
    staff_history(&db, RECEIVING_PLAN.subject, Some(&id.to_string()), paging)
        .await
        .map(Json)
}

/// All fields of the plan after the change.
pub(super) struct ValidReceivingPlanForm {
    description: String,
    pub(super) flat_rate: ledger_domain::Cents,
    default: bool,
    active: bool,
}

pub(super) fn read(form: ReceivingPlanForm, before: Option<&Record>) -> Result<ValidReceivingPlanForm> {
    let mut errors = FormErrors::default();
    let described = description(
        &mut errors,
        form.description,
        before.map(|before| before.description.as_str()),
    );
    let flat_rate = form.flat_rate.or(before.map(|before| before.flat_rate.get()));
    let flat_rate = money(&mut errors, "flat_rate", flat_rate);
    let (active, default) = active_and_default(
        &mut errors,
        (form.active, form.default),
        before.map(|before| (before.active, before.is_default)),
    );
    errors.finish()?;
    Ok(ValidReceivingPlanForm {
        description: described,
        flat_rate,
        default,
        active,
    })
}

async fn found(client: &impl GenericClient, id: Uuid) -> Result<Record> {
    receiving_plan_fetch(client, id)
        .await?
        .ok_or_else(Problem::not_found)
}

/// Stores the change as a request that a second person approves. Returns the request's id, or `None` if the plan would
/// not change.
async fn request_update(
    client: &impl GenericClient,
    state: &AppState,
    caller: StaffCaller,
    before: &Record,
    body: ReceivingPlanForm,
) -> Result<Option<Uuid>> {
    let form = serde_json::to_value(&body).map_err(Problem::internal)?;
    let wanted = read(body, Some(before))?;
    let (_, default) = receiving_plans_locked(client, before.id).await?;
    let replaces_default = default.as_ref().map(|plan| plan.id).filter(|_| wanted.default);
    let is_activation = wanted.active && !before.active;
    begin_trial(client).await?;
    apply(
        client,
        ChangedBy::alone(Actor::Admin(caller.id)),
        before,
        default,
        wanted,
    )
    .await?;
    let after = receiving_plan_fields(&found(client, before.id).await?);
    undo_trial(client).await?;
    let mut before_fields = receiving_plan_fields(before);
    if is_activation {
        // The second person sees an unchanged fee too, because it begins to count.
        before_fields.remove("flat_rate");
    }
    let requested = Requested {
        id: state.ids.new_uuid(),
        plan: ChangedPlan::Receiving(before.id),
        revision: before.revision,
        form,
        before: before_fields,
        after,
        replaces_default,
    };
    request(client, caller.id, state.clock.now(), requested).await
}

async fn with_pending(client: &impl GenericClient, plans: Vec<Record>) -> Result<Vec<ReceivingPlan>> {
    let ids: Vec<Uuid> = plans.iter().map(|plan| plan.id).collect();
    let mut pending = pending_of_receiving(client, &ids).await?;
    let row = |plan: Record| {
        let change = pending.remove(&plan.id);
        ReceivingPlan::of(plan, change)
    };
    Ok(plans.into_iter().map(row).collect())
}

/// Changes the plan, and the one that was the default. Each change has its entry in the audit log.
async fn apply(
    client: &impl GenericClient,
    changed_by: ChangedBy<'_>,
    before: &Record,
    default: Option<Record>,
    wanted: ValidReceivingPlanForm,
) -> Result<()> {
    if wanted.default && !before.is_default {
        unset_default(client, changed_by.actor, default).await?;
    }
    let after = Record {
        description: wanted.description,
        flat_rate: wanted.flat_rate,
        is_default: wanted.default,
        active: wanted.active,
        ..before.clone()
    };
    if after != *before {
        save(client, changed_by, before, &after).await?;
    }
    Ok(())
}

/// Clears the flag of the plan that was the default. The table allows only one default.
async fn unset_default(client: &impl GenericClient, actor: Actor, default: Option<Record>) -> Result<()> {
    let Some(before) = default else {
        return Ok(());
    };
    let after = Record {
        is_default: false,
        ..before.clone()
    };
    save(client, ChangedBy::alone(actor), &before, &after).await
}

async fn save(
    client: &impl GenericClient,
    changed_by: ChangedBy<'_>,
    before: &Record,
    after: &Record,
) -> Result<()> {
    receiving_plan_update(client, after).await?;
    let (before, after, id) = (
        receiving_plan_fields(before),
        receiving_plan_fields(after),
        before.id,
    );
    let mut changes = changed(&after, &before);
    if let Some(name) = changed_by.requested_by {
        changes[REQUESTED_BY] = json!(name);
    }
    let change = Change {
        action: "update",
        subject: RECEIVING_PLAN.subject,
        subject_id: &id.to_string(),
        before: Some(changed(&before, &after)),
        after: Some(changes),
    };
    Ok(record(client, changed_by.actor, change).await?)
}
