//! Another attempt of an open order: after a decline, after expiry, or with another payment type.

use axum::extract::{Path, State};
use axum::response::Response;
use gateway_formats::short_code::OrderReference;
use gateway_identity::account::new_password::RequestOrigin;
use gateway_identity::rate_limit::{LimitKind, LimitedCaller};
use gateway_platform::commands::KEY_REUSED;
use gateway_platform::companies::Approval;
use gateway_platform::links::{
    LinkStatus, PaymentLink, SOLUTION, company_approval_locked, link_by_code, link_fetch,
};
use gateway_platform::orders::{
    AttemptState, LockedOrder, NewAttempt, OrderKey, OrderView, PlacedUnderKey, RequestHashes, attempt_add,
    attempt_of_key, buyer_address_add, cancel_request, order_buyer, order_lock, order_view, take_use_again,
};
use ledger_domain::SaleId;
use ledger_domain::order::NextAttempt;
use ledger_domain::sale::Provider;
use uuid::Uuid;

use super::answer;
use super::body::CheckoutJson;
use super::card_check::{check_card, forget_card};
use super::choices::AttemptRequest;
use super::forms::AttemptForm;
use super::offer::{acquirers_of, check_price, offered};
use super::order::{answered_view, cannot_be_paid, no_use_left, view_when};
use super::status::unknown_order;
use super::status_bodies::OrderStatus;
use crate::AppState;
use crate::buyers::card_limits::{CardAttempt, take_card_attempt};
use crate::edge::Tx;
use crate::edge::panel::TenantLabel;
use crate::links::public::unknown_link;
use crate::plans::simulation::context_on;
use crate::problem::{Problem, Result};

const CLOSED: &str = "Este pedido já foi encerrado.";

/// Try to pay an order again
///
/// For an order whose last attempt was declined or expired, or to change the payment type. A PIX code, boleto or 3-D
/// Secure challenge that is still open is canceled first, and its acquirer is asked whether it is unpaid. If it was paid,
/// the answer is the paid order, and no second attempt is charged. If the acquirer cannot cancel a PIX code, the code
/// stays payable until it expires (`earlier_pix`); if both are paid, staff are asked to refund one.
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
        .await?;
    let by = (hashes, origin.caller);
    let form = match form {
        Ok(form) => form,
        Err(invalid) => {
            let placed = placed_before(&state, &reference, hashes).await?.ok_or(invalid)?;
            return replay(&state, &tenant, placed).await;
        }
    };
    let placed = if form.is_by_card() {
        match prepare_card(&state, &reference, form, hashes).await? {
            PreparedCard::Placed(placed) => AttemptOutcome::Repeated(placed),
            PreparedCard::Checked(checked, provider) => {
                let choice = checked.choice.clone();
                let placed = place(&state, &reference, by, Requested::Checked(checked)).await;
                if !may_be_charged(&placed) {
                    forget_card(&state, provider, &choice).await;
                }
                placed?
            }
        }
    } else {
        place(&state, &reference, by, Requested::Form(Box::new(form))).await?
    };
    match placed {
        AttemptOutcome::New(order_id, card) => {
            let view = answered_view(&state, order_id).await?;
            card.answered(&state, &view).await;
            created(&state, view, &tenant).await
        }
        AttemptOutcome::Repeated(placed) => replay(&state, &tenant, placed).await,
        AttemptOutcome::Paid(view) => created(&state, *view, &tenant).await,
    }
}

enum AttemptOutcome {
    New(Uuid, CardAttempt),
    /// A request under this key added an attempt before.
    Repeated(PlacedUnderKey),
    /// The open attempt was paid before it could be canceled.
    Paid(Box<OrderView>),
}

/// After an error of ours the attempt may have been added: the answer to its commit may have been lost.
fn may_be_charged(placed: &Result<AttemptOutcome>) -> bool {
    match placed {
        Ok(AttemptOutcome::New(..)) => true,
        Ok(AttemptOutcome::Repeated(_) | AttemptOutcome::Paid(_)) => false,
        Err(problem) => problem.status.is_server_error(),
    }
}

enum Requested {
    Form(Box<AttemptForm>),
    Checked(Box<AttemptRequest>),
}

