//! Builds an example for each body of the document that has none, from the examples of its schema's fields.

use serde_json::{Map, Value, json};

/// Adds an example to every body and a description to every answer that has none.
pub fn complete(document: &mut Value) {
    let schemas = document["components"]["schemas"].clone();
    let Some(paths) = document["paths"].as_object_mut() else {
        return;
    };
    for operation in paths
        .values_mut()
        .filter_map(Value::as_object_mut)
        .flat_map(Map::values_mut)
    {
        let summary = operation["summary"].clone();
        if let Some(contents) = operation
            .pointer_mut("/requestBody/content")
            .and_then(Value::as_object_mut)
        {
            contents
                .values_mut()
                .for_each(|content| give_example(content, &schemas, None));
        }
        let Some(answers) = operation["responses"].as_object_mut() else {
            continue;
        };
        for (status, answer) in answers {
            if answer["description"].as_str().is_none_or(str::is_empty) {
                answer["description"] = summary.clone();
            }
            if let Some(contents) = answer.get_mut("content").and_then(Value::as_object_mut) {
                contents
                    .values_mut()
                    .for_each(|content| give_example(content, &schemas, Some(status)));
            }
        }
    }
}

fn give_example(content: &mut Value, schemas: &Value, status: Option<&str>) {
    if !content["example"].is_null() {
        return;
    }
    let mut example = example_of(&content["schema"], schemas);
    let status = status
        .and_then(|text| text.parse::<u16>().ok())
        .filter(|status| *status >= 400);
    if let (Some(status), Some(problem)) = (status, example.as_object_mut()) {
        set_status(problem, status);
    }
    content["example"] = example;
}

/// Sets the status of a problem's example. Only a 422 has `errors`.
fn set_status(problem: &mut Map<String, Value>, status: u16) {
    let title = axum::http::StatusCode::from_u16(status)
        .ok()
        .and_then(|status| status.canonical_reason());
    problem.insert("status".to_owned(), json!(status));
    problem.insert("title".to_owned(), json!(title));
    if status != 422 {
        problem.remove("errors");
        problem.insert("message".to_owned(), json!("A requisição não pôde ser atendida."));
    }
}

fn example_of(schema: &Value, schemas: &Value) -> Value {
    if !schema["example"].is_null() {
        return schema["example"].clone();
    }
    if let Some(name) = schema["$ref"]
        .as_str()
        .and_then(|reference| reference.rsplit('/').next())
    {
        return example_of(&schemas[name], schemas);
    }
    if let Some(choice) = schema["oneOf"]
        .as_array()
        .and_then(|choices| choices.iter().find(|one| one["type"] != "null"))
    {
        return example_of(choice, schemas);
    }
    if let Some(parts) = schema["allOf"].as_array() {
        let members = parts
            .iter()
            .filter_map(|part| example_of(part, schemas).as_object().cloned())
            .flatten();
        return Value::Object(members.collect());
    }
    if let Some(first) = schema["enum"].as_array().and_then(|values| values.first()) {
        return first.clone();
    }
    match kind(schema) {
        "object" => {
            let properties = schema["properties"].as_object().into_iter().flatten();
            Value::Object(
                properties
                    .map(|(name, property)| (name.clone(), example_of(property, schemas)))
                    .collect(),
            )
        }
        "array" => json!([example_of(&schema["items"], schemas)]),
        "integer" | "number" => schema.get("minimum").cloned().unwrap_or(json!(0)),
        "boolean" => json!(true),
        _ => match schema["format"].as_str() {
            Some("date-time") => json!("2026-11-21T14:03:11Z"),
            Some("date") => json!("2026-11-21"),
            Some("uuid") => json!("0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b01"),
            _ => json!("texto"),
        },
    }
}

/// The type; for a nullable schema, the type other than null.
fn kind(schema: &Value) -> &str {
    let kinds = schema["type"]
        .as_array()
        .map_or(std::slice::from_ref(&schema["type"]), Vec::as_slice);
    kinds
        .iter()
        .filter_map(Value::as_str)
        .find(|kind| *kind != "null")
        .unwrap_or_default()
}
