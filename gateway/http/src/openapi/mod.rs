//! The OpenAPI 3.1 document: the handlers' annotations, completed from the route table (roles, security, the answers of
//! the guard). It is committed as ui/openapi.json, and the panels' types are generated from it.

mod call;
mod documented;
mod examples;
mod schemas;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use gateway_environment::config::Panel;
use gateway_identity::audience::Audience;
use gateway_identity::roles::{AdminRole, SellerRole};
use serde_json::Value;
use utoipa::openapi::extensions::ExtensionsBuilder;
use utoipa::openapi::path::{HttpMethod, Operation, PathItem};
use utoipa::openapi::security::{
    ApiKey, ApiKeyValue, HttpAuthScheme, HttpBuilder, SecurityRequirement, SecurityScheme,
};
use utoipa::openapi::{
    ComponentsBuilder, InfoBuilder, LicenseBuilder, OpenApi, OpenApiBuilder, RefOr, Schema, ServerBuilder,
};
use utoipa::{PartialSchema, ToSchema};

use crate::access::AccessRule;
use crate::edge::cookies;
use crate::problem::ProblemBody;

pub use call::CallDocument;
use call::JSON;
pub use documented::Documented;

const DESCRIPTION: &str = "\
Money is an integer of cents, rates are decimal strings in percent, instants are RFC 3339 in UTC, dates are business \
dates of America/Sao_Paulo. The ids of companies, sales, transfers, payment links, terminals, sales plans, users and \
events have a prefix (`biz_`, `sal_`, `trf_`, `lnk_`, `ter_`, `pln_`, `usr_`, `evt_`); other ids are plain UUIDs or \
numbers. Errors are application/problem+json. A write that is authenticated by cookies needs the header X-CSRF-Token \
with the token of /auth/get-csrf-token. The current company is `business_id` of the path, the query or the body, else the header \
X-Business-Id, else the cookie current_business, else the only one. A call answers only on the hosts of \
the panels that `x-hosts` names (`*` is any host); on another panel's host it is a 404, like an \
unknown path. `x-roles` lists the roles that may call: `*` is every role of the audience. In an admin operation, an \
empty list means the owner only, and the owner may always call.";

pub fn bare_document() -> OpenApi {
    let license = LicenseBuilder::new()
        .name("Apache-2.0")
        .identifier(Some("Apache-2.0"))
        .build();
    let info = InfoBuilder::new()
        .title("Razão")
        .version(env!("CARGO_PKG_VERSION"))
        .description(Some(DESCRIPTION))
        .license(Some(license));
    let mut problem = vec![(ProblemBody::name().into_owned(), ProblemBody::schema())];
    ProblemBody::schemas(&mut problem);
    let mut components = ComponentsBuilder::new()
        .schemas_from_iter(problem)
        .security_scheme(
            "bearer",
            SecurityScheme::Http(
                HttpBuilder::new()
                    .scheme(HttpAuthScheme::Bearer)
                    .bearer_format("JWT")
                    .build(),
            ),
        );
    for audience in [Audience::Seller, Audience::Admin] {
        let cookie = SecurityScheme::ApiKey(ApiKey::Cookie(ApiKeyValue::new(cookies::access(audience))));
        components = components.security_scheme(cookie_scheme(audience), cookie);
    }
    let server = ServerBuilder::new().url("/api").build();
    OpenApiBuilder::new()
        .info(info.build())
        .servers(Some([server]))
        .components(Some(components.build()))
        .build()
}

/// Completes an annotated operation with what follows from the handler's arguments, its access rule and the framework.
pub fn complete<Arguments: Documented>(call: &mut CallDocument) {
    Arguments::describe(call);
    let roles = ExtensionsBuilder::new()
        .add("x-audience", audience_name(call.access))
        .add("x-hosts", host_names(call.access, call.panels))
        .add("x-roles", role_names(call.access))
        .build();
    call.operation.extensions.get_or_insert_default().merge(roles);
    call.operation.security = security(call.access);
    for (status, description) in answers_of_the_guard(call) {
        call.problem(status, description);
    }
    if call.reads_values() {
        call.problem("422", "Invalid values, by field");
    }
    if call.path.contains('{') {
        call.problem("404", "The id in the path is unknown");
    }
    call.complete_problems();
}

/// Adds one operation to the document.
///
/// Panics if two types have the same schema name, because one would silently replace the other.
pub fn with_call(mut document: OpenApi, call: CallDocument) -> OpenApi {
    let item = document.paths.paths.entry(call.path).or_default();
    *slot(item, &call.method) = Some(call.operation);
    let schemas = &mut document.components.get_or_insert_default().schemas;
    for (name, schema) in call.schemas {
        add_schema(schemas, name, schema);
    }
    document
}

fn add_schema(schemas: &mut BTreeMap<String, RefOr<Schema>>, name: String, schema: RefOr<Schema>) {
    match schemas.get(&name) {
        Some(known) => assert!(*known == schema, "two types of the document have the name {name}"),
        None => drop(schemas.insert(name, schema)),
    }
}

