//! A line of the table of endpoints: a handler, with the part of the document that follows from its annotation, its
//! arguments and its access rule.

use std::ops::Deref;

use axum::handler::Handler;
use axum::routing::MethodRouter;
use utoipa::openapi::path::{HttpMethod, Operation};
use utoipa::openapi::{RefOr, Schema};
use utoipa_axum::router::UtoipaMethodRouter;

use crate::openapi::{self, CallDocument, Documented};
use crate::{AppState, access};

/// A handler with the content of its `utoipa::path` annotation.
pub(super) struct Annotated {
    method: HttpMethod,
    path: String,
    operation: Operation,
    schemas: Vec<(String, RefOr<Schema>)>,
    handler: MethodRouter<AppState>,
}

impl Annotated {
    pub(super) fn new((schemas, annotated, handler): UtoipaMethodRouter<AppState>) -> Self {
        let only = annotated.paths.into_iter().next();
        let only = only.and_then(|(path, item)| Some((path, openapi::only_operation(item)?)));
        let (path, (method, operation)) = only.unwrap_or_else(|| panic!("a handler has no annotation"));
        Self {
            method,
            path,
            operation,
            schemas,
            handler,
        }
    }

    /// The same handler as another call.
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
    /// Takes the access rule from the table of `access`. Panics if that table has no line for the call, or if the rule
    /// does not provide an argument of the handler, such as the company. Every test that builds the table detects both.
    pub(super) fn new<H, Arguments>(annotated: Annotated, _handler: H) -> Self
    where
        H: Handler<Arguments, AppState>,
        Arguments: Documented,
    {
        let Annotated {
            method,
            path,
            operation,
            schemas,
            handler,
        } = annotated;
        let mut document = CallDocument {
            access: access::access_of(&method, &path),
            panels: access::panels_of(&method, &path),
            company: access::company_parameter_of(&method, &path).map(str::to_owned),
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
