//! Changes of receiving plans by staff, in the caller's transaction. While the setting asks for two people, a change
//! becomes a request.

use ledger_domain::Cents;
use serde::{Deserialize, Serialize};
use tokio_postgres::GenericClient;
use uuid::Uuid;

use super::{ReceivingPlan, receiving_plan_fetch, receiving_plan_update, receiving_plans_locked};
use crate::audit::{Actor, Change, changed, record};
use crate::companies::{NewReceivingPlan, receiving_plan_create};
use crate::form_errors::FormErrors;
use crate::plans::changes::{ChangedPlan, PlanChangeRecord};
use crate::plans::edit::Editor;
use crate::plans::form::{active_and_default, description, money};
use crate::plans::log::{ChangedBy, RECEIVING_PLAN, receiving_plan_fields};
use crate::plans::refusal::{PlanRefusal, Result, check_revision, check_revision_of_request};
use crate::plans::requests::{Requested, begin_trial, check_default_of_request, request, undo_trial};

/// A new receiving plan, or the changed fields of one, as they arrive and as a request of a change stores them. The
/// API's document describes the fields.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct ReceivingPlanForm {
    pub description: Option<String>,
    pub flat_rate: Option<i64>,
    pub default: Option<bool>,
    pub active: Option<bool>,
    pub revision: Option<i32>,
}

/// All fields of the plan after the change.
pub struct ValidReceivingPlanForm {
    description: String,
    pub flat_rate: Cents,
    default: bool,
    active: bool,
}

/// A plan after its change, or as it stays while the change waits for a second person.
#[derive(Debug, Clone)]
pub struct EditedReceivingPlan {
    pub plan: ReceivingPlan,
    /// The request, if the change waits.
    pub requested: Option<Uuid>,
}

/// Adds a plan. If a plan that is to be active waits for a second person, it is inactive, and its activation is
/// requested.
pub async fn create(
    client: &impl GenericClient,
    editor: Editor<'_>,
    form: ReceivingPlanForm,
) -> Result<EditedReceivingPlan> {
    let id = editor.ids.new_uuid();
    let wanted = read(form, None)?;
    let (_, default) = receiving_plans_locked(client, id).await?;
    let waits = wanted.active && editor.needs_two_people(client).await?;
    if wanted.default && !waits {
        unset_default(client, editor.actor(), default).await?;
    }
    let new = NewReceivingPlan {
        id,
        description: wanted.description,
        flat_rate: wanted.flat_rate,
        is_default: wanted.default && !waits,
        active: wanted.active && !waits,
    };
    receiving_plan_create(client, &new).await?;
    let plan = found(client, id).await?;
    let entry = Change {
        action: "create",
        subject: RECEIVING_PLAN,
        subject_id: &id.to_string(),
        before: None,
        after: Some(receiving_plan_fields(&plan).into()),
    };
    record(client, editor.actor(), entry).await?;
    let activation = ReceivingPlanForm {
        active: Some(true),
        default: wanted.default.then_some(true),
        ..ReceivingPlanForm::default()
    };
    let requested = if waits {
        request_update(client, editor, &plan, activation).await?
    } else {
        None
    };
    Ok(EditedReceivingPlan { plan, requested })
}

/// Changes the given fields of the form, or requests the change.
pub async fn update(
    client: &impl GenericClient,
    editor: Editor<'_>,
    id: Uuid,
    form: ReceivingPlanForm,
) -> Result<EditedReceivingPlan> {
    let (before, default) = receiving_plans_locked(client, id).await?;
    let before = before.ok_or(PlanRefusal::NotFound)?;
    check_revision(ChangedPlan::Receiving(id), before.revision, form.revision)?;
    let requested = if editor.needs_two_people(client).await? {
        request_update(client, editor, &before, form).await?
    } else {
        let wanted = read(form, Some(&before))?;
        apply(client, ChangedBy::alone(editor.actor()), &before, default, wanted).await?;
        None
    };
    Ok(EditedReceivingPlan {
        plan: found(client, id).await?,
        requested,
    })
}

