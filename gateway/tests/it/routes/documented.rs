//! The OpenAPI document has for every call the answers that follow from its parameters and its access rule.

use gateway_http::openapi;
use gateway_http::routes::{AccessRule, Endpoint, table};
use serde_json::Value;

/// Each endpoint with its operation in the finished document.
fn operations() -> Vec<(&'static Endpoint, Value)> {
    let document = openapi::without_references();
    let operation = |endpoint: &'static Endpoint| {
        let method = super::method(endpoint).as_str().to_lowercase();
        let operation = document["paths"][&endpoint.path][method].clone();
        (endpoint, operation)
    };
    table().iter().map(operation).collect()
}

fn answers(operation: &Value, status: &str) -> bool {
    operation["responses"].get(status).is_some()
}

fn parameters<'a>(operation: &'a Value, place: &str) -> Vec<&'a Value> {
    let all = operation["parameters"].as_array().into_iter().flatten();
    all.filter(|parameter| parameter["in"] == place).collect()
}

#[test]
fn every_error_is_a_problem() {
    for (endpoint, operation) in operations() {
        let answers = operation["responses"].as_object().expect("answers");
        for (status, answer) in answers.iter().filter(|(status, _)| status.as_str() >= "400") {
            let contents = answer["content"].as_object().expect("a content");
            let types: Vec<_> = contents.keys().collect();
            assert_eq!(
                types,
                ["application/problem+json"],
                "{} {status}",
                endpoint.operation_id()
            );
        }
    }
}

#[test]
fn every_input_has_a_422() {
    for (endpoint, operation) in operations() {
        let reads = operation["requestBody"].is_object() || !parameters(&operation, "query").is_empty();
        if reads {
            assert!(answers(&operation, "422"), "{}", endpoint.operation_id());
        }
    }
}

#[test]
fn every_guarded_call_has_the_answers_of_its_guard() {
    for (endpoint, operation) in operations() {
        let id = endpoint.operation_id();
        match endpoint.access {
            AccessRule::Public => assert!(answers(&operation, "429"), "{id}"),
            // A provider is authenticated by its signature, or by the secret in the path.
            AccessRule::Provider if endpoint.path.ends_with("/{secret}") => {
                assert!(answers(&operation, "404"), "{id}");
            }
            AccessRule::Provider => assert!(answers(&operation, "401"), "{id}"),
            AccessRule::Seller | AccessRule::EitherPanel => assert!(answers(&operation, "401"), "{id}"),
            AccessRule::Business(_) | AccessRule::Staff(_) => {
                assert!(answers(&operation, "401") && answers(&operation, "403"), "{id}");
            }
        }
    }
}

#[test]
fn every_parameter_of_a_path_is_described_and_has_a_404() {
    for (endpoint, operation) in operations() {
        let in_path = endpoint.path.matches('{').count();
        let described = parameters(&operation, "path");
        assert_eq!(described.len(), in_path, "{}", endpoint.operation_id());
        for parameter in described {
            let name = parameter["name"].as_str().unwrap_or_default();
            assert!(
                endpoint.path.contains(&format!("{{{name}}}")),
                "{}",
                endpoint.path
            );
            assert!(parameter["example"].is_string(), "{} {name}", endpoint.path);
        }
        if in_path > 0 {
            assert!(answers(&operation, "404"), "{}", endpoint.operation_id());
        }
    }
}

#[test]
fn every_idempotency_key_has_a_409() {
    let mut with_key = 0;
    for (endpoint, operation) in operations() {
        let headers = parameters(&operation, "header");
        if headers.iter().any(|header| header["name"] == "Idempotency-Key") {
            with_key += 1;
            let conflict = &operation["responses"]["409"]["description"];
            let text = conflict.as_str().unwrap_or_default();
            assert!(
                text.contains("Idempotency-Key was used"),
                "{}",
                endpoint.operation_id()
            );
        }
    }
    assert!(with_key > 10, "{with_key}");
}

#[test]
fn no_annotation_has_a_part_that_the_document_adds_itself() {
    let repeats: Vec<_> = table()
        .iter()
        .filter(|endpoint| !endpoint.repeated.is_empty())
        .map(|endpoint| format!("{}: {:?}", endpoint.operation_id(), endpoint.repeated))
        .collect();
    assert!(repeats.is_empty(), "{}", repeats.join("\n"));
}

#[test]
fn a_company_id_in_a_query_has_its_pattern() {
    let document = openapi::without_references();
    let mut found = 0;
    for (path, item) in document["paths"].as_object().expect("paths") {
        for (method, operation) in item.as_object().expect("operations") {
            for parameter in operation["parameters"].as_array().into_iter().flatten() {
                if parameter["name"] == "business_id" && parameter["in"] == "query" {
                    found += 1;
                    let pattern = parameter["schema"]["pattern"].as_str().unwrap_or_default();
                    assert!(pattern.starts_with("^biz_"), "{method} {path}");
                }
            }
        }
    }
    assert!(found > 10, "{found}");
}
