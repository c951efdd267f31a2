//! Tries the parameters and the texts of bodies in the OpenAPI document with control characters, and the parameters of
//! queries with empty values. New ones are covered without a new test.

use gateway_http::openapi;
use gateway_identity::roles::{AdminRole, SellerRole};
use ledger_domain::BusinessId;
use reqwest::Method;
use serde_json::{Map, Value, json};

use crate::support::document::body_example;
use crate::support::{Answer, Client, Company, PARTS, TestApp};

/// The first and the last of the C0 controls, DEL, and one of the C1 controls.
const ALWAYS_REFUSED: [char; 4] = ['\u{0}', '\u{1f}', '\u{7f}', '\u{85}'];
/// Some texts of a body may contain these.
const WHITESPACE: [char; 3] = ['\n', '\r', '\t'];

/// One of them. They take turns over the places: which characters are refused is decided in one function, and what this
/// file tries is that each place asks it.
fn in_turn(characters: &[char], attempts: &Attempts) -> char {
    characters[attempts.sent as usize % characters.len()]
}

/// An operation of the document, and the client that calls it.
struct Operation<'a> {
    method: Method,
    path: &'a str,
    documented: &'a Value,
    client: &'a Client,
    /// The seller's company. The guard refuses any other before the call reads its parameters.
    company: BusinessId,
}

fn operations<'a>(
    document: &'a Value,
    seller: &'a Client,
    staff: &'a Client,
    company: &Company,
) -> Vec<Operation<'a>> {
    let paths = document["paths"].as_object().expect("paths");
    let mut found = vec![];
    for (path, item) in paths {
        for (method, documented) in item.as_object().expect("operations") {
            let is_of_staff = documented["x-hosts"] == json!(["admin"]);
            found.push(Operation {
                method: method.to_uppercase().parse().expect("a method"),
                path,
                documented,
                client: if is_of_staff { staff } else { seller },
                company: company.id,
            });
        }
    }
    found
}

/// The schema behind a reference, or behind a choice whose other option is null.
fn resolved<'a>(document: &'a Value, schema: &'a Value) -> &'a Value {
    if let Some(reference) = schema["$ref"].as_str() {
        let pointer = reference.trim_start_matches('#');
        return resolved(document, document.pointer(pointer).expect("a schema"));
    }
    let choices = schema["oneOf"].as_array().or(schema["anyOf"].as_array());
    let chosen = choices.and_then(|all| all.iter().find(|one| one["type"] != "null"));
    chosen.map_or(schema, |one| resolved(document, one))
}

fn is_text(schema: &Value) -> bool {
    let kind = &schema["type"];
    kind == "string"
        || kind
            .as_array()
            .is_some_and(|kinds| kinds.contains(&json!("string")))
}

/// The JSON pointers of the texts in a body of this schema.
fn texts_of(document: &Value, schema: &Value, at: &str, found: &mut Vec<String>) {
    let schema = resolved(document, schema);
    if is_text(schema) {
        found.push(at.to_owned());
    }
    for part in schema["allOf"].as_array().into_iter().flatten() {
        texts_of(document, part, at, found);
    }
    for (name, property) in schema["properties"].as_object().into_iter().flatten() {
        texts_of(document, property, &format!("{at}/{name}"), found);
    }
    if schema["items"].is_object() {
        texts_of(document, &schema["items"], &format!("{at}/0"), found);
    }
}

/// The example with this text at the pointer. Parts of the pointer that the example lacks are added.
fn with_text(example: &Value, pointer: &str, text: &str) -> Value {
    let mut body = if example.is_object() {
        example.clone()
    } else {
        json!({})
    };
    let mut place = &mut body;
    for segment in pointer.split('/').skip(1) {
        if segment == "0" {
            if !place.is_array() {
                *place = json!([null]);
            }
            place = &mut place[0];
        } else {
            if !place.is_object() {
                *place = Value::Object(Map::new());
            }
            place = &mut place[segment];
        }
    }
    *place = json!(text);
    body
}

/// The operation's path with a value for each parameter, which `with` makes of its name and its example.
fn filled(operation: &Operation<'_>, with: impl Fn(&str, &str) -> String) -> String {
    let mut path = format!("/api{}", operation.path);
    for parameter in parameters(operation, "path") {
        let name = parameter["name"].as_str().expect("a name");
        let example = match parameter["example"].as_str() {
            _ if name == "businessId" => operation.company.to_string(),
            example => example
                .unwrap_or("00000000-0000-4000-8000-000000000000")
                .to_owned(),
        };
        path = path.replace(&format!("{{{name}}}"), &with(name, &example));
    }
    path
}

