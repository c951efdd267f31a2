//! Barte's contract, as far as the adapter uses it: buyers, orders, charges.

use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, StatusCode};
use axum::middleware::from_fn;
use axum::routing::{get, patch, post};
use axum::{Json, Router};
use gateway_acquirers::amounts::Reais;
use gateway_acquirers::charge::ChargeState;
use ledger_domain::SaleId;
use ledger_domain::calendar::{Date, business_date, days_after, start_of};
use ledger_domain::sale::Provider;
use serde::Deserialize;
use serde_json::{Value, json};
use uuid::Uuid;

use super::charge::{Change, ChargedMethod, SandboxCharge};
use super::charges::{Charges, NewCharge, NotTaken, OnRepeat};
#[cfg(test)]
use super::contract::Expectations;
use super::contract::{Contract, Server};
use super::notices::{ContractNotice, JSON};
use super::{codes, keys};
use crate::sandbox::server::Refused;

pub const CONTRACT: Contract = Contract(&Server {
    name: "barte",
    provider: Provider::Barte,
    router,
    notice,
    takes_late_payments: true,
    #[cfg(test)]
    suite: Expectations {
        takes_notice_url: false,
        adds_pix_to_boletos: false,
        cancels_pix: true,
        challenges: false,
        searches_lists: true,
        repeats_safely: false,
        refund_path: "refund",
        unrelated_notice: br#"{"uuid":"1","domain":"SUBSCRIPTION","status":"ACTIVE","metadata":[]}"#,
    },
});

type Answer = Result<Json<Value>, Refused>;

fn router(charges: Charges) -> Router {
    Router::new()
        .route("/barte/v2/buyers", post(create_buyer))
        .route("/barte/v2/orders", post(create_order))
        .route("/barte/v2/charges", get(list_charges))
        .route("/barte/v2/charges/{id}", get(find_charge).delete(cancel))
        .route("/barte/v2/charges/{id}/refund", patch(refund))
        .route_layer(from_fn(keys::token))
        .with_state(charges)
}

fn error(status: StatusCode, code: &str) -> Refused {
    let error = json!({ "code": code, "title": code, "description": code });
    (status, Json(json!({ "errors": [error] })))
}

