//! Calls the endpoints of the route table, and checks the OpenAPI document against the table.

mod callers;
mod documented;
mod examples;
mod expected;
mod provisional_password;
mod walk;

use gateway_http::openapi;
use gateway_http::routes::table;
use serde_json::Value;

use self::expected::method;
use crate::support::TestApp;

#[test]
fn the_document_has_exactly_the_operations_of_the_table_with_their_roles() {
    let document = openapi::without_references();
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
        let documented = &document["paths"][&endpoint.path][method(endpoint).as_str().to_lowercase()];
        assert_eq!(
            documented["operationId"],
            endpoint.operation_id(),
            "{}",
            endpoint.path
        );
        assert_eq!(
            documented["x-roles"],
            serde_json::json!(openapi::role_names(endpoint.access)),
            "{}",
            endpoint.path
        );
        assert_eq!(
            documented["x-hosts"],
            serde_json::json!(openapi::host_names(endpoint.access, endpoint.panels)),
            "{}",
            endpoint.path
        );
        assert!(
            documented["summary"]
                .as_str()
                .is_some_and(|text| !text.is_empty()),
            "{} has a summary",
            endpoint.path
        );
        for (status, answer) in documented["responses"].as_object().expect("answers") {
            assert!(
                answer["description"].is_string(),
                "{} {status} is described",
                endpoint.path
            );
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
}

#[test]
fn the_committed_document_matches_the_code() {
    let committed: Value =
        serde_json::from_str(include_str!("../../../../ui/openapi.json")).expect("ui/openapi.json");
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
    let text = page.body.as_str().expect("a page");
    for endpoint in table() {
        let part = format!("id=\"{}\"", endpoint.operation_id());
        assert!(text.contains(&part), "{}", endpoint.path);
    }
    assert!(text.contains("<a href=\"#SalePage\">SalePage</a>"));
    assert!(!text.contains("<script"));
}
