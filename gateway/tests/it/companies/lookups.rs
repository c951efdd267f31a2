//! The banks, and the addresses of postal codes: from the service, from memory, and if the service fails.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use axum::extract::Path;
use axum::http::StatusCode;
use axum::routing::get;
use axum::{Json, Router};
use gateway::app::Parts;
use gateway_identity::roles::AdminRole;
use serde_json::{Value, json};

use crate::support::{Client, TestApp};

struct Lookups {
    _app: TestApp,
    staff: Client,
    asked: Arc<AtomicUsize>,
}

/// A service that knows one code, breaks for one, and answers the others as unknown.
async fn service(asked: Arc<AtomicUsize>) -> String {
    let answer = move |Path(code): Path<String>| {
        asked.fetch_add(1, Ordering::SeqCst);
        async move {
            match code.as_str() {
                "01001000" => Ok(Json(json!({
                    "cep": "01001-000", "logradouro": "Praça da Sé", "bairro": "Sé", "localidade": "São Paulo",
                    "uf": "SP",
                }))),
                "20040020" | "00500000" => Err(StatusCode::INTERNAL_SERVER_ERROR),
                _ => Ok(Json::<Value>(json!({ "erro": "true" }))),
            }
        }
    };
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0")
        .await
        .expect("a port");
    let address = listener.local_addr().expect("an address");
    let app = Router::new().route("/ws/{code}/json/", get(answer));
    #[expect(clippy::disallowed_methods, reason = "a server of the test")]
    tokio::spawn(async move { axum::serve(listener, app).await });
    format!("http://{address}/ws")
}

impl Lookups {
    async fn open() -> Self {
        let asked = Arc::new(AtomicUsize::new(0));
        let url = service(Arc::clone(&asked)).await;
        let parts = Parts {
            settlement: false,
            effects: false,
            sandbox: false,
            ..Parts::ALL
        };
        let app = TestApp::start_with(&[("RAZAO_POSTAL_CODES", &url)], parts).await;
        let staff = app.sign_in(&app.admin(&[AdminRole::Commercial]).await).await;
        Self {
            _app: app,
            staff,
            asked,
        }
    }

    async fn find(&self, code: &str) -> crate::support::Answer {
        self.staff.get(&format!("/api/postalcode/{code}")).await
    }
}

#[tokio::test]
async fn a_code_is_asked_once_and_then_remembered() {
    let lookups = Lookups::open().await;
    let expected = json!({
        "response": { "address": "Praça da Sé", "city": "São Paulo", "district": "Sé", "state": "SP" },
        "complete": true,
    });
    for code in ["01001-000", "01001000"] {
        let found = lookups.find(code).await;
        assert_eq!((found.status, &found.body), (200, &expected));
    }
    assert_eq!(lookups.asked.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn a_broken_service_leaves_the_state_and_an_unknown_code_is_a_404() {
    let lookups = Lookups::open().await;
    let found = lookups.find("20040-020").await;
    let expected = json!({
        "response": { "address": "", "city": "", "district": "", "state": "RJ" }, "complete": false,
    });
    assert_eq!((found.status, found.body), (200, expected));
    assert_eq!(
        lookups.find("00500-000").await.status,
        503,
        "its range has no state"
    );
    for unknown in ["01001-999", "0100", "abcdefgh"] {
        assert_eq!(lookups.find(unknown).await.status, 404, "{unknown}");
    }
}

#[tokio::test]
async fn the_options_have_every_bank() {
    let lookups = Lookups::open().await;
    let options = lookups.staff.get("/api/options").await;
    let banks = options.at("/banks").as_array().expect("banks");
    assert_eq!(banks.len(), 463);
    assert_eq!(banks[0], json!({ "code": "001", "name": "Banco do Brasil S.A." }));
}
