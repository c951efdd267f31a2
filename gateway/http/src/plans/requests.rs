//! Changes of sales plans that wait for a second person: the request, and its approval.

use chrono::{DateTime, Utc};
use gateway_identity::audit::Actor;
use gateway_identity::users::StaffCaller;
use gateway_platform::plans::changes::{ChangedPlan, PlanChangeRecord};
use gateway_platform::plans::{PlanRecord, default_plan_of};
use ledger_domain::PlanId;
use serde_json::{Map, Value, json};
use tokio_postgres::GenericClient;
use uuid::Uuid;

use super::apply::{apply, found, locked, withdraw_scheduled};
use super::audit::{PLAN, changed, check_revision_of_request, plan_fields};
use super::bodies::form::PlanForm;
use super::form::{ValidPlanForm, read};
use super::pending::{
    ChangedBy, Requested, begin_trial, check_default_of_request, is_same_change, names_of, outdated, request,
    undo_trial,
};
use crate::AppState;
use crate::problem::{Problem, Result};

/// The only field of the form of a request to withdraw the scheduled version. Other requests have a `PlanForm`.
const WITHDRAW_SCHEDULED: &str = "withdraw_scheduled";

/// The plan before the change, the form as it arrived, and the form after its validation.
pub struct RequestedForm<'a> {
    pub before: &'a PlanRecord,
    pub body: PlanForm,
    pub change: &'a ValidPlanForm,
}

/// Requests the change from a second person. `None` if it changes nothing.
pub(crate) async fn request_update(
    client: &impl GenericClient,
    state: &AppState,
    caller: StaffCaller,
    requested_form: RequestedForm<'_>,
    now: DateTime<Utc>,
) -> Result<Option<Uuid>> {
    let RequestedForm { before, body, change } = requested_form;
    let default = default_plan_of(client, before.solution).await?;
    begin_trial(client).await?;
    let changed_by = ChangedBy::alone(Actor::Admin(caller.id));
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
        id: state.ids.new_uuid(),
        plan: ChangedPlan::Sales(before.id),
        revision: before.revision,
        form: serde_json::to_value(&body).map_err(Problem::internal)?,
        before: before_fields,
        after,
        replaces_default: default.map(|(plan, _)| plan.uuid()).filter(|_| change.default),
    };
    request(client, caller.id, now, requested).await
}

/// Requests from a second person that the scheduled version is withdrawn.
pub(crate) async fn request_withdraw_scheduled(
    client: &impl GenericClient,
    state: &AppState,
    caller: StaffCaller,
    before: &PlanRecord,
    now: DateTime<Utc>,
) -> Result<Option<Uuid>> {
    begin_trial(client).await?;
    withdraw_scheduled(client, ChangedBy::alone(Actor::Admin(caller.id)), before, now).await?;
    let after = plan_fields(&found(client, before.id, now).await?);
    undo_trial(client).await?;
    let requested = Requested {
        id: state.ids.new_uuid(),
        plan: ChangedPlan::Sales(before.id),
        revision: before.revision,
        form: json!({ WITHDRAW_SCHEDULED: true }),
        before: plan_fields(before),
        after,
        replaces_default: None,
    };
    request(client, caller.id, now, requested).await
}

/// Applies a requested change. Its form is validated again, because rules depend on the time and on other plans.
pub(crate) async fn approve(
    client: &impl GenericClient,
    state: &AppState,
    actor: Actor,
    id: PlanId,
    requested: &PlanChangeRecord,
) -> Result<()> {
    let (before, now) = locked(client, state, id).await?;
    let text = id.to_string();
    check_revision_of_request(client, &PLAN, &text, before.revision, requested.revision).await?;
    let names = names_of(client, std::slice::from_ref(requested)).await?;
    let changed_by = ChangedBy {
        actor,
        requested_by: names.get(&requested.requested_by).map(String::as_str),
    };
    if requested.form.get(WITHDRAW_SCHEDULED).is_some() {
        return withdraw_scheduled(client, changed_by, &before, now).await;
    }
    let mut body: PlanForm = serde_json::from_value(requested.form.clone()).map_err(Problem::internal)?;
    if body.valid_from.is_some_and(|from| from < now) {
        // Without a start, fees that the form leaves out would come from those in force, not from the scheduled ones.
        body.valid_from = before.scheduled.is_some().then_some(now);
    }
    let change = read(body, id, Some(&before), now).map_err(outdated)?;
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
        Err(Problem::conflict(
            "O plano mudou desde o pedido, e o resultado seria outro. Rejeite o pedido e faça a mudança de novo.",
        ))
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
