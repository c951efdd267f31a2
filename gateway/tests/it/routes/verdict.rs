//! What an endpoint should say to whom, by its access alone, and whether what it said was that.

use gateway_environment::config::Panel;
use gateway_http::routes::{Access, Endpoint};
use gateway_identity::roles::{AdminRole, SellerRole};
use reqwest::Method;
use serde_json::json;
use utoipa::openapi::path::HttpMethod;

use crate::support::{Answer, Client};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// Not signed in, or not so that it counts.
    Nobody,
    /// With this role in the company that the request is about.
    Seller(SellerRole),
    Staff(AdminRole),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    Passes,
    SignedOut,
    Forbidden,
    /// Another's company, or none.
    UnknownCompany,
    CompanyMissing,
    /// By cookie, and without the page's token.
    StalePage,
}

pub fn verdict(access: Access, standing: Standing) -> Verdict {
    let by_role = |passes: bool| {
        if passes {
            Verdict::Passes
        } else {
            Verdict::Forbidden
        }
    };
    match (access, standing) {
        (Access::Public, _) | (Access::Seller, Standing::Seller(_)) => Verdict::Passes,
        (Access::Business(roles), Standing::Seller(role)) => by_role(roles.contains(&role)),
        (Access::Staff(roles), Standing::Staff(role)) => {
            by_role(role == AdminRole::Owner || roles.contains(&role))
        }
        (Access::Provider | Access::Seller | Access::Business(_) | Access::Staff(_), _) => Verdict::SignedOut,
    }
}

/// What is wrong with the answer, if anything is.
pub fn fault(endpoint: &Endpoint, who: &str, expected: Verdict, answer: &Answer) -> Option<String> {
    let status = answer.status;
    let right = match expected {
        Verdict::Passes => passed(endpoint, status),
        Verdict::SignedOut => status == 401,
        Verdict::Forbidden => {
            status == 403
                && answer.text("/message")
                    == "Você não tem permissão para fazer isso. Peça a um administrador."
        }
        Verdict::UnknownCompany => status == 404,
        Verdict::CompanyMissing => status == 422 && answer.at("/errors/business_id").is_array(),
        Verdict::StalePage => {
            status == 403
                && answer
                    .text("/message")
                    .starts_with("A página ficou desatualizada.")
        }
    };
    let (method, path) = (method(endpoint), endpoint.path);
    (!right).then(|| format!("{method} {path} to {who}: {status}, and not {expected:?}"))
}

/// The handler answered: whatever it found, it was not the guard that spoke, and nothing broke.
fn passed(endpoint: &Endpoint, status: u16) -> bool {
    let (_, by_others) = parameters(endpoint);
    // A refresh is open to everybody and says 401 by itself, and says so.
    let own_401 = status == 401
        && endpoint.access == Access::Public
        && endpoint.operation.responses.responses.contains_key("401");
    let unexpected_404 = status == 404 && by_others == 0;
    !matches!(status, 401 | 403 | 500..) && !unexpected_404 || own_401
}

/// How many parameters of the path are the company, and how many something that nobody has.
fn parameters(endpoint: &Endpoint) -> (usize, usize) {
    let names_company = segments(endpoint.path).filter(|(before, segment)| is_company(before, segment));
    let all = segments(endpoint.path).filter(|(_, segment)| is_parameter(segment));
    let by_company = names_company.count();
    (by_company, all.count() - by_company)
}

pub fn names_company(endpoint: &Endpoint) -> bool {
    parameters(endpoint).0 > 0
}

/// Its address: a company in the place of a parameter after `business` or `businesses`, and for every other one the
/// example that the document gives, which nobody in a test has.
pub fn address(endpoint: &Endpoint, company: &str) -> String {
    let filled = segments(endpoint.path).map(|(before, segment)| {
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

/// Each segment with the one before it.
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
    let reported = listed.filter_map(|parameter| serde_json::to_value(parameter).ok());
    let mut of_path = reported.filter(|reported| reported["in"] == "path" && reported["name"] == name);
    let example = of_path
        .next()
        .and_then(|reported| reported["example"].as_str().map(str::to_owned));
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

/// Asks with an empty form: what passes the guard then changes nothing.
pub async fn ask(client: &Client, endpoint: &Endpoint, address: &str) -> Answer {
    let body = (endpoint.method != HttpMethod::Get).then(|| json!({}));
    on_its_host(client, endpoint)
        .send(method(endpoint), address, body)
        .await
}

/// The caller, on a host on which the endpoint answers.
pub fn on_its_host(client: &Client, endpoint: &Endpoint) -> Client {
    client.clone().with("host", host(endpoint.panels[0]))
}

pub const fn host(panel: Panel) -> &'static str {
    match panel {
        Panel::Seller => "localhost",
        Panel::Admin => "admin.localhost",
    }
}
