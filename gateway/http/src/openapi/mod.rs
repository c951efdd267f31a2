//! The OpenAPI 3.1 document: the handlers' annotations, completed from the route table (roles, security, the answers of
//! the guard). It is committed as ui/openapi.json, and the panels' types are generated from it.

mod call;
mod documented;
pub mod reasons;
mod schemas;
mod shared;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use gateway_environment::config::Panel;
use gateway_identity::access::{AccessRule, needs_own_password};
use gateway_identity::audience::Audience;
use gateway_identity::roles::{AdminRole, SellerRole};
use gateway_platform::companies::Approval;
use gateway_platform::exceptions::ExceptionResolution;
use ledger_domain::business::BusinessEvent;
use ledger_domain::sale::{CardBrand, PaymentType, Provider, SaleStatus, Solution};
use ledger_domain::transfer::AccountType;
use serde_json::{Map, Value};
use utoipa::openapi::extensions::ExtensionsBuilder;
use utoipa::openapi::path::{HttpMethod, Operation, PathItem};
use utoipa::openapi::security::{
    ApiKey, ApiKeyValue, HttpAuthScheme, HttpBuilder, SecurityRequirement, SecurityScheme,
};
use utoipa::openapi::{
    ComponentsBuilder, InfoBuilder, LicenseBuilder, OpenApi, OpenApiBuilder, RefOr, Schema, ServerBuilder,
};
use utoipa::{PartialSchema, ToSchema};

use crate::edge::cookies;
use crate::problem::ProblemBody;
use crate::shared::InOrder;
use crate::shared::schemas::{LABELS, number_labels, word_labels};

