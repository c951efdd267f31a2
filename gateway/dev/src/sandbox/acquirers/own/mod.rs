//! The sandbox's own contract. Its bodies are those of its adapter, except that of a card token's request.

mod challenge;

use axum::extract::{Path, Query, State};
use axum::http::header::HOST;
use axum::http::{HeaderMap, StatusCode};
use axum::middleware::from_fn;
use axum::routing::{get, post};
use axum::{Json, Router};
use gateway_acquirers::charge::ChargeState;
use gateway_acquirers::sandbox::wire::{
    self, CardBody, ChargeBody, NextActionBody, NoticeBody, OrderBody, PaymentMethodBody, PayoutAnswerBody,
    PayoutOrderBody, ReceivableBody, ReceivablesBody, RefundBody, StatusBody,
};
use ledger_domain::calendar::Date;
use ledger_domain::sale::Provider;
use ledger_domain::{Cents, PayoutId, SaleId};
use serde::Deserialize;
use serde_json::{Value, json};
use uuid::Uuid;

use super::behavior::BrandTold;
use super::charge::{Change, ChargedMethod, RefundedPart, SandboxCharge};
use super::charges::{Charges, NewCharge, NotTaken, OnRepeat};
#[cfg(test)]
use super::contract::Expectations;
use super::contract::{Contract, Server};
use super::notices::{ContractNotice, JSON};
use super::payouts::SandboxPayout;
use super::receivables::{SandboxReceivable, of_contract};
use super::tokens::{CardFields, allow_all_origins, card_of, new_token};
use super::{codes, keys};
use crate::sandbox::server::{Refused, refused};

pub const CONTRACT: Contract = Contract(&Server {
    name: "own",
    provider: Provider::Valori,
    router,
    notice,
    takes_late_payments: true,
    #[cfg(test)]
    suite: Expectations {
        takes_notice_url: true,
        adds_pix_to_boletos: true,
        cancels_pix: true,
        challenges: true,
        searches_lists: false,
        repeats_safely: true,
        refund_path: "refund",
        unrelated_notice: br#"{"event":"payout.paid","charge_id":null,"sale_id":null}"#,
    },
});
const RECEIVABLES_PAGE: usize = 100;

type Answer = Result<Json<ChargeBody>, Refused>;

