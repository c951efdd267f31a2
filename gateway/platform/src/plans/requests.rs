//! Changes of plans that wait for a second person. They are requested instead of made while the setting requires two
//! people: the request, its approval and the other decisions.

use chrono::{DateTime, Utc};
use gateway_environment::clock::BusinessClock;
use ledger_domain::PlanId;
use ledger_domain::ids::UserId;
use serde_json::{Map, Value, json};
use tokio_postgres::GenericClient;
use uuid::Uuid;

use super::changes::{
    ChangedPlan, Decision, NewPlanChange, PlanChangeRecord, PlanChangeStatus, Verdict, change_decide,
    change_locked, change_pending, change_request,
};
use super::edit::{Editor, apply, found, locked, withdraw_scheduled};
use super::form::{PlanForm, ValidPlanForm, read};
use super::log::{ChangedBy, PLAN_CHANGE, plan_fields};
use super::refusal::{PlanRefusal, Result, check_revision_of_request};
use super::{PlanRecord, default_plan_of, receiving};
use crate::audit::{Actor, Change, changed, record};

/// The only field of the form of a request to withdraw the scheduled version. Other requests have a `PlanForm`.
const WITHDRAW_SCHEDULED: &str = "withdraw_scheduled";

/// A change to request, with all values of the plan before and after it.
pub(super) struct Requested {
    pub plan: ChangedPlan,
    pub revision: i32,
    pub form: Value,
    pub before: Map<String, Value>,
    pub after: Map<String, Value>,
    /// The default at the time of the request, if the plan is to take its place.
    pub replaces_default: Option<Uuid>,
}

/// The plan before the change, the form as it arrived, and the form after its validation.
pub(super) struct RequestedForm<'a> {
    pub before: &'a PlanRecord,
    pub form: PlanForm,
    pub change: &'a ValidPlanForm,
}

/// Begins a trial: changes whose effects are read, and which `undo_trial` takes back. The transaction continues.
pub(super) async fn begin_trial(client: &impl GenericClient) -> Result<()> {
    Ok(client.batch_execute("SAVEPOINT begin_trial").await?)
}

pub(super) async fn undo_trial(client: &impl GenericClient) -> Result<()> {
    Ok(client.batch_execute("ROLLBACK TO SAVEPOINT begin_trial").await?)
}

/// Returns the id of the request. `None` if the change changes nothing.
pub(super) async fn request(
    client: &impl GenericClient,
    editor: Editor<'_>,
    at: DateTime<Utc>,
    requested: Requested,
) -> Result<Option<Uuid>> {
    let Requested { before, after, .. } = requested;
    if before == after {
        return Ok(None);
    }
    let new = NewPlanChange {
        id: editor.ids.new_uuid(),
        plan: requested.plan,
        revision: requested.revision,
        form: requested.form,
        before: changed(&before, &after),
        after: changed(&after, &before),
        replaces_default: requested.replaces_default,
        requested_by: editor.user,
        requested_at: at,
    };
    if !change_request(client, &new).await? {
        let pending = change_pending(client, requested.plan).await?;
        return Err(PlanRefusal::ChangePending(pending.map(|pending| pending.requested_by)).into());
    }
    let change = Change {
        action: "request",
        subject: PLAN_CHANGE,
        subject_id: &new.id.to_string(),
        before: Some(new.before),
        after: Some(new.after),
    };
    record(client, editor.actor(), change).await?;
    Ok(Some(new.id))
}

/// Requests the change from a second person. `None` if it changes nothing.
pub(super) async fn request_update(
    client: &impl GenericClient,
    editor: Editor<'_>,
    requested_form: RequestedForm<'_>,
    now: DateTime<Utc>,
) -> Result<Option<Uuid>> {
    let RequestedForm { before, form, change } = requested_form;
    let default = default_plan_of(client, before.solution).await?;
    begin_trial(client).await?;
    let changed_by = ChangedBy::alone(editor.actor());
    let at = apply(client, changed_by, before, change, now).await?;
    let mut after = plan_fields(&found(client, before.id, at).await?);
    undo_trial(client).await?;
    let mut before_fields = replaced_fields(before, change);
    if change.valid_from.is_none() {
        // It takes effect at the approval, and not at the time of the request.
        for fields in [&mut before_fields, &mut after] {
            fields.remove("valid_from");
        }
    }
    let requested = Requested {
        plan: ChangedPlan::Sales(before.id),
        revision: before.revision,
        form: serde_json::to_value(&form)?,
        before: before_fields,
        after,
        replaces_default: default.map(|(plan, _)| plan.uuid()).filter(|_| change.default),
    };
    request(client, editor, now, requested).await
}

/// Requests from a second person that the scheduled version is withdrawn.
pub(super) async fn request_withdraw_scheduled(
    client: &impl GenericClient,
    editor: Editor<'_>,
    before: &PlanRecord,
    now: DateTime<Utc>,
) -> Result<Option<Uuid>> {
    begin_trial(client).await?;
    withdraw_scheduled(client, ChangedBy::alone(editor.actor()), before, now).await?;
    let after = plan_fields(&found(client, before.id, now).await?);
    undo_trial(client).await?;
    let requested = Requested {
        plan: ChangedPlan::Sales(before.id),
        revision: before.revision,
        form: json!({ WITHDRAW_SCHEDULED: true }),
        before: plan_fields(before),
        after,
        replaces_default: None,
    };
    request(client, editor, now, requested).await
}

