//! Iugu's search for the charge of an order, and its list of receivables.

use axum::Json;
use axum::extract::{Query, State};
use axum::http::StatusCode;
use serde::Deserialize;
use serde_json::{Value, json};

use super::super::charge::ChargedMethod;
use super::super::charges::Charges;
use super::super::receivables;
use super::{Answer, CONTRACT, errors, invoice, unprocessable};

#[derive(Deserialize)]
pub(super) struct SearchQuery {
    query_field: String,
    value: String,
}

pub(super) async fn search(State(charges): State<Charges>, Query(query): Query<SearchQuery>) -> Answer {
    let sale_id = match query.query_field.as_str() {
        "order_id" => query.value.parse().map_err(|_| unprocessable("value"))?,
        _ => return Err(unprocessable("query_field")),
    };
    if charges.hides_sale_ids() {
        // As if Iugu ignored the value: the latest charge, without our id.
        let latest = charges
            .list()
            .into_iter()
            .rfind(|charge| charge.contract == CONTRACT);
        let mut resource = latest.as_ref().map(invoice);
        if let Some(resource) = resource.as_mut().and_then(Value::as_object_mut) {
            resource.remove("order_id");
            resource.remove("external_reference");
        }
        return Ok(Json(json!({ "resource": resource })));
    }
    let found = charges.find_of_sale(CONTRACT, sale_id)?.pop();
    found
        .map(|charge| Json(json!({ "resource": invoice(&charge) })))
        .ok_or_else(|| errors(StatusCode::NOT_FOUND, "Not Found"))
}

#[derive(Deserialize)]
pub(super) struct ListQuery {
    pub start: usize,
    pub limit: usize,
}

/// The receivables of cards only.
pub(super) async fn list_receivables(
    State(charges): State<Charges>,
    Query(query): Query<ListQuery>,
) -> Json<Value> {
    let all = receivables::of_contract(&charges, CONTRACT);
    let cards = all
        .iter()
        .filter(|receivable| matches!(receivable.charge.payment_method, ChargedMethod::Card { .. }));
    let items: Vec<_> = cards
        .skip(query.start)
        .take(query.limit)
        .map(|receivable| {
            json!({
                "invoice_id": receivable.charge.id, "order_id": receivable.charge.sale_id,
                "installment": receivable.installment, "total_cents": receivable.gross,
                "taxes_cents": receivable.cost, "client_share_cents": receivable.net,
                "scheduled_date": receivable.expected_on, "executed_date": receivable.paid_on,
                "status": match (receivable.canceled, receivable.paid_on) {
                    (true, _) => "CANCELED",
                    (false, Some(_)) => "DONE",
                    (false, None) => "PENDING",
                },
            })
        })
        .collect();
    Json(json!({ "items": items }))
}
