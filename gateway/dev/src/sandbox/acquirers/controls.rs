//! Calls for tests and for trying things by hand. They list charges and change them as buyers, issuers or acquirers do.

use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::routing::{get, post};
use axum::{Json, Router};
use ledger_domain::Cents;
use ledger_domain::sale::Provider;
use serde::Deserialize;
use serde_json::{Value, json};

use super::charge::{Change, RefundedPart, SandboxCharge};
use super::charges::Charges;
use crate::sandbox::server::{Refused, refused};

pub fn router(charges: Charges) -> Router {
    Router::new()
        .route("/sandbox/charges", get(list_charges))
        .route("/sandbox/charges/{id}/{change}", post(change_charge))
        .route("/sandbox/held-orders/release", post(release_held))
        .route("/sandbox/notice-addresses", post(set_notice_address))
        .with_state(charges)
}

async fn list_charges(State(charges): State<Charges>) -> Json<Vec<Value>> {
    Json(charges.list().iter().map(shown).collect())
}

/// Without the address for notices, which holds a secret.
fn shown(charge: &SandboxCharge) -> Value {
    let mut shown = json!(charge);
    if let Some(fields) = shown.as_object_mut() {
        fields.remove("notice_url");
    }
    shown
}

#[derive(Deserialize)]
struct ChangeQuery {
    /// What goes back by `refund-part`, in cents. Without it the acquirer only shows that a part went back.
    amount: Option<Cents>,
}

/// `id` is the charge's or the sale's.
async fn change_charge(
    State(charges): State<Charges>,
    Path((id, change)): Path<(String, Change)>,
    Query(ChangeQuery { amount }): Query<ChangeQuery>,
) -> Result<Json<Value>, Refused> {
    let charge = charges
        .named(&id)
        .ok_or_else(|| refused(StatusCode::NOT_FOUND, "no such charge"))?;
    let changed = match (change, amount) {
        (Change::RefundPart, Some(amount)) => {
            charges.give_back(&charge.id, RefundedPart { key: None, amount })
        }
        _ => charges.change(&charge.id, change),
    };
    changed.map(|charge| Json(shown(&charge))).ok_or_else(|| {
        let state = serde_json::to_string(&charge.state).unwrap_or_default();
        refused(
            StatusCode::CONFLICT,
            &format!("a charge that is {state} does not allow this change"),
        )
    })
}

/// Lets the orders that are held because of their amount continue.
async fn release_held(State(charges): State<Charges>) -> Json<Value> {
    Json(json!({ "released": charges.release_held() }))
}

#[derive(Deserialize)]
struct NoticeAddressBody {
    /// The provider's name, for example `zoop`.
    provider: String,
    url: String,
}

/// Sets the address for notices as an acquirer's panel does.
async fn set_notice_address(
    State(charges): State<Charges>,
    Json(body): Json<NoticeAddressBody>,
) -> Result<StatusCode, Refused> {
    let provider = Provider::from_slug(&body.provider)
        .map_err(|_| refused(StatusCode::UNPROCESSABLE_ENTITY, "provider: unknown"))?;
    charges.set_notice_url(provider, body.url);
    Ok(StatusCode::NO_CONTENT)
}
