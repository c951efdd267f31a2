//! The story's messages of sellers with their answers, a requested change of a plan, and the platform's contact
//! details. Messages and the change also have the entries that the panel's calls would have written to the audit log,
//! with their past times.

use chrono::{DateTime, Duration, Utc};
use gateway_environment::clock::BusinessClock;
use gateway_environment::request_context::{self, RequestContext};
use gateway_identity::audit::{Actor, Change, record};
use gateway_platform::contact::{
    ContactAnswer, ContactState, NewContactMessage, contact_add, contact_answer_add, contact_state_set,
};
use gateway_platform::plans::changes::{ChangedPlan, NewPlanChange, change_request};
use gateway_platform::plans::plan_fetch;
use gateway_platform::settings::{Tenant, tenant_of, tenant_put};
use serde_json::json;
use tokio_postgres::{Error, GenericClient};

use super::story::{Answer, Company, Message, Plan, RequestedChange, Story};

/// The address of `npm start` without options, to which e-mails link.
pub(super) const PANEL_URL: &str = "http://localhost:8080";

/// Needs the story's reference data and users.
pub async fn install(client: &impl GenericClient, story: &Story, now: DateTime<Utc>) -> Result<(), Error> {
    let tenant = Tenant {
        contact_email: Some("ajuda@exemplo.com.br".to_owned()),
        contact_phone: Some("1133334444".to_owned()),
        contact_whatsapp: Some("11999998888".to_owned()),
        ..tenant_of(client, "").await?
    };
    tenant_put(client, &tenant).await?;
    for message in &story.messages {
        install_message(client, story, message, now).await?;
    }
    for plan in &story.plans {
        if let Some(requested) = &plan.requested {
            request_change(client, story, plan, requested, now).await?;
        }
    }
    Ok(())
}

async fn install_message(
    client: &impl GenericClient,
    story: &Story,
    message: &Message,
    now: DateTime<Utc>,
) -> Result<(), Error> {
    let seller = story.user(&message.from).id();
    let new = NewContactMessage {
        id: message.id(),
        seller,
        business_id: Company::id_of(&message.business),
        panel_url: PANEL_URL.to_owned(),
        subject: message.subject.clone(),
        body: message.message.clone(),
        created_at: now - Duration::hours(message.hours_ago),
    };
    contact_add(client, &new).await?;
    let subject_id = new.id.to_string();
    let created = Change {
        action: "create",
        after: Some(json!({ "subject": message.subject, "business_id": new.business_id })),
        ..message_change(&subject_id)
    };
    record_at(client, new.created_at, Actor::Seller(seller), created).await?;
    let mut state = ContactState::New;
    for (number, answer) in message.answers.iter().enumerate() {
        install_answer(client, story, (message, number), answer, state, now).await?;
        state = ContactState::Answered;
    }
    if let Some(hours) = message.closed_hours_ago {
        let at = now - Duration::hours(hours);
        contact_state_set(client, new.id, ContactState::Closed, at).await?;
        let closed = Change {
            action: "update",
            before: Some(json!({ "state": state.as_str() })),
            after: Some(json!({ "state": ContactState::Closed.as_str() })),
            ..message_change(&subject_id)
        };
        record_at(client, at, Actor::Admin(story.staff()), closed).await?;
    }
    Ok(())
}

async fn install_answer(
    client: &impl GenericClient,
    story: &Story,
    (message, number): (&Message, usize),
    answer: &Answer,
    state: ContactState,
    now: DateTime<Utc>,
) -> Result<(), Error> {
    let new = ContactAnswer {
        id: message.answer_id(number),
        message_id: message.id(),
        admin: story.user(&answer.from).id(),
        body: answer.message.clone(),
        created_at: now - Duration::hours(answer.hours_ago),
    };
    contact_answer_add(client, &new).await?;
    let subject_id = new.message_id.to_string();
    let answered = Change {
        action: "answer",
        before: Some(json!({ "state": state.as_str() })),
        after: Some(json!({ "state": ContactState::Answered.as_str(), "answer": answer.message })),
        ..message_change(&subject_id)
    };
    record_at(client, new.created_at, Actor::Admin(new.admin), answered).await
}

fn message_change(subject_id: &str) -> Change<'_> {
    Change {
        action: "",
        subject: "contact_message",
        subject_id,
        before: None,
        after: None,
    }
}

async fn request_change(
    client: &impl GenericClient,
    story: &Story,
    plan: &Plan,
    requested: &RequestedChange,
    now: DateTime<Utc>,
) -> Result<(), Error> {
    let record = plan_fetch(client, plan.id(), now).await?;
    let new = NewPlanChange {
        id: plan.requested_change_id(),
        plan: ChangedPlan::Sales(plan.id()),
        revision: record.map_or(1, |plan| plan.revision),
        form: requested.after.clone(),
        before: requested.before.clone(),
        after: requested.after.clone(),
        replaces_default: None,
        requested_by: story.user(&requested.by).id(),
        requested_at: now - Duration::hours(requested.hours_ago),
    };
    change_request(client, &new).await?;
    let request = Change {
        action: "request",
        subject: "plan_change",
        subject_id: &new.id.to_string(),
        before: Some(new.before),
        after: Some(new.after),
    };
    record_at(client, new.requested_at, Actor::Admin(new.requested_by), request).await
}

/// Writes an entry of the audit log with a past time.
async fn record_at(
    client: &impl GenericClient,
    at: DateTime<Utc>,
    actor: Actor,
    change: Change<'_>,
) -> Result<(), Error> {
    let context = RequestContext {
        clock: BusinessClock::stopped_at(at),
        ..request_context::current()
    };
    context.scope(record(client, actor, change)).await
}
