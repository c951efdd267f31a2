//! Placing an order.

use std::time::Duration;

use axum::extract::{Path, State};
use axum::response::Response;
use gateway_formats::short_code::OrderReference;
use gateway_identity::account::new_password::RequestOrigin;
use gateway_identity::rate_limit::LimitKind;
use gateway_platform::companies::Approval;
use gateway_platform::links::{
    LinkStatus, PaymentLink, SOLUTION, company_approval_locked, link_by_code, link_fetch, link_use_take,
};
use gateway_platform::orders::{
    AttemptState, NewAttempt, NewOrder, OrderKey, OrderView, RequestHashes, attempt_add, order_add,
    order_of_key, order_view, take_over_use, uses_held_until,
};
use ledger_domain::SaleId;
use ledger_domain::sale::Provider;
use tokio::time::{Instant, sleep, sleep_until};
use tokio_postgres::GenericClient;
use uuid::Uuid;

use super::answer;
use super::body::CheckoutJson;
use super::card_check::{check_card, forget_card};
use super::choices::OrderRequest;
use super::forms::PlaceOrderForm;
use super::offer::{acquirers_of, check_price, offered};
use super::status::unknown_order;
use super::status_bodies::OrderStatus;
use crate::AppState;
use crate::buyers::card_limits::{CardAttempt, take_card_attempt};
use crate::edge::Tx;
use crate::edge::panel::TenantLabel;
use crate::links::public::unknown_link;
use crate::plans::simulation::context_on;
use crate::problem::{Problem, Result};

/// How long an answer waits for the acquirer. After that the page follows the order's status.
const ANSWER_LIMIT: Duration = Duration::from_secs(8);
/// The longest pause between two reads of the order. So an answer does not wait for the job that notices the changes
/// of other processes.
const POLL: Duration = Duration::from_secs(1);

/// Place an order on a payment link
///
/// The order takes one use of the link. It gives it back if it ends unpaid, and 30 minutes after its latest attempt was
/// ordered if that is still unpaid. On a link with limited uses, a new order of the same buyer (by document) takes over
/// the use of the buyer's unpaid order, whose code is canceled. The answer waits up to 8 seconds for the
/// acquirer; follow an attempt that is still `processing` with the call of its status. A repeated idempotency key with
/// the same body gets the same order; with another body it is a 409 whose `Location` is the address of that order. Do
/// not send a card's number: the browser exchanges it for a token at the address in `card_tokens` of the link.
#[utoipa::path(
    post, path = "/pl/{code}/placeorder", tag = "checkout",
    params(("code" = String, Path, description = "The code of the link; its case is ignored", example = "2F6F4F5A1B0B")),
    responses(
        (status = 201, body = OrderStatus),
        (status = 404, description = "No link has this code"),
        (status = 409, description = "The link is not active, has expired or is exhausted; or the price has changed"),
        (status = 422, description = "Invalid values, by field; unknown fields, and card numbers in free text"),
    )
)]
pub(crate) async fn place_order(
    State(state): State<AppState>,
    tenant: TenantLabel,
    origin: RequestOrigin,
    Path(code): Path<String>,
    CheckoutJson { form, hashes }: CheckoutJson<PlaceOrderForm>,
) -> Result<Response> {
    let limits = &state.accounts.limits;
    limits
        .take(LimitKind::Order, &code.to_ascii_uppercase(), origin.caller)
        .await?;
    let placed = match prepare(&state, &code, form, hashes).await? {
        Prepared::Before(placed) => placed,
        Prepared::New(order_request, checked_by) => {
            let placed = place(&state, &origin, &code, &order_request, hashes).await;
            if let (Some(provider), false) = (checked_by, may_be_charged(&placed)) {
                forget_card(&state, provider, &order_request.choice).await;
            }
            placed?
        }
    };
    state.orders.wake();
    let (order_id, new_card) = match placed {
        PlaceOutcome::New(order_id, card) => (order_id, Some(card)),
        PlaceOutcome::Repeated(order_id) => (order_id, None),
        PlaceOutcome::KeyReused(order_id) => return other_body(&state, order_id).await,
    };
    let view = answered_view(&state, order_id).await?;
    let respond = match new_card {
        Some(card) => {
            card.answered(&state, &view).await;
            answer::command_done
        }
        None => answer::command_replayed,
    };
    let status = OrderStatus::of(&state, view, &tenant).await?;
    respond(status, state.clock.now())
}

