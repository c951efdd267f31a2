//! A change of a sales plan, in the caller's transaction: its version, its flags, the default, and the audit log.

use chrono::{DateTime, TimeDelta, Utc};
use gateway_identity::audit::{Actor, Change, record};
use gateway_platform::plans::{
    PlanRecord, default_plan_of, default_plan_set, plan_fetch, plan_solution, plan_touch, plan_update,
    plan_version_add, plan_version_withdraw, solution_plans_lock,
};
use gateway_platform::validity::{Since, set_business_now};
use ledger_domain::PlanId;
use ledger_domain::fees::PlanTerms;
use ledger_domain::sale::Solution;
use serde_json::json;
use tokio_postgres::GenericClient;

use super::audit::{PLAN, REQUESTED_BY, changed, plan_fields};
use super::form::ValidPlanForm;
use super::pending::ChangedBy;
use crate::AppState;
use crate::problem::{Problem, Result};

/// PostgreSQL's precision of time. A row starts at least this long after the row that it replaces.
pub const NEXT_INSTANT: TimeDelta = TimeDelta::microseconds(1);

/// The plan, locked with the others of its solution, and the time of the change. The time is read under the lock, so
/// that changes have the order of their times.
pub(crate) async fn locked(
    client: &impl GenericClient,
    state: &AppState,
    id: PlanId,
) -> Result<(PlanRecord, DateTime<Utc>)> {
    let solution = plan_solution(client, id).await?.ok_or_else(Problem::not_found)?;
    solution_plans_lock(client, solution).await?;
    let now = state.clock.now();
    set_business_now(client, now).await?;
    Ok((found(client, id, now).await?, now))
}

pub(crate) async fn found(client: &impl GenericClient, id: PlanId, at: DateTime<Utc>) -> Result<PlanRecord> {
    plan_fetch(client, id, at).await?.ok_or_else(Problem::not_found)
}

/// Changes the plan and writes the audit log. Returns the instant at which a reader of the plan sees the change. It is
/// later than now if the new version cannot start now, because the version in force started in the same microsecond.
pub(crate) async fn apply(
    client: &impl GenericClient,
    changed_by: ChangedBy<'_>,
    before: &PlanRecord,
    change: &ValidPlanForm,
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
            set_default(client, changed_by.actor, change.solution, id, now).await?;
        }
        record_update(client, changed_by, "update", before, at).await?;
    }
    Ok(at)
}

/// Withdraws the scheduled version. The version in force stays.
pub(crate) async fn withdraw_scheduled(
    client: &impl GenericClient,
    changed_by: ChangedBy<'_>,
    before: &PlanRecord,
    now: DateTime<Utc>,
) -> Result<()> {
    let Some(scheduled) = &before.scheduled else {
        return Err(Problem::conflict("Este plano não tem mudança agendada."));
    };
    if before.current.is_none() {
        let message =
            "Esta é a primeira versão do plano. Em vez de retirá-la, mude a data ou inative o plano.";
        return Err(Problem::conflict(message));
    }
    plan_version_withdraw(client, &scheduled.terms.plan_ref(), now).await?;
    plan_touch(client, before.id).await?;
    record_update(client, changed_by, "withdraw", before, now).await
}

/// Adds a version if the terms or the day of the scheduled version changed, and returns its start.
async fn change_version(
    client: &impl GenericClient,
    before: &PlanRecord,
    form: &ValidPlanForm,
    now: DateTime<Utc>,
) -> Result<Option<DateTime<Utc>>> {
    let version = before.last_version + 1;
    let terms = PlanTerms {
        version,
        ..form.terms.clone()
    };
    let same_terms = form.base_version(before).is_some_and(|base| {
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

/// Moves the default of the solution to the plan. The replaced plan has its own entry in the audit log.
pub(crate) async fn set_default(
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
    changed_by: ChangedBy<'_>,
    action: &str,
    before: &PlanRecord,
    at: DateTime<Utc>,
) -> Result<()> {
    let after = plan_fields(&found(client, before.id, at).await?);
    let before_fields = plan_fields(before);
    let mut changes = changed(&after, &before_fields);
    if let Some(name) = changed_by.requested_by {
        changes[REQUESTED_BY] = json!(name);
    }
    let change = Change {
        action,
        subject: PLAN.subject,
        subject_id: &before.id.to_string(),
        before: Some(changed(&before_fields, &after)),
        after: Some(changes),
    };
    Ok(record(client, changed_by.actor, change).await?)
}
