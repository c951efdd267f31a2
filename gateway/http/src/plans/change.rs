//! Changes of sales plans: create, update, withdraw a scheduled version.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use chrono::{DateTime, TimeDelta, Utc};
use gateway_identity::audit::{Actor, Change, record};
use gateway_identity::users::StaffCaller;
use gateway_platform::plans::changes::{ChangedPlan, PlanChangeRecord};
use gateway_platform::plans::{
    NewPlan, PlanRecord, default_plan_of, default_plan_set, plan_create, plan_fetch, plan_lock,
    plan_offer_set, plan_solution, plan_touch, plan_update, plan_version_add, plan_version_withdraw,
};
use gateway_platform::validity::{Since, change_at};
use ledger_domain::PlanId;
use ledger_domain::fees::PlanTerms;
use ledger_domain::sale::Solution;
use serde_json::{Map, Value, json};
use tokio_postgres::GenericClient;

use super::audit::{PLAN, REQUESTED_BY, changed, check_revision, check_revision_of_request, plan_fields};
use super::bodies::form::PlanForm;
use super::bodies::plan::PlanDetail;
use super::form::{PlanChange, read};
use super::pending::{Requested, Update, names_of, needs_two_people, request, try_out, undo};
use super::staff::plan_detail;
use crate::AppState;
use crate::edge::{Id, IdempotentJson, Json};
use crate::problem::{Problem, Result};

/// Two rows that replace each other never start at the same instant.
const NEXT_INSTANT: TimeDelta = TimeDelta::microseconds(1);

/// Create a sales plan
///
/// Its first version is valid from `valid_from`, else from now. Taxa Efetiva needs `fees`, Taxa MDR the `mdr_…` fees.
/// While changes of plans need two people, a new plan becomes the default when a second one approves it.
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
    plan_offer_set(&*tx, id, form.offered).await?;
    let actor = Actor::Admin(caller.id);
    let waits = form.default && needs_two_people(&state, &*tx, now).await?;
    if form.default && !waits {
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
    if waits {
        let body = PlanForm {
            default: Some(true),
            ..PlanForm::default()
        };
        let wanted = read(body.clone(), id, Some(&made), now)?;
        let change = Wanted {
            before: &made,
            body,
            change: &wanted,
        };
        request_update(&*tx, &state, caller, change, now).await?;
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
/// Changes the given fields only. Changed terms are a new version, valid from `valid_from`, else from now; sales before
/// it keep theirs. It replaces a scheduled version. Fees that are left out stay as they are in the version in force, or
/// with `valid_from` in the scheduled version. Status and default change at once. While changes of plans need two
/// people, the answer is a 202: the plan stays as it is, and `pending_change` waits for another user's approval.
#[utoipa::path(
    patch, path = "/admin/plans/{id}", tag = "plans",
    responses(
        (status = 200, body = PlanDetail),
        (status = 202, body = PlanDetail, description = "The change waits for a second person"),
        (status = 409, description = "The plan was changed since the revision that the edit started from, or has a pending change"),
    )
)]
pub async fn update_plan(
    State(state): State<AppState>,
    caller: StaffCaller,
    Id(id): Id<PlanId>,
    Json(body): Json<PlanForm>,
) -> Result<(StatusCode, Json<PlanDetail>)> {
    let tx = state.begin().await?;
    caller.lock_and_check_allowed(&*tx).await?;
    let (before, now) = locked(&*tx, &state, id).await?;
    check_revision(&*tx, &PLAN, &id.to_string(), before.revision, body.revision).await?;
    let change = read(body.clone(), id, Some(&before), now)?;
    let (status, at) = if needs_two_people(&state, &*tx, now).await? {
        let wanted = Wanted {
            before: &before,
            body,
            change: &change,
        };
        let waits = request_update(&*tx, &state, caller, wanted, now).await?;
        (
            if waits {
                StatusCode::ACCEPTED
            } else {
                StatusCode::OK
            },
            now,
        )
    } else {
        let update = Update::by(Actor::Admin(caller.id));
        (StatusCode::OK, apply(&*tx, update, &before, &change, now).await?)
    };
    let detail = plan_detail(&*tx, id, at).await?;
    tx.commit().await?;
    Ok((status, Json(detail)))
}