async fn other_body(state: &AppState, order_id: Uuid) -> Result<Response> {
    let view = order_view(&*state.db().await?, OrderKey::Id(order_id)).await?;
    answer::key_reused(&view.ok_or_else(unknown_order)?.reference)
}

enum PlaceOutcome {
    New(Uuid, CardAttempt),
    /// The request is a repeat of the one that placed this order.
    Repeated(Uuid),
    /// A request with the same idempotency key and another body placed this order.
    KeyReused(Uuid),
}

/// After an error of ours the order may have been placed: its commit may have been lost on the way.
fn may_be_charged(placed: &Result<PlaceOutcome>) -> bool {
    match placed {
        Ok(PlaceOutcome::New(..)) => true,
        Ok(PlaceOutcome::Repeated(_) | PlaceOutcome::KeyReused(_)) => false,
        Err(problem) => problem.status.is_server_error(),
    }
}

enum Prepared {
    /// A request under this key placed an order before.
    Before(PlaceOutcome),
    /// With the acquirer that has read the card, if the order is paid by one.
    New(Box<OrderRequest>, Option<Provider>),
}

/// Checks the card of a new order at its acquirer.
async fn prepare(
    state: &AppState,
    code: &str,
    form: Result<PlaceOrderForm>,
    hashes: RequestHashes,
) -> Result<Prepared> {
    let db = state.db().await?;
    let (link, _) = link_by_code(&*db, code).await?.ok_or_else(unknown_link)?;
    if let Some(before) = placed_before(&*db, &link, hashes).await? {
        return Ok(Prepared::Before(before));
    }
    let PlaceOrderForm(mut order_request) = form?;
    // A card is never placed unchecked. An exhausted link may take the buyer's new order in place of an older one.
    let status = link.status(state.clock.today());
    if matches!(status, LinkStatus::Inactive | LinkStatus::Expired) {
        return Err(cannot_be_paid(status));
    }
    let mut checked_by = None;
    if order_request.choice.card.is_some() {
        let (provider, _) = acquirers_of(state, &*db, &link, order_request.choice.payment_type).await?;
        drop(db);
        check_card(state, provider, &order_request.buyer, &mut order_request.choice).await?;
        checked_by = Some(provider);
    }
    Ok(Prepared::New(Box::new(order_request), checked_by))
}

async fn place(
    state: &AppState,
    origin: &RequestOrigin,
    code: &str,
    order_request: &OrderRequest,
    hashes: RequestHashes,
) -> Result<PlaceOutcome> {
    let tx = state.begin().await?;
    let (link, _) = link_by_code(&*tx, code).await?.ok_or_else(unknown_link)?;
    let taken_over = take_over_use(&*tx, &link, order_request.buyer.document.unmasked()).await?;
    // Locks the link's row until the end of the transaction, so that orders of one link are placed one at a time. A
    // request with the same key may have placed its order during the wait for the lock.
    let taken = link_use_take(&*tx, link.id, state.clock.today()).await?;
    if let Some(before) = placed_before(&*tx, &link, hashes).await? {
        return Ok(before);
    }
    let link = link_fetch(&*tx, link.id).await?.ok_or_else(unknown_link)?;
    let approval = company_approval_locked(&*tx, link.company.id).await?;
    if approval != Approval::Enabled {
        return Err(cannot_be_paid(LinkStatus::Inactive));
    }
    if !taken {
        return Err(no_use_left(state, &*tx, &link).await?);
    }
    let (order_id, card) = add(state, &tx, origin, &link, order_request, hashes).await?;
    tx.commit().await?;
    if taken_over {
        // The earlier order's attempt is to be canceled.
        state.orders.wake();
    }
    Ok(PlaceOutcome::New(order_id, card))
}

async fn placed_before(
    client: &impl GenericClient,
    link: &PaymentLink,
    hashes: RequestHashes,
) -> Result<Option<PlaceOutcome>> {
    let found = order_of_key(client, link.id, hashes).await?;
    Ok(found.map(|placed| match placed.same_body {
        true => PlaceOutcome::Repeated(placed.order_id),
        false => PlaceOutcome::KeyReused(placed.order_id),
    }))
}

