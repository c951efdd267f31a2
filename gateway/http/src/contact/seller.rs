//! Contact with the platform (Fale com a gente) for sellers: the channels, a new message, and their own messages.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use gateway_environment::config::tenant_label;
use gateway_identity::account::new_password::RequestOrigin;
use gateway_identity::audience::Audience;
use gateway_identity::audit::{Actor, Change, record};
use gateway_identity::contact::{
    ContactFilter, NewContactMessage, contact_add, contact_answers, contact_fetch, contact_list,
};
use gateway_identity::email_address::normalize_email;
use gateway_identity::mail::{EmailKind, Facts, OutboxEmail};
use gateway_identity::rate_limit::LimitKind;
use gateway_platform::settings::{Tenant, tenant_of};
use serde_json::json;
use tokio_postgres::GenericClient;
use uuid::Uuid;

use super::bodies::{ContactChannels, OwnContactMessage, OwnContactMessagePage};
use super::forms::ContactMessageForm;
use super::staff::SUBJECT;
use crate::AppState;
use crate::edge::{CurrentBusiness, CurrentSeller, Db, IdempotentJson, Json, Paging, PanelUrl, Query, Tx};
use crate::problem::{Problem, Result};
use crate::shared::page::PageMeta;

/// Get the contact channels
///
/// E-mail, phone and WhatsApp of the platform, as the panel's tenant has them in its settings.
#[utoipa::path(
    get, path = "/contact", tag = "contact",
    responses((status = 200, body = ContactChannels))
)]
pub(crate) async fn get_contact_channels(
    PanelUrl(panel_url): PanelUrl,
    db: Db,
) -> Result<Json<ContactChannels>> {
    Ok(Json(tenant_of_panel(&*db, &panel_url).await?.into()))
}

/// List the seller's own messages
///
/// Messages that the signed-in user wrote for companies that the user has access to, with the answers of staff. Latest
/// first.
#[utoipa::path(
    get, path = "/contact/messages", tag = "contact",
    responses((status = 200, body = OwnContactMessagePage))
)]
pub(crate) async fn list_own_contact_messages(
    CurrentSeller(seller): CurrentSeller,
    Query(paging): Query<Paging>,
    db: Db,
) -> Result<Json<OwnContactMessagePage>> {
    let own = ContactFilter {
        seller: Some(seller.id),
        order: projections::SortOrder::Desc,
        ..ContactFilter::default()
    };
    let page = contact_list(&*db, &own, paging.into()).await?;
    let meta = PageMeta::numbered(&page, paging);
    let ids: Vec<Uuid> = page.rows.iter().map(|message| message.id).collect();
    let answers = contact_answers(&*db, &ids).await?;
    let to_body = |message| OwnContactMessage::of(message, &answers);
    Ok(Json(OwnContactMessagePage {
        data: page.rows.into_iter().map(to_body).collect(),
        meta,
    }))
}

/// Write a message to the platform
///
/// About one of the seller's companies. The message is stored. It is also sent to the contact address of the panel's
/// tenant, or else to that of the default tenant, if either has one.
#[utoipa::path(
    post, path = "/contact/messages", tag = "contact",
    responses((status = 201, body = OwnContactMessage))
)]
pub(crate) async fn create_contact_message(
    State(state): State<AppState>,
    business: CurrentBusiness,
    origin: RequestOrigin,
    IdempotentJson { body, idempotency }: IdempotentJson<ContactMessageForm>,
) -> Result<Response> {
    let (subject, body) = body.read()?;
    let mut tx = state.begin().await?;
    if let Some(answer) = idempotency.replayed_answer(&tx).await? {
        return Ok(answer);
    }
    let limits = &state.accounts.limits;
    let counted = limits.take(
        LimitKind::ContactMessage,
        &business.seller.to_string(),
        origin.caller,
    );
    counted.map_err(Problem::too_many_requests)?;
    business.caller().lock_and_check_allowed(&*tx).await?;
    let new = NewContactMessage {
        id: state.ids.new_uuid(),
        seller: business.seller,
        business_id: business.id,
        panel_url: &origin.panel_url,
        subject: &subject,
        body: &body,
        created_at: state.clock.now(),
    };
    contact_add(&*tx, &new).await?;
    let change = Change {
        action: "create",
        subject: SUBJECT,
        subject_id: &new.id.to_string(),
        before: None,
        after: Some(json!({ "subject": subject, "business_id": business.id })),
    };
    record(&*tx, Actor::Seller(business.seller), change).await?;
    send_to_contact(&state, &mut tx, &new).await?;
    let added = contact_fetch(&*tx, new.id).await?;
    let added = added.ok_or_else(|| Problem::internal("a new message is missing"))?;
    let answer = OwnContactMessage::of(added, &[]);
    let answer = idempotency
        .store_answer(&tx, StatusCode::CREATED, &answer)
        .await?;
    tx.commit().await?;
    Ok(answer)
}

/// Queues the e-mail to the contact address of the panel's tenant, or else to that of the default tenant. If neither
/// has an address, there is no e-mail.
async fn send_to_contact(state: &AppState, tx: &mut Tx, new: &NewContactMessage<'_>) -> Result<()> {
    let contact = match tenant_of_panel(&**tx, new.panel_url).await?.contact_email {
        Some(contact) => Some(contact),
        None => tenant_of(&**tx, "").await?.contact_email,
    };
    let Some(contact) = contact else {
        return Ok(());
    };
    let email = OutboxEmail {
        kind: EmailKind::ContactMessage,
        audience: Audience::Admin,
        user: None,
        recipient: &normalize_email(&contact),
        panel_url: new.panel_url,
        facts: Facts {
            contact: Some(new.id),
            ..Facts::default()
        },
    };
    let queued = state.mail.enqueue(&**tx, &email).await?;
    tx.send_after_commit(queued);
    Ok(())
}

async fn tenant_of_panel(client: &impl GenericClient, panel_url: &str) -> Result<Tenant> {
    let host = panel_url.split_once("://").map_or(panel_url, |(_, host)| host);
    Ok(tenant_of(client, &tenant_label(host)).await?)
}
