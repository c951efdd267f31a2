//! Zoop's contract, as far as the adapter uses it: buyers, transactions, cancellation of boletos, receivables.

use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::middleware::from_fn;
use axum::routing::{get, post};
use axum::{Json, Router};
use chrono::{SecondsFormat, TimeDelta};
use gateway_acquirers::amounts::reais;
use gateway_acquirers::charge::ChargeState;
use ledger_domain::calendar::Date;
use ledger_domain::sale::Provider;
use ledger_domain::{Cents, SaleId};
use serde::Deserialize;
use serde_json::{Value, json};
use uuid::Uuid;

use super::charge::{Change, ChargedMethod, RefundedPart, SandboxCharge};
use super::charges::{Charges, NewCharge, NotTaken, OnRepeat};
#[cfg(test)]
use super::contract::Expectations;
use super::contract::{Contract, Server};
use super::notices::{ContractNotice, JSON};
use super::{codes, keys, receivables};
use crate::sandbox::server::Refused;

pub const CONTRACT: Contract = Contract(&Server {
    name: "zoop",
    provider: Provider::Zoop,
    router,
    notice,
    // Zoop documents that it voids a late payment of a PIX. Here it does so for a boleto too.
    takes_late_payments: false,
    #[cfg(test)]
    suite: Expectations {
        takes_notice_url: false,
        adds_pix_to_boletos: false,
        cancels_pix: false,
        challenges: false,
        searches_lists: true,
        repeats_safely: false,
        refund_path: "void",
        unrelated_notice: br#"{"id":"1","type":"transfer.confirmed","payload":{"object":{"id":"1"}}}"#,
    },
});
/// Zoop's default for a setting of the marketplace.
const PIX_EXPIRES_AFTER: TimeDelta = TimeDelta::minutes(5);

type Answer = Result<(StatusCode, Json<Value>), Refused>;

fn router(charges: Charges) -> Router {
    let of_marketplace = Router::new()
        .route("/transactions", get(search).post(create_transaction))
        .route("/transactions/{id}", get(find_transaction))
        .route("/transactions/{id}/void", post(void))
        .route("/buyers", post(create_buyer))
        .route("/sellers/{seller}/receivables", get(list_receivables));
    Router::new()
        .nest("/zoop/v1/marketplaces/{marketplace}", of_marketplace)
        .route(
            "/zoop/v1/boletos/cancellation/marketplaces/{marketplace}/transactions/{id}",
            post(cancel_boleto),
        )
        .route_layer(from_fn(keys::basic))
        .with_state(charges)
}

fn error(status: StatusCode, category: &str) -> Refused {
    let error = json!({
        "status": status.canonical_reason(), "status_code": status.as_u16(), "type": "invalid_request_error",
        "category": category, "message": category,
    });
    (status, Json(json!({ "error": error })))
}

fn bad_request(category: &str) -> Refused {
    error(StatusCode::BAD_REQUEST, category)
}

#[derive(Deserialize)]
struct BuyerBody {
    first_name: String,
    taxpayer_id: String,
    address: Option<Value>,
}

async fn create_buyer(Json(buyer): Json<BuyerBody>) -> Answer {
    if buyer.first_name.is_empty() || buyer.taxpayer_id.is_empty() || buyer.address.is_none() {
        return Err(bad_request("invalid_buyer"));
    }
    let id = Uuid::new_v4().simple().to_string();
    Ok((StatusCode::CREATED, Json(json!({ "id": id }))))
}

#[derive(Deserialize)]
struct TransactionBody {
    on_behalf_of: String,
    payment_type: String,
    amount: Cents,
    currency: String,
    reference_id: SaleId,
    statement_descriptor: String,
    customer: Option<String>,
    payment_method: Option<BoletoBody>,
}

#[derive(Deserialize)]
struct BoletoBody {
    expiration_date: Date,
    payment_limit_date: Date,
}

