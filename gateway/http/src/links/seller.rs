//! A company's own payment links: the list, a new link, one link, and its changes.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use futures::Stream;
use gateway_identity::audit::Actor;
use gateway_platform::links::{
    LinkFields, LinkFilter, NewLink, PaymentLink as Record, link_create, link_fetch, link_locked,
    link_opening_counts, link_order_count, link_update, links_batch, links_list,
};
use ledger_domain::{BusinessId, PaymentLinkId};
use tokio_postgres::GenericClient;

use super::LinksWithFigures;
use super::bodies::{PaymentLink, PaymentLinkDetail, PaymentLinkPage};
use super::forms::{NEW_LINK, PaymentLinkChange, PaymentLinkForm};
use super::query::LinkQuery;
use super::save::{SOLUTION, audit, check_company, check_plan, check_version};
use super::spreadsheets::LINKS;
use crate::AppState;
use crate::edge::{CurrentBusiness, Db, Id, IdempotentJson, Json, ListQuery, Tx};
use crate::plans::simulation::context;
use crate::problem::{Problem, Result};
use crate::shared::page::PageMeta;
use crate::spreadsheet::{PAGE_ROWS, ResponseFormat, pages};

/// Two links that get the same code are very rare. More than two in a row are a fault.
const CODE_ATTEMPTS: usize = 3;

/// List payment links
///
/// By default, the latest link is the first. A spreadsheet has all links that match the filter.
#[utoipa::path(
    get, path = "/payment-link", tag = "payment-links",
    responses((status = 200, body = PaymentLinkPage))
)]
pub(crate) async fn list_payment_links(
    State(state): State<AppState>,
    business: CurrentBusiness,
    format: ResponseFormat,
    ListQuery { query, zone }: ListQuery<LinkQuery>,
) -> Result<Response> {
    let paging = query.paging;
    let filter = query.filter(Some(business.id), state.clock.today());
    match format {
        ResponseFormat::Json => {
            let db = state.db().await?;
            let page = links_list(&*db, &filter, paging.into()).await?;
            let meta = PageMeta::numbered(&page, paging).in_zone(zone);
            let data = LinksWithFigures::of(&*db, page.rows, filter.today).await?;
            let data = data.rows(PaymentLink::of);
            Ok(Json(PaymentLinkPage { data, meta }).into_response())
        }
        ResponseFormat::Spreadsheet(file) => file.respond(&LINKS, all_links(state, filter)).await,
    }
}

/// Create a payment link
///
/// The company must be approved, and its plan for payment links must price what the link offers. The code of the public
/// address is new.
#[utoipa::path(
    post, path = "/payment-link", tag = "payment-links",
    responses(
        (status = 201, body = PaymentLinkDetail),
        (status = 409, description = "The company is not approved"),
    )
)]
pub(crate) async fn create_payment_link(
    State(state): State<AppState>,
    business: CurrentBusiness,
    IdempotentJson { body, idempotency }: IdempotentJson<PaymentLinkForm>,
) -> Result<Response> {
    let fields = body.read(NEW_LINK, 0, state.clock.today())?;
    let context = context(&state, business.id, SOLUTION).await?;
    let tx = state.begin().await?;
    if let Some(answer) = idempotency.replayed_answer(&tx).await? {
        return Ok(answer);
    }
    business.caller().lock_and_check_allowed(&*tx).await?;
    check_company(&*tx, business.id).await?;
    check_plan(context.terms.as_deref(), &fields)?;
    let id = insert(&state, &tx, business.id, &fields).await?;
    let added = find_own(&*tx, business, id).await?;
    audit(&*tx, Actor::Seller(business.seller), None, &added).await?;
    let answer = detail(&state, &*tx, added).await?;
    let answer = idempotency
        .store_answer(&tx, StatusCode::CREATED, &answer)
        .await?;
    tx.commit().await?;
    Ok(answer)
}