/// The pending change, locked until the end of the transaction.
pub async fn change_to_decide(client: &impl GenericClient, id: Uuid) -> Result<PlanChangeRecord> {
    let change = change_locked(client, id).await?.ok_or(PlanRefusal::NotFound)?;
    match change.status {
        PlanChangeStatus::Pending => Ok(change),
        decided => Err(PlanRefusal::Decided(decided).into()),
    }
}

impl PlanChangeRecord {
    /// Another person than the requester approves and rejects, and the requester withdraws. The user counts, and not the
    /// roles: a requester who has other roles by now is still the same person.
    pub fn check_decider(&self, user: UserId, verdict: Verdict) -> Result<()> {
        let is_own = self.requested_by == user;
        match verdict {
            Verdict::Withdraw if !is_own => Err(PlanRefusal::RequestOfOther.into()),
            Verdict::Approve | Verdict::Reject if is_own => Err(PlanRefusal::OwnRequest(verdict).into()),
            Verdict::Approve | Verdict::Reject | Verdict::Withdraw => Ok(()),
        }
    }
}

/// Applies a requested change. `requester` is the requester's name.
pub async fn apply_requested(
    client: &impl GenericClient,
    clock: BusinessClock,
    by: UserId,
    requested: &PlanChangeRecord,
    requester: Option<&str>,
) -> Result<()> {
    let changed_by = ChangedBy {
        actor: Actor::Admin(by),
        requested_by: requester,
    };
    match requested.plan {
        ChangedPlan::Sales(plan) => approve(client, clock, changed_by, plan, requested).await,
        ChangedPlan::Receiving(plan) => receiving::edit::approve(client, changed_by, plan, requested).await,
    }
}

/// Stores the decision, and returns the decided change.
pub async fn decide(
    client: &impl GenericClient,
    change: PlanChangeRecord,
    decision: Decision,
) -> Result<PlanChangeRecord> {
    let status = decision.verdict.status();
    change_decide(client, change.id, &decision).await?;
    let entry = Change {
        action: decision.verdict.action(),
        subject: PLAN_CHANGE,
        subject_id: &change.id.to_string(),
        before: Some(json!({ "status": PlanChangeStatus::Pending })),
        after: Some(json!({ "status": status, "reason": decision.reason })),
    };
    record(client, Actor::Admin(decision.by), entry).await?;
    Ok(PlanChangeRecord {
        status,
        decided_by: Some(decision.by),
        decided_at: Some(decision.at),
        reason: decision.reason,
        ..change
    })
}

/// Applies the requested change of a sales plan. Its form is validated again, because rules depend on the time and on
/// other plans.
async fn approve(
    client: &impl GenericClient,
    clock: BusinessClock,
    changed_by: ChangedBy<'_>,
    id: PlanId,
    requested: &PlanChangeRecord,
) -> Result<()> {
    let (before, now) = locked(client, clock, id).await?;
    check_revision_of_request(requested.plan, before.revision, requested.revision)?;
    if requested.form.get(WITHDRAW_SCHEDULED).is_some() {
        return withdraw_scheduled(client, changed_by, &before, now).await;
    }
    let mut form: PlanForm = serde_json::from_value(requested.form.clone())?;
    if form.valid_from.is_some_and(|from| from < now) {
        // Without a start, fees that the form leaves out would come from those in force, not from the scheduled ones.
        form.valid_from = before.scheduled.is_some().then_some(now);
    }
    let change = read(form, id, Some(&before), now).map_err(PlanRefusal::RequestInvalid)?;
    if change.default && !before.is_default {
        check_default(client, &before, requested, now).await?;
    }
    let at = apply(client, changed_by, &before, &change, now).await?;
    let (before, after) = (
        replaced_fields(&before, &change),
        plan_fields(&found(client, id, at).await?),
    );
    // Another version can have taken effect since. Fees of the form that changed nothing at the request would then
    // replace fees that the approver did not see.
    let is_as_shown = is_same_change(&changed(&before, &after), &requested.before)
        && is_same_change(&changed(&after, &before), &requested.after);
    if is_as_shown {
        Ok(())
    } else {
        Err(PlanRefusal::OtherResult.into())
    }
}

async fn check_default(
    client: &impl GenericClient,
    before: &PlanRecord,
    requested: &PlanChangeRecord,
    now: DateTime<Utc>,
) -> Result<()> {
    let default = match default_plan_of(client, before.solution).await? {
        Some((plan, _)) => Some(found(client, plan, now).await?),
        None => None,
    };
    let default = default.as_ref();
    check_default_of_request(
        requested,
        default.map(|plan| (plan.id.uuid(), plan.description.as_str())),
    )
}

/// The fields that the change replaces. Fees without a start take the place of those in force, also if others are
/// scheduled. A plan that becomes active replaces no terms: all its terms begin to count.
fn replaced_fields(before: &PlanRecord, change: &ValidPlanForm) -> Map<String, Value> {
    let scheduled = before
        .scheduled
        .clone()
        .filter(|_| change.valid_from.is_some() || !change.gives_terms || before.current.is_none());
    let is_activation = change.active && !before.active;
    plan_fields(&PlanRecord {
        scheduled: scheduled.filter(|_| !is_activation),
        current: before.current.clone().filter(|_| !is_activation),
        ..before.clone()
    })
}

/// Refuses an approval if another plan became the default after the request.
pub(super) fn check_default_of_request(
    requested: &PlanChangeRecord,
    default: Option<(Uuid, &str)>,
) -> Result<()> {
    if default.map(|(plan, _)| plan) == requested.replaces_default {
        return Ok(());
    }
    Err(PlanRefusal::DefaultChanged(default.map(|(_, name)| name.to_owned())).into())
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
