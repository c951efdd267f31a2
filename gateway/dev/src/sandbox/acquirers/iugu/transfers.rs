//! Iugu's transfers to companies' accounts.

use axum::Json;
use axum::extract::{Query, State};
use axum::http::{HeaderMap, StatusCode};
use gateway_acquirers::sandbox::wire::PayoutStatus;
use ledger_domain::{Cents, PayoutId};
use serde::Deserialize;
use serde_json::{Value, json};

use super::super::charges::{Charges, OnRepeat};
use super::super::payouts::SandboxPayout;
use super::lists::ListQuery;
use super::{CONTRACT, documented, refusal, unprocessable};
use crate::sandbox::server::Refused;

#[derive(Deserialize)]
struct TransferBody {
    transfer_type: String,
    amount_cents: Cents,
    receiver: Receiver,
    external_reference: PayoutId,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Receiver {
    pix: Option<Pix>,
    name: Option<String>,
    cpf_cnpj: Option<String>,
    bank: Option<Bank>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Pix {
    r#type: String,
    key: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Bank {
    compe: String,
    branch: String,
    account: String,
    account_type: String,
}

const FIELDS: [&str; 4] = ["transfer_type", "amount_cents", "receiver", "external_reference"];

impl Receiver {
    fn is_complete(&self) -> bool {
        match (&self.pix, &self.bank) {
            (Some(pix), None) => matches!(pix.r#type.as_str(), "cpf" | "cnpj") && !pix.key.is_empty(),
            (None, Some(bank)) => {
                let has_text = |text: &Option<String>| text.as_ref().is_some_and(|text| !text.is_empty());
                has_text(&self.name)
                    && has_text(&self.cpf_cnpj)
                    && bank.compe.len() == 3
                    && !bank.branch.is_empty()
                    && bank.account.contains('-')
                    && matches!(bank.account_type.as_str(), "checking_account" | "savings_account")
            }
            _ => false,
        }
    }
}

pub(super) async fn create_transfer(
    State(charges): State<Charges>,
    headers: HeaderMap,
    Json(body): Json<Value>,
) -> Result<(StatusCode, Json<Value>), Refused> {
    let transfer: TransferBody = documented(body, &FIELDS)?;
    let key = headers.get("idempotency-key").and_then(|key| key.to_str().ok());
    if key.and_then(|key| key.parse().ok()) != Some(transfer.external_reference) {
        return Err(unprocessable("Idempotency-Key"));
    }
    if transfer.transfer_type != "pix" {
        return Err(unprocessable("transfer_type"));
    }
    if !transfer.receiver.is_complete() {
        return Err(unprocessable("receiver"));
    }
    let new = SandboxPayout::new(CONTRACT, transfer.external_reference, transfer.amount_cents);
    let taken = charges.pay_out(new, OnRepeat::Refuse).await.map_err(refusal)?;
    Ok((StatusCode::ACCEPTED, Json(transfer_body(&taken))))
}

pub(super) async fn list_transfers(
    State(charges): State<Charges>,
    Query(query): Query<ListQuery>,
) -> Json<Value> {
    let all = charges.payouts().of_contract(CONTRACT);
    let items: Vec<_> = all
        .iter()
        .skip(query.start)
        .take(query.limit)
        .map(transfer_body)
        .collect();
    Json(json!({ "items": items }))
}

fn transfer_body(payout: &SandboxPayout) -> Value {
    let (status, executed_at, rejected_at) = match payout.status {
        PayoutStatus::Pending => ("processing", None, None),
        PayoutStatus::Paid => ("done", payout.at, None),
        PayoutStatus::Failed => ("rejected", None, payout.at),
    };
    json!({
        "transfer_request_id": payout.payout_id.uuid().simple().to_string(), "status": status,
        "transfer_type": "pix", "amount_cents": payout.amount, "external_reference": payout.payout_id,
        "executed_at": executed_at, "rejected_at": rejected_at, "rejected_reason": payout.reason(),
        "end_to_end_id": payout.names().end_to_end_id,
    })
}
