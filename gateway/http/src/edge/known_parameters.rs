//! Refuses a query parameter that a read does not have. A filter that is silently ignored answers another question than
//! the one that was asked: `?search=ana` on a list without a search would show all rows.
//!
//! Only reads of signed-in users are checked. Providers and mail programs add parameters to the addresses that they
//! were given, and a write's parameters choose no rows.

use std::sync::Arc;

use axum::extract::Request;
use axum::middleware::{Next, from_fn};
use axum::response::Response;
use axum::routing::MethodRouter;
use gateway_identity::access::AccessRule;
use utoipa::openapi::RefOr;
use utoipa::openapi::path::{Operation, ParameterIn};

use super::{FormErrors, QueryReader};
use crate::AppState;
use crate::problem::Result;

const UNKNOWN: &str = "Este parâmetro não existe nesta consulta.";

/// Adds the check to a handler. Its document has the parameters that its arguments read.
pub fn check(
    handler: MethodRouter<AppState>,
    access: AccessRule,
    operation: &Operation,
) -> MethodRouter<AppState> {
    match access {
        AccessRule::Public | AccessRule::Provider => return handler,
        AccessRule::Seller | AccessRule::Business(_) | AccessRule::Staff(_) | AccessRule::EitherPanel => {}
    }
    let documented = operation
        .parameters
        .iter()
        .flatten()
        .filter_map(|parameter| match parameter {
            RefOr::T(parameter) if parameter.parameter_in == ParameterIn::Query => {
                Some(parameter.name.clone())
            }
            RefOr::T(_) | RefOr::Ref(_) => None,
        });
    // The guard reads the company of each call that is about one.
    let of_guard = matches!(access, AccessRule::Business(_)).then(|| "business_id".to_owned());
    let known: Arc<[String]> = documented.chain(of_guard).collect();
    handler.route_layer(from_fn(move |request: Request, next: Next| {
        let known = Arc::clone(&known);
        async move { checked(&known, request, next).await }
    }))
}

async fn checked(known: &[String], request: Request, next: Next) -> Result<Response> {
    let query = request.uri().query().unwrap_or_default();
    if request.method().is_safe() && !query.is_empty() {
        let mut errors = FormErrors::default();
        let reader = QueryReader::new(query)?;
        for name in reader
            .names()
            .filter(|name| !known.iter().any(|each| each == name))
        {
            errors.add(name, UNKNOWN);
        }
        errors.finish()?;
    }
    Ok(next.run(request).await)
}