async fn create_transaction(State(charges): State<Charges>, Json(order): Json<TransactionBody>) -> Answer {
    if order.on_behalf_of.is_empty() || order.currency != "BRL" || order.statement_descriptor.len() > 22 {
        return Err(bad_request("invalid_parameters"));
    }
    let id = Uuid::new_v4().simple().to_string();
    let payment_method = match (
        order.payment_type.as_str(),
        &order.payment_method,
        &order.customer,
    ) {
        ("pix", None, _) => codes::pix(&id, order.amount).map(|code| ChargedMethod::Pix {
            code,
            expires_at: charges.now() + PIX_EXPIRES_AFTER,
        }),
        ("boleto", Some(boleto), Some(_)) if boleto.payment_limit_date >= boleto.expiration_date => {
            codes::boleto(&id, order.amount, boleto.expiration_date)
        }
        _ => return Err(bad_request("invalid_payment_type")),
    };
    let new = NewCharge {
        payment_method: payment_method.ok_or_else(|| bad_request("invalid_amount"))?,
        id,
        contract: CONTRACT,
        sale_id: order.reference_id,
        amount: order.amount,
        notice_url: None,
    };
    match charges.take(new, OnRepeat::ChargeAgain).await {
        Ok(charge) => Ok((StatusCode::CREATED, Json(transaction(&charge)))),
        Err(NotTaken::Fault(fault)) => Err(fault),
        Err(NotTaken::Repeated | NotTaken::OtherOrder | NotTaken::TokenUsed) => {
            Err(error(StatusCode::CONFLICT, "duplicate"))
        }
    }
}

fn transaction(charge: &SandboxCharge) -> Value {
    let (payment_type, payment_method) = match &charge.payment_method {
        ChargedMethod::Card { .. } => ("credit", Value::Null),
        ChargedMethod::Pix { code, expires_at } => (
            "pix",
            json!({
                "expiration_date": expires_at.to_rfc3339_opts(SecondsFormat::Secs, true),
                "qr_code": { "emv": code },
            }),
        ),
        ChargedMethod::Boleto { line, due_on, .. } => (
            "boleto",
            json!({
                // Zoop's examples have the digitable line here.
                "document_number": charge.names().our_number,
                "barcode": line, "expiration_date": due_on, "url": "https://sandbox.example/boleto",
                "status": if charge.paid_at.is_some() { "paid" } else { "not_paid" },
                "paid_at": charge.paid_at,
            }),
        ),
    };
    json!({
        "id": charge.id, "status": status(charge.state), "amount": reais(charge.amount),
        "payment_authorization": null,
        "payment_type": payment_type, "payment_method": payment_method, "reference_id": charge.sale_id,
        "captured": charge.paid_at.is_some(), "voided": charge.state == ChargeState::Refunded,
    })
}

const fn status(state: ChargeState) -> &'static str {
    match state {
        ChargeState::Pending => "pending",
        ChargeState::Authorized => "pre_authorized",
        ChargeState::Paid => "succeeded",
        ChargeState::Declined(_) => "failed",
        ChargeState::Canceled | ChargeState::Refunded => "canceled",
        ChargeState::Reversed => "reversed",
        ChargeState::Disputed => "dispute",
        ChargeState::ChargedBack => "charged_back",
        ChargeState::PartlyRefunded => "partial_refunded",
        ChargeState::Unlisted => "on_hold",
    }
}

/// The ids of the marketplace and of the transaction.
type InMarketplace = Path<(String, String)>;

async fn find_transaction(State(charges): State<Charges>, Path((_, id)): InMarketplace) -> Answer {
    Ok((StatusCode::OK, Json(transaction(&found(&charges, &id)?))))
}

fn found(charges: &Charges, id: &str) -> Result<SandboxCharge, Refused> {
    charges
        .find(CONTRACT, id)?
        .ok_or_else(|| error(StatusCode::NOT_FOUND, "resource_not_found"))
}

#[derive(Deserialize)]
struct SearchQuery {
    reference_id: SaleId,
}

async fn search(State(charges): State<Charges>, Query(query): Query<SearchQuery>) -> Answer {
    if charges.hides_sale_ids() {
        return Ok((StatusCode::OK, Json(all_without_reference(&charges))));
    }
    let found = charges.find_of_sale(CONTRACT, query.reference_id)?;
    let items: Vec<_> = found.iter().map(transaction).collect();
    Ok((StatusCode::OK, Json(json!({ "items": items, "has_more": false }))))
}

