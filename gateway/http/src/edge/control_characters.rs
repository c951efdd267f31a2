//! Rejects control characters in the path, the query and the JSON body. PostgreSQL does not accept U+0000, and the
//! other characters break lines of logs, e-mails and spreadsheets.
//!
//! Bodies may contain tabs and line ends, because users type them into long texts.

use std::collections::BTreeMap;

use axum::extract::{RawPathParams, Request};
use axum::middleware::Next;
use axum::response::Response;
use serde_json::Value;

use crate::problem::{Problem, Result};

pub use gateway_platform::form_errors::CONTROL_CHARACTERS as MESSAGE;

pub fn is_in(text: &str) -> bool {
    text.chars().any(char::is_control)
}

/// A layer: no id contains a control character, so the request is a 404 like an unknown id.
pub async fn refuse_in_path(path: RawPathParams, request: Request, next: Next) -> Result<Response> {
    if path.iter().any(|(_, value)| is_in(value)) {
        return Err(Problem::not_found());
    }
    Ok(next.run(request).await)
}

/// Reports each field of a JSON body that contains a control character.
pub fn refuse_in_body(body: &[u8]) -> Result<()> {
    if !may_be_in(body) {
        return Ok(());
    }
    // If the body is not JSON, the JSON reader reports it.
    let Ok(value) = serde_json::from_slice::<Value>(body) else {
        return Ok(());
    };
    let mut errors = BTreeMap::new();
    walk(&value, "", &mut errors);
    if errors.is_empty() {
        Ok(())
    } else {
        Err(Problem::fields(errors))
    }
}

/// Checks cheaply whether the body must be parsed. JSON escapes the lower control characters. The escapes of tabs and
/// line ends count too, because names must not have them. The upper control characters are U+007F to U+009F. In UTF-8
/// all but the first begin with 0xC2.
fn may_be_in(body: &[u8]) -> bool {
    body.iter().any(|byte| *byte == 0x7f || *byte == 0xc2)
        || body
            .windows(2)
            .any(|pair| matches!(pair, [b'\\', b'u' | b'b' | b'f' | b'n' | b'r' | b't']))
}

fn walk(value: &Value, path: &str, errors: &mut BTreeMap<String, Vec<String>>) {
    match value {
        Value::String(text) if is_in_value(text) => add_error(path, errors),
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                walk(item, &format!("{path}[{index}]"), errors);
            }
        }
        Value::Object(fields) => {
            for (name, field) in fields {
                if is_in(name) {
                    // Reports the parent, because the name itself cannot be shown.
                    add_error(path, errors);
                    continue;
                }
                let dot = if path.is_empty() { "" } else { "." };
                walk(field, &format!("{path}{dot}{name}"), errors);
            }
        }
        Value::String(_) | Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

fn add_error(path: &str, errors: &mut BTreeMap<String, Vec<String>>) {
    let path = if path.is_empty() { "body" } else { path };
    errors.insert(path.to_owned(), vec![MESSAGE.to_owned()]);
}

fn is_in_value(text: &str) -> bool {
    text.chars()
        .any(|character| character.is_control() && !matches!(character, '\t' | '\n' | '\r'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields_with_errors(body: &str) -> Vec<String> {
        match refuse_in_body(body.as_bytes()) {
            Ok(()) => vec![],
            Err(problem) => problem.errors.into_keys().collect(),
        }
    }

    #[test]
    fn each_field_of_a_body_is_named() {
        let body = r#"{"a": "x\u0000", "b": [{"c": "\u001f"}, "ok"], "d": "\b", "e\u0001": 1, "f": "ç \u00e9 \n\t"}"#;
        assert_eq!(fields_with_errors(body), ["a", "b[0].c", "body", "d"]);
        for escape in ["n", "r", "t"] {
            let body = format!(r#"{{"a\{escape}b": 1}}"#);
            assert_eq!(fields_with_errors(&body), ["body"], "{body}");
        }
        assert_eq!(fields_with_errors("\"\u{7f}\""), ["body"]);
        assert_eq!(fields_with_errors("[\"\u{85}\"]"), ["[0]"]);
    }

    #[test]
    fn line_ends_and_invalid_json_pass() {
        for body in [
            r#"{"reason": "duas\nlinhas\r\ne\tum tab"}"#,
            r#"{"a": "\u00"#,
            "",
            "é",
        ] {
            assert!(fields_with_errors(body).is_empty(), "{body}");
        }
        assert!(is_in("a\tb") && !is_in("ação"));
    }
}