fn parameters<'a>(operation: &Operation<'a>, place: &'a str) -> impl Iterator<Item = &'a Value> {
    let all = operation.documented["parameters"]
        .as_array()
        .into_iter()
        .flatten();
    all.filter(move |parameter| parameter["in"] == place)
}

fn encoded(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02X}")).collect()
}

async fn send(operation: &Operation<'_>, address: &str, body: Option<Value>) -> Answer {
    operation
        .client
        .send(operation.method.clone(), address, body)
        .await
}

/// The number of requests that were sent, and the unexpected answers.
struct Attempts {
    sent: u32,
    faults: Vec<String>,
}

impl Attempts {
    /// A server error is never expected.
    fn record(&mut self, what: &str, answer: &Answer, expected: impl Fn(&Answer) -> bool) {
        self.sent += 1;
        if answer.status >= 500 || !expected(answer) {
            self.faults
                .push(format!("{what}: {} {}", answer.status, answer.body));
        }
    }
}

#[tokio::test]
async fn every_text_of_the_document_is_tried_with_control_characters() {
    let parts = PARTS;
    // The test is a trusted proxy, so that the program reads its x-forwarded-for headers.
    let app = TestApp::start_with(&[("RAZAO_TRUSTED_PROXIES", "127.0.0.1")], parts).await;
    let company = app.company("Padaria").await;
    let seller = app.seller(&[(&company, SellerRole::Owner)]).await;
    let admin = app.admin(&[AdminRole::Owner]).await;
    let document = openapi::without_references();
    let (seller, admin) = (app.sign_in(&seller).await, app.sign_in(&admin).await);
    let operations = operations(&document, &seller, &admin, &company);
    let mut attempts = Attempts {
        sent: 0,
        faults: vec![],
    };
    for operation in &operations {
        // The call ends the session that makes it.
        if operation.path.ends_with("/logout") {
            continue;
        }
        try_path_and_query(operation, &mut attempts).await;
        try_body(&document, operation, &mut attempts).await;
        try_headers(operation, &mut attempts).await;
    }
    assert!(
        attempts.faults.is_empty(),
        "{} of {}:\n{}",
        attempts.faults.len(),
        attempts.sent,
        attempts.faults.join("\n")
    );
    assert!(attempts.sent > 1_000, "{} were tried", attempts.sent);
    let held = stored_control_characters(&app).await;
    assert!(held.is_empty(), "{held:?}");
}

/// An empty value of these parameters means the same as a missing one.
const FREE_TEXTS: [&str; 7] = [
    "search",
    "filename",
    "type",
    "name",
    "serial_number",
    "label",
    "person",
];

#[tokio::test]
async fn an_empty_query_value_is_a_422_except_in_free_texts() {
    let app = TestApp::start().await;
    let company = app.company("Padaria").await;
    let seller = app.seller(&[(&company, SellerRole::Owner)]).await;
    let admin = app.admin(&[AdminRole::Owner]).await;
    let document = openapi::without_references();
    let (seller, admin) = (app.sign_in(&seller).await, app.sign_in(&admin).await);
    let (mut faults, mut tried) = (vec![], 0);
    for operation in &operations(&document, &seller, &admin, &company) {
        let address = filled(operation, |_, example| example.to_owned());
        for parameter in parameters(operation, "query") {
            let name = parameter["name"].as_str().expect("a name");
            if FREE_TEXTS.contains(&name) {
                continue;
            }
            tried += 1;
            let body = (operation.method != Method::GET).then(|| json!({}));
            let answer = send(operation, &format!("{address}?{name}="), body).await;
            if answer.status != 422 || !answer.body["errors"][name].is_array() {
                faults.push(format!(
                    "{} {address}?{name}=: {} {}",
                    operation.method, answer.status, answer.body
                ));
            }
        }
    }
    assert!(
        faults.is_empty(),
        "{} of {tried}:\n{}",
        faults.len(),
        faults.join("\n")
    );
    assert!(tried > 100, "{tried}");
}

