//! Terminals (card machines) for staff: the list, one terminal with its history, and its changes: owner, billing,
//! removal. The owner is the company that has the terminal now; a terminal in stock has none.
//!
//! The rules of each change are in `gateway_platform::terminals`. Every change locks the terminal's row before it reads
//! it.

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use futures::Stream;
use gateway_identity::audit::{Actor, Change, record};
use gateway_identity::users::StaffCaller;
use gateway_platform::settings::rental_prices;
use gateway_platform::terminals::{
    Billing, TerminalFilter, TerminalRecord, TerminalRefusal, lock_new_owner, terminal_billings,
    terminal_fetch, terminal_locked, terminal_owner_periods, terminal_rename, terminal_set_billing,
    terminal_set_owner, terminal_was_owned_by, terminals_batch, terminals_list,
};
use gateway_platform::validity::set_business_now;
use ledger_domain::{BusinessId, Cents, TerminalId};
use serde_json::{Value, json};
use tokio_postgres::GenericClient;

use super::bodies::{Terminal, TerminalBillingPeriod, TerminalDetail, TerminalOwnerPeriod, TerminalPage};
use super::forms::{TerminalBillingForm, TerminalOwnerForm};
use super::query::{TerminalOwnerQuery, TerminalQuery};
use super::spreadsheets::TERMINALS;
use crate::AppState;
use crate::edge::{Db, Id, Ids, Json, ListQuery, Paging, Query, Tx};
use crate::problem::{Problem, Result};
use crate::shared::page::PageMeta;
use crate::spreadsheet::{PAGE_ROWS, ResponseFormat, pages};
use crate::users::bodies::history::HistoryPage;
use crate::users::history::staff_history;

/// The subject in the audit log.
pub const SUBJECT: &str = "terminal";

/// List terminals
///
/// The terminals of all companies and those in stock, by serial number unless `sort` says otherwise. A spreadsheet has
/// all terminals that match the filter.
#[utoipa::path(get, path = "/admin/terminals", tag = "terminals", responses((status = 200, body = TerminalPage)))]
pub(crate) async fn list_terminals(
    State(state): State<AppState>,
    format: ResponseFormat,
    ListQuery { query, zone }: ListQuery<TerminalQuery>,
) -> Result<Response> {
    let TerminalQuery { filter, paging } = query;
    match format {
        ResponseFormat::Json => {
            let db = state.db().await?;
            let page = terminals_list(&*db, &filter, paging.into()).await?;
            let meta = PageMeta::numbered(&page, paging).in_zone(zone);
            let platform_rental_price = platform_rental_price(&state, &*db).await?;
            let to_body = |row| Terminal::of(row, platform_rental_price);
            let data = page.rows.into_iter().map(to_body).collect();
            Ok(Json(TerminalPage { data, meta }).into_response())
        }
        ResponseFormat::Spreadsheet(file) => file.respond(&TERMINALS, all_terminals(state, filter)).await,
    }
}

/// Get a terminal
///
/// With the history of its companies and of its billing.
#[utoipa::path(
    get, path = "/admin/terminals/{terminal_id}", tag = "terminals",
    responses((status = 200, body = TerminalDetail))
)]
pub(crate) async fn get_terminal(
    State(state): State<AppState>,
    Id(id): Id<TerminalId>,
    db: Db,
) -> Result<Json<TerminalDetail>> {
    let terminal = terminal_fetch(&*db, id).await?.ok_or_else(Problem::not_found)?;
    let owners = terminal_owner_periods(&*db, id).await?;
    let now = state.clock.now();
    let prices = rental_prices(&*db, state.default_settings(), now).await?;
    let billings = terminal_billings(&*db, id, &prices).await?;
    let platform_rental_price = platform_rental_price(&state, &*db).await?;
    Ok(Json(TerminalDetail {
        terminal: Terminal::of(terminal, platform_rental_price),
        owners: owners.into_iter().map(TerminalOwnerPeriod::from).collect(),
        billings: billings.iter().map(TerminalBillingPeriod::of).collect(),
    }))
}

