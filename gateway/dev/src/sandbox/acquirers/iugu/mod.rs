//! Iugu's contract, as far as the platform uses it: charges, invoices, card tokens, transfers, receivables.

mod cards;
mod lists;
mod tokens;
mod transfers;

use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::middleware::from_fn;
use axum::routing::{delete, get, post, put};
use axum::{Extension, Json, Router};
use chrono::SecondsFormat;
use gateway_acquirers::charge::{ChargeState, Decline};
use ledger_domain::calendar::{Date, Instant, business_date};
use ledger_domain::sale::Provider;
use ledger_domain::{Cents, SaleId};
use serde::Deserialize;
use serde_json::{Value, json};
use url::form_urlencoded;
use uuid::Uuid;

use super::behavior::BrandTold;
use super::charge::{Change, ChargedMethod, RefundedPart, SandboxCharge};
use super::charges::{Charges, NewCharge, NotTaken, OnRepeat};
#[cfg(test)]
use super::contract::Expectations;
use super::contract::{Contract, Server};
use super::notices::{ContractNotice, FORM};
use super::tokens::{allow_all_origins, card_of};
use super::{codes, keys};
use crate::sandbox::server::Refused;

pub const CONTRACT: Contract = Contract(&Server {
    name: "iugu",
    provider: Provider::Iugu,
    router,
    notice,
    takes_late_payments: true,
    #[cfg(test)]
    suite: Expectations {
        takes_notice_url: true,
        adds_pix_to_boletos: true,
        cancels_pix: true,
        challenges: false,
        searches_lists: true,
        repeats_safely: false,
        refund_path: "refund",
        unrelated_notice: b"event=transfer_request.done&transfer_request_id=1",
    },
});
/// Iugu takes no item below R$ 1,00.
const PRICE_MIN: Cents = Cents::new(1_00);

type Answer = Result<Json<Value>, Refused>;

fn router(charges: Charges) -> Router {
    let tokens = Router::new()
        .route("/iugu/v1/payment_token", post(tokens::create_token))
        .layer(from_fn(allow_all_origins));
    Router::new()
        .route("/iugu/v1/charge", post(charge_card))
        .route("/iugu/v1/customers", post(cards::create_customer))
        .route("/iugu/v1/customers/{id}/payment_methods", post(cards::save_card))
        .route(
            "/iugu/v1/customers/{id}/payment_methods/{method}",
            delete(cards::delete_card),
        )
        .route("/iugu/v1/invoices", post(create_invoice))
        .route("/iugu/v1/invoices/{id}", get(find_invoice))
        .route("/iugu/v1/invoices/{id}/cancel", put(cancel))
        .route("/iugu/v1/invoices/{id}/capture", post(capture))
        .route("/iugu/v1/invoices/{id}/refund", post(refund))
        .route("/iugu/v1/resource_search", get(lists::search))
        .route(
            "/iugu/v1/transfer_requests",
            get(transfers::list_transfers).post(transfers::create_transfer),
        )
        .route(
            "/iugu/v1/financial_transaction_requests",
            get(lists::list_receivables),
        )
        .route_layer(from_fn(keys::basic))
        .with_state(charges)
        .merge(tokens)
        .route("/sandbox/iugu/saved-cards", get(cards::list_saved_cards))
        .layer(Extension(cards::SavedCards::default()))
}

fn errors(status: StatusCode, errors: impl Into<Value>) -> Refused {
    (status, Json(json!({ "errors": errors.into() })))
}

fn unprocessable(field: &str) -> Refused {
    errors(
        StatusCode::UNPROCESSABLE_ENTITY,
        json!({ field: ["não é válido"] }),
    )
}

#[derive(Deserialize)]
struct Item {
    price_cents: Cents,
    quantity: i64,
}

#[derive(Deserialize)]
struct Payer {
    cpf_cnpj: String,
    name: String,
    address: Option<Value>,
}

impl Payer {
    fn is_complete(&self) -> bool {
        !self.cpf_cnpj.is_empty() && !self.name.is_empty()
    }
}

