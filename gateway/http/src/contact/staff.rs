//! Messages of sellers for staff: list, read, answer by e-mail, and change the state.

use axum::http::StatusCode;
use axum::response::Response;
use gateway_identity::audience::Audience;
use gateway_identity::email_queue::{EmailKind, Facts, OutboxEmail};
use gateway_identity::users::{StaffCaller, user_names};
use gateway_platform::contact::{
    ContactAnswer, ContactFilter, ContactMessage, ContactState, contact_answer_add, contact_answers,
    contact_author_may_read, contact_fetch, contact_locked, contact_state_set,
};
use gateway_platform::word_search::WordSearch;
use ledger_domain::BusinessId;
use ledger_domain::ids::UserId;
use projections::SortOrder;
use serde_json::json;
use tokio_postgres::GenericClient;
use uuid::Uuid;

use super::bodies::{
    CONTACT_MESSAGES, ContactAnswerRow, ContactMessageDetail, ContactMessagePage, ContactMessageRow,
};
use super::{MESSAGE, MessageId};
use crate::edge::{Db, Id, Json, Paging, Query, query};
use crate::problem::{Problem, Result};
use crate::shared::change::{Change, Changed, Work};
use crate::shared::form::{Form, IdempotentForm, form, int32, optional, paragraphs, required, word};
use crate::shared::list::Listing;
use crate::users::bodies::history::HistoryPage;
use crate::users::history::staff_history;

query! {
    impl FromQuery for ContactFilter {
        /// The beginnings of words of the number, the subject, the company, its document, and the user's name or
        /// e-mail. Case, accents and masks are ignored.
        #[example = "repasse"]
        search: Option<WordSearch>,
        /// Only messages in this state.
        #[example = "new"]
        state: Option<ContactState>,
        /// Only messages about this company.
        business_id: Option<BusinessId>,
        /// The order of arrival; the default is desc.
        order: SortOrder = SortOrder::Desc,
    } => Self { seller: None, business_id, state, search, order }
}

form! {
    pub struct ContactAnswerForm {
        /// The text of the answer. Several empty lines become one. Card numbers are masked.
        #[example = "Amanhã, até as 12h."]
        message: String = required(paragraphs(4_000), "Escreva a resposta."),
        /// The version of the message that the answer started from. Without it, changes in between are not noticed.
        #[example = 1]
        version: Option<i32> = optional(int32()),
    }
}

form! {
    pub struct ContactStateForm {
        state: ContactState = word(),
        /// The version of the message that the change started from. Without it, changes in between are not noticed.
        #[example = 1]
        version: Option<i32> = optional(int32()),
    }
}

/// List messages of sellers
///
/// The latest first, unless `order` says otherwise. A spreadsheet has all messages that match the filter.
#[utoipa::path(
    get, path = "/admin/contact-messages", tag = "contact",
    responses((status = 200, body = ContactMessagePage))
)]
pub(crate) async fn list_contact_messages(list: Listing<ContactFilter>) -> Result<Response> {
    list.respond::<ContactMessageRow>(&CONTACT_MESSAGES).await
}

/// Get a message of a seller
///
/// With its answers.
#[utoipa::path(
    get, path = "/admin/contact-messages/{id}", tag = "contact",
    responses((status = 200, body = ContactMessageDetail))
)]
pub(crate) async fn get_contact_message(
    Id(MessageId(id)): Id<MessageId>,
    db: Db,
) -> Result<Json<ContactMessageDetail>> {
    let message = contact_fetch(&*db, id).await?.ok_or_else(Problem::not_found)?;
    detail(&*db, message).await.map(Json)
}

/// Answer a message by e-mail
///
/// Sets the state of the message to `answered`, even if it was closed. An author who is active and has access to the
/// company gets the answer by e-mail and sees it in the panel.
#[utoipa::path(
    post, path = "/admin/contact-messages/{id}/answers", tag = "contact",
    responses(
        (status = 201, body = ContactMessageDetail),
        (status = 409, description = "The message was answered, or its state was changed, since `version`"),
    )
)]
pub(crate) async fn answer_contact_message(
    Id(MessageId(id)): Id<MessageId>,
    change: Change<StaffCaller, IdempotentForm<ContactAnswerForm>>,
) -> Result<Response> {
    change
        .run(StatusCode::CREATED, async |work, form| {
            let before = find_locked(work, id, form.version).await?;
            let new = ContactAnswer {
                id: work.state.ids.new_uuid(),
                message_id: id,
                admin: work.caller.id,
                body: form.message,
                created_at: work.now(),
            };
            contact_answer_add(&**work, &new).await?;
            send_answer(work, &before, new.id).await?;
            let after = contact_fetch(&**work, id).await?.ok_or_else(Problem::not_found)?;
            let entry = MESSAGE
                .entry("answer", id)
                .before(json!({ "state": before.state }))
                .after(json!({ "state": after.state, "answer": new.body }));
            Ok(entry.answer(detail(&**work, after).await?))
        })
        .await
}

