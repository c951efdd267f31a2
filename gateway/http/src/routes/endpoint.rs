//! A line of the table of endpoints: a handler with its part of the OpenAPI document. That part follows from the
//! handler's annotation, its arguments and its access rule.

use std::ops::Deref;
use std::pin::Pin;
use std::sync::Arc;

use axum::extract::Request;
use axum::handler::Handler;
use axum::response::Response;
use axum::routing::MethodRouter;
use gateway_identity::access::{access_of, company_parameter_of, panels_of};
use utoipa::openapi::path::{HttpMethod, Operation};
use utoipa::openapi::{RefOr, Schema};
use utoipa_axum::PathItemExt as _;

use crate::AppState;
use crate::openapi::{self, CallDocument, Documented, verb};

/// The content of a handler's `utoipa::path` annotation.
pub(super) struct Annotation {
    method: HttpMethod,
    path: String,
    operation: Operation,
    schemas: Vec<(String, RefOr<Schema>)>,
}

impl Annotation {
    pub(super) fn new(
        (path, operation, methods): (String, Operation, Vec<HttpMethod>),
        schemas: Vec<(String, RefOr<Schema>)>,
    ) -> Self {
        let Ok([method]) = <[HttpMethod; 1]>::try_from(methods) else {
            panic!("the annotation of {path} has not exactly one method");
        };
        Self {
            method,
            path,
            operation,
            schemas,
        }
    }

    /// The same annotation for another call.
    pub(super) fn also_at(mut self, path: &str, operation_id: &str, summary: &str) -> Self {
        self.path = path.to_owned();
        self.operation.operation_id = Some(operation_id.to_owned());
        self.operation.summary = Some(summary.to_owned());
        self
    }
}

/// One call: the handler, without its guard, and its part of the document.
pub struct Endpoint {
    pub document: CallDocument,
    pub(super) handler: MethodRouter<AppState>,
}

impl Endpoint {
    /// Takes the access rule from the table of calls. Panics if that table has no line for the call, or if the rule
    /// does not provide an argument of the handler, such as the company. Every test that builds the table detects both.
    pub(super) fn new<H, Arguments>(annotation: Annotation, handler: H) -> Self
    where
        H: Handler<Arguments, AppState>,
        Arguments: Documented + 'static,
    {
        let Annotation {
            method,
            path,
            operation,
            schemas,
        } = annotation;
        let handler = MethodRouter::new().on(method.to_method_filter(), ErasedHandler::new(handler));
        let mut document = CallDocument {
            access: access_of(verb(&method), &path),
            panels: panels_of(verb(&method), &path),
            company: company_parameter_of(verb(&method), &path).map(str::to_owned),
            method,
            path,
            operation,
            schemas,
            repeated: vec![],
        };
        openapi::complete::<Arguments>(&mut document);
        Self { document, handler }
    }

    pub fn operation_id(&self) -> &str {
        self.operation.operation_id.as_deref().unwrap_or_default()
    }
}

impl Deref for Endpoint {
    type Target = CallDocument;

    fn deref(&self) -> &CallDocument {
        &self.document
    }
}

/// A handler without its type. The router's layers are generic over the handler, and each layer proves again that the
/// handler's future is `Send`. With one type for all handlers the compiler needs a quarter less time for this crate.
#[derive(Clone)]
struct ErasedHandler(Arc<dyn Fn(Request, AppState) -> FutureResponse + Send + Sync>);

type FutureResponse = Pin<Box<dyn Future<Output = Response> + Send>>;

impl ErasedHandler {
    fn new<H, Arguments>(handler: H) -> Self
    where
        H: Handler<Arguments, AppState>,
        Arguments: 'static,
    {
        Self(Arc::new(move |request, state| {
            Box::pin(handler.clone().call(request, state))
        }))
    }
}

impl Handler<(), AppState> for ErasedHandler {
    type Future = FutureResponse;

    fn call(self, request: Request, state: AppState) -> FutureResponse {
        (self.0)(request, state)
    }
}