fn total(items: &[Item]) -> Result<Cents, Refused> {
    if items.is_empty() || items.iter().any(|item| item.price_cents < PRICE_MIN) {
        return Err(unprocessable("items.price_cents"));
    }
    Ok(Cents::new(
        items
            .iter()
            .map(|item| item.price_cents.get() * item.quantity)
            .sum(),
    ))
}

/// The `Idempotency-Key` must be the order's id, by which a repeat is found.
fn check_key(headers: &HeaderMap, order_id: SaleId) -> Result<(), Refused> {
    let key = headers.get("idempotency-key").and_then(|key| key.to_str().ok());
    if key.and_then(|key| key.parse().ok()) == Some(order_id) {
        Ok(())
    } else {
        Err(unprocessable("Idempotency-Key"))
    }
}

fn refusal(fault: NotTaken) -> Refused {
    match fault {
        NotTaken::Fault(fault) => fault,
        NotTaken::Repeated | NotTaken::OtherOrder => errors(
            StatusCode::CONFLICT,
            "Esta chave de idempotência já foi utilizada",
        ),
        NotTaken::TokenUsed => unprocessable("token"),
    }
}

fn new_id() -> String {
    Uuid::new_v4().simple().to_string().to_uppercase()
}

#[derive(Deserialize)]
struct ChargeBody {
    token: Option<String>,
    customer_payment_method_id: Option<String>,
    email: String,
    items: Vec<Item>,
    payer: Payer,
    months: Option<u8>,
    order_id: SaleId,
}

const CHARGE_FIELDS: [&str; 8] = [
    "token",
    "customer_payment_method_id",
    "email",
    "items",
    "payer",
    "months",
    "order_id",
    "soft_descriptor_light",
];

async fn charge_card(State(charges): State<Charges>, headers: HeaderMap, Json(body): Json<Value>) -> Answer {
    let order: ChargeBody = documented(body, &CHARGE_FIELDS)?;
    check_key(&headers, order.order_id)?;
    let token = match (order.token, order.customer_payment_method_id) {
        (Some(token), None) => token,
        (None, Some(method)) => cards::token_of(&method),
        _ => return Err(unprocessable("token")),
    };
    let (brand, last_four) = card_of(&token).ok_or_else(|| unprocessable("token"))?;
    if order.months.is_some_and(|months| !(2..=12).contains(&months)) {
        return Err(unprocessable("months"));
    }
    if order.email.is_empty() || !order.payer.is_complete() {
        return Err(unprocessable("payer"));
    }
    let new = NewCharge {
        id: new_id(),
        contract: CONTRACT,
        sale_id: order.order_id,
        amount: total(&order.items)?,
        payment_method: ChargedMethod::Card {
            token,
            brand,
            last_four,
            installments: order.months.unwrap_or(1),
            return_url: None,
        },
        notice_url: None,
    };
    let charge = charges.take(new, OnRepeat::Refuse).await.map_err(refusal)?;
    Ok(Json(charge_response(&charge)))
}

/// A decline is a 200 too.
fn charge_response(charge: &SandboxCharge) -> Value {
    let (success, status, lr) = match charge.state {
        ChargeState::Declined(decline) => (false, "unauthorized", lr(decline)),
        ChargeState::Canceled => (false, "unauthorized", "05"),
        ChargeState::Pending => (true, "pending", "00"),
        ChargeState::Authorized => (true, "authorized", "00"),
        _ => (true, "captured", "00"),
    };
    let ChargedMethod::Card { brand, last_four, .. } = &charge.payment_method else {
        return Value::Null;
    };
    json!({
        "success": success, "status": status, "LR": lr, "message": "", "invoice_id": charge.id,
        "brand": BrandTold::of_card(last_four).with_charge().then_some(brand), "last4": last_four,
    })
}

/// Iugu's `LR`: the code of a decline.
const fn lr(decline: Decline) -> &'static str {
    match decline {
        Decline::InsufficientFunds => "51",
        Decline::CardData => "14",
        Decline::SecurityCode => "63",
        Decline::ExpiredCard => "54",
        Decline::BlockedCard => "43",
        Decline::CallIssuer => "01",
        Decline::Installments => "22",
        Decline::Risk => "AF02",
        Decline::Temporary => "91",
        Decline::Other => "05",
    }
}

