//! The credits that a transfer consists of, and their days, for both panels.

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use futures::Stream;
use ledger_domain::calendar::Date;
use ledger_domain::{BusinessId, Cents, TransferId};
use projections::balance::statement::composition::{
    AmountPart, CompositionRange, composition_days, composition_list, composition_of_day, credit_installments,
};
use projections::withdrawals::find;
use utoipa::openapi::{RefOr, Schema};

use super::bodies::composition::{
    CompositionMeta, TransferComposition, TransferCredit, TransferDay, TransferDays,
};
use super::spreadsheets::COMPOSITION;
use crate::AppState;
use crate::edge::query::{PerPage, text};
use crate::edge::{CurrentBusiness, Db, Id, Json, Query, QueryValue, query};
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

/// List the days of a transfer's credits
///
/// The credits of the transfer, summed up by the banking day in Brasília on which they came in. The used amounts add up to
/// the amount without what was given back. The list of credits can be restricted to a day.
#[utoipa::path(
    get, path = "/balance/transfers/{transfer_id}/composition/days", tag = "balance",
    responses((status = 200, body = TransferDays))
)]
pub(crate) async fn list_transfer_days(
    business: CurrentBusiness,
    Id(id): Id<TransferId>,
    db: Db,
) -> Result<Json<TransferDays>> {
    days(db, Some(business.id), id).await
}

/// List the days of the credits of a transfer of any company
///
/// The credits of the transfer, summed up by the banking day in Brasília on which they came in. The used amounts add up to
/// the amount without what was given back. The list of credits can be restricted to a day.
#[utoipa::path(
    get, path = "/admin/balance/transfers/{transfer_id}/composition/days", tag = "balance",
    responses((status = 200, body = TransferDays))
)]
pub(crate) async fn list_any_transfer_days(Id(id): Id<TransferId>, db: Db) -> Result<Json<TransferDays>> {
    days(db, None, id).await
}

async fn days(db: Db, company: Option<BusinessId>, id: TransferId) -> Result<Json<TransferDays>> {
    let transfer = find(&*db, company, id).await?;
    let business = transfer.ok_or_else(Problem::not_found)?.business_id;
    let found = composition_days(&*db.about(business), business, id).await?;
    Ok(Json(TransferDays {
        amount: cents(found.total),
        data: found.days.into_iter().map(TransferDay::from).collect(),
    }))
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
    let db = state.db().await?.about(business);
    let page = match query.day {
        Some(day) => composition_of_day(&*db, business, id, (day, skipped), limit).await?,
        None => composition_list(&*db, business, id, CompositionRange::after(skipped), limit).await?,
    };
    Ok(Json(TransferComposition {
        amount: cents(page.total),
        data: credits(&db, business, page.parts).await?,
        meta: CompositionMeta {
            next: page.next.map(|next| next.get().to_string()),
        },
    })
    .into_response())
}

async fn credits(db: &Db, business: BusinessId, parts: Vec<AmountPart>) -> Result<Vec<TransferCredit>> {
    let installments = credit_installments(&**db, business, &parts).await?;
    let credits = parts.into_iter().zip(installments);
    Ok(credits
        .map(|(part, installment)| TransferCredit::of(part, installment))
        .collect())
}

fn all_credits(
    state: AppState,
    business: BusinessId,
    id: TransferId,
) -> impl Stream<Item = Result<Vec<TransferCredit>>> {
    pages(move |after: Option<Cents>| {
        let state = state.clone();
        async move {
            let db = state.db().await?.about(business);
            let range = CompositionRange::after(after.unwrap_or(Cents::ZERO));
            let page = composition_list(&*db, business, id, range, PAGE_ROWS).await?;
            Ok((credits(&db, business, page.parts).await?, page.next))
        }
    })
}

query! {
    pub struct CompositionQuery {
        /// The cursor from `meta.next` of an earlier response.
        next: Option<Skipped>,
        /// Only the credits of this banking day in Brasília. Spreadsheets have all days.
        day: Option<Date>,
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
