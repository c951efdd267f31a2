//! The code that cancels and disputes share in both panels. The ledger decides whether the status and the balance allow
//! a reversal. The endpoints are in `requests`.

use axum::http::HeaderMap;
use chrono::{Days, NaiveDate};
use gateway_identity::audience::Audience;
use gateway_identity::audit::{Actor, Change};
use gateway_platform::commands::UserCommands;
use gateway_platform::effects::refunds::part_refusal;
use ledger_domain::business::{BusinessCommand, CancelSale, DisputeSale, RefundPart, Refusal, covered_on};
use ledger_domain::sale::{DisputeId, RefundReference};
use ledger_domain::{BusinessId, Cents, SaleId};
use ledger_store::log;
use projections::receivables::schedule_list;
use projections::{Freshness, READ_YOUR_WRITES_MAX, ReadModelGroup};
use serde_json::{Value, json};
use uuid::Uuid;

use super::bodies::ReversalPreview;
use crate::AppState;
use crate::problem::{BalanceShort, Problem, Result};
use crate::receivables::query::SCHEDULE_DAYS_MAX;
use crate::sales::bodies::detail::SaleDetail;
use crate::sales::detail::{recorded_sale, sale_detail};
use crate::sales::query::WithReceivables;
use crate::shared::cents;
use crate::shared::command::{CommandFailure, CommandRequest, ReceiptHeaders};
use crate::shared::read_models::freshness_within;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReversalKind {
    /// With the amount that goes back; `None` for all that is left of the sale.
    Cancel(Option<Cents>),
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
            Self::Cancel(_) => "cancel-sale",
            Self::Dispute => "dispute-sale",
        }
    }

    /// `refund_id` is for a refund of an amount.
    fn command(
        self,
        state: &AppState,
        sale_id: SaleId,
        refund_id: Uuid,
        reason: Option<String>,
    ) -> Result<BusinessCommand> {
        Ok(match self {
            Self::Cancel(None) => BusinessCommand::CancelSale(cancel(state, sale_id, reason)),
            Self::Cancel(Some(amount)) => {
                BusinessCommand::RefundPart(refund(state, sale_id, refund_id, amount, reason)?)
            }
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

/// The id has a form that no acquirer uses.
fn refund(
    state: &AppState,
    sale_id: SaleId,
    refund_id: Uuid,
    amount: Cents,
    reason: Option<String>,
) -> Result<RefundPart> {
    Ok(RefundPart {
        sale_id,
        refund: RefundReference::parse(&format!("panel_{refund_id}")).map_err(Problem::internal)?,
        amount,
        occurred_at: state.clock.now(),
        reason,
    })
}

/// The same under one key of one user, so that a repeat refunds once, even if its first answer is no longer stored.
fn refund_id(state: &AppState, commands: &UserCommands<'_>, sale_id: SaleId) -> Uuid {
    let Some(key) = commands.key else {
        return state.ids.new_uuid();
    };
    let user = commands
        .actor
        .user_id()
        .map(|user| user.uuid())
        .unwrap_or_default();
    Uuid::new_v5(&sale_id.uuid(), format!("{user}/{key}").as_bytes())
}

/// The dispute's id is generated here, in a form that no acquirer uses.
fn dispute(state: &AppState, sale_id: SaleId, reason: Option<String>) -> Result<DisputeSale> {
    let id = format!("panel_{}", state.ids.new_uuid());
    Ok(DisputeSale {
        sale_id,
        dispute_id: DisputeId::parse(&id).map_err(Problem::internal)?,
        amount: None,
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
    state: &AppState,
    commands: UserCommands<'_>,
    sale: LocatedSale,
    kind: ReversalKind,
    reason: Option<String>,
    sees_balance: bool,
) -> Result<(HeaderMap, SaleDetail)> {
    let mut asked = json!({ "reason": reason });
    if let ReversalKind::Cancel(Some(amount)) = kind {
        check_part(state, sale.sale_id, amount).await?;
        asked["amount"] = json!(amount);
    }
    let refund_id = refund_id(state, &commands, sale.sale_id);
    let command = kind.command(state, sale.sale_id, refund_id, reason)?;
    let requested = RequestedChange {
        action: kind.action(),
        asked,
        command,
    };
    record(state, commands, sale, requested, sees_balance).await
}

/// Refuses a part that the acquirer would not give back. A repeated request may find less left than it asked for: the
/// ledger has its answer.
async fn check_part(state: &AppState, sale_id: SaleId, amount: Cents) -> Result<()> {
    let db = state.db().await?;
    let Some((_, found)) = log::sale_states(&*db, &[sale_id]).await?.pop() else {
        return Err(Problem::not_found());
    };
    if amount >= found.state.left() {
        return Ok(());
    }
    let refusal = part_refusal(&*db, &state.acquirers, (sale_id, &found.state), state.clock.now()).await?;
    refusal.map_or(Ok(()), |refusal| Err(Problem::field("amount", &refusal)))
}

/// A change of a sale that a user requested.
pub struct RequestedChange {
    /// Names it in the audit log.
    pub action: &'static str,
    /// The request's fields, for the audit log and for repeats under one idempotency key.
    pub asked: Value,
    pub command: BusinessCommand,
}

/// Records a requested change of a sale, with its line in the audit log, and returns the changed sale.
pub(super) async fn record(
    state: &AppState,
    commands: UserCommands<'_>,
    sale: LocatedSale,
    requested: RequestedChange,
    sees_balance: bool,
) -> Result<(HeaderMap, SaleDetail)> {
    let LocatedSale { business_id, sale_id } = sale;
    let RequestedChange {
        action,
        asked,
        command,
    } = requested;
    let request = CommandRequest {
        operation: format!("{action}/{sale_id}"),
        body: asked,
    };
    let receipt = match commands.submit(business_id, &request, command).await {
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
    let change = Change {
        action,
        subject: "sale",
        subject_id: &sale_id.to_string(),
        before: None,
        after: Some(json!({ "recorded": receipt.recorded(), "asked": request.body })),
    };
    commands.write_audit_log(&receipt, change).await;
    let headers = receipt
        .headers_when_visible(state, &[ReadModelGroup::Sales])
        .await?;
    let db = state.db().await?;
    let sale = recorded_sale(&db, Some(business_id), sale_id).await?;
    let viewer = match commands.actor {
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
        ReversalKind::Cancel(None) => business.preview_cancel(&cancel(state, sale_id, None)),
        ReversalKind::Cancel(Some(amount)) => {
            business.preview_refund(&refund(state, sale_id, state.ids.new_uuid(), amount, None)?)
        }
        ReversalKind::Dispute => business.preview_dispute(&dispute(state, sale_id, None)?),
    }?;
    let sale = business.sales.get(&sale_id).ok_or_else(Problem::not_found)?;
    let parts_refused = match kind {
        ReversalKind::Cancel(_) => {
            let db = state.db().await?;
            part_refusal(&*db, &state.acquirers, (sale_id, sale), state.clock.now()).await?
        }
        ReversalKind::Dispute => None,
    };
    let is_part = preview.amount < sale.left();
    if let Some(refusal) = parts_refused.as_ref().filter(|_| is_part) {
        return Err(Problem::field("amount", refusal));
    }
    if !sees_balance {
        return Ok(ReversalPreview::without_balance(sale, preview, parts_refused));
    }
    let covered_on = if preview.is_covered() {
        None
    } else {
        first_covering_date(state, business_id, preview.needed, preview.payable()?).await?
    };
    ReversalPreview::with_balance(sale, preview, parts_refused, covered_on)
}

/// The first due date by which the scheduled receivables make enough available. `None` if they never do, or if the
/// schedule is not up to date.
async fn first_covering_date(
    state: &AppState,
    business_id: BusinessId,
    needed: Cents,
    available: Cents,
) -> Result<Option<NaiveDate>> {
    // Installments that were just settled are already available. A schedule that lags would count them twice, and a
    // schedule that is being rebuilt lacks installments.
    let sales = [ReadModelGroup::Sales];
    if freshness_within(&state.pool, &sales, business_id, READ_YOUR_WRITES_MAX).await? == Freshness::Stale {
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
