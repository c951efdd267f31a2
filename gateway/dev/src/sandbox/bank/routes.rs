//! The bank's HTTP API: order a payout, look one up, list all, and return a paid one.

use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::routing::{get, post};
use axum::{Json, Router};
use gateway_platform::providers::payouts::PayoutOrder;
use ledger_domain::PayoutId;

use super::payments::{OrderOutcome, Payment, PaymentStatus};
use super::{Bank, PayoutBehavior, REASON};
use crate::sandbox::server::{Refused, hang, refused};

type Answer = Result<(StatusCode, Json<Payment>), Refused>;

pub fn router(bank: Bank) -> Router {
    Router::new()
        .route("/payouts", post(take_order))
        .route("/payouts/{id}", get(find_payment))
        .route("/sandbox/payouts", get(list_payments))
        .route("/sandbox/payouts/{id}/return", post(return_payment))
        .with_state(bank)
}

async fn take_order(State(bank): State<Bank>, headers: HeaderMap, Json(order): Json<PayoutOrder>) -> Answer {
    let payout_id = order.payout_id;
    let key = headers
        .get("idempotency-key")
        .and_then(|value| value.to_str().ok());
    if key.and_then(|key| key.parse().ok()) != Some(payout_id) {
        return Err(refused(
            StatusCode::UNPROCESSABLE_ENTITY,
            "Idempotency-Key must be the id of the payout",
        ));
    }
    let behavior = PayoutBehavior::of_amount(order.amount);
    if behavior == PayoutBehavior::LostOnce && bank.payments.lose_once(payout_id) {
        return Err(hang().await);
    }
    let payment = match bank.payments.take(order, bank.clock.now()) {
        OrderOutcome::New(payment) => payment,
        OrderOutcome::Known(payment) => return Ok((StatusCode::OK, Json(payment))),
        OrderOutcome::KeyReused => {
            return Err(refused(
                StatusCode::CONFLICT,
                "the key was used for another order",
            ));
        }
    };
    if behavior == PayoutBehavior::Refuses {
        let refused = bank
            .payments
            .decide(payout_id, PaymentStatus::Failed, Some(REASON), bank.clock.now());
        return Ok((StatusCode::CREATED, Json(refused.unwrap_or(payment))));
    }
    if behavior == PayoutBehavior::NoticeFirst {
        bank.decide(&payment).await;
        return Ok((StatusCode::CREATED, Json(payment)));
    }
    bank.decide_later(payment.clone());
    match behavior {
        PayoutBehavior::TimesOutAndPays => Err(hang().await),
        PayoutBehavior::BreaksAndPays => Err(refused(StatusCode::INTERNAL_SERVER_ERROR, "broken on purpose")),
        _ => Ok((StatusCode::CREATED, Json(payment))),
    }
}

async fn find_payment(State(bank): State<Bank>, Path(id): Path<PayoutId>) -> Result<Json<Payment>, Refused> {
    bank.payments
        .find(id)
        .map(Json)
        .ok_or_else(|| refused(StatusCode::NOT_FOUND, "no such payout"))
}

async fn list_payments(State(bank): State<Bank>) -> Json<Vec<Payment>> {
    Json(bank.payments.list())
}

/// The account at the other bank is closed: the money comes back, and a notice says so.
async fn return_payment(
    State(bank): State<Bank>,
    Path(id): Path<PayoutId>,
) -> Result<Json<Payment>, Refused> {
    let payment = bank.payments.find(id);
    let payment = payment.ok_or_else(|| refused(StatusCode::NOT_FOUND, "no such payout"))?;
    if payment.status != PaymentStatus::Paid {
        return Err(refused(
            StatusCode::CONFLICT,
            "only a paid payout can be returned",
        ));
    }
    bank.end(id, PaymentStatus::Returned).await;
    let returned = bank.payments.find(id).unwrap_or(payment);
    Ok(Json(returned))
}