/// A 409 that says why the link cannot be paid. An active link cannot be paid if its company may not sell. Such a link
/// has the message of an inactive link, because buyers must not learn that about the company.
pub fn cannot_be_paid(status: LinkStatus) -> Problem {
    Problem::conflict(match status {
        LinkStatus::Expired => "Este link de pagamento expirou. Peça outro a quem o enviou.",
        LinkStatus::Exhausted => "Este link de pagamento já foi usado. Peça outro a quem o enviou.",
        LinkStatus::Inactive | LinkStatus::Active => {
            "Este link de pagamento não está ativo. Fale com quem o enviou."
        }
    })
}

/// A 409 for a link without a use to take. If unpaid orders hold uses, the message says when one may come back.
pub async fn no_use_left(
    state: &AppState,
    client: &impl GenericClient,
    link: &PaymentLink,
) -> Result<Problem> {
    let now = state.clock.now();
    let held_until = match link.status(state.clock.today()) {
        LinkStatus::Exhausted => uses_held_until(client, link.id).await?,
        LinkStatus::Active | LinkStatus::Inactive | LinkStatus::Expired => None,
    };
    let Some(held_until) = held_until else {
        return Ok(cannot_be_paid(link.status(state.clock.today())));
    };
    let seconds = (held_until - now).num_seconds().max(60).unsigned_abs();
    let minutes = seconds.div_ceil(60);
    let message = format!(
        "Outro pedido deste link aguarda pagamento. Se ele não for pago, o link volta a funcionar em até {minutes} min."
    );
    Ok(Problem {
        retry_after_seconds: Some(seconds),
        ..Problem::conflict(message)
    })
}

async fn add(
    state: &AppState,
    tx: &Tx,
    origin: &RequestOrigin,
    link: &PaymentLink,
    order_request: &OrderRequest,
    hashes: RequestHashes,
) -> Result<(Uuid, CardAttempt)> {
    let choice = &order_request.choice;
    let amount = link
        .fields
        .amount_to_pay(order_request.amount)?
        .ok_or_else(|| Problem::field("amount", "Informe o valor que você vai pagar."))?;
    let (provider, fallback) = acquirers_of(state, &**tx, link, choice.payment_type).await?;
    let context = context_on(state, tx, link.company.id, SOLUTION).await?;
    let fields = offered(state, &**tx, link).await?.fields;
    check_price(context.terms.as_deref(), &fields, amount, choice)?;
    let card = take_card_attempt(state, &**tx, link.id, choice, origin.caller).await?;
    let order = NewOrder {
        id: state.ids.new_uuid(),
        reference: &OrderReference::from_random(state.ids.random_bytes()),
        link,
        amount,
        panel_url: &origin.panel_url,
        request: hashes,
        buyer: &order_request.buyer,
        created_at: state.clock.now(),
    };
    order_add(&**tx, &order).await?;
    let attempt = NewAttempt {
        sale_id: SaleId::from_uuid(state.ids.new_uuid()),
        order_id: order.id,
        business_id: link.company.id,
        provider,
        fallback: &fallback,
        payment_type: choice.payment_type,
        total: choice.total,
        card: choice.card.clone(),
        request: None,
        ordered_at: order.created_at,
        calendar: &context.calendar,
    };
    attempt_add(&**tx, &attempt).await?;
    Ok((order.id, card))
}

/// The order once its attempt is no longer processing, or after `ANSWER_LIMIT`.
pub(crate) async fn answered_view(state: &AppState, order_id: Uuid) -> Result<OrderView> {
    let is_answered = |view: &OrderView| view.attempt.state != AttemptState::Processing;
    view_when(state, order_id, is_answered).await
}

/// The order once the condition holds, or after `ANSWER_LIMIT`. No database connection is held during the wait.
pub(crate) async fn view_when(
    state: &AppState,
    order_id: Uuid,
    condition: impl Fn(&OrderView) -> bool,
) -> Result<OrderView> {
    let deadline = Instant::now() + ANSWER_LIMIT;
    let mut changes = state.orders.follow(order_id);
    loop {
        let view = order_view(&*state.db().await?, OrderKey::Id(order_id)).await?;
        let view = view.ok_or_else(|| Problem::internal("a placed order is missing"))?;
        if condition(&view) || Instant::now() >= deadline {
            return Ok(view);
        }
        tokio::select! {
            () = changes.changed() => {}
            () = sleep(POLL) => {}
            () = sleep_until(deadline) => {}
        }
    }
}