/// List the history of a terminal
///
/// Latest first.
#[utoipa::path(
    get, path = "/admin/terminals/{terminal_id}/history", tag = "terminals",
    responses((status = 200, body = HistoryPage))
)]
pub(crate) async fn list_terminal_history(
    Id(id): Id<TerminalId>,
    Query(paging): Query<Paging>,
    db: Db,
) -> Result<Json<HistoryPage>> {
    terminal_fetch(&*db, id).await?.ok_or_else(Problem::not_found)?;
    staff_history(&db, SUBJECT, Some(&id.to_string()), paging)
        .await
        .map(Json)
}

/// Change the owner of a terminal
///
/// Later sales of the terminal belong to the new company; earlier ones stay with the company of their time. The billing
/// stays: a rental is charged to the new company from the next month on.
#[utoipa::path(
    post, path = "/admin/terminals/{terminal_id}/owner", tag = "terminals",
    responses(
        (status = 200, body = Terminal),
        (status = 409, description = "The terminal has changed since `version`, or the company is denied or deleted"),
    )
)]
pub(crate) async fn change_terminal_owner(
    State(state): State<AppState>,
    caller: StaffCaller,
    Id(id): Id<TerminalId>,
    Json(form): Json<TerminalOwnerForm>,
) -> Result<Json<Terminal>> {
    let business_id = form.read()?;
    let tx = state.begin().await?;
    caller.lock_and_check_allowed(&*tx).await?;
    let before = lock_terminal(&*tx, id).await?;
    before.check_version(form.version)?;
    if !before.is_owned_by(business_id) {
        lock_new_owner(&*tx, business_id).await??;
        let since = set_business_now(&*tx, state.clock.now()).await?;
        terminal_set_owner(&*tx, id, Some(business_id), since).await?;
        // A seller chose the name for their own company.
        terminal_rename(&*tx, id, None).await?;
    }
    // The stored entries of the audit log call a change of owner `move`.
    let after = record_change(&*tx, caller, "move", &before).await?;
    let platform_rental_price = platform_rental_price(&state, &*tx).await?;
    tx.commit().await?;
    Ok(Json(Terminal::of(after, platform_rental_price)))
}

/// Change the billing of a terminal
///
/// Takes effect now. A month's rental is charged by the billing that is in force on its first day.
#[utoipa::path(
    patch, path = "/admin/terminals/{terminal_id}", tag = "terminals",
    responses(
        (status = 200, body = Terminal),
        (status = 409, description = "The terminal has changed since `version`, or the company had it, and another company or the stock has it now"),
    )
)]
pub(crate) async fn change_terminal_billing(
    State(state): State<AppState>,
    caller: StaffCaller,
    Id(id): Id<TerminalId>,
    Query(TerminalOwnerQuery { business_id }): Query<TerminalOwnerQuery>,
    Json(form): Json<TerminalBillingForm>,
) -> Result<Json<Terminal>> {
    let billing = form.read()?;
    let tx = state.begin().await?;
    caller.lock_and_check_allowed(&*tx).await?;
    let before = lock_owned_by(&*tx, id, business_id).await?;
    before.check_version(form.version)?;
    if before.billing != Some(billing) {
        let since = set_business_now(&*tx, state.clock.now()).await?;
        terminal_set_billing(&*tx, id, billing, since).await?;
    }
    let after = record_change(&*tx, caller, "change-billing", &before).await?;
    let platform_rental_price = platform_rental_price(&state, &*tx).await?;
    tx.commit().await?;
    Ok(Json(Terminal::of(after, platform_rental_price)))
}

/// Remove a terminal from a company
///
/// Returns the terminal to stock and ends its rental. A month that has begun stays charged. The company keeps its
/// sales. Takes no version: the path names the owner, and no other change of the terminal matters to a removal.
#[utoipa::path(
    delete, path = "/admin/businesses/{businessId}/terminals/{terminal_id}", tag = "terminals",
    responses(
        (status = 200, body = Terminal),
        (status = 409, description = "The company had the terminal, and another company or the stock has it now"),
    )
)]
pub(crate) async fn remove_terminal(
    State(state): State<AppState>,
    caller: StaffCaller,
    Ids(business_id, id): Ids<BusinessId, TerminalId>,
    tx: Tx,
) -> Result<Json<Terminal>> {
    caller.lock_and_check_allowed(&*tx).await?;
    let before = lock_owned_by(&*tx, id, business_id).await?;
    let since = set_business_now(&*tx, state.clock.now()).await?;
    terminal_set_owner(&*tx, id, None, since).await?;
    terminal_rename(&*tx, id, None).await?;
    if matches!(before.billing, Some(Billing::Rental(_))) {
        // The next company would otherwise be charged a rental that it did not agree to.
        terminal_set_billing(&*tx, id, Billing::NEW, since).await?;
    }
    let after = record_change(&*tx, caller, "remove", &before).await?;
    let platform_rental_price = platform_rental_price(&state, &*tx).await?;
    tx.commit().await?;
    Ok(Json(Terminal::of(after, platform_rental_price)))
}

