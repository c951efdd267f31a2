//! Terminals (card machines) for staff: the list, one terminal with its history, and its changes: owner, billing,
//! removal. The owner is the company that has the terminal now; a terminal in stock has none.
//!
//! The rules of each change are in `gateway_platform::terminals`. Every change locks the terminal's row before it reads
//! it.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use gateway_identity::users::StaffCaller;
use gateway_platform::settings::rental_prices;
use gateway_platform::terminals::{
    Billing, SERIAL_CHARACTERS_MAX, SerialSearch, TerminalFilter, TerminalRecord, TerminalRefusal,
    TerminalSort, lock_new_owner, terminal_billings, terminal_fetch, terminal_locked, terminal_owner_periods,
    terminal_rename, terminal_set_billing, terminal_set_owner, terminal_was_owned_by,
};
use gateway_platform::validity::set_business_now;
use ledger_domain::{BusinessId, Cents, TerminalId};
use projections::SortOrder;
use tokio_postgres::{Client, GenericClient};
use utoipa::openapi::{RefOr, Schema};

use super::bodies::{
    TERMINALS, Terminal, TerminalBillingPeriod, TerminalDetail, TerminalOwnerPeriod, TerminalPage,
};
use super::forms::{TerminalBillingForm, TerminalOwnerForm};
use super::{TERMINAL, changed};
use crate::AppState;
use crate::edge::query::text;
use crate::edge::{Db, Id, Ids, Json, Paging, Query, QueryValue, query};
use crate::problem::{Problem, Result};
use crate::shared::change::{Change, Changed, Work};
use crate::shared::form::{Form, InData};
use crate::shared::list::{FromRows, ZonedListing};
use crate::users::bodies::history::HistoryPage;
use crate::users::history::staff_history;

query! {
    impl FromQuery for TerminalFilter {
        /// Only terminals of this company.
        business_id: Option<BusinessId>,
        /// in_use: a company has the terminal. in_stock: no company has it.
        status: Option<Status>,
        own: ..OwnTerminals,
    } => Self {
        business_id,
        in_stock: status.map(|status| status == Status::InStock),
        ..own.0
    }
}

ledger_domain::words! {
    enum Status {
        InUse = "in_use" => "Em uso",
        InStock = "in_stock" => "Em estoque",
    }
}

/// The terminals of one company.
pub struct OwnTerminals(pub TerminalFilter);

query! {
    impl FromQuery for OwnTerminals {
        /// How the serial number begins or ends. Case is ignored.
        #[example = "PDV005"]
        serial_number: Option<SerialSearch>,
        /// 0 Adesão, 1 Aluguel. Leaves out the terminals in stock.
        #[name = "billing_type"]
        #[example = 1]
        rented: Option<bool>,
        /// The column to sort by; the default is serial_number.
        sort: TerminalSort = TerminalSort::SerialNumber,
        /// The default is asc.
        order: SortOrder = SortOrder::Asc,
    } => Self(TerminalFilter {
        serial: serial_number,
        rented,
        sort,
        order,
        ..TerminalFilter::default()
    })
}

impl QueryValue for SerialSearch {
    const INVALID: &'static str = "Deve ser o início ou o final de um número de série.";
    const IS_FREE_TEXT: bool = true;

    fn schema() -> RefOr<Schema> {
        text().max_length(Some(SERIAL_CHARACTERS_MAX)).into()
    }

    fn parse(text: &str) -> Option<Self> {
        Self::parse(text)
    }
}

query! {
    /// The company that a change of billing is about.
    pub struct TerminalOwnerQuery {
        /// The company that has the terminal. If it no longer has it, the answer is a 409.
        business_id: BusinessId,
    }
}

impl FromRows<TerminalRecord> for Terminal {
    async fn from_rows(state: &AppState, client: &Client, rows: Vec<TerminalRecord>) -> Result<Vec<Self>> {
        let platform_rental_price = platform_rental_price(state, client).await?;
        let to_body = |row| Self::of(row, platform_rental_price);
        Ok(rows.into_iter().map(to_body).collect())
    }
}

/// List terminals
///
/// The terminals of all companies and those in stock, by serial number unless `sort` says otherwise. A spreadsheet has
/// all terminals that match the filter.
#[utoipa::path(get, path = "/admin/terminals", tag = "terminals", responses((status = 200, body = TerminalPage)))]
pub(crate) async fn list_terminals(ZonedListing(list): ZonedListing<TerminalFilter>) -> Result<Response> {
    list.respond::<Terminal>(&TERMINALS).await
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
    staff_history(&db, TERMINAL.0, Some(&id.to_string()), paging)
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
    Id(id): Id<TerminalId>,
    change: Change<StaffCaller, Form<InData<TerminalOwnerForm>>>,
) -> Result<Response> {
    change
        .run(StatusCode::OK, async |work, InData(form)| {
            let before = lock_terminal(&**work, id).await?;
            before.check_version(form.version)?;
            if !before.is_owned_by(form.business_id) {
                lock_new_owner(&**work, form.business_id).await??;
                let since = set_business_now(&**work, work.now()).await?;
                terminal_set_owner(&**work, id, Some(form.business_id), since).await?;
                // A seller chose the name for their own company.
                terminal_rename(&**work, id, None).await?;
            }
            // The stored entries of the audit log call a change of owner `move`.
            with_answer(work, "move", &before).await
        })
        .await
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
    Id(id): Id<TerminalId>,
    Query(TerminalOwnerQuery { business_id }): Query<TerminalOwnerQuery>,
    change: Change<StaffCaller, Form<InData<TerminalBillingForm>>>,
) -> Result<Response> {
    change
        .run(StatusCode::OK, async |work, InData(form)| {
            let before = lock_owned_by(&**work, id, business_id).await?;
            before.check_version(form.version)?;
            if before.billing != Some(form.billing) {
                let since = set_business_now(&**work, work.now()).await?;
                terminal_set_billing(&**work, id, form.billing, since).await?;
            }
            with_answer(work, "change-billing", &before).await
        })
        .await
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
    Ids(business_id, id): Ids<BusinessId, TerminalId>,
    change: Change<StaffCaller>,
) -> Result<Response> {
    change
        .run(StatusCode::OK, async |work, ()| {
            let before = lock_owned_by(&**work, id, business_id).await?;
            let since = set_business_now(&**work, work.now()).await?;
            terminal_set_owner(&**work, id, None, since).await?;
            terminal_rename(&**work, id, None).await?;
            if matches!(before.billing, Some(Billing::Rental(_))) {
                // The next company would otherwise be charged a rental that it did not agree to.
                terminal_set_billing(&**work, id, Billing::NEW, since).await?;
            }
            with_answer(work, "remove", &before).await
        })
        .await
}

/// The monthly price of a rented terminal without an individual price.
pub(crate) async fn platform_rental_price(state: &AppState, client: &impl GenericClient) -> Result<Cents> {
    let settings = state.settings_at(client, state.clock.now()).await?;
    Ok(settings.terminal_rental)
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

/// The terminal as it is now.
async fn with_answer<C>(
    work: &Work<C>,
    action: &'static str,
    before: &TerminalRecord,
) -> Result<Changed<Terminal>> {
    let after = lock_terminal(&**work, before.id).await?;
    let platform_rental_price = platform_rental_price(&work.state, &**work).await?;
    let answer = Terminal::of(after.clone(), platform_rental_price);
    Ok(changed(action, before, &after, answer))
}
