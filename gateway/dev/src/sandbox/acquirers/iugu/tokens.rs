//! The tokens of cards.

use axum::Json;
use serde::Deserialize;
use serde_json::json;

use super::super::tokens::{CardFields, new_token};
use super::{Answer, unprocessable};

#[derive(Deserialize)]
pub(super) struct TokenBody {
    account_id: String,
    method: String,
    data: TokenData,
}

#[derive(Deserialize)]
struct TokenData {
    number: String,
    verification_value: String,
    first_name: String,
    last_name: String,
    month: String,
    year: String,
}

pub(super) async fn create_token(Json(body): Json<TokenBody>) -> Answer {
    if body.account_id.is_empty() {
        return Err(unprocessable("account_id"));
    }
    if body.method != "credit_card" {
        return Err(unprocessable("method"));
    }
    let holder = format!("{} {}", body.data.first_name, body.data.last_name);
    let token = new_token(&CardFields {
        number: &body.data.number,
        holder: &holder,
        month: &body.data.month,
        year: &body.data.year,
        security_code: &body.data.verification_value,
    });
    let id = token.map_err(unprocessable)?;
    Ok(Json(json!({ "id": id, "method": "credit_card" })))
}
