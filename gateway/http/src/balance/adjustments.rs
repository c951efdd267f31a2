//! Manual transfers, holds and releases, all made by staff.

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::IntoResponse;
use gateway_identity::account::reauthentication;
use gateway_identity::audience::Audience;
use gateway_identity::audit::{Actor, Change};
use gateway_identity::sessions::open_sessions::SessionOwner;
use gateway_identity::users::StaffCaller;
use gateway_platform::companies::company_fetch;
use ledger_domain::business::{
    BusinessCommand, BusinessEvent, HoldAmount, MakeManualTransfer, ReleaseAmount,
};
use ledger_domain::{BusinessId, TransferId};
use projections::ReadModelGroup;
use projections::balance::balance_fetch;
use projections::balance::statement::{StatementFilter, statement_sums};
use projections::withdrawals::Transfer as Row;
use serde_json::json;

use super::bodies::adjustments::{Hold, ManualTransfer, ValidHold, ValidManualTransfer};
use super::bodies::balance::{BalanceByKind, BalanceSummary};
use crate::AppState;
use crate::edge::{CurrentAdmin, IdempotencyKey, Json, Query, query};
use crate::problem::{Problem, Result};
use crate::shared::command::{CommandContext, CommandRequest};
use crate::withdrawals::bodies::transfer::Transfer;
use crate::withdrawals::related_rows::one_transfer;

/// Create a manual transfer
///
/// Takes the amount (in cents) from the company's available balance, or adds it with `direction: in`. The balance goes
/// below zero only with `allow_negative`. Needs the signed-in user's password. A repeat with the same Idempotency-Key
/// makes no second transfer.
#[utoipa::path(
    post, path = "/admin/balance/transfers/manual", tag = "balance",
    responses(
        (status = 201, body = Transfer),
        (status = 422, description = "Invalid values, by field: amount, description, password, business_id"),
        (status = 429, description = "Too many wrong passwords in this session; try again after Retry-After seconds"),
    )
)]
pub(crate) async fn make_manual_transfer(
    State(state): State<AppState>,
    CurrentAdmin(staff): CurrentAdmin,
    caller: StaffCaller,
    key: IdempotencyKey,
    Query(CompanyQuery(in_query)): Query<CompanyQuery>,
    Json(body): Json<ManualTransfer>,
) -> Result<impl IntoResponse> {
    let adjustment = body.read(in_query)?;
    let owner = SessionOwner::from(staff);
    reauthentication::check(&state.accounts, owner, &adjustment.password).await?;
    caller.check_still_allowed(&*state.db().await?).await?;
    let business_id = adjustment.business_id;
    check_company_exists(&state, business_id).await?;
    let request = CommandRequest {
        operation: "make-manual-transfer".to_owned(),
        body: json!({
            "amount": adjustment.amount, "direction": adjustment.direction,
            "description": adjustment.description, "allow_negative": adjustment.allow_negative,
        }),
    };
    let command_context = CommandContext {
        state: &state,
        actor: Actor::Admin(owner.user),
        key: &key,
    };
    let receipt = command_context
        .submit(business_id, &request, manual_transfer(&state, adjustment))
        .await?;
    let made = receipt.events.iter().find_map(|event| match event {
        BusinessEvent::ManualTransferMade(made) => Some(made),
        _ => None,
    });
    let made = made.ok_or_else(|| Problem::internal("a manual transfer has no event"))?;
    let change = Change {
        action: "make-manual-transfer",
        subject: "transfer",
        subject_id: &made.transfer_id.to_string(),
        before: None,
        after: Some(json!({ "business_id": business_id, "made": request.body })),
    };
    command_context.write_audit_log(&receipt, change).await;
    let db = state.db().await?;
    let row = Row::manual_transfer_made(business_id, made, Some(owner.user.to_string()));
    let transfer = one_transfer(&state, &db, Audience::Admin, row).await?;
    Ok((StatusCode::CREATED, receipt.headers(), Json(transfer)))
}

pub struct CompanyQuery(Option<BusinessId>);

query! {
    impl FromQuery for CompanyQuery {
        /// The company. Must be the same as in the body if both name it.
        business_id: Option<BusinessId>,
    } => Self(business_id)
}