#[derive(Deserialize)]
struct InvoiceBody {
    due_date: Date,
    items: Vec<Item>,
    payable_with: Vec<String>,
    payer: Payer,
    pix_qr_code_expires_at: Option<Instant>,
    order_id: SaleId,
    notification_url: Option<String>,
}

const INVOICE_FIELDS: [&str; 12] = [
    "email",
    "due_date",
    "expires_in",
    "items",
    "payable_with",
    "payer",
    "pix_qr_code_expires_at",
    "order_id",
    "external_reference",
    "notification_url",
    "ignore_due_email",
    "ignore_canceled_email",
];

async fn create_invoice(
    State(charges): State<Charges>,
    headers: HeaderMap,
    Json(body): Json<Value>,
) -> Answer {
    let order: InvoiceBody = documented(body, &INVOICE_FIELDS)?;
    check_key(&headers, order.order_id)?;
    let (id, amount) = (new_id(), total(&order.items)?);
    if !order.payer.is_complete() {
        return Err(unprocessable("payer"));
    }
    let payable_with: Vec<&str> = order.payable_with.iter().map(String::as_str).collect();
    let payment_method = match (payable_with.as_slice(), order.pix_qr_code_expires_at) {
        (["pix"], Some(expires_at)) => {
            codes::pix(&id, amount).map(|code| ChargedMethod::Pix { code, expires_at })
        }
        (["bank_slip", "pix"], _) if order.payer.address.is_some() => {
            codes::boleto(&id, amount, order.due_date)
        }
        _ => return Err(unprocessable("payable_with")),
    };
    let new = NewCharge {
        payment_method: payment_method.ok_or_else(|| unprocessable("total"))?,
        id,
        contract: CONTRACT,
        sale_id: order.order_id,
        amount,
        notice_url: order.notification_url,
    };
    let charge = charges.take(new, OnRepeat::Refuse).await.map_err(refusal)?;
    Ok(Json(invoice(&charge)))
}

/// Reads a body. Refuses a field of it that is not listed.
fn documented<Body: serde::de::DeserializeOwned>(body: Value, fields: &[&str]) -> Result<Body, Refused> {
    let unknown = body
        .as_object()
        .and_then(|body| body.keys().find(|key| !fields.contains(&key.as_str())));
    if let Some(unknown) = unknown {
        return Err(unprocessable(unknown));
    }
    serde_json::from_value(body).map_err(|error| errors(StatusCode::UNPROCESSABLE_ENTITY, error.to_string()))
}

fn invoice(charge: &SandboxCharge) -> Value {
    let status = status(charge.state);
    let (pix, boleto, due_date) = match &charge.payment_method {
        ChargedMethod::Card { .. } => (Value::Null, Value::Null, business_date(charge.created_at)),
        ChargedMethod::Pix { code, expires_at } => (
            json!({ "qrcode": "https://sandbox.example/qr.png", "qrcode_text": code, "status": "qr_code_created",
                    "end_to_end_id": charge.names().end_to_end_id }),
            Value::Null,
            business_date(*expires_at),
        ),
        ChargedMethod::Boleto {
            line,
            barcode,
            due_on,
            pix,
        } => (
            json!({ "qrcode": null, "qrcode_text": pix }),
            json!({ "digitable_line": line, "barcode_data": barcode, "bank_slip_status": "registered" }),
            *due_on,
        ),
    };
    let (brand, last_four) = match &charge.payment_method {
        ChargedMethod::Card { brand, last_four, .. } => (
            BrandTold::of_card(last_four).with_charge().then_some(brand),
            Some(last_four),
        ),
        ChargedMethod::Pix { .. } | ChargedMethod::Boleto { .. } => (None, None),
    };
    json!({
        "credit_card_brand": brand, "credit_card_last_4": last_four,
        "id": charge.id, "status": status, "total_cents": charge.amount, "order_id": charge.sale_id,
        "external_reference": charge.sale_id, "due_date": due_date, "pix": pix, "bank_slip": boleto,
        "paid_at": charge.paid_at.map(|at| at.to_rfc3339_opts(SecondsFormat::Millis, true)),
    })
}

