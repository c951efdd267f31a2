//! The OpenAPI document, and a page without scripts to browse it.

use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::sync::OnceLock;

use axum::body::Bytes;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{Html, IntoResponse, Response};
use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::edge::headers::{new_nonce, page_policy};
use crate::openapi;
use crate::problem::{Problem, Result};

const STYLE: &str = include_str!("docs.css");

/// The document as it is sent: written and compressed once, because it has megabytes.
struct Served {
    plain: Bytes,
    gzip: Bytes,
    etag: HeaderValue,
}

impl Served {
    fn of(document: &Value) -> io::Result<Self> {
        let plain = serde_json::to_vec(document)?;
        let mut gzip = GzEncoder::new(vec![], Compression::best());
        gzip.write_all(&plain)?;
        let digest = hex::encode(&Sha256::digest(&plain)[..8]);
        Ok(Self {
            gzip: gzip.finish()?.into(),
            plain: plain.into(),
            // Weak, because both encodings have it.
            etag: HeaderValue::try_from(format!("W/\"{digest}\"")).map_err(io::Error::other)?,
        })
    }
}

pub(crate) async fn get_openapi(headers: HeaderMap) -> Result<Response> {
    static SERVED: OnceLock<io::Result<Served>> = OnceLock::new();
    let served = SERVED.get_or_init(|| Served::of(&openapi::json()));
    let served = served.as_ref().map_err(Problem::internal)?;
    let common = [
        (header::CACHE_CONTROL, HeaderValue::from_static("no-cache")),
        (header::ETAG, served.etag.clone()),
        (header::VARY, HeaderValue::from_static("accept-encoding")),
    ];
    let has = |name, wanted: &str| {
        let values = headers
            .get_all(name)
            .iter()
            .filter_map(|value| value.to_str().ok());
        values
            .flat_map(|value| value.split(','))
            .any(|value| value.trim() == wanted)
    };
    if has(header::IF_NONE_MATCH, served.etag.to_str().unwrap_or_default()) {
        return Ok((StatusCode::NOT_MODIFIED, common).into_response());
    }
    let json = [(header::CONTENT_TYPE, "application/json")];
    // With a weight (`gzip;q=0.5`), the general layer decides and compresses.
    if has(header::ACCEPT_ENCODING, "gzip") {
        let encoding = [(header::CONTENT_ENCODING, "gzip")];
        return Ok((common, json, encoding, served.gzip.clone()).into_response());
    }
    Ok((common, json, served.plain.clone()).into_response())
}

pub(crate) async fn get_docs() -> Response {
    // Computed once, because the document does not change while the program runs.
    static DOCUMENT: OnceLock<Value> = OnceLock::new();
    let nonce = new_nonce();
    let page = page(DOCUMENT.get_or_init(openapi::without_references), &nonce);
    (
        [(header::CONTENT_SECURITY_POLICY, page_policy(&nonce))],
        Html(page),
    )
        .into_response()
}

fn page(document: &Value, nonce: &str) -> String {
    let mut page = format!(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>Razão | API</title>\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"><style nonce=\"{nonce}\">{STYLE}</style></head>\
         <body><main><h1>{} <small>{}</small></h1><p>{}</p><p><a href=\"/api/openapi.json\">openapi.json</a></p><h2>Operations</h2>",
        text(&document["info"]["title"]),
        text(&document["info"]["version"]),
        text(&document["info"]["description"]),
    );
    for (path, item) in members(&document["paths"]) {
        for (method, operation) in members(item) {
            write_operation(&mut page, path, method, operation);
        }
    }
    page.push_str("<h2>Schemas</h2>");
    for (name, schema) in members(&document["components"]["schemas"]) {
        let name = escape(name);
        // Writing to a String cannot fail.
        let _ = write!(
            page,
            "<details id=\"{name}\"><summary>{name}</summary><pre>{}</pre></details>",
            pretty(schema)
        );
    }
    page.push_str("</main></body></html>");
    page
}

fn write_operation(page: &mut String, path: &str, method: &str, operation: &Value) {
    let roles: Vec<String> = operation["x-roles"]
        .as_array()
        .into_iter()
        .flatten()
        .map(text)
        .collect();
    let _ = write!(
        page,
        "<details id=\"{id}\"><summary><code class=\"{method}\">{upper}</code> <code>/api{path}</code> {summary}</summary>\
         <p>{description}</p><p class=\"access\">{audience} {roles}</p>",
        id = text(&operation["operationId"]),
        upper = method.to_uppercase(),
        path = escape(path),
        summary = text(&operation["summary"]),
        description = text(&operation["description"]),
        audience = text(&operation["x-audience"]),
        roles = roles.join(", "),
    );
    if let Some(parameters) = operation["parameters"].as_array() {
        page.push_str("<table><tr><th>Parameter</th><th>In</th><th>Schema</th><th></th></tr>");
        for parameter in parameters {
            let _ = write!(
                page,
                "<tr><td><code>{}</code></td><td>{}</td><td>{}</td><td>{}</td></tr>",
                text(&parameter["name"]),
                text(&parameter["in"]),
                shape(&parameter["schema"]),
                text(&parameter["description"]),
            );
        }
        page.push_str("</table>");
    }
    for (_, content) in members(&operation["requestBody"]["content"]) {
        let _ = write!(page, "<p>Body: {}</p>", shape(&content["schema"]));
    }
    page.push_str("<table><tr><th>Answer</th><th>Schema</th><th></th></tr>");
    for (status, answer) in members(&operation["responses"]) {
        let schema = members(&answer["content"])
            .next()
            .map(|(_, content)| shape(&content["schema"]))
            .unwrap_or_default();
        let _ = write!(
            page,
            "<tr><td>{status}</td><td>{schema}</td><td>{}</td></tr>",
            text(&answer["description"])
        );
    }
    page.push_str("</table></details>");
}

/// A link to a named schema, or to the first named alternative of `oneOf`. Otherwise the type's name, if it has one.
fn shape(schema: &Value) -> String {
    let reference = schema["$ref"].as_str().or_else(|| {
        schema["oneOf"]
            .as_array()?
            .iter()
            .find_map(|one| one["$ref"].as_str())
    });
    if let Some(name) = reference.and_then(|reference| reference.rsplit('/').next()) {
        let name = escape(name);
        return format!("<a href=\"#{name}\">{name}</a>");
    }
    match &schema["type"] {
        Value::String(kind) => escape(kind),
        Value::Array(kinds) => kinds.iter().map(text).collect::<Vec<_>>().join(" or "),
        _ => String::new(),
    }
}

fn members(value: &Value) -> impl Iterator<Item = (&String, &Value)> {
    value.as_object().into_iter().flatten()
}

fn text(value: &Value) -> String {
    escape(value.as_str().unwrap_or_default())
}

fn pretty(value: &Value) -> String {
    escape(&serde_json::to_string_pretty(value).unwrap_or_default())
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}
