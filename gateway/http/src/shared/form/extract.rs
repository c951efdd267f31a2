//! The extractors of forms.

use axum::extract::{FromRequest, Request};
use serde_json::{Map, Value};
use utoipa::ToSchema;

use super::FromBody;
use crate::AppState;
use crate::edge::idempotency_store::{IdempotencyRecord, describe_idempotency};
use crate::edge::json;
use crate::openapi::{CallDocument, Documented};
use crate::problem::{Problem, Result};

/// A JSON body that `form!` declares.
#[derive(Debug)]
pub struct Form<T>(pub T);

impl<T: FromBody, S: Send + Sync> FromRequest<S> for Form<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Self> {
        let bytes = json::read_bytes(request, state).await?;
        let body: Map<String, Value> = json::parse(&bytes)?;
        T::from_body(body).map(Self)
    }
}

impl<T: ToSchema> Documented for Form<T> {
    fn describe(call: &mut CallDocument) {
        call.body::<T>(true);
    }
}

/// A form that may be left out. It is then read as an empty one. Its content type does not matter.
#[derive(Debug)]
pub struct OptionalForm<T>(pub T);

impl<T: FromBody, S: Send + Sync> FromRequest<S> for OptionalForm<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Self> {
        let bytes = json::any_bytes(request, state).await?;
        let body = if bytes.is_empty() {
            Map::new()
        } else {
            json::parse(&bytes)?
        };
        T::from_body(body).map(Self)
    }
}

impl<T: ToSchema> Documented for OptionalForm<T> {
    fn describe(call: &mut CallDocument) {
        call.body::<T>(false);
    }
}

/// A form and its idempotency record.
pub struct IdempotentForm<T> {
    pub form: T,
    pub idempotency: IdempotencyRecord,
}

impl<T: FromBody> FromRequest<AppState> for IdempotentForm<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &AppState) -> Result<Self> {
        let (bytes, idempotency) = IdempotencyRecord::read(request, state).await?;
        let body: Map<String, Value> = json::parse(&bytes)?;
        Ok(Self {
            form: T::from_body(body)?,
            idempotency,
        })
    }
}

impl<T: ToSchema> Documented for IdempotentForm<T> {
    fn describe(call: &mut CallDocument) {
        call.body::<T>(true);
        describe_idempotency(call);
    }
}
