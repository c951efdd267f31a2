//! A service of postal codes with ViaCEP's API, for the demo and for tests. It knows a few codes, and two that fail on
//! purpose.

use axum::extract::Path;
use axum::http::StatusCode;
use axum::routing::get;
use axum::{Json, Router};
use serde_json::{Value, json};

use super::server::{Refused, hang, refused};

/// Code, street, district, city and state.
const ADDRESSES: [(&str, &str, &str, &str, &str); 8] = [
    ("01001000", "Praça da Sé", "Sé", "São Paulo", "SP"),
    ("01310100", "Avenida Paulista", "Bela Vista", "São Paulo", "SP"),
    ("20040020", "Praça Pio X", "Centro", "Rio de Janeiro", "RJ"),
    (
        "30130010",
        "Praça Sete de Setembro",
        "Centro",
        "Belo Horizonte",
        "MG",
    ),
    ("40020000", "Praça Municipal", "Centro", "Salvador", "BA"),
    ("70040010", "Quadra SBN Quadra 1", "Asa Norte", "Brasília", "DF"),
    ("80020320", "Praça Tiradentes", "Centro", "Curitiba", "PR"),
    // One code for a whole town.
    ("15990000", "", "", "Matão", "SP"),
];
/// The service answers with a 500.
pub const BROKEN: &str = "99999999";
/// The service answers later than clients wait by default.
pub const SILENT: &str = "99999998";

pub fn router() -> Router {
    Router::new().route("/postal-codes/{code}/json/", get(find))
}

async fn find(Path(code): Path<String>) -> Result<Json<Value>, Refused> {
    match code.as_str() {
        BROKEN => Err(refused(StatusCode::INTERNAL_SERVER_ERROR, "broken on purpose")),
        SILENT => Err(hang().await),
        code => Ok(Json(answer(code))),
    }
}

fn answer(code: &str) -> Value {
    let known = ADDRESSES.iter().find(|(known, ..)| *known == code);
    match known {
        Some((_, street, district, city, state)) => json!({
            "cep": format!("{}-{}", &code[..5], &code[5..]), "logradouro": street, "complemento": "",
            "bairro": district, "localidade": city, "uf": state,
        }),
        None => json!({ "erro": "true" }),
    }
}
