//! The lists of transfers of both panels: a page, or all rows as a spreadsheet.

use axum::response::{IntoResponse, Response};
use gateway_identity::audience::Audience;
use gateway_platform::withdrawals::transfer_batch;
use projections::withdrawals::{list, list_after};

use super::bodies::transfer::TransferPage;
use super::query::TransferQuery;
use super::related_rows::{Viewer, with_related_rows};
use super::spreadsheets::{STAFF_TRANSFERS, TRANSFERS};
use crate::AppState;
use crate::edge::{Json, ListQuery};
use crate::problem::Result;
use crate::shared::page::PageMeta;
use crate::spreadsheet::{PAGE_ROWS, ResponseFormat, pages};

/// A page of transfers, or all of them as a spreadsheet.
pub(crate) async fn transfer_answer(
    state: AppState,
    viewer: Viewer,
    ListQuery { query, zone }: ListQuery<TransferQuery>,
    format: ResponseFormat,
) -> Result<Response> {
    match format {
        ResponseFormat::Json => {
            let mut page = transfer_page(&state, viewer, query).await?;
            page.meta = page.meta.in_zone(zone);
            Ok(Json(page).into_response())
        }
        ResponseFormat::Spreadsheet(file) => {
            let table = match viewer.audience {
                Audience::Seller => &TRANSFERS,
                Audience::Admin => &STAFF_TRANSFERS,
            };
            let (state, filter) = (&state, &query.filter);
            let all = pages(|progress| async move {
                let db = state.db().await?;
                let (rows, next) = transfer_batch(&*db, filter.clone(), progress, PAGE_ROWS).await?;
                Ok((with_related_rows(state, &db, viewer, rows).await?, next))
            });
            file.respond(table, all).await
        }
    }
}

async fn transfer_page(state: &AppState, viewer: Viewer, query: TransferQuery) -> Result<TransferPage> {
    let TransferQuery { filter, paging, next } = query;
    let db = state.db().await?;
    let mut page = match next {
        Some(next) => list_after(&*db, &filter, next, paging.per_page).await?,
        None => list(&*db, &filter, paging.into()).await?,
    };
    let meta = PageMeta::of(&page, paging);
    let rows = std::mem::take(&mut page.rows);
    let data = with_related_rows(state, &db, viewer, rows).await?;
    Ok(TransferPage { data, meta })
}
