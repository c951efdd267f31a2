//! Changes of sales plans: create, update, withdraw a scheduled version.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use chrono::{DateTime, TimeDelta, Utc};
use gateway_identity::audit::{Actor, Change, record};
use gateway_identity::users::StaffCaller;
use gateway_platform::plans::{
    NewPlan, PlanRecord, default_plan_of, default_plan_set, plan_create, plan_fetch, plan_lock,
    plan_solution, plan_touch, plan_update, plan_version_add, plan_version_withdraw,
};
use gateway_platform::validity::{Since, change_at};
use ledger_domain::PlanId;
use ledger_domain::fees::PlanTerms;
use ledger_domain::sale::Solution;
use serde_json::json;
use tokio_postgres::GenericClient;

use super::audit::{PLAN, changed, check_revision, plan_fields};
use super::bodies::form::PlanForm;
use super::bodies::plan::PlanDetail;
use super::form::{PlanChange, read};
use super::staff::plan_detail;
use crate::AppState;
use crate::edge::{Id, IdempotentJson, Json};
use crate::problem::{Problem, Result};

/// Two rows that replace each other never start at the same instant.
const NEXT_INSTANT: TimeDelta = TimeDelta::microseconds(1);

/// Create a sales plan
///
/// Its first version is valid from `valid_from`, else from now. Taxa Efetiva needs `fees`, Taxa MDR the `mdr_…` fees.
#[utoipa::path(
    post, path = "/admin/plans", tag = "plans",
    responses((status = 201, body = PlanDetail))
)]
pub async fn create_plan(
    State(state): State<AppState>,
    caller: StaffCaller,
    IdempotentJson { body, idempotency }: IdempotentJson<PlanForm>,
) -> Result<Response> {
    let id = PlanId::from_uuid(state.ids.new_uuid());
    let now = state.clock.now();
    let form = read(body, id, None, now)?;
    let tx = state.begin().await?;
    if let Some(answer) = idempotency.replayed_answer(&tx).await? {
        return Ok(answer);
    }
    caller.lock_and_check_allowed(&*tx).await?;
    plan_lock(&*tx, form.solution).await?;
    change_at(&*tx, now).await?;
    let new = NewPlan {
        id,
        description: form.description.clone(),
        solution: form.solution,
        active: form.active,
    };
    plan_create(&*tx, &new).await?;
    let first = PlanTerms {
        version: 1,
        ..form.terms
    };
    let valid_from = form.valid_from.unwrap_or(now);
    plan_version_add(&*tx, &first, Since::At(valid_from)).await?;
    let actor = Actor::Admin(caller.id);
    if form.default {
        set_default(&*tx, actor, form.solution, id, now).await?;
    }
    let made = found(&*tx, id, now).await?;
    let change = Change {
        action: "create",
        subject: PLAN.subject,
        subject_id: &id.to_string(),
        before: None,
        after: Some(plan_fields(&made).into()),
    };
    record(&*tx, actor, change).await?;
    let detail = plan_detail(&*tx, id, now).await?;
    let answer = idempotency
        .store_answer(&tx, StatusCode::CREATED, &detail)
        .await?;
    tx.commit().await?;
    Ok(answer)
}

/// Update a sales plan
///
/// Changes the given fields only. Changed terms are a new version, valid from `valid_from`, else from now; sales before
/// it keep theirs. It replaces a scheduled version. Fees that are left out stay as they are in the version in force, or
/// with `valid_from` in the scheduled version. Status and default change at once.
#[utoipa::path(
    patch, path = "/admin/plans/{id}", tag = "plans",
    responses(
        (status = 200, body = PlanDetail),
        (status = 409, description = "The plan was changed since the revision that the edit started from"),
    )
)]
pub async fn update_plan(
    State(state): State<AppState>,
    caller: StaffCaller,
    Id(id): Id<PlanId>,
    Json(body): Json<PlanForm>,
) -> Result<Json<PlanDetail>> {
    let tx = state.begin().await?;
    caller.lock_and_check_allowed(&*tx).await?;
    let (before, now) = locked(&*tx, &state, id).await?;
    check_revision(&*tx, &PLAN, &id.to_string(), before.revision, body.revision).await?;
    let form = read(body, id, Some(&before), now)?;
    let actor = Actor::Admin(caller.id);
    let starts = change_version(&*tx, &before, &form, now).await?;
    let keeps_schedule = before.scheduled.is_some() && !form.gives_terms;
    let at = starts
        .filter(|_| form.valid_from.is_none() && !keeps_schedule)
        .unwrap_or(now)
        .max(now);
    if starts.is_some()
        || form.description != before.description
        || (form.active, form.default) != (before.active, before.is_default)
    {
        plan_update(&*tx, id, &form.description, form.active).await?;
        if form.default && !before.is_default {
            set_default(&*tx, actor, form.solution, id, now).await?;
        }
        record_update(&*tx, actor, "update", &before, at).await?;
    }
    let detail = plan_detail(&*tx, id, at).await?;
    tx.commit().await?;
    Ok(Json(detail))
}

