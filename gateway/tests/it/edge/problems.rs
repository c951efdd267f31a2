//! Errors of the API are problem documents (RFC 9457), whichever layer reports them.

use axum::Router;
use axum::middleware::from_fn_with_state;
use axum::routing::get;
use gateway::app::Parts;
use gateway_http::edge::machine_routes;
use gateway_http::problem::Problem;
use gateway_identity::roles::SellerRole;
use serde_json::json;
use tokio::net::TcpListener;

use crate::support::database::only_with_tables;
use crate::support::log::ThreadLog;
use crate::support::{Answer, TestApp};

fn assert_problem(answer: &Answer, status: u16) {
    assert_eq!(answer.status, status, "{}", answer.body);
    assert_eq!(answer.header("content-type"), Some("application/problem+json"));
    assert_eq!(answer.at("/status"), &json!(status));
    for member in ["/type", "/title", "/message", "/request_id"] {
        assert!(!answer.text(member).is_empty(), "{member}");
    }
}

#[tokio::test]
async fn refusals_of_the_router_and_of_bodies_are_problems_too() {
    let app = TestApp::start().await;
    let client = app.client();
    assert_problem(&client.get("/api/nada").await, 404);
    assert_problem(&client.get("/api/auth/sign-in").await, 405);
    assert_problem(
        &client
            .post_text("/api/auth/sign-in", "application/json", "{")
            .await,
        400,
    );
    assert_problem(
        &client.post_text("/api/auth/sign-in", "text/plain", "{}").await,
        415,
    );
    assert_problem(
        &client
            .post_text("/api/auth/sign-in", "application/json", &"x".repeat(70_000))
            .await,
        413,
    );
    assert_problem(
        &client.post("/api/auth/sign-in", json!({ "email": 1 })).await,
        422,
    );
    let by_position = json!(["ana@padaria.example", "uma-senha-longa"]);
    assert_problem(&client.post("/api/auth/sign-in", by_position).await, 422);
    assert_problem(&client.get("/api/sellers/me").await, 401);
}

#[tokio::test]
async fn acquirers_and_probes_get_problems_and_headers_on_an_unlisted_host() {
    let app = TestApp::start().await;
    let client = app
        .client()
        .with("host", "acquirer.example")
        .with("x-request-id", "nsu-1");
    let notices = "/api/webhooks/zoop";
    let refused = [
        (client.get(notices).await, 405),
        (
            client
                .post_text("/api/webhooks/nobody", "application/json", "{}")
                .await,
            404,
        ),
        (client.post_text(notices, "application/json", "{}").await, 401),
    ];
    for (answer, status) in &refused {
        assert_problem(answer, *status);
        assert_eq!(answer.text("/request_id"), "nsu-1");
    }
    assert!(
        refused[0]
            .0
            .header("allow")
            .is_some_and(|methods| methods.contains("POST"))
    );
    for answer in refused
        .iter()
        .map(|(answer, _)| answer)
        .chain([&client.get("/healthz").await])
    {
        assert_eq!(answer.header("x-request-id"), Some("nsu-1"));
        assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
        assert_eq!(answer.header("cache-control"), Some("no-store"));
    }
}