/// The monthly price of a rented terminal without an individual price.
pub(crate) async fn platform_rental_price(state: &AppState, client: &impl GenericClient) -> Result<Cents> {
    let settings = state.settings_at(client, state.clock.now()).await?;
    Ok(settings.terminal_rental)
}

/// The fields of a terminal in the audit log.
pub fn audited_fields(terminal: &TerminalRecord) -> Value {
    let billing = terminal.billing;
    json!({
        "business_id": terminal.company.as_ref().map(|company| company.id),
        "business": terminal.company.as_ref().map(|company| &company.name),
        "billing_type": billing.map(Billing::number),
        "acquisition": billing.map(|billing| billing.acquisition().number()),
        "rental_price": billing.and_then(Billing::price).map(Cents::get),
        "name": terminal.name,
    })
}

/// The audited fields that differ, before and after. `None` if no field differs.
pub fn changed_fields(before: &TerminalRecord, after: &TerminalRecord) -> Option<(Value, Value)> {
    let (mut before, mut after) = (audited_fields(before), audited_fields(after));
    if let (Some(before), Some(after)) = (before.as_object_mut(), after.as_object_mut()) {
        let same: Vec<String> = before
            .iter()
            .filter(|(field, value)| after.get(*field) == Some(value))
            .map(|(field, _)| field.clone())
            .collect();
        for field in same {
            before.remove(&field);
            after.remove(&field);
        }
        if before.is_empty() {
            return None;
        }
    }
    Some((before, after))
}

async fn lock_terminal(client: &impl GenericClient, id: TerminalId) -> Result<TerminalRecord> {
    let found = terminal_locked(client, id).await?;
    found.ok_or_else(Problem::not_found)
}

/// Locks the terminal of this owner. A 409 says who has it now if the company had it before; a 404 if it never did.
async fn lock_owned_by(
    client: &impl GenericClient,
    id: TerminalId,
    business_id: BusinessId,
) -> Result<TerminalRecord> {
    let terminal = lock_terminal(client, id).await?;
    if terminal.is_owned_by(business_id) {
        return Ok(terminal);
    }
    if terminal_was_owned_by(client, id, business_id).await? {
        return Err(TerminalRefusal::OtherOwner(Box::new(terminal)).into());
    }
    Err(Problem::not_found())
}

/// Writes the audit log and returns the terminal as it is now. A change that changed nothing writes no entry.
async fn record_change(
    client: &impl GenericClient,
    caller: StaffCaller,
    action: &str,
    before: &TerminalRecord,
) -> Result<TerminalRecord> {
    let after = lock_terminal(client, before.id).await?;
    if let Some((was, is)) = changed_fields(before, &after) {
        let change = Change {
            action,
            subject: SUBJECT,
            subject_id: &before.id.to_string(),
            before: Some(was),
            after: Some(is),
        };
        record(client, Actor::Admin(caller.id), change).await?;
    }
    Ok(after)
}

fn all_terminals(state: AppState, filter: TerminalFilter) -> impl Stream<Item = Result<Vec<Terminal>>> {
    pages(move |after| {
        let (state, filter) = (state.clone(), filter.clone());
        async move {
            let db = state.db().await?;
            let batch = terminals_batch(&*db, &filter, after, PAGE_ROWS).await?;
            let platform_rental_price = platform_rental_price(&state, &*db).await?;
            let to_body = |row| Terminal::of(row, platform_rental_price);
            Ok((batch.rows.into_iter().map(to_body).collect(), batch.next))
        }
    })
}