fn router(charges: Charges) -> Router {
    let tokens = Router::new()
        .route("/own/card-tokens", post(create_token))
        .layer(from_fn(allow_all_origins));
    let with_key = Router::new()
        .route("/own/card-tokens/read", post(read_token))
        .route("/own/charges", post(take_order))
        .route("/own/charges/{id}", get(find_charge))
        .route("/own/sales/{sale_id}/charge", get(find_charge_of_sale))
        .route("/own/charges/{id}/cancel", post(cancel))
        .route("/own/charges/{id}/capture", post(capture))
        .route("/own/charges/{id}/refund", post(refund))
        .route("/own/receivables", get(list_receivables))
        .route("/own/payouts", post(take_payout))
        .route("/own/payouts/{id}", get(find_payout))
        .route_layer(from_fn(keys::bearer));
    let challenges = Router::new().route(
        "/own/challenges/{id}",
        get(challenge::show).post(challenge::answer),
    );
    with_key.merge(challenges).with_state(charges).merge(tokens)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TokenBody {
    number: String,
    holder: String,
    month: String,
    year: String,
    security_code: String,
}

async fn create_token(Json(body): Json<TokenBody>) -> Result<(StatusCode, Json<Value>), Refused> {
    let token = new_token(&CardFields {
        number: &body.number,
        holder: &body.holder,
        month: &body.month,
        year: &body.year,
        security_code: &body.security_code,
    });
    match token {
        Ok(token) => Ok((StatusCode::CREATED, Json(json!({ "token": token })))),
        Err(field) => Err(refused(StatusCode::UNPROCESSABLE_ENTITY, field)),
    }
}

async fn read_token(Json(body): Json<wire::TokenBody>) -> Result<Json<CardBody>, Refused> {
    let (brand, last_four) = card_of(&body.token).ok_or_else(|| unprocessable("token"))?;
    Ok(Json(CardBody {
        brand: BrandTold::of_card(&last_four).before_charge().then_some(brand),
        last_four,
        authorization_code: None,
    }))
}

async fn take_order(
    State(charges): State<Charges>,
    headers: HeaderMap,
    Json(order): Json<OrderBody>,
) -> Answer {
    let key = key_of(&headers);
    if key.and_then(|key| key.parse().ok()) != Some(order.sale_id) {
        return Err(unprocessable("Idempotency-Key: the sale's id"));
    }
    let id = format!("chg_{}", Uuid::new_v4().simple());
    let payment_method = payment_method(&id, &order)?;
    let new = NewCharge {
        id,
        contract: CONTRACT,
        sale_id: order.sale_id,
        amount: order.amount,
        payment_method,
        notice_url: order.notice_url,
    };
    let taken = charges.take(new, OnRepeat::Answer).await;
    taken
        .map(|charge| Json(body(&charge, &headers)))
        .map_err(|fault| match fault {
            NotTaken::Fault(fault) => fault,
            NotTaken::Repeated | NotTaken::OtherOrder => {
                refused(StatusCode::CONFLICT, "the key was used for another order")
            }
            NotTaken::TokenUsed => unprocessable("token: it was used for another charge"),
        })
}

fn payment_method(id: &str, order: &OrderBody) -> Result<ChargedMethod, Refused> {
    match &order.payment_method {
        PaymentMethodBody::Card {
            token,
            installments,
            return_url,
        } => {
            let (brand, last_four) = card_of(token).ok_or_else(|| unprocessable("token: unknown"))?;
            Ok(ChargedMethod::Card {
                token: token.clone(),
                brand,
                last_four,
                installments: *installments,
                return_url: Some(return_url.clone()),
            })
        }
        PaymentMethodBody::Pix { expires_at } => Ok(ChargedMethod::Pix {
            code: codes::pix(id, order.amount).ok_or_else(|| unprocessable("amount"))?,
            expires_at: *expires_at,
        }),
        PaymentMethodBody::Boleto { due_on } => {
            if order.buyer.address.is_none() {
                return Err(unprocessable("buyer.address: boletos need it"));
            }
            codes::boleto(id, order.amount, *due_on).ok_or_else(|| unprocessable("amount, due_on"))
        }
    }
}

fn key_of(headers: &HeaderMap) -> Option<&str> {
    headers.get("idempotency-key")?.to_str().ok()
}

async fn find_charge(State(charges): State<Charges>, headers: HeaderMap, Path(id): Path<String>) -> Answer {
    let found = charges.find(CONTRACT, &id)?.ok_or_else(not_found)?;
    Ok(Json(body(&found, &headers)))
}

async fn find_charge_of_sale(
    State(charges): State<Charges>,
    headers: HeaderMap,
    Path(sale_id): Path<SaleId>,
) -> Answer {
    let found = charges.find_of_sale(CONTRACT, sale_id)?.pop();
    Ok(Json(body(&found.ok_or_else(not_found)?, &headers)))
}

async fn cancel(State(charges): State<Charges>, headers: HeaderMap, Path(id): Path<String>) -> Answer {
    change(&charges, &headers, &id, Change::Cancel)
}

async fn capture(State(charges): State<Charges>, headers: HeaderMap, Path(id): Path<String>) -> Answer {
    change(&charges, &headers, &id, Change::Capture)
}

/// Answers with the charge as it is if the change is not possible: a cancellation that comes too late, for example.
fn change(charges: &Charges, headers: &HeaderMap, id: &str, change: Change) -> Answer {
    let found = charges.find(CONTRACT, id)?.ok_or_else(not_found)?;
    let changed = charges.change(&found.id, change).unwrap_or(found);
    Ok(Json(body(&changed, headers)))
}

async fn refund(
    State(charges): State<Charges>,
    headers: HeaderMap,
    Path(id): Path<String>,
    Json(refund): Json<RefundBody>,
) -> Answer {
    let found = charges.find(CONTRACT, &id)?.ok_or_else(not_found)?;
    let refunded = match key_of(&headers) {
        None if refund.amount == found.amount => charges.refund(&found).await?,
        None => return Err(unprocessable("Idempotency-Key: a part needs one")),
        Some(key) => {
            let part = RefundedPart {
                key: Some(key.to_owned()),
                amount: refund.amount,
            };
            charges.refund_part(&found, part).await?
        }
    };
    Ok(Json(body(&refunded, &headers)))
}

async fn take_payout(
    State(charges): State<Charges>,
    headers: HeaderMap,
    Json(payment): Json<PayoutOrderBody>,
) -> Result<Json<PayoutAnswerBody>, Refused> {
    let key = key_of(&headers);
    if key.and_then(|key| key.parse().ok()) != Some(payment.payout_id) || payment.receiver_name.is_empty() {
        return Err(unprocessable(
            "the Idempotency-Key must be the payout's id, and receiver_name must not be empty",
        ));
    }
    let new = SandboxPayout::new(CONTRACT, payment.payout_id, payment.amount);
    let taken = charges.pay_out(new, OnRepeat::Answer).await;
    taken
        .map(|payout| Json(payout_body(&payout)))
        .map_err(|fault| match fault {
            NotTaken::Fault(fault) => fault,
            NotTaken::Repeated | NotTaken::OtherOrder | NotTaken::TokenUsed => {
                refused(StatusCode::CONFLICT, "the key was used for another payout")
            }
        })
}

async fn find_payout(
    State(charges): State<Charges>,
    Path(payout_id): Path<PayoutId>,
) -> Result<Json<PayoutAnswerBody>, Refused> {
    let found = charges.payout(CONTRACT, payout_id).ok_or_else(not_found)?;
    Ok(Json(payout_body(&found)))
}

fn payout_body(payout: &SandboxPayout) -> PayoutAnswerBody {
    PayoutAnswerBody {
        status: payout.status,
        at: payout.at,
        reason: payout.reason().map(str::to_owned),
        names: payout.names(),
    }
}

#[derive(Deserialize)]
struct ReceivablesQuery {
    day: Date,
    /// The number of receivables on the pages before, as text.
    #[serde(default)]
    after: String,
}

async fn list_receivables(
    State(charges): State<Charges>,
    Query(query): Query<ReceivablesQuery>,
) -> Json<ReceivablesBody> {
    let skipped = query.after.parse().unwrap_or(0);
    let listed: Vec<_> = of_contract(&charges, CONTRACT)
        .into_iter()
        .filter(|receivable| receivable.expected_on == query.day || receivable.paid_on == Some(query.day))
        .skip(skipped)
        .collect();
    let more = listed.len() > RECEIVABLES_PAGE;
    let receivables = listed.into_iter().take(RECEIVABLES_PAGE);
    Json(ReceivablesBody {
        receivables: receivables.map(receivable_body).collect(),
        next: more.then(|| (skipped + RECEIVABLES_PAGE).to_string()),
    })
}

fn receivable_body(receivable: SandboxReceivable) -> ReceivableBody {
    ReceivableBody {
        charge_id: receivable.charge.id,
        sale_id: Some(receivable.charge.sale_id),
        installment: receivable.installment,
        gross: receivable.gross,
        cost: receivable.cost,
        net: receivable.net,
        expected_on: receivable.expected_on,
        paid_on: receivable.paid_on,
        canceled: receivable.canceled,
    }
}

/// The charge as the contract shows it. The page of a challenge is on the host that the request named.
fn body(charge: &SandboxCharge, headers: &HeaderMap) -> ChargeBody {
    let (status, decline) = StatusBody::of(charge.state);
    ChargeBody {
        id: charge.id.clone(),
        sale_id: charge.sale_id,
        amount: charge.amount,
        refunded: Some(charge.refunded()).filter(|refunded| *refunded != Cents::ZERO),
        status,
        decline,
        next_action: next_action(charge, headers),
        card: card(charge),
        names: charge.names(),
        return_names: charge.return_names(),
        at: charge.at,
    }
}

fn next_action(charge: &SandboxCharge, headers: &HeaderMap) -> Option<NextActionBody> {
    if charge.state != ChargeState::Pending {
        return None;
    }
    match &charge.payment_method {
        ChargedMethod::Card { .. } => charge.is_challenged().then(|| {
            let host = headers.get(HOST).and_then(|host| host.to_str().ok());
            NextActionBody::Challenge {
                url: format!(
                    "http://{}/own/challenges/{}",
                    host.unwrap_or("localhost"),
                    charge.id
                ),
            }
        }),
        ChargedMethod::Pix { code, expires_at } => Some(NextActionBody::Pix {
            code: code.clone(),
            expires_at: *expires_at,
        }),
        ChargedMethod::Boleto {
            line,
            barcode,
            due_on,
            pix,
        } => Some(NextActionBody::Boleto {
            line: line.clone(),
            barcode: barcode.clone(),
            due_on: *due_on,
            pix: pix.clone(),
        }),
    }
}

fn card(charge: &SandboxCharge) -> Option<CardBody> {
    let ChargedMethod::Card { brand, last_four, .. } = &charge.payment_method else {
        return None;
    };
    let authorized = charge.paid_at.is_some() || charge.state == ChargeState::Authorized;
    Some(CardBody {
        brand: BrandTold::of_card(last_four).with_charge().then(|| brand.clone()),
        last_four: last_four.clone(),
        authorization_code: authorized.then(|| charge.authorization_code()),
    })
}

fn notice(charge: &SandboxCharge) -> ContractNotice {
    let body = NoticeBody {
        event: "charge.changed".to_owned(),
        charge_id: Some(charge.id.clone()),
        sale_id: Some(charge.sale_id.to_string()),
    };
    ContractNotice {
        event: "charge.changed",
        content_type: JSON,
        body: json!(body).to_string(),
    }
}

fn unprocessable(message: &str) -> Refused {
    refused(StatusCode::UNPROCESSABLE_ENTITY, message)
}

fn not_found() -> Refused {
    refused(StatusCode::NOT_FOUND, "not found")
}
