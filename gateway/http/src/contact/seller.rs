//! Contact with the platform (Fale com a gente) for sellers: the channels, a new message, and their own messages.

use axum::http::StatusCode;
use axum::response::Response;
use gateway_environment::config::tenant_label;
use gateway_identity::account::new_password::RequestOrigin;
use gateway_identity::audience::Audience;
use gateway_identity::email_address::normalize_email;
use gateway_identity::email_queue::{EmailKind, Facts, OutboxEmail};
use gateway_identity::rate_limit::LimitKind;
use gateway_platform::contact::{
    ContactFilter, NewContactMessage, contact_add, contact_answers, contact_fetch,
};
use gateway_platform::list::list_page;
use gateway_platform::settings::{Tenant, tenant_of};
use serde_json::json;
use tokio_postgres::GenericClient;
use uuid::Uuid;

use super::MESSAGE;
use super::bodies::{ContactChannels, OwnContactMessage, OwnContactMessagePage};
use crate::edge::{CurrentBusiness, CurrentSeller, Db, Json, Paging, PanelUrl, Query};
use crate::problem::{Problem, Result};
use crate::shared::change::{Change, Work};
use crate::shared::form::{IdempotentForm, form, line, paragraphs, required};

form! {
    pub struct ContactMessageForm {
        #[example = "Dúvida sobre o repasse"]
        subject: String = required(line(120), "Informe o assunto."),
        /// Several empty lines become one. Card numbers are masked.
        #[example = "Quando recebo a venda de ontem?"]
        message: String = required(paragraphs(4_000), "Escreva a sua mensagem."),
    }
}

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
    let page = list_page(&*db, &own, paging.into()).await?;
    let ids: Vec<Uuid> = page.rows.iter().map(|message| message.id).collect();
    let answers = contact_answers(&*db, &ids).await?;
    let to_body = |message| OwnContactMessage::of(message, &answers);
    Ok(Json(OwnContactMessagePage::new(page, paging, to_body)))
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
    origin: RequestOrigin,
    change: Change<CurrentBusiness, IdempotentForm<ContactMessageForm>>,
) -> Result<Response> {
    change
        .run(StatusCode::CREATED, async |work, form| {
            let CurrentBusiness {
                id: business_id,
                seller,
                ..
            } = work.caller;
            let limits = &work.state.accounts.limits;
            limits
                .take(LimitKind::ContactMessage, &seller.to_string(), origin.caller)
                .await?;
            let new = NewContactMessage {
                id: work.state.ids.new_uuid(),
                seller,
                business_id,
                panel_url: origin.panel_url,
                subject: form.subject,
                body: form.message,
                created_at: work.now(),
            };
            contact_add(&**work, &new).await?;
            send_to_contact(work, &new).await?;
            let added = contact_fetch(&**work, new.id).await?;
            let added = added.ok_or_else(|| Problem::internal("a new message is missing"))?;
            let entry = MESSAGE
                .entry("create", new.id)
                .after(json!({ "subject": new.subject, "business_id": business_id }));
            Ok(entry.answer(OwnContactMessage::of(added, &[])))
        })
        .await
}

/// Queues the e-mail to the contact address of the panel's tenant, or else to that of the default tenant. If neither
/// has an address, there is no e-mail.
async fn send_to_contact<C>(work: &mut Work<C>, new: &NewContactMessage) -> Result<()> {
    let contact = match tenant_of_panel(&**work, &new.panel_url).await?.contact_email {
        Some(contact) => Some(contact),
        None => tenant_of(&**work, "").await?.contact_email,
    };
    let Some(contact) = contact else {
        return Ok(());
    };
    let email = OutboxEmail {
        kind: EmailKind::ContactMessage,
        audience: Audience::Admin,
        user: None,
        recipient: &normalize_email(&contact),
        panel_url: &new.panel_url,
        facts: Facts {
            contact: Some(new.id),
            ..Facts::default()
        },
    };
    work.send_email(&email).await
}

async fn tenant_of_panel(client: &impl GenericClient, panel_url: &str) -> Result<Tenant> {
    let host = panel_url.split_once("://").map_or(panel_url, |(_, host)| host);
    Ok(tenant_of(client, &tenant_label(host)).await?)
}
