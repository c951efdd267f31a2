//! The route table, walked: what it says of each endpoint is what the endpoint does, and what the document tells.

use gateway::openapi;
use gateway::routes::{Access, Endpoint, document, table};
use gateway::sessions::{AdminRole, SellerRole};
use reqwest::Method;
use serde_json::Value;
use utoipa::openapi::path::{HttpMethod, Parameter};
use utoipa::openapi::{RefOr, Required};

use crate::support::{Client, TestApp};

fn method(endpoint: &Endpoint) -> Method {
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

/// Its address with something in the place of each parameter that nobody has.
fn path(endpoint: &Endpoint) -> String {
    let filled = endpoint
        .path
        .replace("{transfer_id}", "trf_00000000-0000-4000-8000-000000000000")
        .replace("{id}", "sal_00000000-0000-4000-8000-000000000000")
        .replace("{action}", "retry")
        .replace("{type}", "approve")
        .replace("{event}", "evt_00000000-0000-4000-8000-000000000000")
        .replace("{provider}", "zoop");
    assert!(
        !filled.contains('{'),
        "{} has a parameter that this test doesn't know",
        endpoint.path
    );
    format!("/api{filled}")
}

/// Whether it asks for more than the company.
fn needs_more(endpoint: &Endpoint) -> bool {
    let mut parameters = endpoint.operation.parameters.iter().flatten();
    parameters.any(|parameter| {
        matches!(
            parameter,
            RefOr::T(Parameter {
                required: Required::True,
                ..
            })
        )
    })
}

async fn call(client: &Client, endpoint: &Endpoint, query: &str) -> u16 {
    let body = (method(endpoint) != Method::GET).then(|| serde_json::json!({}));
    client
        .send(method(endpoint), &format!("{}{query}", path(endpoint)), body)
        .await
        .status
}

#[tokio::test]
async fn every_endpoint_that_needs_a_session_answers_401_to_nobody_and_to_the_other_audience() {
    let app = TestApp::start().await;
    let company = app.company("Padaria").await;
    let seller = app
        .sign_in(&app.seller(&[(&company, SellerRole::Owner)]).await)
        .await;
    let owner = app.sign_in(&app.admin(&[AdminRole::Owner]).await).await;
    for endpoint in table() {
        let (nobody, stranger) = match endpoint.access {
            Access::Public | Access::Provider => continue,
            Access::Seller | Access::Business(_) => (app.client(), &owner),
            Access::Staff(_) => (app.client(), &seller),
        };
        assert_eq!(
            call(&nobody, &endpoint, "").await,
            401,
            "{} to nobody",
            endpoint.path
        );
        assert_eq!(
            call(stranger, &endpoint, "").await,
            401,
            "{} to the other audience",
            endpoint.path
        );
    }
}

#[tokio::test]
async fn every_endpoint_answers_403_to_each_role_that_is_not_listed_and_to_no_other() {
    let app = TestApp::start().await;
    let company = app.company("Padaria").await;
    let mut sellers = vec![];
    for role in SellerRole::ALL {
        sellers.push((*role, app.sign_in(&app.seller(&[(&company, *role)]).await).await));
    }
    let mut admins = vec![];
    for role in AdminRole::ALL {
        admins.push((*role, app.sign_in(&app.admin(&[*role]).await).await));
    }
    // Signing out ends the session, so it comes last.
    let (endpoints, ends): (Vec<_>, Vec<_>) = table()
        .into_iter()
        .partition(|endpoint| !endpoint.path.ends_with("logout"));
    for endpoint in endpoints.into_iter().chain(ends) {
        match endpoint.access {
            Access::Public | Access::Provider | Access::Seller => {}
            Access::Business(roles) => {
                for (role, client) in &sellers {
                    let status = call(client, &endpoint, "").await;
                    assert_eq!(
                        status == 403,
                        !roles.contains(role),
                        "{} to {role:?}: {status}",
                        endpoint.path
                    );
                }
            }
            Access::Staff(roles) => {
                for (role, client) in &admins {
                    let passes = *role == AdminRole::Owner || roles.contains(role);
                    let status = call(client, &endpoint, "").await;
                    assert_eq!(status == 403, !passes, "{} to {role:?}: {status}", endpoint.path);
                }
            }
        }
    }
}

#[tokio::test]
async fn another_company_is_as_unknown_as_one_that_does_not_exist() {
    let app = TestApp::start().await;
    let (own, other) = (app.company("Padaria").await, app.company("Farmácia").await);
    let client = app.sign_in(&app.seller(&[(&own, SellerRole::Owner)]).await).await;
    for endpoint in table()
        .into_iter()
        .filter(|endpoint| matches!(endpoint.access, Access::Business(_)))
    {
        assert_eq!(
            call(&client, &endpoint, &format!("?business_id={}", other.id)).await,
            404,
            "{}",
            endpoint.path
        );
        let header = client.clone().with("x-business-id", &other.id.to_string());
        assert_eq!(
            call(&header, &endpoint, "").await,
            404,
            "{} by header",
            endpoint.path
        );
        let cookie = client
            .clone()
            .with("cookie", &format!("current_business={}", other.id));
        assert_eq!(
            call(&cookie, &endpoint, "").await,
            404,
            "{} by cookie",
            endpoint.path
        );
        let status = call(&cookie, &endpoint, &format!("?business_id={}", own.id)).await;
        // What the query names goes before header and cookie; the sale of the path is nobody's.
        let expected = match endpoint.method {
            _ if endpoint.path.contains('{') => 404,
            HttpMethod::Get if needs_more(&endpoint) => 422,
            HttpMethod::Get => 200,
            // An empty form: the company was found, and its fields are missed.
            _ => 422,
        };
        assert_eq!(
            status, expected,
            "{} with the own company named first",
            endpoint.path
        );
    }
}

#[tokio::test]
async fn the_role_is_the_one_in_the_company_that_the_request_is_about() {
    let app = TestApp::start().await;
    let (owned, served) = (app.company("Padaria").await, app.company("Farmácia").await);
    let person = app
        .seller(&[(&owned, SellerRole::Owner), (&served, SellerRole::Operator)])
        .await;
    let client = app.sign_in(&person).await;
    let totals = |company: String| format!("/api/balance/history?totals=1&business_id={company}");
    assert_eq!(client.get(&totals(owned.id.to_string())).await.status, 200);
    assert_eq!(client.get(&totals(served.id.to_string())).await.status, 403);
    let unnamed = client.get("/api/balance/history?totals=1").await;
    assert_eq!(
        (unnamed.status, unnamed.at("/errors/business_id").is_array()),
        (422, true)
    );
}

#[test]
fn the_document_has_exactly_the_table_s_operations_with_their_roles() {
    let document = openapi::json();
    let operations = |value: &Value| -> usize {
        value["paths"]
            .as_object()
            .into_iter()
            .flatten()
            .map(|(_, item)| item.as_object().map_or(0, |item| item.len()))
            .sum()
    };
    assert_eq!(operations(&document), table().len());
    for endpoint in table() {
        let told = &document["paths"][endpoint.path][method(&endpoint).as_str().to_lowercase()];
        assert_eq!(told["operationId"], endpoint.operation_id(), "{}", endpoint.path);
        assert_eq!(
            told["x-roles"],
            serde_json::json!(openapi::role_names(endpoint.access)),
            "{}",
            endpoint.path
        );
        assert!(
            told["summary"].as_str().is_some_and(|text| !text.is_empty()),
            "{} has a summary",
            endpoint.path
        );
        for (status, answer) in told["responses"].as_object().expect("answers") {
            assert!(
                answer["description"].is_string(),
                "{} {status} is described",
                endpoint.path
            );
        }
        let body = told["responses"]
            .as_object()
            .into_iter()
            .flatten()
            .find(|(status, _)| status.starts_with('2'));
        let (_, success) = body.expect("an answer of success");
        for (_, content) in success["content"].as_object().into_iter().flatten() {
            assert!(!content["example"].is_null(), "{} has an example", endpoint.path);
        }
    }
}

#[test]
fn no_two_operations_share_an_id() {
    let mut ids: Vec<String> = table()
        .iter()
        .map(|endpoint| endpoint.operation_id().to_owned())
        .collect();
    ids.sort();
    let count = ids.len();
    ids.dedup();
    assert_eq!(ids.len(), count);
    assert!(document().components.is_some());
}

#[test]
fn the_committed_document_is_the_one_of_the_code() {
    let committed: Value =
        serde_json::from_str(include_str!("../../../ui/openapi.json")).expect("ui/openapi.json");
    assert!(
        committed == openapi::json(),
        "ui/openapi.json is not up to date: run `just openapi`"
    );
}

#[tokio::test]
async fn the_document_is_served_with_a_page_to_browse_it() {
    let app = TestApp::start().await;
    let document = app.client().get("/api/openapi.json").await;
    assert_eq!(
        (document.status, document.at("/openapi")),
        (200, &Value::from("3.1.0"))
    );
    let page = app.client().get("/api/docs").await;
    assert_eq!(page.status, 200);
    assert!(
        page.header("content-security-policy")
            .is_some_and(|policy| policy.contains("style-src 'self' 'nonce-"))
    );
}
