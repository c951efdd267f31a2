//! What a company owes: a balance below zero, its causes, and from which coming receivables it is recovered.

mod bodies;

use axum::extract::State;
use axum::response::Response;
use gateway_identity::account::reauthentication;
use gateway_identity::audit::Actor;
use gateway_identity::sessions::open_sessions::SessionOwner;
use gateway_identity::users::StaffCaller;
use gateway_platform::adjustments::{Adjustment, AdjustmentKind};
use gateway_platform::commands::CommandRequest;
use gateway_platform::companies::company_fetch;
use ledger_domain::{BusinessId, Cents};
use projections::balance::balance_fetch;
use projections::balance::statement::composition::debt_list;
use projections::receivables::coming_receivables;
use serde_json::json;
use tokio_postgres::GenericClient;

use self::bodies::{Debts, WriteOffForm};
use crate::AppState;
use crate::adjustments::AdjustmentRequest;
use crate::adjustments::way::{Way, way_of};
use crate::edge::{CurrentAdmin, CurrentBusiness, Db, Id, IdempotencyKey, Json, PanelUrl};
use crate::problem::{Problem, Result};
use crate::shared::form::Form;

/// The most causes that an answer names, the oldest ones.
const CAUSES_MAX: usize = 100;
/// The most days with receivables that an answer looks at.
const DAYS_MAX: i64 = 400;

/// List own debts
///
/// What the company owes: the debits that took its balance below zero, with the later credits that recovered a part, and
/// the coming receivables from which the rest will be taken.
#[utoipa::path(get, path = "/balance/debts", tag = "balance", responses((status = 200, body = Debts)))]
pub(crate) async fn list_debts(business: CurrentBusiness, db: Db) -> Result<Json<Debts>> {
    debts(&*db, business.id).await.map(Json)
}

/// List the debts of a company
///
/// What it owes: the debits that took its balance below zero, with the later credits that recovered a part, and the
/// coming receivables from which the rest will be taken.
#[utoipa::path(
    get, path = "/admin/balance/debts/{business_id}", tag = "balance",
    responses((status = 200, body = Debts))
)]
pub(crate) async fn list_debts_of_company(Id(business): Id<BusinessId>, db: Db) -> Result<Json<Debts>> {
    company_fetch(&*db, business)
        .await?
        .ok_or_else(Problem::not_found)?;
    debts(&*db, business).await.map(Json)
}

/// Write off a debt
///
/// The platform gives up the amount (in cents) of what the company owes, at its own cost. Needs the signed-in user's
/// password, and always waits for a second person. The reason says what was agreed.
#[utoipa::path(
    post, path = "/admin/balance/debts/{business_id}/write-off", tag = "balance",
    responses(
        (status = 202, body = AdjustmentRequest, description = "The write-off waits for a second person; nothing is recorded"),
        (status = 422, description = "Invalid values, by field: amount, reason, password"),
        (status = 429, description = "Too many wrong passwords in this session; try again after Retry-After seconds"),
    )
)]
pub(crate) async fn write_off_debt(
    State(state): State<AppState>,
    CurrentAdmin(staff): CurrentAdmin,
    caller: StaffCaller,
    Id(business_id): Id<BusinessId>,
    key: IdempotencyKey,
    PanelUrl(panel_url): PanelUrl,
    Form(form): Form<WriteOffForm>,
) -> Result<Response> {
    reauthentication::check(&state.accounts, SessionOwner::from(staff), &form.password).await?;
    company_fetch(&*state.db().await?, business_id)
        .await?
        .ok_or_else(Problem::not_found)?;
    let adjustment = Adjustment {
        kind: AdjustmentKind::WriteOff,
        business_id,
        amount: form.amount,
        reason: form.reason,
        allow_negative: false,
        plans: None,
        hold: None,
    };
    let request = CommandRequest {
        operation: "write-off-debt".to_owned(),
        body: json!({ "amount": adjustment.amount, "reason": adjustment.reason }),
    };
    let commands = state.commands(Actor::Admin(caller.id), &key);
    let key = commands.idempotency(&request);
    match way_of(&state, (caller, &panel_url), key, &adjustment).await? {
        Way::Requested(answer) => Ok(answer),
        // The ledger refuses the amount in every state.
        Way::Alone(_) => Err(Problem::field("amount", "Valor fora do limite permitido.")),
    }
}

async fn debts(client: &impl GenericClient, business: BusinessId) -> Result<Debts> {
    let available = balance_fetch(client, business).await?.available;
    if available >= Cents::ZERO {
        return Ok(Debts::NONE);
    }
    let causes = debt_list(client, business, CAUSES_MAX).await?;
    let coming = coming_receivables(client, business, DAYS_MAX).await?;
    Ok(Debts::of(available, causes, coming))
}
