//! Idempotency keys: a repeated request that creates something creates nothing twice and gets the same answer.

use std::net::SocketAddr;

use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::post;
use axum::{Extension, Router};
use futures::future::join_all;
use gateway_http::AppState;
use gateway_http::edge::CurrentAdmin;
use gateway_http::edge::idempotency_store::IdempotencyRecord;
use gateway_http::problem::{Problem, Result};
use gateway_identity::sessions::SignedInAdmin;
use ledger_domain::ids::UserId;
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use uuid::Uuid;

use crate::support::{Answer, Client, TestApp};

#[derive(Deserialize)]
struct Note {
    text: Option<String>,
}

/// A sample handler that creates something: a note with a number.
async fn write_note(State(state): State<AppState>, request: Request) -> Result<Response> {
    let (bytes, idempotency) = IdempotencyRecord::read(request, &state).await?;
    let note: Note = serde_json::from_slice(&bytes).expect("a note");
    let text = note
        .text
        .ok_or_else(|| Problem::field("text", "Texto é requerido."))?;
    let tx = state.begin().await?;
    if let Some(answer) = idempotency.replayed_answer(&tx).await? {
        return Ok(answer);
    }
    let row = tx
        .query_one("INSERT INTO note (text) VALUES ($1) RETURNING id", &[&text])
        .await?;
    let note = json!({ "id": row.get::<_, i32>(0), "text": text });
    let answer = idempotency.store_answer(&tx, StatusCode::CREATED, &note).await?;
    tx.commit().await?;
    Ok(answer)
}

struct NotesFixture {
    app: TestApp,
}

impl NotesFixture {
    async fn open() -> Self {
        let app = TestApp::start().await;
        app.execute(
            "CREATE TABLE note (id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY, text text NOT NULL)",
        )
        .await;
        Self { app }
    }

    /// A client of the sample handlers, signed in as a new admin user.
    async fn user(&self) -> Client {
        let who = SignedInAdmin {
            provisional_password: None,
            id: UserId::from_uuid(Uuid::now_v7()),
            session_id: Uuid::now_v7(),
            roles: vec![],
            time_zone: None,
        };
        let router = Router::new()
            .route("/notes", post(write_note))
            .route("/other-notes", post(write_note))
            .layer(Extension(CurrentAdmin(who)))
            .with_state(self.app.app.state.clone());
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("a port");
        let addr: SocketAddr = listener.local_addr().expect("an address");
        tokio::spawn(axum::serve(listener, router).into_future());
        Client::new(addr)
    }

    async fn notes(&self) -> i64 {
        let client = self.app.app.state.pool.get().await.expect("a connection");
        let row = client
            .query_one("SELECT count(*) FROM note", &[])
            .await
            .expect("a count");
        row.get(0)
    }
}

async fn write(client: &Client, key: &str, text: &str) -> Answer {
    let client = client.clone().with("idempotency-key", key);
    client.post("/notes", json!({ "text": text })).await
}

fn replayed(answer: &Answer) -> bool {
    answer.header("idempotent-replayed") == Some("true")
}

#[tokio::test]
async fn a_repeat_gets_the_same_answer_and_creates_nothing() {
    let fixture = NotesFixture::open().await;
    let user = fixture.user().await;
    let first = write(&user, "k1", "Comprar pão").await;
    let again = write(&user, "k1", "Comprar pão").await;
    assert_eq!((first.status, replayed(&first)), (201, false));
    assert_eq!((again.status, replayed(&again)), (201, true));
    assert_eq!(first.body, again.body);
    assert_eq!(fixture.notes().await, 1);
    let other = write(&user, "k2", "Comprar pão").await;
    assert_ne!(other.body["id"], first.body["id"]);
}

#[tokio::test]
async fn another_body_under_the_same_key_is_a_conflict() {
    let fixture = NotesFixture::open().await;
    let user = fixture.user().await;
    write(&user, "k1", "Comprar pão").await;
    let other = write(&user, "k1", "Comprar leite").await;
    assert_eq!(other.status, 409);
    assert_eq!(
        other.text("/message"),
        "Esta solicitação já foi enviada com outros dados. Recarregue a página e confira antes de repetir."
    );
    assert_eq!(fixture.notes().await, 1);
}

#[tokio::test]
async fn a_key_belongs_to_its_caller_and_its_endpoint() {
    let fixture = NotesFixture::open().await;
    let (ana, bruno) = (fixture.user().await, fixture.user().await);
    write(&ana, "k1", "Comprar pão").await;
    assert_eq!(write(&bruno, "k1", "Comprar leite").await.status, 201);
    let same_key = ana.with("idempotency-key", "k1");
    let other_endpoint = same_key
        .post("/other-notes", json!({ "text": "Caro Bruno" }))
        .await;
    assert_eq!(other_endpoint.status, 201);
    assert_eq!(fixture.notes().await, 3);
}

#[tokio::test]
async fn without_a_key_and_after_a_refusal_nothing_is_stored() {
    let fixture = NotesFixture::open().await;
    let user = fixture.user().await;
    let keyed = user.clone().with("idempotency-key", "k1");
    assert_eq!(keyed.post("/notes", json!({})).await.status, 422);
    assert_eq!(write(&user, "k1", "Comprar pão").await.status, 201);
    for _ in 0..2 {
        let answer = user.post("/notes", json!({ "text": "Comprar pão" })).await;
        assert_eq!((answer.status, replayed(&answer)), (201, false));
    }
    assert_eq!(fixture.notes().await, 3);
}

#[tokio::test]
async fn concurrent_requests_under_one_key_act_once_and_get_the_same_answer() {
    let fixture = NotesFixture::open().await;
    let user = fixture.user().await;
    let answers = join_all((0..8).map(|_| write(&user, "k1", "Comprar pão"))).await;
    assert_eq!(fixture.notes().await, 1);
    assert_eq!(answers.iter().filter(|answer| !replayed(answer)).count(), 1);
    for answer in &answers {
        assert_eq!((answer.status, &answer.body), (201, &answers[0].body));
    }
}

#[tokio::test]
async fn request_bodies_are_not_stored_and_answers_of_a_week_ago_are_deleted() {
    let fixture = NotesFixture::open().await;
    let user = fixture.user().await;
    write(&user, "k1", "senha-secreta").await;
    fixture
        .app
        .execute("UPDATE idempotency_record SET created_at = now() - interval '8 days', answer = '{}'")
        .await;
    write(&user, "k2", "Comprar leite").await;
    let client = fixture.app.app.state.pool.get().await.expect("a connection");
    let rows = client
        .query("SELECT answer::text, body_hash = sha256(convert_to('{\"text\":\"Comprar leite\"}', 'UTF8')) FROM idempotency_record", &[])
        .await
        .expect("rows");
    assert_eq!(rows.len(), 1, "the next answer deleted the old one");
    let answer: Value = serde_json::from_str(rows[0].get(0)).expect("an answer");
    assert_eq!(answer["text"], "Comprar leite");
    assert!(
        !rows[0].get::<_, bool>(1),
        "a plain digest would allow guesses of the body"
    );
}