async fn place(
    state: &AppState,
    reference: &OrderReference,
    by: (RequestHashes, LimitedCaller),
    requested: Requested,
) -> Result<AttemptOutcome> {
    let (mut form, mut attempt_request) = match requested {
        Requested::Form(form) => (Some(*form), None),
        Requested::Checked(checked) => (None, Some(*checked)),
    };
    // At most two rounds: the first may do nothing but end the open attempt.
    for _ in 0..2 {
        let tx = state.begin().await?;
        let order = order_lock(&*tx, reference).await?.ok_or_else(unknown_order)?;
        if let Some(placed) = attempt_of_key(&*tx, order.id, by.0).await? {
            // Its answer is waited for without the locks, which the worker needs to store it.
            return Ok(AttemptOutcome::Repeated(placed));
        }
        if let Some(form) = form.take() {
            attempt_request = Some(form.request(order.has_address)?);
        }
        let Some(attempt_request) = &attempt_request else {
            return Err(Problem::internal("the form of an attempt was not read"));
        };
        match give_up_open(state, tx, &order).await? {
            GivenUp::Nothing(tx) => {
                let tx = *tx;
                let card = add(state, &tx, &order, attempt_request, by).await?;
                tx.commit().await?;
                state.orders.wake();
                return Ok(AttemptOutcome::New(order.id, card));
            }
            GivenUp::Unpaid => {}
            GivenUp::Paid(view) => return Ok(AttemptOutcome::Paid(view)),
        }
    }
    Err(still_processing())
}

enum PreparedCard {
    /// A request under this key added an attempt before.
    Placed(PlacedUnderKey),
    /// With the acquirer that has read the card.
    Checked(Box<AttemptRequest>, Provider),
}

/// The attempt that a request under this key added before.
async fn placed_before(
    state: &AppState,
    reference: &OrderReference,
    hashes: RequestHashes,
) -> Result<Option<PlacedUnderKey>> {
    let db = state.db().await?;
    let view = order_view(&*db, OrderKey::Reference(reference)).await?;
    let view = view.ok_or_else(unknown_order)?;
    Ok(attempt_of_key(&*db, view.id, hashes).await?)
}

/// Reads the form of an attempt by card, and the card at its acquirer, before the order is locked.
async fn prepare_card(
    state: &AppState,
    reference: &OrderReference,
    form: AttemptForm,
    hashes: RequestHashes,
) -> Result<PreparedCard> {
    let db = state.db().await?;
    let view = order_view(&*db, OrderKey::Reference(reference)).await?;
    let view = view.ok_or_else(unknown_order)?;
    if let Some(placed) = attempt_of_key(&*db, view.id, hashes).await? {
        return Ok(PreparedCard::Placed(placed));
    }
    if view.is_final() {
        return Err(Problem::conflict(CLOSED));
    }
    // An unchecked card must not be added, even if the open attempt ends before the order is locked.
    if !view.can_retry() {
        return Err(still_processing());
    }
    // Only a boleto needs an address.
    let mut attempt_request = form.request(true)?;
    let (link, _) = link_by_code(&*db, &view.link_code)
        .await?
        .ok_or_else(unknown_link)?;
    let (provider, _) = acquirers_of(state, &*db, &link, attempt_request.choice.payment_type).await?;
    let buyer = order_buyer(&*db, view.id).await?;
    drop(db);
    if let Some(buyer) = buyer {
        check_card(state, provider, &buyer, &mut attempt_request.choice).await?;
    }
    Ok(PreparedCard::Checked(Box::new(attempt_request), provider))
}

enum GivenUp {
    /// No attempt was open. The transaction still has the lock of the order.
    Nothing(Box<Tx>),
    /// The open attempt has ended without a payment, or its acquirer cannot cancel it.
    Unpaid,
    /// The open attempt was paid before it could be canceled.
    Paid(Box<OrderView>),
}

/// Ends an open attempt, if there is one. It commits before it waits for the acquirer, so the caller must then lock the
/// order again.
async fn give_up_open(state: &AppState, tx: Tx, order: &LockedOrder) -> Result<GivenUp> {
    let open = match (order.next_attempt(), &order.open_attempt) {
        (NextAttempt::Closed, _) => return Err(Problem::conflict(CLOSED)),
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
    check_link(state, tx, &link, order).await?;
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

/// Checks that the link still takes payments, and takes a use again for an order that has given its own back. If the
/// order has its use, the link may be exhausted.
async fn check_link(state: &AppState, tx: &Tx, link: &PaymentLink, order: &LockedOrder) -> Result<()> {
    let today = state.clock.today();
    let status = link.status(today);
    let approval = company_approval_locked(&**tx, link.company.id).await?;
    if approval != Approval::Enabled {
        return Err(cannot_be_paid(LinkStatus::Inactive));
    }
    if !take_use_again(&**tx, order, today).await? {
        return Err(no_use_left(state, &**tx, link).await?);
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
