//! The credits that a transfer consists of, for both panels.

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use futures::Stream;
use ledger_domain::{BusinessId, Cents, TransferId};
use projections::balance::statement::composition::composition_list;
use projections::withdrawals::find;
use utoipa::openapi::{RefOr, Schema};

use super::bodies::composition::{CompositionMeta, TransferComposition, TransferCredit};
use super::spreadsheets::COMPOSITION;
use crate::AppState;
use crate::edge::query::{PerPage, text};
use crate::edge::{CurrentBusiness, Id, Json, Query, QueryValue, query};
use crate::problem::{Problem, Result};
use crate::shared::cents;
use crate::spreadsheet::{PAGE_ROWS, ResponseFormat, pages};

/// List the credits of a transfer
///
/// Which credits of the available balance the transfer consists of: the first ones that were left, in the order of
/// recording. They add up to the amount without what was given back. `next` continues in constant time. A spreadsheet has
/// all credits.
#[utoipa::path(
    get, path = "/balance/transfers/{transfer_id}/composition", tag = "balance",
    responses((status = 200, body = TransferComposition))
)]
pub(crate) async fn list_transfer_credits(
    State(state): State<AppState>,
    business: CurrentBusiness,
    Id(id): Id<TransferId>,
    format: ResponseFormat,
    Query(query): Query<CompositionQuery>,
) -> Result<Response> {
    answer(state, Some(business.id), id, format, query).await
}

/// List the credits of a transfer of any company
///
/// Which credits of the available balance the transfer consists of: the first ones that were left, in the order of
/// recording. They add up to the amount without what was given back. `next` continues in constant time. A spreadsheet has
/// all credits.
#[utoipa::path(
    get, path = "/admin/balance/transfers/{transfer_id}/composition", tag = "balance",
    responses((status = 200, body = TransferComposition))
)]
pub(crate) async fn list_any_transfer_credits(
    State(state): State<AppState>,
    Id(id): Id<TransferId>,
    format: ResponseFormat,
    Query(query): Query<CompositionQuery>,
) -> Result<Response> {
    answer(state, None, id, format, query).await
}

async fn answer(
    state: AppState,
    company: Option<BusinessId>,
    id: TransferId,
    format: ResponseFormat,
    query: CompositionQuery,
) -> Result<Response> {
    let transfer = find(&*state.db().await?, company, id).await?;
    let business = transfer.ok_or_else(Problem::not_found)?.business_id;
    if let ResponseFormat::Spreadsheet(file) = format {
        return file.respond(&COMPOSITION, all_credits(state, business, id)).await;
    }
    let skipped = query.next.map_or(Cents::ZERO, |next| next.0);
    let limit = query.per_page.0;
    let page = composition_list(&*state.db().await?, business, id, skipped, limit).await?;
    Ok(Json(TransferComposition {
        amount: cents(page.total),
        data: page.parts.into_iter().map(TransferCredit::from).collect(),
        meta: CompositionMeta {
            next: page.next.map(|next| next.get().to_string()),
        },
    })
    .into_response())
}

fn all_credits(
    state: AppState,
    business: BusinessId,
    id: TransferId,
) -> impl Stream<Item = Result<Vec<TransferCredit>>> {
    pages(move |after: Option<Cents>| {
        let state = state.clone();
        async move {
            let db = state.db().await?;
            let skipped = after.unwrap_or(Cents::ZERO);
            let page = composition_list(&*db, business, id, skipped, PAGE_ROWS).await?;
            Ok((
                page.parts.into_iter().map(TransferCredit::from).collect(),
                page.next,
            ))
        }
    })
}

query! {
    pub struct CompositionQuery {
        /// The cursor from `meta.next` of an earlier response.
        next: Option<Skipped>,
        /// Rows per page; the default is 20.
        #[name = "perPage"]
        per_page: PerPage = PerPage::DEFAULT,
    }
}

/// The amount of the transfer before a page.
pub struct Skipped(Cents);

impl QueryValue for Skipped {
    const INVALID: &'static str = "A continuação desta lista não é válida. Recarregue a página.";

    fn schema() -> RefOr<Schema> {
        text().into()
    }

    fn parse(text: &str) -> Option<Self> {
        let cents = text.parse().ok().filter(|cents| *cents >= 0)?;
        Some(Self(Cents::new(cents)))
    }
}
