//! The bank's HTTP API: order a payout, look one up, and list all.

use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::routing::{get, post};
use axum::{Json, Router};
use gateway_platform::providers::payouts::PayoutOrder;
use ledger_domain::PayoutId;

use super::book::{Payment, PaymentStatus, Taken};
use super::{Bank, Behaviour, REASON};
use crate::sandbox::server::{Refused, hang, refused};

type Answer = Result<(StatusCode, Json<Payment>), Refused>;

pub fn router(bank: Bank) -> Router {
    Router::new()
        .route("/payouts", post(take_order))
        .route("/payouts/{id}", get(find_payment))
        .route("/sandbox/payouts", get(list_payments))
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
            "Idempotency-Key: the payout's id",
        ));
    }
    let behaviour = Behaviour::of_amount(order.amount);
    if behaviour == Behaviour::NeverArrives && bank.book.loses(payout_id) {
        return Err(hang().await);
    }
    let payment = match bank.book.take(order, bank.clock.now()) {
        Taken::New(payment) => payment,
        Taken::Known(payment) => return Ok((StatusCode::OK, Json(payment))),
        Taken::AnotherOrder => {
            return Err(refused(
                StatusCode::CONFLICT,
                "the key was used for another order",
            ));
        }
    };
    if behaviour == Behaviour::Refuses {
        let refused = bank
            .book
            .decide(payout_id, PaymentStatus::Failed, Some(REASON), bank.clock.now());
        return Ok((StatusCode::CREATED, Json(refused.unwrap_or(payment))));
    }
    if behaviour == Behaviour::NoticeFirst {
        bank.decide(&payment).await;
        return Ok((StatusCode::CREATED, Json(payment)));
    }
    bank.decide_later(payment.clone());
    match behaviour {
        Behaviour::TimesOutAndPays => Err(hang().await),
        Behaviour::BreaksAndPays => Err(refused(StatusCode::INTERNAL_SERVER_ERROR, "broken on purpose")),
        _ => Ok((StatusCode::CREATED, Json(payment))),
    }
}

async fn find_payment(State(bank): State<Bank>, Path(id): Path<PayoutId>) -> Result<Json<Payment>, Refused> {
    bank.book
        .find(id)
        .map(Json)
        .ok_or_else(|| refused(StatusCode::NOT_FOUND, "no such payout"))
}

async fn list_payments(State(bank): State<Bank>) -> Json<Vec<Payment>> {
    Json(bank.book.list())
}