fn slot<'a>(item: &'a mut PathItem, method: &HttpMethod) -> &'a mut Option<Operation> {
    match method {
        HttpMethod::Get => &mut item.get,
        HttpMethod::Post => &mut item.post,
        HttpMethod::Put => &mut item.put,
        HttpMethod::Delete => &mut item.delete,
        HttpMethod::Options => &mut item.options,
        HttpMethod::Head => &mut item.head,
        HttpMethod::Patch => &mut item.patch,
        HttpMethod::Trace => &mut item.trace,
    }
}

fn audience_name(access: AccessRule) -> &'static str {
    match access {
        AccessRule::Public => "public",
        AccessRule::Provider => "provider",
        AccessRule::Seller | AccessRule::Business(_) => Audience::Seller.as_str(),
        AccessRule::Staff(_) => Audience::Admin.as_str(),
        AccessRule::EitherPanel => "any",
    }
}

/// The panels on whose hosts a call answers.
pub fn host_names(access: AccessRule, panels: &[Panel]) -> Vec<&'static str> {
    match access {
        AccessRule::Provider => vec!["*"],
        _ => panels.iter().map(|panel| panel.as_str()).collect(),
    }
}

pub fn role_names(access: AccessRule) -> Vec<&'static str> {
    match access {
        AccessRule::Public | AccessRule::Provider => vec![],
        AccessRule::Seller | AccessRule::EitherPanel => vec!["*"],
        AccessRule::Business(roles) if roles.len() == SellerRole::ALL.len() => vec!["*"],
        AccessRule::Business(roles) => roles.iter().map(|role| role.as_str()).collect(),
        AccessRule::Staff(roles) if roles.len() == AdminRole::ALL.len() => vec!["*"],
        AccessRule::Staff(roles) => roles.iter().map(|role| role.as_str()).collect(),
    }
}

fn cookie_scheme(audience: Audience) -> &'static str {
    match audience {
        Audience::Seller => "seller_cookie",
        Audience::Admin => "admin_cookie",
    }
}

fn security(access: AccessRule) -> Option<Vec<SecurityRequirement>> {
    let audiences = match access {
        AccessRule::Public | AccessRule::Provider => return None,
        AccessRule::Seller | AccessRule::Business(_) => vec![Audience::Seller],
        AccessRule::Staff(_) => vec![Audience::Admin],
        AccessRule::EitherPanel => vec![Audience::Seller, Audience::Admin],
    };
    let none: [&str; 0] = [];
    let bearer = SecurityRequirement::new("bearer", none);
    let cookies = audiences
        .into_iter()
        .map(|audience| SecurityRequirement::new(cookie_scheme(audience), none));
    Some(std::iter::once(bearer).chain(cookies).collect())
}

/// The answers that the guard and the framework give for any handler.
fn answers_of_the_guard(call: &CallDocument) -> Vec<(&'static str, &'static str)> {
    let access = call.access;
    let writes = !matches!(call.method, HttpMethod::Get);
    let mut answers = vec![
        ("400", "The request's host, query or body is unreadable"),
        ("421", "The host name does not belong to this installation"),
        ("500", "An internal error; the log has it under the request's id"),
        (
            "503",
            "Temporarily unavailable: try again after Retry-After seconds",
        ),
    ];
    if access == AccessRule::Public {
        answers.push((
            "429",
            "Too many requests from this caller: try again after Retry-After seconds",
        ));
    }
    if !matches!(access, AccessRule::Public | AccessRule::Provider) {
        answers.push(("401", "The session is missing or expired"));
    }
    if matches!(access, AccessRule::Business(_) | AccessRule::Staff(_)) {
        answers.push((
            "403",
            if writes {
                "The user's role may not make this call, or a request with cookies has no valid X-CSRF-Token"
            } else {
                "The user's role may not make this call"
            },
        ));
    }
    if matches!(access, AccessRule::Business(_)) {
        answers.push(("404", "Unknown, or belongs to another company"));
        answers.push((
            "422",
            "Invalid values, by field; or the user has several companies and the request names none",
        ));
    }
    if writes && matches!(access, AccessRule::Seller | AccessRule::EitherPanel) {
        answers.push(("403", "A request with cookies has no valid X-CSRF-Token"));
    }
    let body = call.operation.request_body.as_ref();
    // The guard of a company's call reads a body even if the operation has none: it may name the company.
    let reads_body = body.is_some() || matches!(access, AccessRule::Business(_));
    if writes && reads_body && access != AccessRule::Provider {
        answers.push(("408", "The body did not arrive in time"));
        answers.push(("413", "The body is too large"));
    }
    let takes_json = body.is_some_and(|body| match body {
        RefOr::T(body) => body.content.contains_key(JSON),
        RefOr::Ref(_) => false,
    });
    if takes_json && access != AccessRule::Provider {
        answers.push(("415", "The body is not JSON"));
    }
    answers
}

/// The document that is committed and served. Its keys are sorted, so that every build produces the same text.
pub fn json() -> Value {
    let mut document = serde_json::to_value(crate::routes::document()).unwrap_or_default();
    schemas::complete(&mut document);
    examples::complete(&mut document);
    sorted(document)
}

fn sorted(value: Value) -> Value {
    match value {
        Value::Object(members) => {
            let members: BTreeMap<String, Value> = members
                .into_iter()
                .map(|(key, value)| (key, sorted(value)))
                .collect();
            Value::Object(members.into_iter().collect())
        }
        Value::Array(items) => Value::Array(items.into_iter().map(sorted).collect()),
        plain => plain,
    }
}
