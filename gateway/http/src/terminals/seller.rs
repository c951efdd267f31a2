//! A company's own card machines: the list and their names.

use axum::http::StatusCode;
use axum::response::Response;
use gateway_platform::terminals::{TerminalFilter, TerminalRecord, terminal_locked, terminal_rename};
use ledger_domain::{BusinessId, TerminalId};
use projections::sales::{TerminalSince, last_sales};
use tokio_postgres::{Client, GenericClient};

use super::bodies::{OWN_TERMINALS, OwnTerminal, OwnTerminalPage};
use super::changed;
use super::forms::TerminalNameForm;
use super::staff::{OwnTerminals, platform_rental_price};
use crate::AppState;
use crate::edge::{CurrentBusiness, Id};
use crate::problem::{Problem, Result};
use crate::shared::change::Change;
use crate::shared::form::Form;
use crate::shared::list::{FromRows, ZonedListing};

/// List the company's terminals
///
/// By serial number unless `sort` says otherwise, each with its latest sale. A spreadsheet has all terminals that match
/// the filter.
#[utoipa::path(
    get, path = "/business/{businessId}/terminals", tag = "terminals",
    responses((status = 200, body = OwnTerminalPage))
)]
pub(crate) async fn list_business_terminals(
    business: CurrentBusiness,
    ZonedListing(list): ZonedListing<OwnTerminals>,
) -> Result<Response> {
    let of_company = list.by(|OwnTerminals(filter)| TerminalFilter {
        business_id: Some(business.id),
        ..filter
    });
    of_company.respond::<OwnTerminal>(&OWN_TERMINALS).await
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
    Id(id): Id<TerminalId>,
    change: Change<CurrentBusiness, Form<TerminalNameForm>>,
) -> Result<Response> {
    change
        .run(StatusCode::OK, async |work, form| {
            let business = work.caller.id;
            let before = find_own(&**work, business, id).await?;
            before.check_version(form.version)?;
            if before.name != form.name {
                terminal_rename(&**work, id, form.name.as_deref()).await?;
            }
            let after = find_own(&**work, business, id).await?;
            let mut bodies = OwnTerminal::from_rows(&work.state, work, vec![after.clone()]).await?;
            let body = bodies.pop().ok_or_else(Problem::not_found)?;
            Ok(changed("rename", &before, &after, body))
        })
        .await
}

async fn find_own(
    client: &impl GenericClient,
    business: BusinessId,
    id: TerminalId,
) -> Result<TerminalRecord> {
    let terminal = terminal_locked(client, id).await?;
    terminal
        .filter(|terminal| terminal.is_owned_by(business))
        .ok_or_else(Problem::not_found)
}

impl FromRows<TerminalRecord> for OwnTerminal {
    async fn from_rows(
        state: &AppState,
        client: &Client,
        terminals: Vec<TerminalRecord>,
    ) -> Result<Vec<Self>> {
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
            Self::of(terminal, sale, platform_rental_price)
        };
        Ok(terminals.into_iter().map(to_body).collect())
    }
}