/// Applies a requested change. It is read again, because rules depend on the time and on other plans.
pub(super) async fn approve(
    client: &impl GenericClient,
    state: &AppState,
    actor: Actor,
    id: PlanId,
    requested: &PlanChangeRecord,
) -> Result<()> {
    let (before, now) = locked(client, state, id).await?;
    check_revision_of_request(
        client,
        &PLAN,
        &id.to_string(),
        before.revision,
        requested.revision,
    )
    .await?;
    let mut body: PlanForm = serde_json::from_value(requested.form.clone()).map_err(Problem::internal)?;
    if body.valid_from.is_some_and(|from| from < now) {
        // Without a start, the fees that are left out would be those in force, and not the scheduled ones.
        body.valid_from = before.scheduled.is_some().then_some(now);
    }
    let change = read(body, id, Some(&before), now).map_err(outdated)?;
    let names = names_of(client, std::slice::from_ref(requested)).await?;
    let update = Update {
        actor,
        requested_by: names.get(&requested.requested_by).map(String::as_str),
    };
    let at = apply(client, update, &before, &change, now).await?;
    let (before, after) = (
        replaced_fields(&before, &change),
        plan_fields(&found(client, id, at).await?),
    );
    // Another version can have taken effect since: the form's other fees would then replace fees that nobody was shown.
    let is_as_shown = is_same_change(&changed(&before, &after), &requested.before)
        && is_same_change(&changed(&after, &before), &requested.after);
    if is_as_shown {
        Ok(())
    } else {
        Err(Problem::conflict(
            "O plano mudou desde o pedido, e o resultado seria outro. Rejeite o pedido e faça a mudança de novo.",
        ))
    }
}

/// What the change replaces. Fees without a start take the place of those in force, also if others are scheduled.
fn replaced_fields(before: &PlanRecord, change: &PlanChange) -> Map<String, Value> {
    if change.valid_from.is_some() || !change.gives_terms || before.current.is_none() {
        return plan_fields(before);
    }
    plan_fields(&PlanRecord {
        scheduled: None,
        ..before.clone()
    })
}

/// Whether the same fields have the same values, but for the version's number and start.
fn is_same_change(one: &Value, other: &Value) -> bool {
    let fields = |change: &Value| {
        let mut fields = change.as_object().cloned().unwrap_or_default();
        fields.retain(|field, _| !matches!(field.as_str(), "version" | "valid_from"));
        fields
    };
    fields(one) == fields(other)
}

/// The fields of a request that rules forbid by now have no form that could show them.
pub(super) fn outdated(problem: Problem) -> Problem {
    if problem.errors.is_empty() {
        return problem;
    }
    let reasons: Vec<_> = problem.errors.into_values().flatten().collect();
    Problem::conflict(format!(
        "Este pedido não pode mais ser aprovado: {}",
        reasons.join(" ")
    ))
}

struct Wanted<'a> {
    before: &'a PlanRecord,
    body: PlanForm,
    change: &'a PlanChange,
}

/// Requests the change from a second person. Returns false if it changes nothing.
async fn request_update(
    client: &impl GenericClient,
    state: &AppState,
    caller: StaffCaller,
    wanted: Wanted<'_>,
    now: DateTime<Utc>,
) -> Result<bool> {
    let Wanted { before, body, change } = wanted;
    try_out(client).await?;
    let update = Update::by(Actor::Admin(caller.id));
    let at = apply(client, update, before, change, now).await?;
    let mut after = plan_fields(&found(client, before.id, at).await?);
    undo(client).await?;
    let mut before_fields = replaced_fields(before, change);
    if change.valid_from.is_none() {
        // It takes effect at the approval, and not at the time of the request.
        for fields in [&mut before_fields, &mut after] {
            fields.remove("valid_from");
        }
    }
    let requested = Requested {
        id: state.ids.new_uuid(),
        plan: ChangedPlan::Sales(before.id),
        revision: before.revision,
        form: serde_json::to_value(&body).map_err(Problem::internal)?,
        before: before_fields,
        after,
    };
    request(client, caller.id, now, requested).await
}

/// Changes the plan and writes the audit log. Returns the instant from which the change shows.
async fn apply(
    client: &impl GenericClient,
    update: Update<'_>,
    before: &PlanRecord,
    change: &PlanChange,
    now: DateTime<Utc>,
) -> Result<DateTime<Utc>> {
    let id = before.id;
    let starts = change_version(client, before, change, now).await?;
    let keeps_schedule = before.scheduled.is_some() && !change.gives_terms;
    let at = starts
        .filter(|_| change.valid_from.is_none() && !keeps_schedule)
        .unwrap_or(now)
        .max(now);
    if starts.is_some()
        || change.description != before.description
        || (change.active, change.default, change.offered)
            != (before.active, before.is_default, before.offered)
    {
        plan_update(client, id, &change.description, change.active, change.offered).await?;
        if change.default && !before.is_default {
            set_default(client, update.actor, change.solution, id, now).await?;
        }
        record_update(client, update, "update", before, at).await?;
    }
    Ok(at)
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
    let update = Update::by(Actor::Admin(caller.id));
    record_update(&*tx, update, "withdraw", &before, now).await?;
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
    update: Update<'_>,
    action: &str,
    before: &PlanRecord,
    at: DateTime<Utc>,
) -> Result<()> {
    let after = plan_fields(&found(client, before.id, at).await?);
    let before_fields = plan_fields(before);
    let mut changes = changed(&after, &before_fields);
    if let Some(name) = update.requested_by {
        changes[REQUESTED_BY] = json!(name);
    }
    let change = Change {
        action,
        subject: PLAN.subject,
        subject_id: &before.id.to_string(),
        before: Some(changed(&before_fields, &after)),
        after: Some(changes),
    };
    Ok(record(client, update.actor, change).await?)
}
