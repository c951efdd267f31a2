//! Staff's list of the payment links of all companies.

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use futures::Stream;
use gateway_platform::links::{LinkFilter, links_batch, links_list};

use super::LinksWithFigures;
use super::bodies::{AdminPaymentLink, AdminPaymentLinkPage};
use super::query::AdminLinkQuery;
use super::spreadsheets::ADMIN_LINKS;
use crate::AppState;
use crate::edge::{Json, ListQuery};
use crate::problem::Result;
use crate::shared::page::PageMeta;
use crate::spreadsheet::{PAGE_ROWS, ResponseFormat, pages};

/// List payment links of all companies
///
/// By default, the latest link is the first. A spreadsheet has all links that match the filter.
#[utoipa::path(
    get, path = "/admin/payment-links", tag = "payment-links",
    responses((status = 200, body = AdminPaymentLinkPage))
)]
pub(crate) async fn list_all_payment_links(
    State(state): State<AppState>,
    format: ResponseFormat,
    ListQuery { query, zone }: ListQuery<AdminLinkQuery>,
) -> Result<Response> {
    let paging = query.links.paging;
    let filter = query.links.filter(query.business_id, state.clock.today());
    match format {
        ResponseFormat::Json => {
            let db = state.db().await?;
            let page = links_list(&*db, &filter, paging.into()).await?;
            let meta = PageMeta::numbered(&page, paging).in_zone(zone);
            let data = LinksWithFigures::of(&*db, page.rows, filter.today).await?;
            let data = data.rows(AdminPaymentLink::of);
            Ok(Json(AdminPaymentLinkPage { data, meta }).into_response())
        }
        ResponseFormat::Spreadsheet(file) => file.respond(&ADMIN_LINKS, all_links(state, filter)).await,
    }
}

fn all_links(state: AppState, filter: LinkFilter) -> impl Stream<Item = Result<Vec<AdminPaymentLink>>> {
    pages(move |after| {
        let (state, filter) = (state.clone(), filter.clone());
        async move {
            let db = state.db().await?;
            let batch = links_batch(&*db, &filter, after, PAGE_ROWS).await?;
            let rows = LinksWithFigures::of(&*db, batch.rows, filter.today).await?;
            Ok((rows.rows(AdminPaymentLink::of), batch.next))
        }
    })
}
