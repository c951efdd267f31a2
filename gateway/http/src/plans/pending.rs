//! Requests of plan changes that wait for a second person. They are made instead of the change while the setting
//! requires two people.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use gateway_identity::audience::Audience;
use gateway_identity::audit::{Actor, Change, record};
use gateway_identity::users::user_names;
use gateway_platform::plans::changes::{
    ChangedPlan, NewPlanChange, PlanChangeRecord, change_pending, change_request,
    receiving_plan_changes_pending,
};
use gateway_platform::settings::records::settings_lock_for_decision;
use ledger_domain::ids::UserId;
use serde_json::{Map, Value};
use tokio_postgres::GenericClient;
use uuid::Uuid;

use super::audit::{PLAN_CHANGE, changed};
use super::bodies::changes::PlanChange;
use crate::AppState;
use crate::problem::{Problem, Result};

/// Whether the setting in force asks for a second person. Waits for a change of the setting that is not committed yet.
pub(crate) async fn needs_two_people(state: &AppState, client: &impl GenericClient) -> Result<bool> {
    settings_lock_for_decision(client).await?;
    let settings = state.settings_at(client, state.clock.now()).await?;
    Ok(settings.two_person_plan_changes)
}

/// Begins a trial: changes whose effects are read, and which `undo_trial` takes back. The transaction continues.
pub(crate) async fn begin_trial(client: &impl GenericClient) -> Result<()> {
    Ok(client.batch_execute("SAVEPOINT begin_trial").await?)
}

pub(crate) async fn undo_trial(client: &impl GenericClient) -> Result<()> {
    Ok(client.batch_execute("ROLLBACK TO SAVEPOINT begin_trial").await?)
}

/// The user who makes the change. If that user approves a request, also the name of its requester.
#[derive(Clone, Copy)]
pub struct ChangedBy<'a> {
    pub actor: Actor,
    pub requested_by: Option<&'a str>,
}

impl ChangedBy<'_> {
    pub const fn alone(actor: Actor) -> Self {
        Self {
            actor,
            requested_by: None,
        }
    }
}

/// A change to request, with all values of the plan before and after it.
pub struct Requested {
    pub id: Uuid,
    pub plan: ChangedPlan,
    pub revision: i32,
    pub form: Value,
    pub before: Map<String, Value>,
    pub after: Map<String, Value>,
    /// The default at the time of the request, if the plan is to take its place.
    pub replaces_default: Option<Uuid>,
}

/// Returns the id of the request. `None` if the change changes nothing.
pub(crate) async fn request(
    client: &impl GenericClient,
    by: UserId,
    at: DateTime<Utc>,
    requested: Requested,
) -> Result<Option<Uuid>> {
    let Requested { before, after, .. } = requested;
    if before == after {
        return Ok(None);
    }
    let new = NewPlanChange {
        id: requested.id,
        plan: requested.plan,
        revision: requested.revision,
        form: requested.form,
        before: changed(&before, &after),
        after: changed(&after, &before),
        replaces_default: requested.replaces_default,
        requested_by: by,
        requested_at: at,
    };
    if !change_request(client, &new).await? {
        return Err(already_pending(client, requested.plan).await?);
    }
    let change = Change {
        action: "request",
        subject: PLAN_CHANGE,
        subject_id: &new.id.to_string(),
        before: Some(new.before),
        after: Some(new.after),
    };
    record(client, Actor::Admin(by), change).await?;
    Ok(Some(new.id))
}

/// A 409 if another plan became the default after the request: the approval would replace it, and the approver did not
/// see that.
pub fn check_default_of_request(requested: &PlanChangeRecord, default: Option<(Uuid, &str)>) -> Result<()> {
    if default.map(|(plan, _)| plan) == requested.replaces_default {
        return Ok(());
    }
    let what = match default {
        Some((_, name)) => format!("{name} virou o plano padrão depois deste pedido."),
        None => "O plano padrão mudou depois deste pedido.".to_owned(),
    };
    Err(Problem::conflict(format!(
        "{what} Rejeite o pedido e faça a mudança de novo."
    )))
}

/// Whether the same fields have the same values, but for the version's number and start.
pub fn is_same_change(one: &Value, other: &Value) -> bool {
    let fields = |change: &Value| {
        let mut fields = change.as_object().cloned().unwrap_or_default();
        fields.retain(|field, _| !matches!(field.as_str(), "version" | "valid_from"));
        fields
    };
    fields(one) == fields(other)
}

/// Turns the errors of fields into one 409, because an approval has no form that could show them at their fields.
pub fn outdated(problem: Problem) -> Problem {
    if problem.errors.is_empty() {
        return problem;
    }
    // Some messages, such as "requerido", need the name of their field.
    let reason = |(field, messages): (String, Vec<String>)| format!("{field}: {}", messages.join(" "));
    let reasons: Vec<_> = problem.errors.into_iter().map(reason).collect();
    Problem::conflict(format!(
        "Este pedido não pode mais ser aprovado. {}",
        reasons.join(" ")
    ))
}

/// The 409 for a plan that has a pending change. A second one would be approved for a plan that the first one changes.
async fn already_pending(client: &impl GenericClient, plan: ChangedPlan) -> Result<Problem> {
    let pending = change_pending(client, plan).await?;
    let names = names_of(client, pending.as_slice()).await?;
    let who = pending.and_then(|pending| names.get(&pending.requested_by).cloned());
    let who = who.unwrap_or_else(|| "Outra pessoa".to_owned());
    Ok(Problem::conflict(format!(
        "{who} já pediu uma mudança deste plano. Ela precisa ser aprovada, rejeitada ou retirada antes."
    )))
}

pub(crate) async fn pending_of(client: &impl GenericClient, plan: ChangedPlan) -> Result<Option<PlanChange>> {
    let pending = change_pending(client, plan).await?;
    let names = names_of(client, pending.as_slice()).await?;
    Ok(pending.map(|pending| PlanChange::of(pending, &names)))
}

/// The pending changes of receiving plans, by plan.
pub(crate) async fn pending_of_receiving(
    client: &impl GenericClient,
    plans: &[Uuid],
) -> Result<HashMap<Uuid, PlanChange>> {
    let pending = receiving_plan_changes_pending(client, plans).await?;
    let names = names_of(client, &pending).await?;
    let by_plan = pending.into_iter().filter_map(|pending| match pending.plan {
        ChangedPlan::Receiving(plan) => Some((plan, PlanChange::of(pending, &names))),
        ChangedPlan::Sales(_) => None,
    });
    Ok(by_plan.collect())
}

pub(crate) async fn names_of(
    client: &impl GenericClient,
    changes: &[PlanChangeRecord],
) -> Result<HashMap<UserId, String>> {
    let users: Vec<UserId> = changes
        .iter()
        .flat_map(|change| [Some(change.requested_by), change.decided_by])
        .flatten()
        .collect();
    Ok(user_names(client, Audience::Admin, &users).await?)
}
