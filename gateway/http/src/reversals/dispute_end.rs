//! The end of a dispute that staff record by hand: its acquirer has told it in another way than by a notice or a look-up.

use axum::extract::State;
use axum::http::HeaderMap;
use ledger_domain::SaleId;
use ledger_domain::business::{BusinessCommand, DisputeStage, LoseDispute, Sale, WinDispute};
use ledger_domain::sale::DisputeId;
use ledger_store::log;
use serde_json::json;

use super::bodies::{DisputeEnd, DisputeOutcome};
use super::reversal::{self, RequestedChange, find_sale};
use crate::AppState;
use crate::buyers::erase::check_names_no_buyer;
use crate::edge::{Id, IdempotencyKey, Json};
use crate::problem::{Problem, Result};
use crate::sales::bodies::detail::AdminSaleDetail;
use crate::sales::detail::SaleAnswer;
use crate::sales::scope::SaleScope;
use crate::shared::form::Form;

/// Record the end of a dispute
///
/// For a dispute whose acquirer has told its end in another way than by a notice. won: the blocked gross is available
/// again. lost: the gross goes back to the buyer, and the platform keeps its fees. The reason stays in the audit log.
#[utoipa::path(
    post, path = "/admin/transactions/{id}/dispute/end", tag = "sales",
    responses(
        (status = 200, body = AdminSaleDetail),
        (status = 409, description = "The sale has no dispute, or it ended otherwise"),
        (status = 422, description = "The outcome or the reason is missing"),
    )
)]
pub(crate) async fn end_dispute(
    State(state): State<AppState>,
    scope: SaleScope,
    key: IdempotencyKey,
    Id(id): Id<SaleId>,
    Form(DisputeEnd { outcome, reason }): Form<DisputeEnd>,
) -> Result<(HeaderMap, Json<AdminSaleDetail>)> {
    let sale = find_sale(&state, scope.company, id).await?;
    let db = state.db().await?;
    check_names_no_buyer(&*db, sale.sale_id, &reason).await?;
    let states = log::sale_states(&*db, &[sale.sale_id]).await?;
    drop(db);
    let dispute_id = states
        .first()
        .and_then(|(_, found)| dispute_to_end(&found.state))
        .ok_or_else(|| Problem::conflict("Esta venda não tem contestação em aberto."))?;
    scope.check_still_allowed(&state).await?;
    let commands = state.commands(scope.actor, &key);
    let (sale_id, occurred_at) = (sale.sale_id, state.clock.now());
    let asked = json!({ "outcome": outcome, "reason": reason });
    let requested = RequestedChange {
        action: "end-dispute",
        asked,
        command: match outcome {
            DisputeOutcome::Won => BusinessCommand::WinDispute(WinDispute {
                sale_id,
                dispute_id,
                occurred_at,
            }),
            DisputeOutcome::Lost => BusinessCommand::LoseDispute(LoseDispute {
                sale_id,
                dispute_id,
                amount: None,
                occurred_at,
                // The seller sees this reason, and the one of the request is for staff.
                reason: None,
            }),
        },
    };
    let (headers, detail) = reversal::record(&state, commands, sale, requested, scope.sees_balance).await?;
    let answer = AdminSaleDetail::read(&state.db().await?, sale.business_id, detail).await?;
    Ok((headers, Json(answer)))
}

/// The open dispute; else the last one that was won or lost, so that a repeated request gets its first answer and a
/// contradicting one learns how it ended.
fn dispute_to_end(sale: &Sale) -> Option<DisputeId> {
    let mut disputes = sale.disputes.iter().rev();
    let open = disputes
        .clone()
        .find(|dispute| dispute.stage == DisputeStage::Open);
    let ended = disputes.find(|dispute| matches!(dispute.stage, DisputeStage::Won | DisputeStage::Lost));
    open.or(ended).map(|dispute| dispute.id.clone())
}