/// The answer of a search that ignores an unknown filter: all charges, without their references.
fn all_without_reference(charges: &Charges) -> Value {
    let all = charges.list();
    let of_contract = all.iter().filter(|charge| charge.contract == CONTRACT);
    let items: Vec<_> = of_contract
        .map(|charge| {
            let mut item = transaction(charge);
            if let Some(item) = item.as_object_mut() {
                item.remove("reference_id");
            }
            item
        })
        .collect();
    json!({ "items": items, "has_more": false })
}

#[derive(Deserialize)]
struct VoidBody {
    on_behalf_of: String,
    amount: Cents,
}

async fn void(
    State(charges): State<Charges>,
    Path((_, id)): InMarketplace,
    Json(void): Json<VoidBody>,
) -> Answer {
    let found = found(&charges, &id)?;
    let is_paid = matches!(found.state, ChargeState::Paid | ChargeState::PartlyRefunded);
    if void.on_behalf_of.is_empty() || !is_paid {
        return Err(error(StatusCode::PAYMENT_REQUIRED, "void_transaction_error"));
    }
    let refunded = if void.amount == found.amount {
        charges.refund(&found).await?
    } else {
        let part = RefundedPart {
            key: None,
            amount: void.amount,
        };
        charges.refund_part(&found, part).await?
    };
    Ok((StatusCode::OK, Json(transaction(&refunded))))
}

async fn cancel_boleto(State(charges): State<Charges>, Path((_, id)): InMarketplace) -> Answer {
    let found = found(&charges, &id)?;
    if !matches!(found.payment_method, ChargedMethod::Boleto { .. }) {
        return Err(bad_request("invalid_payment_type"));
    }
    charges
        .change(&id, Change::Cancel)
        .ok_or_else(|| error(StatusCode::CONFLICT, "void_transaction_error"))?;
    Ok((StatusCode::ACCEPTED, Json(json!({ "status": "Requested" }))))
}

#[derive(Deserialize)]
struct ListQuery {
    limit: usize,
    offset: usize,
}

async fn list_receivables(State(charges): State<Charges>, Query(query): Query<ListQuery>) -> Json<Value> {
    let all = receivables::of_contract(&charges, CONTRACT);
    let items: Vec<_> = all
        .iter()
        .skip(query.offset)
        .take(query.limit)
        .map(|receivable| {
            json!({
                "transaction": receivable.charge.id, "installment": receivable.installment,
                "amount": reais(receivable.net), "gross_amount": reais(receivable.gross),
                "expected_on": receivable.expected_on, "paid_at": receivable.paid_on,
                "status": match (receivable.canceled, receivable.paid_on) {
                    (true, _) => "canceled",
                    (false, Some(_)) => "paid",
                    (false, None) => "pending",
                },
            })
        })
        .collect();
    Json(json!({ "items": items, "has_more": all.len() > query.offset + query.limit }))
}

fn notice(charge: &SandboxCharge) -> ContractNotice {
    let event = match charge.state {
        ChargeState::Pending => "transaction.created",
        ChargeState::Authorized => "transaction.pre_authorized",
        ChargeState::Paid => "transaction.succeeded",
        ChargeState::Declined(_) => "transaction.failed",
        ChargeState::Canceled | ChargeState::Refunded => "transaction.canceled",
        ChargeState::Reversed => "transaction.reversed",
        ChargeState::Disputed => "transaction.disputed",
        ChargeState::ChargedBack => "transaction.charged_back",
        ChargeState::PartlyRefunded | ChargeState::Unlisted => "transaction.updated",
    };
    // A failed transaction stands in the payload itself.
    let payload = match charge.state {
        ChargeState::Declined(_) => transaction(charge),
        _ => json!({ "object": transaction(charge) }),
    };
    let body = json!({ "id": Uuid::new_v4().simple().to_string(), "type": event, "payload": payload });
    ContractNotice {
        event,
        content_type: JSON,
        body: body.to_string(),
    }
}
