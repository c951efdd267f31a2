//! A company's own card machines: the list and their names.

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use futures::Stream;
use gateway_identity::audit::{Actor, Change, record};
use gateway_platform::terminals::{
    TerminalFilter, TerminalRecord, terminal_locked, terminal_rename, terminals_batch, terminals_list,
};
use ledger_domain::TerminalId;
use projections::sales::{TerminalSince, last_sales};
use tokio_postgres::GenericClient;

use super::bodies::{OwnTerminal, OwnTerminalPage};
use super::forms::TerminalNameForm;
use super::query::OwnTerminalQuery;
use super::spreadsheets::OWN_TERMINALS;
use super::staff::{SUBJECT, changed_fields, platform_rental_price};
use crate::AppState;
use crate::edge::{CurrentBusiness, Id, Json, ListQuery};
use crate::problem::{Problem, Result};
use crate::shared::page::PageMeta;
use crate::spreadsheet::{PAGE_ROWS, ResponseFormat, pages};

/// List the company's terminals
///
/// By serial number unless `sort` says otherwise, each with its latest sale. A spreadsheet has all terminals that match
/// the filter.
#[utoipa::path(
    get, path = "/business/{businessId}/terminals", tag = "terminals",
    responses((status = 200, body = OwnTerminalPage))
)]
pub(crate) async fn list_business_terminals(
    State(state): State<AppState>,
    business: CurrentBusiness,
    format: ResponseFormat,
    ListQuery { query, zone }: ListQuery<OwnTerminalQuery>,
) -> Result<Response> {
    let OwnTerminalQuery { filter, paging } = query;
    let filter = TerminalFilter {
        business_id: Some(business.id),
        ..filter
    };
    match format {
        ResponseFormat::Json => {
            let db = state.db().await?;
            let page = terminals_list(&*db, &filter, paging.into()).await?;
            let meta = PageMeta::numbered(&page, paging).in_zone(zone);
            let data = with_last_sales(&state, &*db, page.rows).await?;
            Ok(Json(OwnTerminalPage { data, meta }).into_response())
        }
        ResponseFormat::Spreadsheet(file) => file.respond(&OWN_TERMINALS, all_terminals(state, filter)).await,
    }
}

/// Rename a terminal
///
/// A blank name removes the name.
#[utoipa::path(
    patch, path = "/terminals/{id}/", tag = "terminals",
    responses(
        (status = 200, body = OwnTerminal),
        (status = 409, description = "The terminal has changed since `version`"),
    )
)]
pub(crate) async fn rename_terminal(
    State(state): State<AppState>,
    business: CurrentBusiness,
    Id(id): Id<TerminalId>,
    Json(form): Json<TerminalNameForm>,
) -> Result<Json<OwnTerminal>> {
    let name = form.read()?;
    let tx = state.begin().await?;
    business.caller().lock_and_check_allowed(&*tx).await?;
    let before = find_own(&*tx, business, id).await?;
    before.check_version(form.version)?;
    if before.name != name {
        terminal_rename(&*tx, id, name.as_deref()).await?;
    }
    let after = find_own(&*tx, business, id).await?;
    if let Some((was, is)) = changed_fields(&before, &after) {
        let change = Change {
            action: "rename",
            subject: SUBJECT,
            subject_id: &id.to_string(),
            before: Some(was),
            after: Some(is),
        };
        record(&*tx, Actor::Seller(business.seller), change).await?;
    }
    let terminal = with_last_sales(&state, &*tx, vec![after]).await?.pop();
    tx.commit().await?;
    terminal.map(Json).ok_or_else(Problem::not_found)
}

async fn find_own(
    client: &impl GenericClient,
    business: CurrentBusiness,
    id: TerminalId,
) -> Result<TerminalRecord> {
    let terminal = terminal_locked(client, id).await?;
    terminal
        .filter(|terminal| terminal.is_owned_by(business.id))
        .ok_or_else(Problem::not_found)
}

async fn with_last_sales(
    state: &AppState,
    client: &impl GenericClient,
    terminals: Vec<TerminalRecord>,
) -> Result<Vec<OwnTerminal>> {
    let wanted: Vec<TerminalSince> = terminals
        .iter()
        .filter_map(|terminal| {
            Some(TerminalSince {
                terminal_id: terminal.id,
                business_id: terminal.company.as_ref()?.id,
                since: terminal.owned_since?,
            })
        })
        .collect();
    let sales = last_sales(client, &wanted).await?;
    let platform_rental_price = platform_rental_price(state, client).await?;
    let to_body = |terminal: TerminalRecord| {
        let sale = sales.get(&terminal.id);
        OwnTerminal::of(terminal, sale, platform_rental_price)
    };
    Ok(terminals.into_iter().map(to_body).collect())
}

fn all_terminals(state: AppState, filter: TerminalFilter) -> impl Stream<Item = Result<Vec<OwnTerminal>>> {
    pages(move |after| {
        let (state, filter) = (state.clone(), filter.clone());
        async move {
            let db = state.db().await?;
            let batch = terminals_batch(&*db, &filter, after, PAGE_ROWS).await?;
            let rows = with_last_sales(&state, &*db, batch.rows).await?;
            Ok((rows, batch.next))
        }
    })
}