/// Applies a requested change. Its form is validated again, because the plan or the rules may have changed.
pub(in crate::plans) async fn approve(
    client: &impl GenericClient,
    changed_by: ChangedBy<'_>,
    id: Uuid,
    requested: &PlanChangeRecord,
) -> Result<()> {
    let (before, default) = receiving_plans_locked(client, id).await?;
    let before = before.ok_or(PlanRefusal::NotFound)?;
    check_revision_of_request(requested.plan, before.revision, requested.revision)?;
    let form = serde_json::from_value(requested.form.clone())?;
    let wanted = read(form, Some(&before)).map_err(PlanRefusal::RequestInvalid)?;
    if wanted.default && !before.is_default {
        let default = default.as_ref();
        check_default_of_request(
            requested,
            default.map(|plan| (plan.id, plan.description.as_str())),
        )?;
    }
    apply(client, changed_by, &before, default, wanted).await
}

/// `before` is the plan that is changed; `None` for a new one.
pub fn read(
    form: ReceivingPlanForm,
    before: Option<&ReceivingPlan>,
) -> Result<ValidReceivingPlanForm, FormErrors> {
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

async fn found(client: &impl GenericClient, id: Uuid) -> Result<ReceivingPlan> {
    Ok(receiving_plan_fetch(client, id)
        .await?
        .ok_or(PlanRefusal::NotFound)?)
}

/// Stores the change as a request that a second person approves. Returns the request's id, or `None` if the plan would
/// not change.
async fn request_update(
    client: &impl GenericClient,
    editor: Editor<'_>,
    before: &ReceivingPlan,
    form: ReceivingPlanForm,
) -> Result<Option<Uuid>> {
    let stored = serde_json::to_value(&form)?;
    let wanted = read(form, Some(before))?;
    let (_, default) = receiving_plans_locked(client, before.id).await?;
    let replaces_default = default.as_ref().map(|plan| plan.id).filter(|_| wanted.default);
    let is_activation = wanted.active && !before.active;
    begin_trial(client).await?;
    apply(client, ChangedBy::alone(editor.actor()), before, default, wanted).await?;
    let after = receiving_plan_fields(&found(client, before.id).await?);
    undo_trial(client).await?;
    let mut before_fields = receiving_plan_fields(before);
    if is_activation {
        // The second person sees an unchanged fee too, because it begins to count.
        before_fields.remove("flat_rate");
    }
    let requested = Requested {
        plan: ChangedPlan::Receiving(before.id),
        revision: before.revision,
        form: stored,
        before: before_fields,
        after,
        replaces_default,
    };
    request(client, editor, editor.clock.now(), requested).await
}

/// Changes the plan, and the one that was the default. Each change has its entry in the audit log.
async fn apply(
    client: &impl GenericClient,
    changed_by: ChangedBy<'_>,
    before: &ReceivingPlan,
    default: Option<ReceivingPlan>,
    wanted: ValidReceivingPlanForm,
) -> Result<()> {
    if wanted.default && !before.is_default {
        unset_default(client, changed_by.actor, default).await?;
    }
    let after = ReceivingPlan {
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
async fn unset_default(
    client: &impl GenericClient,
    actor: Actor,
    default: Option<ReceivingPlan>,
) -> Result<()> {
    let Some(before) = default else {
        return Ok(());
    };
    let after = ReceivingPlan {
        is_default: false,
        ..before.clone()
    };
    save(client, ChangedBy::alone(actor), &before, &after).await
}

async fn save(
    client: &impl GenericClient,
    changed_by: ChangedBy<'_>,
    before: &ReceivingPlan,
    after: &ReceivingPlan,
) -> Result<()> {
    receiving_plan_update(client, after).await?;
    let (was, is) = (receiving_plan_fields(before), receiving_plan_fields(after));
    let change = Change {
        action: "update",
        subject: RECEIVING_PLAN,
        subject_id: &before.id.to_string(),
        before: Some(changed(&was, &is)),
        after: Some(changed(&is, &was)),
    };
    Ok(changed_by.record(client, change).await?)
}
