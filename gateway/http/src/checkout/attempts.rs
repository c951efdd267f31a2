//! Another attempt of an open order: after a decline, after expiry, or with another payment type.

use axum::extract::{Path, State};
use axum::response::Response;
use gateway_formats::short_code::OrderReference;
use gateway_identity::account::new_password::RequestOrigin;
use gateway_identity::rate_limit::{LimitKind, LimitedCaller};
use gateway_platform::companies::Approval;
use gateway_platform::links::{LinkStatus, PaymentLink, company_approval_locked, link_fetch};
use gateway_platform::orders::{
    AttemptState, LockedOrder, NewAttempt, OrderView, PlacedUnderKey, RequestHashes, attempt_add,
    attempt_of_key, buyer_address_add, cancel_request, order_lock,
};
use ledger_domain::SaleId;
use ledger_domain::order::NextAttempt;

use super::answer;
use super::body::CheckoutJson;
use super::choices::AttemptRequest;
use super::forms::AttemptForm;
use super::offer::{acquirers_of, check_price, offered};
use super::order::{answered_view, cannot_be_paid, view_when};
use super::status::unknown_order;
use super::status_bodies::OrderStatus;
use crate::AppState;
use crate::buyers::card_limits::{CardAttempt, take_card_attempt};
use crate::edge::Tx;
use crate::edge::idempotency_store::KEY_REUSED;
use crate::edge::panel::TenantLabel;
use crate::links::public::unknown_link;
use crate::links::save::SOLUTION;
use crate::plans::simulation::context_on;
use crate::problem::{Problem, Result};

/// Try to pay an order again
///
/// For an order whose last attempt was declined or expired, or to change the payment type. A PIX code, boleto or 3-D
/// Secure challenge that is still open is canceled first, and its acquirer must confirm that it is unpaid. If it was
/// paid, the answer is the paid order, and no second attempt is charged.
#[utoipa::path(
    post, path = "/transactions/{id}/attempts", tag = "checkout",
    params(("id" = String, Path, description = "The order's reference", example = "7Q2M4Z9XKD")),
    responses(
        (status = 201, body = OrderStatus),
        (status = 404, description = "No order has this reference"),
        (status = 409, description = "The order has ended, an attempt is being processed, the link is not active or has expired, or the price has changed"),
        (status = 422, description = "Invalid values, by field; unknown fields, and card numbers in free text"),
    )
)]
pub(crate) async fn create_attempt(
    State(state): State<AppState>,
    tenant: TenantLabel,
    origin: RequestOrigin,
    Path(id): Path<String>,
    CheckoutJson { form, hashes }: CheckoutJson<AttemptForm>,
) -> Result<Response> {
    let reference = OrderReference::parse(&id).map_err(|_| unknown_order())?;
    let limits = &state.accounts.limits;
    limits
        .take(LimitKind::Order, reference.as_str(), origin.caller)
        .map_err(Problem::too_many_requests)?;
    let mut attempt_request = None;
    let mut form = Some(form);
    // At most two rounds: the first may do nothing but end the open attempt.
    for _ in 0..2 {
        let tx = state.begin().await?;
        let order = order_lock(&*tx, &reference).await?.ok_or_else(unknown_order)?;
        if let Some(placed) = attempt_of_key(&*tx, order.id, hashes).await? {
            // With the locks, the worker could not store the answer that this waits for.
            drop(tx);
            return replay(&state, &tenant, placed).await;
        }
        if let Some(form) = form.take() {
            attempt_request = Some(form.read(order.has_address)?);
        }
        let Some(attempt_request) = &attempt_request else {
            return Err(Problem::internal("the form of an attempt was not read"));
        };
        match give_up_open(&state, tx, &order).await? {
            GivenUp::Nothing(tx) => {
                let tx = *tx;
                let card = add(&state, &tx, &order, attempt_request, (hashes, origin.caller)).await?;
                tx.commit().await?;
                state.orders.wake();
                let view = answered_view(&state, order.id).await?;
                card.answered(&state, &view);
                return created(&state, view, &tenant).await;
            }
            GivenUp::Unpaid => {}
            GivenUp::Paid(view) => return created(&state, *view, &tenant).await,
        }
    }
    Err(still_processing())
}

