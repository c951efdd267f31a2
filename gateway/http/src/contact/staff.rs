//! Messages of sellers for staff: list, read, answer by e-mail, and change the state.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use futures::Stream;
use gateway_identity::audience::Audience;
use gateway_identity::audit::{Actor, Change, record};
use gateway_identity::contact::{
    ContactFilter, ContactMessage, ContactState, NewContactAnswer, contact_answer_add, contact_answers,
    contact_author_may_read, contact_batch, contact_fetch, contact_list, contact_locked, contact_state_set,
};
use gateway_identity::mail::{EmailKind, Facts, OutboxEmail};
use gateway_identity::users::{StaffCaller, user_names};
use ledger_domain::ids::UserId;
use serde_json::json;
use tokio_postgres::GenericClient;
use uuid::Uuid;

use super::bodies::{ContactAnswerRow, ContactMessageDetail, ContactMessagePage, ContactMessageRow};
use super::forms::{ContactAnswerForm, ContactStateForm};
use super::query::{ContactQuery, MessageId};
use super::spreadsheets::CONTACT_MESSAGES;
use crate::AppState;
use crate::edge::{Db, Id, IdempotentJson, Json, Paging, Query, Tx};
use crate::problem::{Problem, Result};
use crate::shared::page::PageMeta;
use crate::spreadsheet::{PAGE_ROWS, ResponseFormat, pages};
use crate::users::bodies::history::HistoryPage;
use crate::users::history::staff_history;

/// The subject in the audit log.
pub const SUBJECT: &str = "contact_message";

/// List messages of sellers
///
/// The latest first, unless `order` says otherwise. A spreadsheet has all messages that match the filter.
#[utoipa::path(
    get, path = "/admin/contact-messages", tag = "contact",
    responses((status = 200, body = ContactMessagePage))
)]
pub(crate) async fn list_contact_messages(
    State(state): State<AppState>,
    format: ResponseFormat,
    Query(ContactQuery { filter, paging }): Query<ContactQuery>,
) -> Result<Response> {
    match format {
        ResponseFormat::Json => {
            let page = contact_list(&*state.db().await?, &filter, paging.into()).await?;
            let meta = PageMeta::numbered(&page, paging);
            let data = page.rows.into_iter().map(ContactMessageRow::from).collect();
            Ok(Json(ContactMessagePage { data, meta }).into_response())
        }
        ResponseFormat::Spreadsheet(file) => {
            file.respond(&CONTACT_MESSAGES, all_messages(state, filter)).await
        }
    }
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
    State(state): State<AppState>,
    caller: StaffCaller,
    Id(MessageId(id)): Id<MessageId>,
    IdempotentJson { body, idempotency }: IdempotentJson<ContactAnswerForm>,
) -> Result<Response> {
    let (text, version) = body.read()?;
    let mut tx = state.begin().await?;
    if let Some(answer) = idempotency.replayed_answer(&tx).await? {
        return Ok(answer);
    }
    caller.lock_and_check_allowed(&*tx).await?;
    let before = find_locked(&*tx, id, version).await?;
    let new = NewContactAnswer {
        id: state.ids.new_uuid(),
        message_id: id,
        admin: caller.id,
        body: &text,
        created_at: state.clock.now(),
    };
    contact_answer_add(&*tx, &new).await?;
    contact_state_set(&*tx, id, ContactState::Answered, new.created_at).await?;
    let change = Change {
        action: "answer",
        subject: SUBJECT,
        subject_id: &id.to_string(),
        before: Some(json!({ "state": before.state.as_str() })),
        after: Some(json!({ "state": ContactState::Answered.as_str(), "answer": text })),
    };
    record(&*tx, Actor::Admin(caller.id), change).await?;
    send_answer(&state, &mut tx, &before, new.id).await?;
    let after = contact_fetch(&*tx, id).await?.ok_or_else(Problem::not_found)?;
    let answered = detail(&*tx, after).await?;
    let answer = idempotency
        .store_answer(&tx, StatusCode::CREATED, &answered)
        .await?;
    tx.commit().await?;
    Ok(answer)
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
    State(state): State<AppState>,
    caller: StaffCaller,
    Id(MessageId(id)): Id<MessageId>,
    Json(form): Json<ContactStateForm>,
) -> Result<Json<ContactMessageDetail>> {
    let (wanted, version) = form.read()?;
    let tx = state.begin().await?;
    caller.lock_and_check_allowed(&*tx).await?;
    let before = find_locked(&*tx, id, version).await?;
    let has_answers = !contact_answers(&*tx, &[id]).await?.is_empty();
    match wanted {
        ContactState::Answered if !has_answers => {
            return Err(Problem::field("state", "Esta mensagem ainda não foi respondida."));
        }
        ContactState::New if has_answers => {
            return Err(Problem::field("state", "Esta mensagem já foi respondida."));
        }
        ContactState::New | ContactState::Answered | ContactState::Closed => {}
    }
    if wanted != before.state {
        contact_state_set(&*tx, id, wanted, state.clock.now()).await?;
        let change = Change {
            action: "update",
            subject: SUBJECT,
            subject_id: &id.to_string(),
            before: Some(json!({ "state": before.state.as_str() })),
            after: Some(json!({ "state": wanted.as_str() })),
        };
        record(&*tx, Actor::Admin(caller.id), change).await?;
    }
    let after = contact_fetch(&*tx, id).await?.ok_or_else(Problem::not_found)?;
    let changed = detail(&*tx, after).await?;
    tx.commit().await?;
    Ok(Json(changed))
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
    staff_history(&db, SUBJECT, Some(&id.to_string()), paging)
        .await
        .map(Json)
}

fn all_messages(
    state: AppState,
    filter: ContactFilter,
) -> impl Stream<Item = Result<Vec<ContactMessageRow>>> {
    pages(move |after| {
        let (state, filter) = (state.clone(), filter.clone());
        async move {
            let batch = contact_batch(&*state.db().await?, &filter, after, PAGE_ROWS).await?;
            let rows = batch.rows.into_iter().map(ContactMessageRow::from).collect();
            Ok((rows, batch.next))
        }
    })
}

/// The message, locked. A 409 if it was changed since the version that the caller saw.
async fn find_locked(client: &impl GenericClient, id: Uuid, seen: Option<i32>) -> Result<ContactMessage> {
    let message = contact_locked(client, id).await?.ok_or_else(Problem::not_found)?;
    if seen.is_none_or(|seen| seen == message.version) {
        return Ok(message);
    }
    let answers = contact_answers(client, &[id]).await?;
    let happened = match (message.state, answers.last()) {
        (ContactState::Closed, _) => "encerrou",
        (ContactState::Answered, Some(_)) => "respondeu",
        (ContactState::New | ContactState::Answered, _) => "reabriu",
    };
    Err(Problem::conflict(format!(
        "Outra pessoa {happened} esta mensagem enquanto você a via. Veja a conversa atual antes de continuar."
    )))
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
async fn send_answer(state: &AppState, tx: &mut Tx, message: &ContactMessage, answer: Uuid) -> Result<()> {
    if !contact_author_may_read(&**tx, message).await? {
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
    let queued = state.mail.enqueue(&**tx, &email).await?;
    tx.send_after_commit(queued);
    Ok(())
}
