//! Manual transfers by staff.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use gateway_identity::account::reauthentication;
use gateway_identity::audience::Audience;
use gateway_identity::audit::Actor;
use gateway_identity::sessions::open_sessions::SessionOwner;
use gateway_identity::users::StaffCaller;
use gateway_platform::adjustments::by_hand::ManualTransfer;
use gateway_platform::companies::company_fetch;
use ledger_domain::BusinessId;
use ledger_domain::transfer::Direction;

use super::bodies::adjustments::ManualTransferForm;
use crate::AppState;
use crate::adjustments::AdjustmentRequest;
use crate::adjustments::way::{Way, way_of};
use crate::edge::{CurrentAdmin, IdempotencyKey, Json, PanelUrl, Query, QueryValue, query};
use crate::problem::{OTHER_COMPANY, Problem, Result};
use crate::shared::command::ReceiptHeaders;
use crate::shared::form::Form;
use crate::withdrawals::bodies::transfer::Transfer;
use crate::withdrawals::related_rows::one_transfer;

/// Create a manual transfer
///
/// Takes the amount (in cents) from the company's available balance, or adds it with `direction: in`. The balance goes
/// below zero only with `allow_negative`. Needs the signed-in user's password. A repeat with the same Idempotency-Key
/// makes no second transfer. Above what one person may move alone in 24 hours (settings `credits_alone_up_to` and
/// `removals_alone_up_to`), it is a request that another person approves.
#[utoipa::path(
    post, path = "/admin/balance/transfers/manual", tag = "balance",
    responses(
        (status = 201, body = Transfer),
        (status = 202, body = AdjustmentRequest, description = "The transfer waits for a second person; nothing is recorded"),
        (status = 422, description = "Invalid values, by field: amount, description, password, business_id"),
        (status = 429, description = "Too many wrong passwords in this session; try again after Retry-After seconds"),
    )
)]
pub(crate) async fn make_manual_transfer(
    State(state): State<AppState>,
    CurrentAdmin(staff): CurrentAdmin,
    caller: StaffCaller,
    key: IdempotencyKey,
    PanelUrl(panel_url): PanelUrl,
    Query(CompanyQuery(in_query)): Query<CompanyQuery>,
    Form(form): Form<ManualTransferForm>,
) -> Result<Response> {
    let company = company_of(form.business_id, in_query)?;
    let owner = SessionOwner::from(staff);
    reauthentication::check(&state.accounts, owner, &form.password).await?;
    caller.check_still_allowed(&*state.db().await?).await?;
    check_company_exists(&state, company).await?;
    let transfer = ManualTransfer {
        business_id: company,
        amount: form.amount,
        direction: form.direction.unwrap_or(Direction::Out),
        description: form.description,
        allow_negative: form.allow_negative,
    };
    let commands = state.commands(Actor::Admin(caller.id), &key);
    let key = commands.idempotency(&transfer.request());
    let counted = match way_of(&state, (caller, &panel_url), key, &transfer.adjustment()).await? {
        Way::Alone(counted) => counted,
        Way::Requested(answer) => return Ok(answer),
    };
    let (receipt, row) = transfer.make(commands, counted, state.clock.now()).await?;
    let transfer = one_transfer(&state, &state.db().await?, Audience::Admin, row).await?;
    Ok((StatusCode::CREATED, receipt.headers(), Json(transfer)).into_response())
}

pub struct CompanyQuery(Option<BusinessId>);

query! {
    impl FromQuery for CompanyQuery {
        /// The company. Must be the same as in the body if both name it.
        business_id: Option<BusinessId>,
    } => Self(business_id)
}

/// The company that the body or the query names. If both name one, it must be the same.
fn company_of(in_body: Option<BusinessId>, in_query: Option<BusinessId>) -> Result<BusinessId> {
    match (in_body, in_query) {
        (Some(body), Some(query)) if body != query => Err(Problem::field("business_id", OTHER_COMPANY)),
        (Some(named), _) | (None, Some(named)) => Ok(named),
        (None, None) => Err(Problem::field("business_id", BusinessId::MISSING)),
    }
}

/// A 422, because the request names the company in its query or body and not in its path.
async fn check_company_exists(state: &AppState, business_id: BusinessId) -> Result<()> {
    let db = state.db().await?;
    let company = company_fetch(&*db, business_id).await?;
    company
        .map(drop)
        .ok_or_else(|| Problem::field("business_id", "Empresa não encontrada."))
}