const fn status(state: ChargeState) -> &'static str {
    match state {
        ChargeState::Pending => "pending",
        ChargeState::Authorized => "in_analysis",
        ChargeState::Paid => "paid",
        // A declined charge leaves a canceled invoice.
        ChargeState::Declined(_) | ChargeState::Canceled => "canceled",
        ChargeState::Refunded | ChargeState::Reversed => "refunded",
        ChargeState::Disputed => "in_protest",
        ChargeState::ChargedBack => "chargeback",
        ChargeState::PartlyRefunded => "partially_refunded",
        ChargeState::Unlisted => "externally_paid",
    }
}

async fn find_invoice(State(charges): State<Charges>, Path(id): Path<String>) -> Answer {
    Ok(Json(invoice(&found(&charges, &id)?)))
}

fn found(charges: &Charges, id: &str) -> Result<SandboxCharge, Refused> {
    charges
        .find(CONTRACT, id)?
        .ok_or_else(|| errors(StatusCode::NOT_FOUND, "Invoice Not Found"))
}

async fn cancel(State(charges): State<Charges>, Path(id): Path<String>) -> Answer {
    change(&charges, &id, Change::Cancel)
}

async fn capture(State(charges): State<Charges>, Path(id): Path<String>) -> Answer {
    change(&charges, &id, Change::Capture)
}

fn change(charges: &Charges, id: &str, change: Change) -> Answer {
    let found = found(charges, id)?;
    // Unlike the sandbox's own contract, a repeat is refused.
    let changed = found
        .after(change)
        .filter(|after| *after != found.state)
        .and_then(|_| charges.change(id, change));
    changed
        .map(|charge| Json(invoice(&charge)))
        .ok_or_else(|| errors(StatusCode::BAD_REQUEST, "A fatura não pode ser alterada"))
}

#[derive(Deserialize)]
struct RefundBody {
    partial_value_refund_cents: Cents,
}

/// A body asks for a part, of cards only.
async fn refund(
    State(charges): State<Charges>,
    Path(id): Path<String>,
    part: Option<Json<RefundBody>>,
) -> Answer {
    let found = found(&charges, &id)?;
    let allowed = match (&found.payment_method, &part) {
        (ChargedMethod::Card { .. }, Some(_)) => {
            matches!(found.state, ChargeState::Paid | ChargeState::PartlyRefunded)
        }
        (ChargedMethod::Card { .. } | ChargedMethod::Pix { .. }, None) => found.state == ChargeState::Paid,
        (ChargedMethod::Pix { .. }, Some(_)) | (ChargedMethod::Boleto { .. }, _) => false,
    };
    if !allowed {
        return Err(errors(
            StatusCode::BAD_REQUEST,
            "A fatura não pode ser reembolsada",
        ));
    }
    let refunded = match part {
        None => charges.refund(&found).await?,
        Some(Json(body)) => {
            let part = RefundedPart {
                key: None,
                amount: body.partial_value_refund_cents,
            };
            charges.refund_part(&found, part).await?
        }
    };
    Ok(Json(invoice(&refunded)))
}

fn notice(charge: &SandboxCharge) -> ContractNotice {
    let declined = matches!(charge.state, ChargeState::Declined(_));
    let event = match charge.state {
        ChargeState::Declined(_) => "invoice.payment_failed",
        ChargeState::Refunded => "invoice.refund",
        _ => "invoice.status_changed",
    };
    let mut form = form_urlencoded::Serializer::new(String::new());
    form.append_pair("event", event)
        .append_pair("data[id]", &charge.id)
        .append_pair("data[account_id]", "sandbox")
        .append_pair("data[status]", status(charge.state))
        .append_pair("data[order_id]", &charge.sale_id.to_string());
    if !declined {
        form.append_pair("data[external_reference]", &charge.sale_id.to_string());
    }
    ContractNotice {
        event,
        content_type: FORM,
        body: form.finish(),
    }
}