use call::JSON;
pub use call::{CallDocument, verb};
pub use documented::Documented;
use reasons::Reason;

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
    for (status, reason) in answers_of_the_guard(call) {
        call.problem(status, reason.text);
    }
    if needs_own_password(verb(&call.method), &call.path) {
        call.problem_also("403", reasons::PROVISIONAL_PASSWORD.text);
    }
    if call.reads_values() {
        call.problem("422", reasons::INVALID.text);
    }
    if call.path.contains('{') {
        call.problem("404", reasons::UNKNOWN_ID.text);
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
fn answers_of_the_guard(call: &CallDocument) -> Vec<(&'static str, Reason)> {
    let access = call.access;
    let writes = !matches!(call.method, HttpMethod::Get);
    let mut answers = vec![
        ("400", reasons::UNREADABLE),
        ("421", reasons::UNKNOWN_HOST),
        ("500", reasons::INTERNAL_ERROR),
        ("503", reasons::UNAVAILABLE),
    ];
    if access == AccessRule::Public {
        answers.push(("429", reasons::TOO_MANY_REQUESTS));
    }
    if !matches!(access, AccessRule::Public | AccessRule::Provider) {
        answers.push(("401", reasons::NO_SESSION));
    }
    if matches!(access, AccessRule::Business(_) | AccessRule::Staff(_)) {
        let reason = if writes {
            reasons::ROLE_OR_CSRF_TOKEN
        } else {
            reasons::ROLE
        };
        answers.push(("403", reason));
    }
    if matches!(access, AccessRule::Business(_)) {
        answers.push(("404", reasons::OF_ANOTHER_COMPANY));
        answers.push(("422", reasons::INVALID_OR_NO_COMPANY));
    }
    if writes && matches!(access, AccessRule::Seller | AccessRule::EitherPanel) {
        answers.push(("403", reasons::CSRF_TOKEN));
    }
    let body = call.operation.request_body.as_ref();
    // The guard of a company's call reads a body even if the operation has none: it may name the company.
    let reads_body = body.is_some() || matches!(access, AccessRule::Business(_));
    if writes && reads_body && access != AccessRule::Provider {
        answers.push(("408", reasons::SLOW_BODY));
        answers.push(("413", reasons::LARGE_BODY));
    }
    let takes_json = body.is_some_and(|body| match body {
        RefOr::T(body) => body.content.contains_key(JSON),
        RefOr::Ref(_) => false,
    });
    if takes_json && access != AccessRule::Provider {
        answers.push(("415", reasons::NOT_JSON));
    }
    answers
}

/// The document that is committed and served.
pub fn json() -> Value {
    let mut document = without_references();
    shared::share(&mut document);
    sorted(document)
}

/// The text of the document: indented, with an array of plain values on one line if it fits there.
pub fn text() -> String {
    let mut text = String::new();
    write_indented(&mut text, &json(), 0);
    text
}

fn write_indented(text: &mut String, value: &Value, indent: usize) {
    let (open, close, members): (_, _, Vec<(String, &Value)>) = match value {
        Value::Object(members) if !members.is_empty() => {
            let key = |key: &String| format!("{}: ", Value::from(key.as_str()));
            (
                '{',
                '}',
                members.iter().map(|(name, value)| (key(name), value)).collect(),
            )
        }
        Value::Array(values) if !fits_on_a_line(values, indent) => (
            '[',
            ']',
            values.iter().map(|value| (String::new(), value)).collect(),
        ),
        Value::Array(values) => {
            let values: Vec<String> = values.iter().map(Value::to_string).collect();
            return text.push_str(&format!("[{}]", values.join(", ")));
        }
        plain => return text.push_str(&plain.to_string()),
    };
    text.push(open);
    for (index, (key, value)) in members.into_iter().enumerate() {
        let comma = if index == 0 { "" } else { "," };
        text.push_str(&format!("{comma}\n{:indent$}  {key}", ""));
        write_indented(text, value, indent + 2);
    }
    text.push_str(&format!("\n{:indent$}{close}", ""));
}

fn fits_on_a_line(values: &[Value], indent: usize) -> bool {
    let length: usize = values.iter().map(|value| value.to_string().len() + 2).sum();
    let is_plain = |value: &Value| !value.is_object() && !value.is_array();
    values.iter().all(is_plain) && indent + length < 100
}

/// The same document with every answer and every parameter in its operation.
pub fn without_references() -> Value {
    let mut document = serde_json::to_value(crate::routes::document()).unwrap_or_default();
    take_labels(&mut document);
    schemas::complete(&mut document);
    describe_answers(&mut document);
    sorted(document)
}

/// The Portuguese labels of each enum of the document, by its name and its words in the order of their declaration. They
/// are committed as ui/src/api/words.json, from which the panels show badges, filters and histories.
pub fn words() -> String {
    let mut document = serde_json::to_value(crate::routes::document()).unwrap_or_default();
    let mut words = take_labels(&mut document);
    words.extend(words_without_schema());
    let enums = words.iter().map(|(name, labels)| {
        let labels = labels.iter().map(|[word, label]| (word, label));
        (name, InOrder(labels))
    });
    serde_json::to_string_pretty(&InOrder(enums)).unwrap_or_default()
}

/// Enums whose words stand in bodies without a schema that names them, such as texts of which stored ones may be unknown.
fn words_without_schema() -> [(String, Vec<[String; 2]>); 11] {
    let brand = |brand: &CardBrand| [brand.as_str().to_owned(), brand.label().to_owned()];
    let provider = |provider: &Provider| [provider.slug().to_owned(), provider.label().to_owned()];
    let event = |(name, label): &(&str, &str)| [(*name).to_owned(), (*label).to_owned()];
    [
        ("AccountType", word_labels::<AccountType>()),
        ("AdminRole", word_labels::<AdminRole>()),
        ("Approval", word_labels::<Approval>()),
        ("CardBrand", CardBrand::KNOWN.iter().map(brand).collect()),
        ("EventType", BusinessEvent::LABELS.iter().map(event).collect()),
        ("ExceptionResolution", word_labels::<ExceptionResolution>()),
        ("PaymentType", word_labels::<PaymentType>()),
        ("Provider", number_labels::<Provider>()),
        ("ProviderName", Provider::ALL.iter().map(provider).collect()),
        ("SaleStatus", word_labels::<SaleStatus>()),
        ("Solution", number_labels::<Solution>()),
    ]
    .map(|(name, labels)| (name.to_owned(), labels))
}

/// Removes the labels from the document.
fn take_labels(document: &mut Value) -> BTreeMap<String, Vec<[String; 2]>> {
    let schemas = document["components"]["schemas"].as_object_mut();
    let labels = schemas.into_iter().flatten().filter_map(|(name, schema)| {
        let labels = schema.as_object_mut()?.remove(LABELS)?;
        Some((name.clone(), serde_json::from_value(labels).ok()?))
    });
    labels.collect()
}

/// An answer of success without a description has the summary of its operation.
fn describe_answers(document: &mut Value) {
    for operation in members_mut(document, "paths").flat_map(|(_, item)| values_mut(item)) {
        let summary = operation["summary"].clone();
        for (_, answer) in members_mut(operation, "responses") {
            if answer["description"].as_str().is_none_or(str::is_empty) {
                answer["description"] = summary.clone();
            }
        }
    }
}

/// Does not create a missing member, as indexing would.
fn members_mut<'a>(value: &'a mut Value, name: &str) -> impl Iterator<Item = (&'a String, &'a mut Value)> {
    let found = value.get_mut(name).and_then(Value::as_object_mut);
    found.into_iter().flatten()
}

fn values_mut(value: &mut Value) -> impl Iterator<Item = &mut Value> {
    value.as_object_mut().into_iter().flat_map(Map::values_mut)
}

/// The keys are sorted, so that every build produces the same text.
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
