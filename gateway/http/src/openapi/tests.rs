//! Errors that stop the build of the document, and its references. The tests of the route table check the document of each call.

use std::collections::BTreeMap;

use serde_json::Value;
use utoipa::{PartialSchema, ToSchema};

mod one {
    #[derive(serde::Serialize, utoipa::ToSchema)]
    pub struct Bill {
        pub cents: i64,
    }
}

mod other {
    #[derive(serde::Serialize, utoipa::ToSchema)]
    pub struct Bill {
        pub paid: bool,
    }
}

#[test]
#[should_panic(expected = "two types of the document have the name Bill")]
fn two_types_of_one_name_are_a_fault() {
    let mut schemas = BTreeMap::new();
    for schema in [one::Bill::schema(), one::Bill::schema(), other::Bill::schema()] {
        super::add_schema(&mut schemas, one::Bill::name().into_owned(), schema);
    }
}

/// The document with its shared answers and parameters in their operations.
fn resolved(mut document: Value) -> Value {
    let mut components = document["components"].take();
    let shared = |value: &Value| {
        let pointer = value["$ref"].as_str()?.strip_prefix("#/components")?;
        components.pointer(pointer).cloned()
    };
    for (_, item) in document["paths"].as_object_mut().into_iter().flatten() {
        for (_, operation) in item.as_object_mut().into_iter().flatten() {
            for (_, answer) in operation["responses"].as_object_mut().into_iter().flatten() {
                *answer = shared(answer).unwrap_or(answer.take());
            }
            for parameter in operation
                .get_mut("parameters")
                .and_then(Value::as_array_mut)
                .into_iter()
                .flatten()
            {
                *parameter = shared(parameter).unwrap_or(parameter.take());
            }
        }
    }
    for member in ["responses", "parameters"] {
        components
            .as_object_mut()
            .and_then(|components| components.remove(member));
    }
    document["components"] = components;
    document
}

#[test]
fn references_lead_to_what_each_operation_has() {
    let document = super::json();
    for (member, part) in [
        ("responses", "/NoSession/description"),
        ("parameters", "/page/name"),
    ] {
        let shared = &document["components"][member];
        assert!(shared.pointer(part).is_some_and(Value::is_string), "{part}");
    }
    assert!(resolved(document) == super::without_references());
}

#[test]
fn the_text_is_the_document() {
    let text = super::text();
    assert!(serde_json::from_str::<Value>(&text).is_ok_and(|document| document == super::json()));
}