/// Withdraw the scheduled version of a sales plan
///
/// The version in force stays. Only possible before the scheduled version takes effect.
#[utoipa::path(
    delete, path = "/admin/plans/{id}/scheduled", tag = "plans",
    responses(
        (status = 200, body = PlanDetail),
        (status = 409, description = "The plan has no scheduled version, or no other version"),
    )
)]
pub async fn withdraw_scheduled_version(
    State(state): State<AppState>,
    caller: StaffCaller,
    Id(id): Id<PlanId>,
) -> Result<Json<PlanDetail>> {
    let tx = state.begin().await?;
    caller.lock_and_check_allowed(&*tx).await?;
    let (before, now) = locked(&*tx, &state, id).await?;
    let Some(scheduled) = &before.scheduled else {
        return Err(Problem::conflict("Este plano não tem mudança agendada."));
    };
    if before.current.is_none() {
        let message =
            "Esta é a primeira versão do plano. Em vez de retirá-la, mude a data ou inative o plano.";
        return Err(Problem::conflict(message));
    }
    plan_version_withdraw(&*tx, &scheduled.terms.plan_ref(), now).await?;
    plan_touch(&*tx, id).await?;
    record_update(&*tx, Actor::Admin(caller.id), "withdraw", &before, now).await?;
    let detail = plan_detail(&*tx, id, now).await?;
    tx.commit().await?;
    Ok(Json(detail))
}

/// The plan, locked with the others of its solution, and the time of the change. The time is read under the lock, so
/// that changes have the order of their times.
async fn locked(
    client: &impl GenericClient,
    state: &AppState,
    id: PlanId,
) -> Result<(PlanRecord, DateTime<Utc>)> {
    let solution = plan_solution(client, id).await?.ok_or_else(Problem::not_found)?;
    plan_lock(client, solution).await?;
    let now = state.clock.now();
    change_at(client, now).await?;
    Ok((found(client, id, now).await?, now))
}

async fn found(client: &impl GenericClient, id: PlanId, at: DateTime<Utc>) -> Result<PlanRecord> {
    plan_fetch(client, id, at).await?.ok_or_else(Problem::not_found)
}

/// Adds a version if the terms or the day of the scheduled version changed, and returns its start.
async fn change_version(
    client: &impl GenericClient,
    before: &PlanRecord,
    form: &PlanChange,
    now: DateTime<Utc>,
) -> Result<Option<DateTime<Utc>>> {
    let version = before.last_version + 1;
    let terms = PlanTerms {
        version,
        ..form.terms.clone()
    };
    let same_terms = form.base(before).is_some_and(|base| {
        let base = PlanTerms {
            version,
            ..base.terms.clone()
        };
        base == terms
    });
    let rescheduled = form
        .valid_from
        .zip(before.scheduled.as_ref())
        .is_some_and(|(wanted, scheduled)| wanted != scheduled.valid_from);
    if same_terms && !rescheduled {
        return Ok(None);
    }
    if let Some(scheduled) = &before.scheduled {
        plan_version_withdraw(client, &scheduled.terms.plan_ref(), now).await?;
    }
    let earliest = before
        .current
        .as_ref()
        .map_or(now, |current| now.max(current.valid_from + NEXT_INSTANT));
    let kept = before.scheduled.as_ref().filter(|_| !form.gives_terms);
    let starts = form.valid_from.or(kept.map(|scheduled| scheduled.valid_from));
    let starts = starts.unwrap_or(earliest).max(earliest);
    plan_version_add(client, &terms, Since::At(starts)).await?;
    Ok(Some(starts))
}

/// Moves the default of the solution to the plan. The log of the plan that was the default says so.
async fn set_default(
    client: &impl GenericClient,
    actor: Actor,
    solution: Solution,
    plan: PlanId,
    now: DateTime<Utc>,
) -> Result<()> {
    let replaced = default_plan_of(client, solution).await?;
    let starts = replaced.map_or(now, |(_, since)| now.max(since + NEXT_INSTANT));
    default_plan_set(client, solution, plan, Since::At(starts)).await?;
    let Some((replaced, _)) = replaced.filter(|(replaced, _)| *replaced != plan) else {
        return Ok(());
    };
    plan_touch(client, replaced).await?;
    let change = Change {
        action: "update",
        subject: PLAN.subject,
        subject_id: &replaced.to_string(),
        before: Some(json!({ "default": true })),
        after: Some(json!({ "default": false })),
    };
    Ok(record(client, actor, change).await?)
}

async fn record_update(
    client: &impl GenericClient,
    actor: Actor,
    action: &str,
    before: &PlanRecord,
    at: DateTime<Utc>,
) -> Result<()> {
    let after = plan_fields(&found(client, before.id, at).await?);
    let before_fields = plan_fields(before);
    let change = Change {
        action,
        subject: PLAN.subject,
        subject_id: &before.id.to_string(),
        before: Some(changed(&before_fields, &after)),
        after: Some(changed(&after, &before_fields)),
    };
    Ok(record(client, actor, change).await?)
}