fn bad_request(code: &str) -> Refused {
    error(StatusCode::BAD_REQUEST, code)
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct BuyerBody {
    document: BuyerDocument,
    name: String,
    country_code: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct BuyerDocument {
    document_number: String,
}

async fn create_buyer(Json(buyer): Json<BuyerBody>) -> Answer {
    if buyer.document.document_number.is_empty() || buyer.name.is_empty() || buyer.country_code != "+55" {
        return Err(bad_request("BAR-BUYER"));
    }
    Ok(Json(json!({ "uuid": Uuid::new_v4() })))
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct OrderBody {
    title: SaleId,
    attempt_reference: Uuid,
    uuid_buyer: Uuid,
    start_date: Date,
    value: Reais,
    installments: u8,
    payment: PaymentBody,
}

#[derive(Deserialize)]
struct PaymentBody {
    method: String,
}

async fn create_order(
    State(charges): State<Charges>,
    headers: HeaderMap,
    Json(order): Json<OrderBody>,
) -> Answer {
    let key = headers
        .get("x-idempotency-key")
        .and_then(|key| key.to_str().ok())
        .and_then(|key| key.parse().ok());
    if key != Some(order.attempt_reference) || order.uuid_buyer.is_nil() || order.installments != 1 {
        return Err(bad_request("BAR-ORDER"));
    }
    let (id, amount) = (Uuid::new_v4().to_string(), order.value.0);
    let payment_method = match order.payment.method.as_str() {
        "PIX" => codes::pix(&id, amount).map(|code| ChargedMethod::Pix {
            code,
            // The contract names a day only. The code expires at its end.
            expires_at: start_of(days_after(order.start_date, 1)),
        }),
        "BANK_SLIP" => codes::boleto(&id, amount, order.start_date),
        _ => return Err(bad_request("BAR-METHOD")),
    };
    let new = NewCharge {
        payment_method: payment_method.ok_or_else(|| bad_request("BAR-VALUE"))?,
        id,
        contract: CONTRACT,
        sale_id: order.title,
        amount,
        notice_url: None,
    };
    match charges.take(new, OnRepeat::Answer).await {
        Ok(charge) => Ok(Json(order_body(&charge, order.attempt_reference))),
        Err(NotTaken::Fault(fault)) => Err(fault),
        Err(NotTaken::Repeated | NotTaken::OtherOrder | NotTaken::TokenUsed) => {
            Err(error(StatusCode::CONFLICT, "BAR-IDEMPOTENCY"))
        }
    }
}

/// The charges of an order come without their codes.
fn order_body(charge: &SandboxCharge, key: Uuid) -> Value {
    let mut listed = charge_body(charge);
    if let Some(listed) = listed.as_object_mut() {
        listed.remove("pixCode");
        listed.remove("bankSlipBarcode");
    }
    json!({
        "uuid": Uuid::new_v4(), "status": status(charge.state), "title": charge.sale_id,
        "value": Reais(charge.amount), "installments": 1, "idempotencyKey": key, "charges": [listed],
    })
}

fn charge_body(charge: &SandboxCharge) -> Value {
    let (method, due_on, pix_code, barcode) = match &charge.payment_method {
        ChargedMethod::Card { .. } => ("CREDIT_CARD", business_date(charge.created_at), None, None),
        ChargedMethod::Pix { code, expires_at } => {
            let last_moment = *expires_at - chrono::TimeDelta::seconds(1);
            ("PIX", business_date(last_moment), Some(code), None)
        }
        ChargedMethod::Boleto { barcode, due_on, .. } => ("BANK_SLIP", *due_on, None, Some(barcode)),
    };
    json!({
        "uuid": charge.id, "title": charge.sale_id, "status": status(charge.state),
        "value": Reais(charge.amount), "paymentMethod": method, "expirationDate": due_on,
        "paidDate": charge.paid_at.map(business_date), "pixCode": pix_code, "bankSlipBarcode": barcode,
    })
}

const fn status(state: ChargeState) -> &'static str {
    match state {
        ChargeState::Pending => "SCHEDULED",
        ChargeState::Authorized => "PRE_AUTHORIZED",
        ChargeState::Paid => "PAID",
        ChargeState::Declined(_) => "FAILED",
        ChargeState::Canceled => "CANCELED",
        ChargeState::Refunded | ChargeState::Reversed => "REFUND",
        ChargeState::Disputed => "DISPUTE",
        ChargeState::ChargedBack => "CHARGEBACK",
        ChargeState::PartlyRefunded => "PARTIAL_REFUND",
        ChargeState::Unlisted => "UNDER_REVIEW",
    }
}

#[derive(Deserialize)]
struct ListQuery {
    page: usize,
    size: usize,
}

/// The newest first.
async fn list_charges(State(charges): State<Charges>, Query(query): Query<ListQuery>) -> Json<Value> {
    let all = charges.list();
    let of_contract = all.iter().rev().filter(|charge| charge.contract == CONTRACT);
    let rest: Vec<_> = of_contract.skip(query.page * query.size).collect();
    let content: Vec<_> = rest
        .iter()
        .take(query.size)
        .map(|charge| {
            let mut listed = charge_body(charge);
            if let (true, Some(listed)) = (charges.hides_sale_ids(), listed.as_object_mut()) {
                listed.remove("title");
            }
            listed
        })
        .collect();
    Json(json!({ "content": content, "last": rest.len() <= query.size }))
}

async fn find_charge(State(charges): State<Charges>, Path(id): Path<String>) -> Answer {
    Ok(Json(charge_body(&found(&charges, &id)?)))
}

fn found(charges: &Charges, id: &str) -> Result<SandboxCharge, Refused> {
    charges
        .find(CONTRACT, id)?
        .ok_or_else(|| error(StatusCode::NOT_FOUND, "BAR-NOT-FOUND"))
}

async fn cancel(State(charges): State<Charges>, Path(id): Path<String>) -> Result<StatusCode, Refused> {
    let found = found(&charges, &id)?;
    charges
        .change(&found.id, Change::Cancel)
        .map(|_| StatusCode::NO_CONTENT)
        .ok_or_else(|| bad_request("BAR-CANCEL"))
}

async fn refund(State(charges): State<Charges>, Path(id): Path<String>) -> Answer {
    let found = found(&charges, &id)?;
    if found.state != ChargeState::Paid {
        return Err(bad_request("BAR-REFUND"));
    }
    Ok(Json(charge_body(&charges.refund(&found).await?)))
}

fn notice(charge: &SandboxCharge) -> ContractNotice {
    let body = json!({
        "uuid": Uuid::new_v4(), "domain": "ORDER", "status": status(charge.state), "uuidBuyer": Uuid::new_v4(),
        "metadata": [{ "key": "sale_id", "value": charge.sale_id }],
    });
    ContractNotice {
        event: "ORDER",
        content_type: JSON,
        body: body.to_string(),
    }
}