async fn try_path_and_query(operation: &Operation<'_>, attempts: &mut Attempts) {
    let plain = filled(operation, |_, example| example.to_owned());
    let refused = [&ALWAYS_REFUSED[..], &WHITESPACE].concat();
    let bad = |attempts: &Attempts| encoded(&format!("a{}b", in_turn(&refused, attempts)));
    for parameter in parameters(operation, "path") {
        let (name, bad) = (parameter["name"].as_str().expect("a name"), bad(attempts));
        let address = filled(operation, |each, example| {
            if each == name {
                bad.clone()
            } else {
                example.to_owned()
            }
        });
        let body = (operation.method != Method::GET).then(|| json!({}));
        // An address each: one address may not try many unknown codes.
        let [.., high, low] = attempts.sent.to_be_bytes();
        let client = operation.client.clone();
        let client = client.with("x-forwarded-for", &format!("198.51.{high}.{low}"));
        let answer = client.send(operation.method.clone(), &address, body).await;
        let what = format!("{} {address}", operation.method);
        attempts.record(&what, &answer, |answer| matches!(answer.status, 401 | 404));
    }
    for parameter in parameters(operation, "query") {
        let name = parameter["name"].as_str().expect("a name");
        let address = format!("{plain}?{name}={}", bad(attempts));
        let answer = send(operation, &address, None).await;
        let what = format!("{} {address}", operation.method);
        attempts.record(&what, &answer, |answer| {
            answer.status == 422 && answer.body["errors"][name].is_array()
        });
    }
}

async fn try_body(document: &Value, operation: &Operation<'_>, attempts: &mut Attempts) {
    let content = &operation.documented["requestBody"]["content"]["application/json"];
    let example = body_example(document, content).unwrap_or_default();
    let mut texts = vec![];
    texts_of(document, &content["schema"], "", &mut texts);
    let address = filled(operation, |_, example| example.to_owned());
    for pointer in texts {
        for (characters, is_refused) in [(&ALWAYS_REFUSED[..], true), (&WHITESPACE, false)] {
            let character = in_turn(characters, attempts);
            let body = with_text(&example, &pointer, &format!("a{character}b"));
            let answer = send(operation, &address, Some(body)).await;
            let what = format!("{} {address} with {pointer} {character:?}", operation.method);
            // An unknown id in the path is found before the body is read, and an unsigned notice is refused. Calls with
            // a rate limit can answer 429.
            attempts.record(&what, &answer, |answer| {
                !is_refused || matches!(answer.status, 401 | 404 | 422 | 429)
            });
        }
    }
}

/// Of the ASCII control characters, HTTP allows only the tab in headers.
async fn try_headers(operation: &Operation<'_>, attempts: &mut Attempts) {
    let address = filled(operation, |_, example| example.to_owned());
    for name in [
        "user-agent",
        "x-business-id",
        "idempotency-key",
        "x-request-id",
        "ledger-position",
        "x-forwarded-for",
        "cookie",
        "x-csrf-token",
        "accept",
    ] {
        let client = operation.client.clone().with(name, "a\tb=c\td");
        let body = (operation.method != Method::GET).then(|| json!({}));
        let answer = client.send(operation.method.clone(), &address, body).await;
        let what = format!("{} {address} with {name}", operation.method);
        attempts.record(&what, &answer, |_| true);
    }
}

/// The columns in which a row has a control character, or its JSON escape. The bodies of contact messages and of
/// their answers have paragraphs; their tables admit line feeds and no other control character (migration 0005).
async fn stored_control_characters(app: &TestApp) -> Vec<String> {
    let client = app.database.client().await;
    let columns = client
        .query(
            "SELECT format('%I.%I', table_name, column_name), format('%I', table_name), format('%I', column_name)
               FROM information_schema.columns
              WHERE table_schema = 'public' AND data_type IN ('text', 'json', 'jsonb', 'character varying', 'ARRAY')
                    AND NOT (table_name IN ('contact_message', 'contact_answer') AND column_name = 'body')",
            &[],
        )
        .await
        .expect("columns");
    assert!(columns.len() > 50, "{} columns", columns.len());
    let mut held = vec![];
    for row in columns {
        let (what, table, column): (String, String, String) = (row.get(0), row.get(1), row.get(2));
        let sql = format!(
            r"SELECT {column}::text FROM {table} WHERE {column}::text ~ '[\x01-\x1f\x7f-\x9f]'
               OR {column}::text ~ '\\(u00[01]|n|r|t|b|f)' LIMIT 1"
        );
        let found = client.query(&sql, &[]).await.expect("a column");
        held.extend(
            found
                .first()
                .map(|row| format!("{what}: {}", row.get::<_, String>(0))),
        );
    }
    held
}
