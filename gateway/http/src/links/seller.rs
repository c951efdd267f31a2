//! A company's own payment links: the list, a new link, one link, and its changes.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use futures::Stream;
use gateway_platform::links::{
    LinkEditor, LinkFilter, PaymentLink as Record, SOLUTION, create, link_fetch, link_opening_counts,
    link_order_count, links_batch, links_list, update,
};
use ledger_domain::PaymentLinkId;
use ledger_domain::business::SaleContext;
use tokio_postgres::GenericClient;

use super::LinksWithFigures;
use super::bodies::{PaymentLink, PaymentLinkDetail, PaymentLinkPage};
use super::forms::{PaymentLinkChange, PaymentLinkForm};
use super::query::LinkQuery;
use super::spreadsheets::LINKS;
use crate::AppState;
use crate::edge::{CurrentBusiness, Db, Id, Json, ListQuery};
use crate::plans::simulation::context_on;
use crate::problem::{Problem, Result};
use crate::shared::change::{Caller, Change, Changed, Work};
use crate::shared::form::{Form, IdempotentForm};
use crate::shared::page::PageMeta;
use crate::spreadsheet::{PAGE_ROWS, ResponseFormat, pages};

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
    change: Change<CurrentBusiness, IdempotentForm<PaymentLinkForm>>,
) -> Result<Response> {
    change
        .run(StatusCode::CREATED, async |work, form| {
            let context = context_on(&work.state, work, work.caller.id, SOLUTION).await?;
            let link = create(&**work, editor(work, &context), form.0).await?;
            Ok(Changed::recorded(detail(&work.state, &**work, link).await?))
        })
        .await
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
    Id(id): Id<PaymentLinkId>,
    change: Change<CurrentBusiness, Form<PaymentLinkChange>>,
) -> Result<Response> {
    change
        .run(StatusCode::OK, async |work, form| {
            let context = context_on(&work.state, work, work.caller.id, SOLUTION).await?;
            let editor = editor(work, &context);
            let link = update(&**work, editor, id, form.version, form.fields.0).await?;
            Ok(Changed::recorded(detail(&work.state, &**work, link).await?))
        })
        .await
}

fn editor<'a>(work: &'a Work<CurrentBusiness>, context: &'a SaleContext) -> LinkEditor<'a> {
    LinkEditor {
        actor: work.caller.actor(),
        company: work.caller.id,
        terms: context.terms.as_deref(),
        clock: work.state.clock,
        ids: &work.state.ids,
    }
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
