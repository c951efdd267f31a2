//! Iugu's customers and their saved cards. A saved card's id has the token's text, so only the ids are kept.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

use axum::extract::Path;
use axum::http::StatusCode;
use axum::{Extension, Json};
use serde::Deserialize;
use serde_json::{Value, json};
use uuid::Uuid;

use super::super::behavior::BrandTold;
use super::super::tokens::card_of;
use super::{Answer, documented, unprocessable};

/// The ids of the saved cards that are not deleted.
#[derive(Clone, Default)]
pub(super) struct SavedCards(Arc<Mutex<BTreeSet<String>>>);

impl SavedCards {
    fn change<T>(&self, change: impl FnOnce(&mut BTreeSet<String>) -> T) -> T {
        change(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// `GET /sandbox/iugu/saved-cards`, which no acquirer has: what a merchant has left there.
pub(super) async fn list_saved_cards(Extension(saved): Extension<SavedCards>) -> Json<BTreeSet<String>> {
    Json(saved.change(|ids| ids.clone()))
}

#[derive(Deserialize)]
struct CustomerBody {
    email: String,
    name: String,
}

pub(super) async fn create_customer(Json(body): Json<Value>) -> Answer {
    let customer: CustomerBody = documented(body, &["email", "name"])?;
    if customer.email.is_empty() || customer.name.is_empty() {
        return Err(unprocessable("email"));
    }
    Ok(Json(
        json!({ "id": Uuid::new_v4().simple().to_string().to_uppercase() }),
    ))
}

#[derive(Deserialize)]
struct SavedCardBody {
    description: String,
    token: String,
}

pub(super) async fn save_card(
    Extension(saved): Extension<SavedCards>,
    Path(_customer): Path<String>,
    Json(body): Json<Value>,
) -> Answer {
    let card: SavedCardBody = documented(body, &["description", "token"])?;
    let (brand, last_four) = card_of(&card.token).ok_or_else(|| unprocessable("token"))?;
    if card.description.is_empty() {
        return Err(unprocessable("description"));
    }
    let brand = BrandTold::of_card(&last_four).before_charge().then_some(brand);
    let id = format!("pm-{}", card.token);
    saved.change(|ids| ids.insert(id.clone()));
    Ok(Json(json!({
        "id": id, "description": card.description, "item_type": "credit_card",
        "data": { "brand": brand, "display_number": format!("XXXX-XXXX-XXXX-{last_four}") },
    })))
}

pub(super) async fn delete_card(
    Extension(saved): Extension<SavedCards>,
    Path((_customer, id)): Path<(String, String)>,
) -> StatusCode {
    match saved.change(|ids| ids.remove(&id)) {
        true => StatusCode::OK,
        false => StatusCode::NOT_FOUND,
    }
}

/// The token from which a saved card was made.
pub(super) fn token_of(method: &str) -> String {
    method.strip_prefix("pm-").unwrap_or_default().to_owned()
}