/// Get a payment link
#[utoipa::path(
    get, path = "/payment-link/{id}", tag = "payment-links",
    responses((status = 200, body = PaymentLinkDetail))
)]
pub(crate) async fn get_payment_link(
    State(state): State<AppState>,
    business: CurrentBusiness,
    Id(id): Id<PaymentLinkId>,
    db: Db,
) -> Result<Json<PaymentLinkDetail>> {
    let link = link_fetch(&*db, id).await?;
    let own = link.filter(|link| link.company.id == business.id);
    let link = own.ok_or_else(Problem::not_found)?;
    detail(&state, &*db, link).await.map(Json)
}

/// Update a payment link
///
/// Changes the given fields; null clears a field. Sales keep the terms under which they were made. A link of a
/// company that is not approved can be switched off, and not on.
#[utoipa::path(
    patch, path = "/payment-link/{id}", tag = "payment-links",
    responses(
        (status = 200, body = PaymentLinkDetail),
        (status = 409, description = "Another user has changed the link since `version`, or the company is not approved"),
    )
)]
pub(crate) async fn update_payment_link(
    State(state): State<AppState>,
    business: CurrentBusiness,
    Id(id): Id<PaymentLinkId>,
    Json(form): Json<PaymentLinkChange>,
) -> Result<Json<PaymentLinkDetail>> {
    let context = context(&state, business.id, SOLUTION).await?;
    let tx = state.begin().await?;
    business.caller().lock_and_check_allowed(&*tx).await?;
    let before = find_own(&*tx, business, id).await?;
    let (fields, version) = form.read(&before, state.clock.today())?;
    check_version(&*tx, &before, version).await?;
    if fields.active && !before.fields.active {
        check_company(&*tx, business.id).await?;
    }
    if !fields.is_priced_like(&before.fields) {
        check_plan(context.terms.as_deref(), &fields)?;
    }
    let mut after = before.clone();
    if fields != before.fields {
        link_update(&*tx, id, &fields, state.clock.now()).await?;
        after = find_own(&*tx, business, id).await?;
        audit(&*tx, Actor::Seller(business.seller), Some(&before), &after).await?;
    }
    let answer = detail(&state, &*tx, after).await?;
    tx.commit().await?;
    Ok(Json(answer))
}

async fn insert(
    state: &AppState,
    tx: &Tx,
    business_id: BusinessId,
    fields: &LinkFields,
) -> Result<PaymentLinkId> {
    let id = PaymentLinkId::from_uuid(state.ids.new_uuid());
    for _ in 0..CODE_ATTEMPTS {
        let new = NewLink {
            id,
            business_id,
            code: &state.ids.new_short_code(),
            fields,
            created_at: state.clock.now(),
        };
        if link_create(&**tx, &new).await? {
            return Ok(id);
        }
    }
    Err(Problem::internal("no free code for a payment link"))
}

/// The company's link, locked.
async fn find_own(
    client: &impl GenericClient,
    business: CurrentBusiness,
    id: PaymentLinkId,
) -> Result<Record> {
    let link = link_locked(client, id).await?;
    link.filter(|link| link.company.id == business.id)
        .ok_or_else(Problem::not_found)
}

async fn detail(state: &AppState, client: &impl GenericClient, link: Record) -> Result<PaymentLinkDetail> {
    let ordered = link_order_count(client, link.id).await?;
    let links = vec![link];
    let opened = link_opening_counts(client, &links).await?.into_values().sum();
    let rows = LinksWithFigures::of(client, links, state.clock.today()).await?;
    let row = rows.rows(PaymentLink::of).pop();
    let link = row.ok_or_else(|| Problem::internal("a link without a row"))?;
    Ok(PaymentLinkDetail {
        link,
        opened,
        ordered,
    })
}

fn all_links(state: AppState, filter: LinkFilter) -> impl Stream<Item = Result<Vec<PaymentLink>>> {
    pages(move |after| {
        let (state, filter) = (state.clone(), filter.clone());
        async move {
            let db = state.db().await?;
            let batch = links_batch(&*db, &filter, after, PAGE_ROWS).await?;
            let rows = LinksWithFigures::of(&*db, batch.rows, filter.today).await?;
            Ok((rows.rows(PaymentLink::of), batch.next))
        }
    })
}
