//! The code that cancels and disputes share in both panels. The ledger decides whether the status and the balance allow
//! a reversal. The endpoints are in `requests`.

use axum::http::HeaderMap;
use chrono::{Days, NaiveDate};
use gateway_identity::audience::Audience;
use gateway_identity::audit::{Actor, Change};
use ledger_domain::business::{BusinessCommand, BusinessEvent, CancelSale, DisputeSale, Refusal, covered_on};
use ledger_domain::sale::DisputeId;
use ledger_domain::{BusinessId, Cents, SaleId};
use ledger_store::{LedgerPosition, Shard, log};
use projections::receivables::schedule_list;
use projections::sales::sale_fetch;
use projections::{Freshness, ReadModelGroup, sale_from_log};
use serde_json::json;

use super::bodies::ReversalPreview;
use crate::AppState;
use crate::edge::position::WAIT_MAX;
use crate::problem::{BalanceShort, Problem, Result};
use crate::receivables::query::SCHEDULE_DAYS_MAX;
use crate::sales::bodies::detail::SaleDetail;
use crate::sales::detail::sale_detail;
use crate::sales::query::WithReceivables;
use crate::shared::cents;
use crate::shared::command::{CommandContext, CommandFailure, CommandRequest};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReversalKind {
    Cancel,
    Dispute,
}

/// A sale and its company.
#[derive(Debug, Clone, Copy)]
pub struct LocatedSale {
    pub business_id: BusinessId,
    pub sale_id: SaleId,
}

impl ReversalKind {
    const fn action(self) -> &'static str {
        match self {
            Self::Cancel => "cancel-sale",
            Self::Dispute => "dispute-sale",
        }
    }

    fn command(self, state: &AppState, sale_id: SaleId, reason: Option<String>) -> Result<BusinessCommand> {
        Ok(match self {
            Self::Cancel => BusinessCommand::CancelSale(cancel(state, sale_id, reason)),
            Self::Dispute => BusinessCommand::DisputeSale(dispute(state, sale_id, reason)?),
        })
    }
}

fn cancel(state: &AppState, sale_id: SaleId, reason: Option<String>) -> CancelSale {
    CancelSale {
        sale_id,
        occurred_at: state.clock.now(),
        reason,
    }
}

/// The dispute's id is generated here, in a form that no acquirer uses.
fn dispute(state: &AppState, sale_id: SaleId, reason: Option<String>) -> Result<DisputeSale> {
    let id = format!("panel_{}", state.ids.new_uuid());
    Ok(DisputeSale {
        sale_id,
        dispute_id: DisputeId::parse(&id).map_err(Problem::internal)?,
        occurred_at: state.clock.now(),
        reason,
    })
}

/// Finds the sale in the ledger. If a company is given, a sale of another company is not found.
pub(crate) async fn find_sale(
    state: &AppState,
    company: Option<BusinessId>,
    sale_id: SaleId,
) -> Result<LocatedSale> {
    let db = state.db().await?;
    let (_, found) = log::sale_states(&*db, &[sale_id])
        .await?
        .pop()
        .ok_or_else(Problem::not_found)?;
    if company.is_some_and(|company| company != found.business_id) {
        return Err(Problem::not_found());
    }
    Ok(LocatedSale {
        business_id: found.business_id,
        sale_id,
    })
}

