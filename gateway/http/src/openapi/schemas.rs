//! Rules for all operations: the ids of well-known fields have a pattern, a body is not null, and an optional field of
//! a body may be null, except a boolean.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::{members_mut, values_mut};
use crate::edge::query::id_pattern;

pub fn complete(document: &mut Value) {
    let mut bodies = BTreeSet::new();
    let operations = members_mut(document, "paths").flat_map(|(_, item)| values_mut(item));
    for operation in operations {
        if let Some(body) = operation.get_mut("requestBody") {
            let contents = members_mut(body, "content");
            bodies.extend(contents.filter_map(|(_, content)| not_null(&mut content["schema"])));
        }
    }
    let schemas = document["components"]["schemas"].as_object_mut();
    for (name, schema) in schemas.into_iter().flatten() {
        let required = schema.get("required").cloned().unwrap_or_default();
        for (field, property) in members_mut(schema, "properties") {
            give_pattern(field, property);
            let is_required = required
                .as_array()
                .is_some_and(|fields| fields.contains(&json!(field)));
            // A `bool` with a default refuses null.
            if bodies.contains(name)
                && !is_required
                && property.get("type").is_none_or(|kind| kind != "boolean")
            {
                allow_null(property);
            }
        }
    }
}

/// A body may be absent, but it is never null. Returns the name of its schema.
fn not_null(schema: &mut Value) -> Option<String> {
    let choices = schema.get("oneOf").and_then(Value::as_array).cloned();
    let mut choices = choices.unwrap_or_default();
    choices.retain(|one| one["type"] != "null");
    if let [one] = &choices[..] {
        *schema = one.clone();
    }
    let name = schema.get("$ref")?.as_str()?.rsplit('/').next()?;
    Some(name.to_owned())
}

/// Serde reads a null as an absent field.
fn allow_null(property: &mut Value) {
    if let Some(values) = property.get_mut("enum").and_then(Value::as_array_mut) {
        values.push(Value::Null);
    }
    let kind = property.get("type").and_then(Value::as_str).map(str::to_owned);
    if let Some(kind) = kind {
        property["type"] = json!([kind, "null"]);
    } else if property.get("$ref").is_some() {
        *property = json!({ "oneOf": [{ "type": "null" }, property] });
    } else if let Some(choices) = property.get_mut("oneOf").and_then(Value::as_array_mut)
        && choices.iter().all(|one| one["type"] != "null")
    {
        choices.insert(0, json!({ "type": "null" }));
    }
}

/// Gives the ids of these fields their pattern: the prefix and a UUID.
fn give_pattern(name: &str, schema: &mut Value) {
    let prefix = match name {
        "business_id" | "businessId" => "biz",
        "sale_id" => "sal",
        "transfer_id" => "trf",
        "terminal_id" | "terminal" => "ter",
        _ => return,
    };
    let kind = schema.get("type").cloned().unwrap_or_default();
    let is_text = kind == "string"
        || kind
            .as_array()
            .is_some_and(|kinds| kinds.contains(&json!("string")));
    if is_text && schema.get("pattern").is_none() {
        schema["pattern"] = json!(id_pattern(prefix));
    }
}