enum GivenUp {
    /// No attempt was open. The transaction still has the lock of the order.
    Nothing(Box<Tx>),
    /// The open attempt has ended without a payment.
    Unpaid,
    /// The open attempt was paid before it could be canceled.
    Paid(Box<OrderView>),
}

/// Ends an open attempt, if there is one. It commits before it waits for the acquirer, so the caller must then lock the
/// order again.
async fn give_up_open(state: &AppState, tx: Tx, order: &LockedOrder) -> Result<GivenUp> {
    let open = match (order.next_attempt(), &order.open_attempt) {
        (NextAttempt::Closed, _) => return Err(Problem::conflict("Este pedido já foi encerrado.")),
        (NextAttempt::Wait, _) => return Err(still_processing()),
        (NextAttempt::Add, _) | (NextAttempt::GiveUpFirst, None) => {
            return Ok(GivenUp::Nothing(Box::new(tx)));
        }
        (NextAttempt::GiveUpFirst, Some(open)) => open,
    };
    cancel_request(&*tx, open.sale_id).await?;
    tx.commit().await?;
    state.orders.wake();
    let is_open = |view: &OrderView| {
        view.attempt.sale_id == open.sale_id && view.attempt.state == AttemptState::Processing
    };
    let view = view_when(state, order.id, |view| !is_open(view)).await?;
    if view.is_paid() {
        return Ok(GivenUp::Paid(Box::new(view)));
    }
    if is_open(&view) {
        return Err(still_processing());
    }
    Ok(GivenUp::Unpaid)
}

fn still_processing() -> Problem {
    Problem {
        retry_after_seconds: Some(5),
        ..Problem::conflict("O pagamento anterior ainda está sendo processado. Aguarde um instante.")
    }
}

async fn add(
    state: &AppState,
    tx: &Tx,
    order: &LockedOrder,
    attempt_request: &AttemptRequest,
    (hashes, caller): (RequestHashes, LimitedCaller),
) -> Result<CardAttempt> {
    let choice = &attempt_request.choice;
    let link = link_fetch(&**tx, order.link_id).await?.ok_or_else(unknown_link)?;
    check_link(state, tx, &link).await?;
    let (provider, fallback) = acquirers_of(state, &**tx, &link, choice.payment_type).await?;
    let context = context_on(state, tx, link.company.id, SOLUTION).await?;
    let fields = offered(state, &**tx, &link).await?.fields;
    check_price(context.terms.as_deref(), &fields, order.amount, choice)?;
    let card = take_card_attempt(state, &**tx, link.id, choice, caller).await?;
    if let Some(address) = &attempt_request.address {
        buyer_address_add(&**tx, order.id, address).await?;
    }
    let attempt = NewAttempt {
        sale_id: SaleId::from_uuid(state.ids.new_uuid()),
        order_id: order.id,
        business_id: link.company.id,
        provider,
        fallback: &fallback,
        payment_type: choice.payment_type,
        total: choice.total,
        card: choice.card.clone(),
        request: Some(hashes),
        ordered_at: state.clock.now(),
        calendar: &context.calendar,
    };
    attempt_add(&**tx, &attempt).await?;
    Ok(card)
}

/// Checks that the link still takes payments. The order has its use of the link already, so the link may be exhausted.
async fn check_link(state: &AppState, tx: &Tx, link: &PaymentLink) -> Result<()> {
    let status = link.status(state.clock.today());
    let approval = company_approval_locked(&**tx, link.company.id).await?;
    if approval != Approval::Enabled {
        return Err(cannot_be_paid(LinkStatus::Inactive));
    }
    match status {
        LinkStatus::Active | LinkStatus::Exhausted => Ok(()),
        LinkStatus::Inactive | LinkStatus::Expired => Err(cannot_be_paid(status)),
    }
}

async fn created(state: &AppState, view: OrderView, tenant: &TenantLabel) -> Result<Response> {
    let status = OrderStatus::of(state, view, tenant).await?;
    answer::command_done(status, state.clock.now())
}

async fn replay(state: &AppState, tenant: &TenantLabel, placed: PlacedUnderKey) -> Result<Response> {
    if !placed.same_body {
        return Err(Problem::conflict(KEY_REUSED));
    }
    let view = answered_view(state, placed.order_id).await?;
    let status = OrderStatus::of(state, view, tenant).await?;
    answer::command_replayed(status, state.clock.now())
}