#[tokio::test]
async fn a_panic_while_answering_an_acquirer_or_a_probe_is_a_problem() {
    let app = TestApp::start().await;
    let router = Router::new()
        .route("/", get(async || -> &'static str { panic!("on purpose") }))
        .layer(from_fn_with_state(app.app.state.clone(), machine_routes::layer));
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("a port");
    let url = format!("http://{}/", listener.local_addr().expect("an address"));
    let server = tokio::spawn(axum::serve(listener, router).into_future());
    let answer = crate::support::fetch(url).await.expect("an answer");
    assert_eq!(answer.status(), 500);
    let id = answer.headers()["x-request-id"]
        .to_str()
        .expect("an id")
        .to_owned();
    let problem: serde_json::Value = answer.json().await.expect("a problem");
    assert_eq!(problem["request_id"], id);
    assert!(!problem.to_string().contains("on purpose"));
    server.abort();
}

#[tokio::test]
async fn all_bad_parameters_are_named_at_once() {
    let app = TestApp::start().await;
    let company = app.company("Padaria").await;
    let client = app
        .sign_in(&app.seller(&[(&company, SellerRole::Owner)]).await)
        .await;
    let bad = "page=0&perPage=101&order=up&solution=5&paymentType=cash&status=paid&start=21/11/2026&terminal=x&next=y";
    let answer = client.get(&format!("/api/transactions?{bad}")).await;
    assert_problem(&answer, 422);
    let named: Vec<&str> = answer
        .at("/errors")
        .as_object()
        .expect("errors")
        .keys()
        .map(String::as_str)
        .collect();
    assert_eq!(
        named,
        [
            "next",
            "order",
            "page",
            "paymentType",
            "perPage",
            "solution",
            "start",
            "status",
            "terminal"
        ]
    );
    let crossed = client
        .get("/api/transactions?start=2026-11-21&end=2026-11-20")
        .await;
    assert!(crossed.at("/errors/end").is_array());
    for query in [
        "page=1.5",
        "page=-1",
        "perPage=0",
        "perPage=dez",
        "start=2026-02-30",
        "end=2026-1-1",
    ] {
        assert_problem(&client.get(&format!("/api/transactions?{query}")).await, 422);
    }
    assert_problem(&client.get("/api/transactions?business_id=padaria").await, 422);
    assert_problem(&client.get("/api/balance/history?totals=2").await, 422);
}

#[tokio::test]
async fn an_internal_error_shows_only_its_id() {
    only_with_tables!();
    let app = TestApp::start().await;
    let company = app.company("Padaria").await;
    let client = app
        .sign_in(&app.seller(&[(&company, SellerRole::Owner)]).await)
        .await;
    app.execute("ALTER TABLE sale RENAME TO sale_gone").await;
    let answer = client.get("/api/transactions").await;
    assert_problem(&answer, 500);
    assert!(!answer.body.to_string().contains("sale_gone") && !answer.body.to_string().contains("relation"));
}

#[tokio::test]
async fn readiness_reports_a_stopped_read_model() {
    // A follower retries a stopped model once when it starts. No follower may start during this test.
    let app = TestApp::start_with(
        &[],
        Parts {
            projections: false,
            ..Parts::ALL
        },
    )
    .await;
    let ready = app.operations().get("/readyz").await;
    assert_eq!((ready.status, ready.at("/ready")), (200, &json!(true)));
    app.execute("UPDATE projection_checkpoint SET poison_position = 1, poison = 'a test' WHERE model = 'sales' AND shard = 3").await;
    let stopped = app.operations().get("/readyz").await;
    assert_eq!(
        (stopped.status, stopped.at("/stopped/0")),
        (503, &json!("sales of shard 3 at position 1"))
    );
    // Sales are recorded all the same.
    assert_eq!(
        (stopped.at("/reads"), stopped.at("/writes")),
        (&json!(false), &json!(true))
    );
    let metrics = app.operations().get("/metrics").await;
    assert!(
        metrics
            .body
            .as_str()
            .is_some_and(|text| text.contains("razao_projections_stopped 1"))
    );
}

#[tokio::test]
async fn a_text_that_no_column_can_store_is_a_422() {
    let app = TestApp::start().await;
    let form = json!({ "email": "ana\u{0}@padaria.example", "password": "uma-senha" });
    let answer = app.client().post("/api/auth/sign-in", form).await;
    assert_problem(&answer, 422);
    assert_eq!(
        answer.at("/errors/email"),
        &json!(["O texto tem caracteres inválidos. Digite-o de novo, sem colar."])
    );
}

#[tokio::test]
async fn a_row_that_the_database_refuses_is_not_shown_in_the_log() {
    let app = TestApp::start().await;
    let client = app.app.state.pool.get().await.expect("a connection");
    let row = "INSERT INTO admin_user (id, name, email, password_hash, roles)
               VALUES (gen_random_uuid(), 'Ana', 'ANA@padaria.example', '$argon2id$secret', '{sac}')";
    let error = client
        .execute(row, &[])
        .await
        .expect_err("an address in capitals");
    let log = ThreadLog::start();
    let _problem = Problem::from(error);
    assert_ne!(log.lines_with("admin_user_email_check"), [""; 0]);
    for secret in ["argon2id", "padaria"] {
        assert_eq!(log.lines_with(secret), [""; 0]);
    }
}