fn manual_transfer(state: &AppState, adjustment: ValidManualTransfer) -> BusinessCommand {
    BusinessCommand::MakeManualTransfer(MakeManualTransfer {
        transfer_id: TransferId::from_uuid(state.ids.new_uuid()),
        direction: adjustment.direction,
        amount: adjustment.amount,
        description: adjustment.description,
        allow_negative: adjustment.allow_negative,
        occurred_at: state.clock.now(),
    })
}

/// Hold part of a balance
///
/// Moves the amount (in cents) from available to blocked; at most the available balance. Returns the company's balances
/// afterwards.
#[utoipa::path(
    post, path = "/admin/balance/holds", tag = "balance",
    responses(
        (status = 200, body = BalanceSummary),
        (status = 422, description = "Invalid values, by field: amount, reason, business_id"),
    )
)]
pub(crate) async fn hold_amount(
    State(state): State<AppState>,
    caller: StaffCaller,
    key: IdempotencyKey,
    Json(body): Json<Hold>,
) -> Result<(HeaderMap, Json<BalanceSummary>)> {
    let hold = body.read()?;
    let command = BusinessCommand::HoldAmount(HoldAmount {
        amount: hold.amount,
        reason: hold.reason.clone(),
        occurred_at: state.clock.now(),
    });
    hold_or_release(&state, caller, &key, "hold-amount", hold, command).await
}

/// Release a held amount
///
/// Moves the amount (in cents) from blocked to available; at most `held_by_staff`. Amounts in dispute are not released.
/// Returns the company's balances afterwards.
#[utoipa::path(
    post, path = "/admin/balance/releases", tag = "balance",
    responses(
        (status = 200, body = BalanceSummary),
        (status = 422, description = "Invalid values, by field: amount, reason, business_id"),
    )
)]
pub(crate) async fn release_amount(
    State(state): State<AppState>,
    caller: StaffCaller,
    key: IdempotencyKey,
    Json(body): Json<Hold>,
) -> Result<(HeaderMap, Json<BalanceSummary>)> {
    let hold = body.read()?;
    let command = BusinessCommand::ReleaseAmount(ReleaseAmount {
        amount: hold.amount,
        reason: hold.reason.clone(),
        occurred_at: state.clock.now(),
    });
    hold_or_release(&state, caller, &key, "release-amount", hold, command).await
}

async fn hold_or_release(
    state: &AppState,
    caller: StaffCaller,
    key: &IdempotencyKey,
    action: &'static str,
    hold: ValidHold,
    command: BusinessCommand,
) -> Result<(HeaderMap, Json<BalanceSummary>)> {
    let business_id = hold.business_id;
    check_company_exists(state, business_id).await?;
    caller.check_still_allowed(&*state.db().await?).await?;
    let request = CommandRequest {
        operation: action.to_owned(),
        body: json!({ "amount": hold.amount, "reason": hold.reason }),
    };
    let command_context = CommandContext {
        state,
        actor: Actor::Admin(caller.id),
        key,
    };
    let receipt = command_context.submit(business_id, &request, command).await?;
    let change = Change {
        action,
        subject: "balance",
        subject_id: &business_id.to_string(),
        before: None,
        after: Some(request.body.clone()),
    };
    command_context.write_audit_log(&receipt, change).await;
    let models = [ReadModelGroup::Balance, ReadModelGroup::Statement];
    let headers = receipt.headers_when_visible(state, &models).await?;
    let db = state.db().await?;
    let balance = balance_fetch(&*db, business_id).await?;
    let sums = statement_sums(&*db, &StatementFilter::of(business_id)).await?;
    let totals = BalanceByKind::of(balance.into(), &sums);
    Ok((headers, Json(BalanceSummary { totals })))
}

/// A 422, because the request names the company in its query or body and not in its path.
async fn check_company_exists(state: &AppState, business_id: BusinessId) -> Result<()> {
    let db = state.db().await?;
    let company = company_fetch(&*db, business_id).await?;
    company
        .map(drop)
        .ok_or_else(|| Problem::field("business_id", "Empresa não encontrada."))
}
