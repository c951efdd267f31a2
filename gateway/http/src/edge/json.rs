//! Reads a JSON body as a type. Unreadable: 400. Another content type: 415. Too large: 413. A field of the wrong type:
//! 422 with the field's name.

use std::fmt;
use std::marker::PhantomData;

use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::extract::{FromRequest, Request};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::de::value::MapAccessDeserializer;
use serde::de::{DeserializeOwned, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use utoipa::ToSchema;

use super::{control_characters, json_text};
use crate::openapi::{CallDocument, Documented};
use crate::problem::{Problem, Result};

#[derive(Debug)]
pub struct Json<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Json<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Self> {
        parse(&read_bytes(request, state).await?).map(Self)
    }
}

impl<T: ToSchema> Documented for Json<T> {
    fn describe(call: &mut CallDocument) {
        call.body::<T>(true);
    }
}

/// Reads the bytes of a body, with its texts cleaned. Its content type must be JSON.
pub async fn read_bytes<S: Send + Sync>(request: Request, state: &S) -> Result<Bytes> {
    if !is_json(request.headers()) {
        let message = "O corpo da requisição deve ser application/json.";
        return Err(Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, message));
    }
    any_bytes(request, state).await
}

/// Reads the bytes of a JSON body, with its texts cleaned. Its content type does not matter.
pub async fn any_bytes<S: Send + Sync>(request: Request, state: &S) -> Result<Bytes> {
    let body = Bytes::from_request(request, state).await.map_err(body_problem)?;
    Ok(json_text::clean(body))
}

impl<T: Serialize> IntoResponse for Json<T> {
    fn into_response(self) -> Response {
        axum::Json(self.0).into_response()
    }
}

pub fn is_json(headers: &HeaderMap) -> bool {
    let content_type = headers
        .get(header::CONTENT_TYPE)
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default();
    content_type
        .split(';')
        .next()
        .unwrap_or_default()
        .trim()
        .eq_ignore_ascii_case("application/json")
}

/// The problem for a body that is too large or did not arrive completely.
pub fn body_problem(rejection: BytesRejection) -> Problem {
    match rejection.status() {
        StatusCode::PAYLOAD_TOO_LARGE => Problem::new(
            StatusCode::PAYLOAD_TOO_LARGE,
            "Os dados enviados são grandes demais.",
        ),
        _ => Problem::unreadable(),
    }
}

pub fn parse<T: DeserializeOwned>(body: &[u8]) -> Result<T> {
    control_characters::refuse_in_body(body)?;
    let mut json = serde_json::Deserializer::from_slice(body);
    let Object(value) = serde_path_to_error::deserialize(&mut json).map_err(|error| {
        let path = error.path().to_string();
        match error.inner().classify() {
            serde_json::error::Category::Data if path != "." => Problem::field(&path, "Valor inválido."),
            serde_json::error::Category::Data => Problem::unprocessable(
                "Os dados enviados não estão no formato esperado. Recarregue a página e tente de novo.",
            ),
            _ => Problem::unreadable(),
        }
    })?;
    json.end().map_err(|_| Problem::unreadable())?;
    Ok(value)
}

/// Accepts only JSON objects. Serde also reads a struct from an array, its elements as the fields in their order.
struct Object<T>(T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Object<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        deserializer.deserialize_map(ObjectVisitor(PhantomData)).map(Self)
    }
}

struct ObjectVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for ObjectVisitor<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> std::result::Result<T, A::Error> {
        T::deserialize(MapAccessDeserializer::new(map))
    }
}
