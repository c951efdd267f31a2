//! Enabling a card machine for a company: the provider checks the token that the machine shows, then the machine is
//! registered.

use axum::http::StatusCode;
use axum::response::Response;
use gateway_identity::users::StaffCaller;
use gateway_platform::providers::terminals::{ActivationAnswer, ActivationRequest, ActivationResult};
use gateway_platform::terminals::{
    Billing, NewTerminal, TerminalRecord, TerminalRefusal, lock_new_owner, terminal_by_serial,
    terminal_create, terminal_fetch, terminal_set_billing, terminal_set_owner,
};
use gateway_platform::validity::{Since, set_business_now};
use ledger_domain::{BusinessId, TerminalId};
use tokio_postgres::GenericClient;

use super::bodies::Terminal;
use super::forms::TerminalActivationForm;
use super::staff::platform_rental_price;
use super::{TERMINAL, audited_fields};
use crate::AppState;
use crate::edge::Id;
use crate::problem::{Problem, Result};
use crate::shared::change::Change;
use crate::shared::form::IdempotentForm;

/// Enable a terminal for a company
///
/// The provider checks the token, which is for one terminal and one use. A new terminal is billed as Adesão. If the
/// provider does not answer, nothing is registered and the request can be repeated with the same token.
#[utoipa::path(
    post, path = "/admin/businesses/{business_id}/terminals", tag = "terminals",
    responses(
        (status = 201, body = Terminal),
        (status = 409, description = "The serial number is registered already, the company is denied or deleted, or no provider is configured"),
        (status = 422, description = "Invalid values by field; a wrong, spent or expired token is an error of the field token"),
        (status = 503, description = "The provider does not answer; try again after Retry-After seconds"),
    )
)]
pub(crate) async fn enable_terminal(
    Id(business_id): Id<BusinessId>,
    change: Change<StaffCaller, IdempotentForm<TerminalActivationForm>>,
) -> Result<Response> {
    let request = |form: &TerminalActivationForm| ActivationRequest {
        token: form.token.clone(),
        serial_number: form.serial_number.clone(),
        business_id,
    };
    // Checked before the call, so that a refused request does not spend the token.
    change
        .run_after(
            StatusCode::CREATED,
            async |work, form| check(&**work, &request(form)).await,
            async |state, form| activate(state, &request(form)).await,
            async |work, form, ()| {
                let request = request(&form);
                check(&**work, &request).await?;
                let id = TerminalId::from_uuid(work.state.ids.new_uuid());
                let since = set_business_now(&**work, work.now()).await?;
                let terminal = register(&**work, id, request, since).await?;
                let mut registered = audited_fields(&terminal);
                registered["serial_number"] = terminal.serial_number.clone().into();
                let price = platform_rental_price(&work.state, &**work).await?;
                let entry = TERMINAL.entry("create", id).after(registered);
                Ok(entry.answer(Terminal::of(terminal, price)))
            },
        )
        .await
}

/// Whether the request may reach the provider and may be registered.
async fn check(client: &impl GenericClient, request: &ActivationRequest) -> Result<()> {
    lock_new_owner(client, request.business_id)
        .await?
        .map_err(|refusal| match refusal {
            TerminalRefusal::UnknownCompany => Problem::not_found(),
            other => other.into(),
        })?;
    match terminal_by_serial(client, &request.serial_number).await? {
        Some(known) => Err(TerminalRefusal::KnownSerial(Box::new(known)).into()),
        None => Ok(()),
    }
}

async fn activate(state: &AppState, request: &ActivationRequest) -> Result<()> {
    if state.config.terminals.provider.is_none() {
        return Err(Problem::conflict(
            "A habilitação de maquininhas não está configurada nesta plataforma.",
        ));
    }
    // Set when the program has started completely.
    let provider = state.terminal_provider.get().ok_or_else(Problem::unavailable)?;
    match provider.activate(request).await {
        ActivationAnswer::Answered(ActivationResult::Activated) => Ok(()),
        ActivationAnswer::Answered(ActivationResult::Refused(refusal)) => Err(refusal.into()),
        ActivationAnswer::Unknown(error) => {
            tracing::warn!(
                error = error.0,
                serial = request.serial_number,
                "no answer to an activation"
            );
            Err(Problem::provider_silent())
        }
        ActivationAnswer::NotFound | ActivationAnswer::Rejected(_) => Err(Problem::internal(
            "the provider rejects activations as they are sent",
        )),
    }
}

async fn register(
    client: &impl GenericClient,
    id: TerminalId,
    request: ActivationRequest,
    since: Since,
) -> Result<TerminalRecord> {
    let new = NewTerminal {
        id,
        serial_number: request.serial_number,
        name: None,
        created_at: since,
    };
    if !terminal_create(client, &new).await? {
        // Another request registered it after the check.
        let known = terminal_by_serial(client, &new.serial_number).await?;
        let known = known.ok_or_else(|| Problem::internal("a registered serial number has no terminal"))?;
        return Err(TerminalRefusal::KnownSerial(Box::new(known)).into());
    }
    terminal_set_owner(client, id, Some(request.business_id), since).await?;
    terminal_set_billing(client, id, Billing::NEW, since).await?;
    let terminal = terminal_fetch(client, id).await?;
    terminal.ok_or_else(|| Problem::internal("a new terminal is not found"))
}