/// Records the reversal and returns the reversed sale. If the balance is too low, a role that may not see the balance
/// gets no amounts.
pub(crate) async fn reverse(
    command_context: CommandContext<'_>,
    sale: LocatedSale,
    kind: ReversalKind,
    reason: Option<String>,
    sees_balance: bool,
) -> Result<(HeaderMap, SaleDetail)> {
    let LocatedSale { business_id, sale_id } = sale;
    let state = command_context.state;
    let request = CommandRequest {
        operation: format!("{}/{sale_id}", kind.action()),
        body: json!({ "reason": reason }),
    };
    let command = kind.command(state, sale_id, reason)?;
    let receipt = match command_context.submit(business_id, &request, command).await {
        Err(CommandFailure::Refused(refusal @ Refusal::BalanceTooShort { needed, available }))
            if sees_balance =>
        {
            let balance = BalanceShort {
                needed: cents(needed),
                available: cents(available),
                covered_on: first_covering_date(state, business_id, needed, available).await?,
            };
            return Err(Problem::balance_too_short(refusal.message(), Some(balance)));
        }
        decided => decided?,
    };
    // A waiting notice of an acquirer may need this reversal to be recorded first.
    state.notices.waiting_sales.changed(sale_id);
    let recorded: Vec<_> = receipt.events.iter().map(BusinessEvent::type_name).collect();
    let change = Change {
        action: kind.action(),
        subject: "sale",
        subject_id: &sale_id.to_string(),
        before: None,
        after: Some(json!({ "recorded": recorded, "asked": request.body })),
    };
    command_context.write_audit_log(&receipt, change).await;
    let headers = receipt
        .headers_when_visible(state, &[ReadModelGroup::Sales])
        .await?;
    let db = state.db().await?;
    let sale = match sale_fetch(&*db, Some(business_id), sale_id).await? {
        Some(sale) => sale,
        // The reversal is recorded, so this is no error, although the read model does not have the sale yet.
        None => sale_from_log(&*db, business_id, sale_id)
            .await?
            .ok_or_else(Problem::unavailable)?,
    };
    let viewer = match command_context.actor {
        Actor::Seller(_) => Audience::Seller,
        Actor::Admin(_) | Actor::System => Audience::Admin,
    };
    Ok((
        headers,
        sale_detail(&db, viewer, sale, WithReceivables(true)).await?,
    ))
}

/// Previews the reversal: runs the decision and records nothing. A role that may not see the balance learns only
/// whether it suffices, and not the date on which it will suffice. A role that may preview can also read the schedules
/// of sales. From them and that date it could compute the balance, up to the receipts of one day.
pub(crate) async fn preview(
    state: &AppState,
    sale: LocatedSale,
    kind: ReversalKind,
    sees_balance: bool,
) -> Result<ReversalPreview> {
    let LocatedSale { business_id, sale_id } = sale;
    let db = state.db().await?;
    let business = log::business_with_sale(&*db, business_id, sale_id)
        .await?
        .ok_or_else(Problem::not_found)?;
    drop(db);
    let preview = match kind {
        ReversalKind::Cancel => business.preview_cancel(&cancel(state, sale_id, None)),
        ReversalKind::Dispute => business.preview_dispute(&dispute(state, sale_id, None)?),
    }?;
    let sale = business.sales.get(&sale_id).ok_or_else(Problem::not_found)?;
    if !sees_balance {
        return Ok(ReversalPreview::without_balance(sale, preview));
    }
    let covered_on = if preview.is_covered() {
        None
    } else {
        first_covering_date(state, business_id, preview.needed, preview.payable()?).await?
    };
    ReversalPreview::with_balance(sale, preview, covered_on)
}

/// The first due date by which the scheduled receivables make enough available. `None` if they never do, or if the
/// schedule is not up to date.
async fn first_covering_date(
    state: &AppState,
    business_id: BusinessId,
    needed: Cents,
    available: Cents,
) -> Result<Option<NaiveDate>> {
    let db = state.db().await?;
    let shard = Shard::of(business_id);
    let written = LedgerPosition::at(shard, log::shard_positions(&*db).await?.get(shard));
    drop(db);
    // Installments that were just settled are already available. A schedule that lags would count them twice, and a
    // schedule that is being rebuilt lacks installments.
    let reached = state
        .wake
        .wait_for(&state.pool, &[ReadModelGroup::Sales], &written, WAIT_MAX)
        .await?;
    if reached == Freshness::Stale {
        return Ok(None);
    }
    let today = state.clock.today();
    let last = today
        .checked_add_days(Days::new(SCHEDULE_DAYS_MAX.unsigned_abs()))
        .unwrap_or(today);
    let db = state.db().await?;
    let days = schedule_list(&*db, business_id, today, last).await?;
    let scheduled = days.iter().map(|day| {
        let paid = day.settled.get() + day.accelerated.get();
        (day.due_date, Cents::new(day.expected.get() - paid))
    });
    Ok(covered_on(needed, available, scheduled))
}
