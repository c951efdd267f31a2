//! Changes of sales plans by staff, in the caller's transaction: the plan's version, its flags, the default, and the
//! audit log. While the setting asks for two people, a change becomes a request (`requests`).

use chrono::{DateTime, TimeDelta, Utc};
use gateway_environment::clock::BusinessClock;
use gateway_environment::ids::Ids;
use ledger_domain::PlanId;
use ledger_domain::fees::PlanTerms;
use ledger_domain::ids::UserId;
use ledger_domain::sale::Solution;
use serde_json::json;
use tokio_postgres::GenericClient;
use uuid::Uuid;

use super::changes::ChangedPlan;
use super::form::{PlanForm, ValidPlanForm, read};
use super::log::{ChangedBy, PLAN, plan_fields};
use super::refusal::{PlanRefusal, Result, check_revision};
use super::requests::{RequestedForm, request_update, request_withdraw_scheduled};
use super::{
    NewPlan, PlanRecord, default_plan_of, default_plan_set, plan_create, plan_fetch, plan_offer_set,
    plan_solution, plan_touch, plan_update, plan_version_add, plan_version_withdraw, solution_plans_lock,
};
use crate::audit::{Actor, Change, changed, record};
use crate::settings::records::settings_lock_for_decision;
use crate::settings::{PlatformSettings, platform_settings_at};
use crate::validity::{Since, set_business_now};

/// PostgreSQL's precision of time. A row starts at least this long after the row that it replaces.
pub(super) const NEXT_INSTANT: TimeDelta = TimeDelta::microseconds(1);

/// The member of staff who changes plans, and what a change needs of the program.
#[derive(Debug, Clone, Copy)]
pub struct Editor<'a> {
    pub user: UserId,
    pub clock: BusinessClock,
    pub ids: &'a Ids,
    /// The settings of an installation whose staff have set none.
    pub default_settings: PlatformSettings,
}

/// What became of a change.
#[derive(Debug, Clone, Copy)]
pub struct Edited {
    /// The request, if the change waits for a second person.
    pub requested: Option<Uuid>,
    /// The instant at which a reader of the plan sees the change. It is later than now if the new version cannot start
    /// now, because the version in force started in the same microsecond.
    pub at: DateTime<Utc>,
}

impl Editor<'_> {
    pub(super) const fn actor(&self) -> Actor {
        Actor::Admin(self.user)
    }

    /// Whether the setting in force asks for a second person. Waits for a change of the setting that is not committed
    /// yet.
    pub(super) async fn needs_two_people(&self, client: &impl GenericClient) -> Result<bool> {
        settings_lock_for_decision(client).await?;
        let settings = platform_settings_at(client, self.default_settings, self.clock.now()).await?;
        Ok(settings.two_person_plan_changes)
    }
}

/// Adds a plan. If a plan that is to be active waits for a second person, it is inactive, so that no company can get it,
/// and its activation is requested.
pub async fn create(
    client: &impl GenericClient,
    editor: Editor<'_>,
    id: PlanId,
    form: PlanForm,
) -> Result<Edited> {
    let now = editor.clock.now();
    let form = read(form, id, None, now)?;
    solution_plans_lock(client, form.solution).await?;
    let waits = form.active && editor.needs_two_people(client).await?;
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
            set_default(client, editor.actor(), form.solution, id, now).await?;
        }
    }
    let added = found(client, id, now).await?;
    let entry = Change {
        action: "create",
        subject: PLAN,
        subject_id: &id.to_string(),
        before: None,
        after: Some(plan_fields(&added).into()),
    };
    record(client, editor.actor(), entry).await?;
    let requested = if waits {
        request_activation(client, editor, &added, &form, now).await?
    } else {
        None
    };
    Ok(Edited { requested, at: now })
}

/// Requests that a new plan becomes active, with the flags of its form.
async fn request_activation(
    client: &impl GenericClient,
    editor: Editor<'_>,
    before: &PlanRecord,
    form: &ValidPlanForm,
    now: DateTime<Utc>,
) -> Result<Option<Uuid>> {
    let form = PlanForm {
        active: Some(true),
        default: form.default.then_some(true),
        offered: form.offered.then_some(true),
        ..PlanForm::default()
    };
    let change = read(form.clone(), before.id, Some(before), now)?;
    let requested = RequestedForm {
        before,
        form,
        change: &change,
    };
    request_update(client, editor, requested, now).await
}

/// Changes the given fields of the form, or requests the change.
pub async fn update(
    client: &impl GenericClient,
    editor: Editor<'_>,
    id: PlanId,
    form: PlanForm,
) -> Result<Edited> {
    let (before, now) = locked(client, editor.clock, id).await?;
    check_revision(ChangedPlan::Sales(id), before.revision, form.revision)?;
    let change = read(form.clone(), id, Some(&before), now)?;
    if editor.needs_two_people(client).await? {
        let requested = RequestedForm {
            before: &before,
            form,
            change: &change,
        };
        let requested = request_update(client, editor, requested, now).await?;
        return Ok(Edited { requested, at: now });
    }
    let at = apply(client, ChangedBy::alone(editor.actor()), &before, &change, now).await?;
    Ok(Edited { requested: None, at })
}

/// Withdraws the scheduled version, or requests it. The version in force stays.
pub async fn withdraw(client: &impl GenericClient, editor: Editor<'_>, id: PlanId) -> Result<Edited> {
    let (before, now) = locked(client, editor.clock, id).await?;
    let requested = if editor.needs_two_people(client).await? {
        request_withdraw_scheduled(client, editor, &before, now).await?
    } else {
        withdraw_scheduled(client, ChangedBy::alone(editor.actor()), &before, now).await?;
        None
    };
    Ok(Edited { requested, at: now })
}

/// The plan, locked with the others of its solution, and the time of the change. The time is read under the lock, so
/// that changes have the order of their times.
pub(super) async fn locked(
    client: &impl GenericClient,
    clock: BusinessClock,
    id: PlanId,
) -> Result<(PlanRecord, DateTime<Utc>)> {
    let solution = plan_solution(client, id).await?.ok_or(PlanRefusal::NotFound)?;
    solution_plans_lock(client, solution).await?;
    let now = clock.now();
    set_business_now(client, now).await?;
    Ok((found(client, id, now).await?, now))
}

pub(super) async fn found(client: &impl GenericClient, id: PlanId, at: DateTime<Utc>) -> Result<PlanRecord> {
    Ok(plan_fetch(client, id, at).await?.ok_or(PlanRefusal::NotFound)?)
}

/// Changes the plan and writes the audit log. Returns the instant at which a reader of the plan sees the change.
pub(super) async fn apply(
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
pub(super) async fn withdraw_scheduled(
    client: &impl GenericClient,
    changed_by: ChangedBy<'_>,
    before: &PlanRecord,
    now: DateTime<Utc>,
) -> Result<()> {
    let Some(scheduled) = &before.scheduled else {
        return Err(PlanRefusal::NothingScheduled.into());
    };
    if before.current.is_none() {
        return Err(PlanRefusal::FirstVersion.into());
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
        subject: PLAN,
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
    let (was, is) = (
        plan_fields(before),
        plan_fields(&found(client, before.id, at).await?),
    );
    let change = Change {
        action,
        subject: PLAN,
        subject_id: &before.id.to_string(),
        before: Some(changed(&was, &is)),
        after: Some(changed(&is, &was)),
    };
    Ok(changed_by.record(client, change).await?)
}
