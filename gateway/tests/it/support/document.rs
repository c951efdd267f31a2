//! Examples of bodies, as a reader of the OpenAPI document finds them.

use serde_json::Value;

/// The example that is written for the body, or else one of the examples of its schema's fields. Fields without an
/// example are left out.
pub fn body_example(document: &Value, content: &Value) -> Option<Value> {
    content
        .get("example")
        .cloned()
        .or_else(|| example_of(document, &content["schema"]))
}

fn example_of(document: &Value, schema: &Value) -> Option<Value> {
    if let Some(written) = schema.get("example") {
        return Some(written.clone());
    }
    if let Some(reference) = schema["$ref"].as_str() {
        return example_of(document, document.pointer(reference.trim_start_matches('#'))?);
    }
    let choices = schema["oneOf"].as_array().into_iter().flatten();
    if let Some(choice) = choices.into_iter().find(|one| one["type"] != "null") {
        return example_of(document, choice);
    }
    if let Some(parts) = schema["allOf"].as_array() {
        let parts = parts.iter().filter_map(|part| example_of(document, part));
        let members = parts.filter_map(|part| part.as_object().cloned());
        return Some(Value::Object(members.flatten().collect()));
    }
    if let Some(first) = schema["enum"].as_array().and_then(|words| words.first()) {
        return Some(first.clone());
    }
    if let Some(items) = schema.get("items") {
        return Some(Value::Array(vec![example_of(document, items)?]));
    }
    let properties = schema["properties"].as_object()?;
    let members = properties
        .iter()
        .filter_map(|(name, property)| Some((name.clone(), example_of(document, property)?)));
    Some(Value::Object(members.collect()))
}