/// Change the state of a message
///
/// Closes a message or opens it again. A message is `answered` only if it has an answer, and `new` only if it has none.
#[utoipa::path(
    patch, path = "/admin/contact-messages/{id}", tag = "contact",
    responses(
        (status = 200, body = ContactMessageDetail),
        (status = 409, description = "The message was answered, or its state was changed, since `version`"),
    )
)]
pub(crate) async fn update_contact_message(
    Id(MessageId(id)): Id<MessageId>,
    change: Change<StaffCaller, Form<ContactStateForm>>,
) -> Result<Response> {
    change
        .run(StatusCode::OK, async |work, form| {
            let before = find_locked(work, id, form.version).await?;
            let has_answers = !contact_answers(&**work, &[id]).await?.is_empty();
            if let Some(fault) = form.state.fault(has_answers) {
                return Err(Problem::field("state", fault));
            }
            if form.state == before.state {
                return Ok(Changed::nothing(detail(&**work, before).await?));
            }
            contact_state_set(&**work, id, form.state, work.now()).await?;
            let after = contact_fetch(&**work, id).await?.ok_or_else(Problem::not_found)?;
            let entry = MESSAGE
                .entry("update", id)
                .before(json!({ "state": before.state }))
                .after(json!({ "state": after.state }));
            Ok(entry.answer(detail(&**work, after).await?))
        })
        .await
}

/// List the history of a message
///
/// Latest first.
#[utoipa::path(
    get, path = "/admin/contact-messages/{id}/history", tag = "contact",
    responses((status = 200, body = HistoryPage))
)]
pub(crate) async fn list_contact_message_history(
    Id(MessageId(id)): Id<MessageId>,
    Query(paging): Query<Paging>,
    db: Db,
) -> Result<Json<HistoryPage>> {
    contact_fetch(&*db, id).await?.ok_or_else(Problem::not_found)?;
    staff_history(&db, MESSAGE.0, Some(&id.to_string()), paging)
        .await
        .map(Json)
}

/// The message, locked. A 409 if it was changed since the version that the caller saw.
async fn find_locked<C>(work: &Work<C>, id: Uuid, seen: Option<i32>) -> Result<ContactMessage> {
    let message = contact_locked(&**work, id)
        .await?
        .ok_or_else(Problem::not_found)?;
    if seen.is_none_or(|seen| seen == message.version) {
        return Ok(message);
    }
    let answers = contact_answers(&**work, &[id]).await?;
    Err(Problem::conflict(message.changed_meanwhile(!answers.is_empty())))
}

async fn detail(client: &impl GenericClient, message: ContactMessage) -> Result<ContactMessageDetail> {
    let answers = contact_answers(client, &[message.id]).await?;
    let users: Vec<UserId> = answers.iter().map(|answer| answer.admin).collect();
    let names = user_names(client, Audience::Admin, &users).await?;
    let to_body = |answer| ContactAnswerRow::of(answer, |id| names.get(&id).cloned());
    Ok(ContactMessageDetail {
        message: message.into(),
        answers: answers.into_iter().map(to_body).collect(),
    })
}

/// Queues the e-mail to the author of the message, with the brand of the panel on which the message was written. An
/// author who is inactive or has lost access to the company gets no e-mail.
async fn send_answer<C>(work: &mut Work<C>, message: &ContactMessage, answer: Uuid) -> Result<()> {
    if !contact_author_may_read(&**work, message).await? {
        return Ok(());
    }
    let email = OutboxEmail {
        kind: EmailKind::ContactAnswer,
        audience: Audience::Seller,
        user: Some(message.seller),
        recipient: &message.seller_email,
        panel_url: &message.panel_url,
        facts: Facts {
            contact: Some(answer),
            ..Facts::default()
        },
    };
    work.send_email(&email).await
}
