//! The texts of a JSON body as the platform keeps them (`plain_text`). Every reader of a body reads the cleaned bytes,
//! so a name is checked, searched and stored in one form.
//!
//! The texts are replaced in the JSON itself. Read as a value and written again, a body would lose its repeated fields,
//! which the readers refuse.

use std::borrow::Cow;

use axum::body::Bytes;
use gateway_formats::plain_text;

/// The body with its texts cleaned. A body that is not JSON is returned as it is, and its reader reports it.
pub fn clean(body: Bytes) -> Bytes {
    // Only a character beyond ASCII can need it, and JSON can escape one.
    if body.is_ascii() && !body.windows(2).any(|pair| pair == b"\\u") {
        return body;
    }
    match std::str::from_utf8(&body).ok().and_then(cleaned) {
        Some(text) => Bytes::from(text),
        None => body,
    }
}

/// A field whose text is compared byte by byte with one that was given out or hashed.
pub fn is_exact(field: &str) -> bool {
    field.ends_with("password") || field.ends_with("token")
}

/// `None` if nothing changes.
fn cleaned(body: &str) -> Option<String> {
    let mut written = String::with_capacity(body.len());
    let mut is_changed = false;
    // The field whose value comes next, or of whose array the values come next.
    let mut field = String::new();
    let mut rest = body;
    while let Some(begin) = rest.find('"') {
        let (before, quoted) = rest.split_at(begin);
        let (literal, after) = quoted.split_at(literal_length(quoted)?);
        written.push_str(before);
        rest = after;
        let text: String = serde_json::from_str(literal).ok()?;
        let is_name = after.trim_start().starts_with(':');
        match plain_text::clean(&text) {
            Cow::Owned(clean) if !is_name && !is_exact(&field) => {
                written.push_str(&serde_json::to_string(&clean).ok()?);
                is_changed = true;
            }
            _ => written.push_str(literal),
        }
        if is_name {
            field = text;
        }
    }
    written.push_str(rest);
    is_changed.then_some(written)
}

/// The bytes of the string at the beginning of the text, with its quotes. `None` if it does not end.
fn literal_length(text: &str) -> Option<usize> {
    let mut bytes = text.bytes().enumerate().skip(1);
    while let Some((place, byte)) = bytes.next() {
        match byte {
            b'"' => return Some(place + 1),
            b'\\' => drop(bytes.next()),
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clean_text(body: &str) -> String {
        String::from_utf8(clean(Bytes::from(body.to_owned())).to_vec()).expect("UTF-8")
    }

    #[test]
    fn texts_become_nfc_whether_their_characters_are_escaped_or_not() {
        assert_eq!(
            clean_text(
                "{\"name\": \"Pa\u{303}o\", \"n\": [1.50, \"Ac\u{327}ai\\u0301\"], \"x\": \"\\u200bLoja\"}"
            ),
            r#"{"name": "Pão", "n": [1.50, "Açaí"], "x": "Loja"}"#
        );
        assert_eq!(
            clean_text("{\"a\": \"\\\\n\u{303} \\\"a\u{303}\\\"\"}"),
            "{\"a\": \"\\\\ñ \\\"ã\\\"\"}"
        );
    }

    #[test]
    fn passwords_and_tokens_keep_their_bytes() {
        let body =
            "{\"password\": \"se\u{303}nha\", \"new_password\": \"a\u{200b}\", \"token\": \"e\u{301}\"}";
        assert_eq!(clean_text(body), body);
        // The field after a password is cleaned again.
        let body = "{\"password\":\"a\u{303}\",\"names\":[\"a\u{303}\"]}";
        assert_eq!(clean_text(body), "{\"password\":\"a\u{303}\",\"names\":[\"ã\"]}");
    }

    #[test]
    fn other_bodies_stay_as_they_are() {
        for body in [
            "",
            "{\"a\": \"é",
            "{\"a\": \"\\ud800\", \"b\": \"a\u{303}\"}",
            "{\"a\": \"ç\\n\", \"a\": 1}",
        ] {
            assert_eq!(clean_text(body), body);
        }
    }
}
