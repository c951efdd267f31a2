//! The expected answer of an endpoint to each caller, from its access rule alone, and the check of the real answer.

use gateway_environment::config::Panel;
use gateway_http::routes::{AccessRule, Endpoint};
use gateway_identity::roles::{AdminRole, SellerRole};
use reqwest::Method;
use serde_json::json;
use utoipa::openapi::path::HttpMethod;

use crate::support::{Answer, Client};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CallerRole {
    /// Not signed in, or with an invalid session or token.
    SignedOut,
    /// With this role in the company of the request.
    Seller(SellerRole),
    Staff(AdminRole),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Expected {
    Passes,
    SignedOut,
    Forbidden,
    /// The company of another user, or an unknown one.
    UnknownCompany,
    /// A 422: a user of several companies names none.
    CompanyMissing,
    /// Signed in by cookie, without a CSRF token of the session's page.
    StalePage,
}

pub fn expected_answer(access: AccessRule, role: CallerRole) -> Expected {
    let by_role = |passes: bool| {
        if passes {
            Expected::Passes
        } else {
            Expected::Forbidden
        }
    };
    match (access, role) {
        (AccessRule::Public, _) | (AccessRule::Seller, CallerRole::Seller(_)) => Expected::Passes,
        (AccessRule::Business(roles), CallerRole::Seller(role)) => by_role(roles.contains(&role)),
        (AccessRule::Staff(roles), CallerRole::Staff(role)) => {
            by_role(role == AdminRole::Owner || roles.contains(&role))
        }
        // Calls of either panel are tried on the seller panel's host (`on_its_host`).
        (AccessRule::EitherPanel, CallerRole::Seller(_)) => Expected::Passes,
        (
            AccessRule::Provider
            | AccessRule::Seller
            | AccessRule::EitherPanel
            | AccessRule::Business(_)
            | AccessRule::Staff(_),
            _,
        ) => Expected::SignedOut,
    }
}

/// A message if the answer to the caller is not the expected one.
pub fn difference(endpoint: &Endpoint, caller: &str, expected: Expected, answer: &Answer) -> Option<String> {
    let status = answer.status;
    let right = match expected {
        Expected::Passes => passed(endpoint, status),
        // A wrong secret in the path is answered like an unknown address.
        Expected::SignedOut if endpoint.path.ends_with("/{secret}") => status == 404,
        Expected::SignedOut => status == 401,
        Expected::Forbidden => {
            status == 403
                && answer.text("/message")
                    == "Você não tem permissão para fazer isso. Peça a um administrador."
        }
        Expected::UnknownCompany => status == 404,
        Expected::CompanyMissing => status == 422 && answer.at("/errors/business_id").is_array(),
        Expected::StalePage => {
            status == 403
                && answer
                    .text("/message")
                    .starts_with("A página ficou desatualizada.")
        }
    };
    let (method, path) = (method(endpoint), &endpoint.path);
    (!right).then(|| format!("{method} {path} to {caller}: {status}, and not {expected:?}"))
}

/// The handler answered: the answer comes neither from the guard nor from a failure.
fn passed(endpoint: &Endpoint, status: u16) -> bool {
    let (_, other_ids) = count_parameters(endpoint);
    // The handler of a public call may answer 401 itself, such as that of a refresh.
    let own_401 = status == 401
        && endpoint.access == AccessRule::Public
        && endpoint.operation.responses.responses.contains_key("401");
    let unexpected_404 = status == 404 && other_ids == 0;
    !matches!(status, 401 | 403 | 500..) && !unexpected_404 || own_401
}

/// The number of companies among the path's parameters, and that of others, whose examples may be unknown (404).
fn count_parameters(endpoint: &Endpoint) -> (usize, usize) {
    let companies = segments(&endpoint.path).filter(|(before, segment)| is_company(before, segment));
    let all = segments(&endpoint.path).filter(|(_, segment)| is_parameter(segment));
    let companies = companies.count();
    (companies, all.count() - companies)
}

pub fn names_company(endpoint: &Endpoint) -> bool {
    count_parameters(endpoint).0 > 0
}

/// The endpoint's path. Parameters after `business` or `businesses` become the company. All others become the
/// document's example.
pub fn address(endpoint: &Endpoint, company: &str) -> String {
    let filled = segments(&endpoint.path).map(|(before, segment)| {
        if is_company(before, segment) {
            company.to_owned()
        } else if is_parameter(segment) {
            example(endpoint, segment.trim_matches(['{', '}']))
        } else {
            segment.to_owned()
        }
    });
    format!("/api{}", filled.collect::<Vec<_>>().join("/"))
}

/// Each segment with the segment before it.
fn segments(path: &str) -> impl Iterator<Item = (&str, &str)> {
    let before = std::iter::once("").chain(path.split('/'));
    before.zip(path.split('/'))
}

fn is_parameter(segment: &str) -> bool {
    segment.starts_with('{')
}

fn is_company(before: &str, segment: &str) -> bool {
    is_parameter(segment) && matches!(before, "business" | "businesses")
}

fn example(endpoint: &Endpoint, name: &str) -> String {
    let listed = endpoint.operation.parameters.iter().flatten();
    let parameters = listed.filter_map(|parameter| serde_json::to_value(parameter).ok());
    let mut of_path = parameters.filter(|parameter| parameter["in"] == "path" && parameter["name"] == name);
    let example = of_path
        .next()
        .and_then(|parameter| parameter["example"].as_str().map(str::to_owned));
    example.unwrap_or_else(|| "00000000-0000-4000-8000-000000000000".to_owned())
}

pub fn method(endpoint: &Endpoint) -> Method {
    match endpoint.method {
        HttpMethod::Get => Method::GET,
        HttpMethod::Post => Method::POST,
        HttpMethod::Put => Method::PUT,
        HttpMethod::Patch => Method::PATCH,
        HttpMethod::Delete => Method::DELETE,
        HttpMethod::Head | HttpMethod::Options | HttpMethod::Trace => {
            unreachable!("no endpoint has this method")
        }
    }
}

/// Sends an empty form, so that few requests that pass the guard change anything. A sign-out does.
pub async fn call(client: &Client, endpoint: &Endpoint, address: &str) -> Answer {
    let body = (endpoint.method != HttpMethod::Get).then(|| json!({}));
    on_its_host(client, endpoint)
        .send(method(endpoint), address, body)
        .await
}

/// The client, on a host that serves the endpoint.
pub fn on_its_host(client: &Client, endpoint: &Endpoint) -> Client {
    client.clone().with("host", host(endpoint.panels[0]))
}

pub const fn host(panel: Panel) -> &'static str {
    match panel {
        Panel::Seller => "localhost",
        Panel::Admin => "admin.localhost",
    }
}
