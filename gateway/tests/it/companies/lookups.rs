//! The list of banks, and the addresses of postal codes: from a service, from memory, and if the service fails.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use axum::extract::Path;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect};
use axum::routing::get;
use axum::{Json, Router};
use futures::future::join_all;
use gateway_identity::roles::AdminRole;
use gateway_platform::companies::POSTAL_QUESTIONS_MAX;
use serde_json::json;
use tokio::sync::Semaphore;

use crate::support::wait::until;
use crate::support::{Client, PARTS_WITHOUT_EFFECTS, TestApp};

struct Lookups {
    _app: TestApp,
    staff: Client,
    /// The number of requests to the service.
    asked: Arc<AtomicUsize>,
    /// Permits for answers about the codes that begin with 2004003.
    slow: Arc<Semaphore>,
}

/// A service that knows 01001000 and the codes that begin with 2004003, fails in several ways for others, and answers
/// the rest as unknown.
async fn service(asked: Arc<AtomicUsize>, slow: Arc<Semaphore>) -> String {
    let answer = move |Path(code): Path<String>| {
        asked.fetch_add(1, Ordering::SeqCst);
        let slow = Arc::clone(&slow);
        async move {
            let known = json!({
                "cep": "01001-000", "logradouro": "Praça da Sé", "bairro": "Sé", "localidade": "São Paulo",
                "uf": "SP",
            });
            match code.as_str() {
                "01001000" => Json(known).into_response(),
                "20040020" | "00500000" => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
                "20040021" => Redirect::temporary("/ws/01001000/json/").into_response(),
                "20040022" => {
                    let mut long = known;
                    long["complemento"] = json!("x".repeat(17_000));
                    Json(long).into_response()
                }
                code if code.starts_with("2004003") => {
                    slow.acquire().await.expect("an open semaphore").forget();
                    Json(known).into_response()
                }
                _ => Json(json!({ "erro": "true" })).into_response(),
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
        let slow = Arc::new(Semaphore::new(0));
        let url = service(Arc::clone(&asked), Arc::clone(&slow)).await;
        let parts = PARTS_WITHOUT_EFFECTS;
        let app = TestApp::start_with(&[("RAZAO_POSTAL_CODES", &url)], parts).await;
        let staff = app.sign_in(&app.admin(&[AdminRole::Commercial]).await).await;
        Self {
            _app: app,
            staff,
            asked,
            slow,
        }
    }

    fn asked(&self) -> usize {
        self.asked.load(Ordering::SeqCst)
    }

    async fn find(&self, code: &str) -> crate::support::Answer {
        self.staff.get(&format!("/api/postalcode/{code}")).await
    }
}

#[tokio::test]
async fn a_known_code_is_asked_once() {
    let lookups = Lookups::open().await;
    let expected = json!({
        "response": { "address": "Praça da Sé", "city": "São Paulo", "district": "Sé", "state": "SP" },
        "complete": true,
    });
    for code in ["01001-000", "01001000"] {
        let found = lookups.find(code).await;
        assert_eq!((found.status, &found.body), (200, &expected));
    }
    assert_eq!(lookups.asked(), 1);
}

#[tokio::test]
async fn a_failing_service_leaves_only_the_state_and_an_unknown_code_is_a_404() {
    let lookups = Lookups::open().await;
    let found = lookups.find("20040-020").await;
    let expected = json!({
        "response": { "address": "", "city": "", "district": "", "state": "RJ" }, "complete": false,
    });
    assert_eq!((found.status, found.body), (200, expected));
    assert_eq!(
        lookups.find("00500-000").await.status,
        503,
        "the code is in no state's range"
    );
    let unknown = lookups.find("01001-999").await;
    assert_eq!((unknown.status, unknown.text("/state")), (404, "SP"));
    assert_eq!(
        unknown.text("/message"),
        "O CEP 01001-999 não é conhecido. Pelo número, ele é de SP. Confira o número ou preencha o endereço."
    );
    for invalid in ["0100", "abcdefgh"] {
        let refused = lookups.find(invalid).await;
        assert_eq!(
            (refused.status, refused.text("/message")),
            (404, "CEP inválido. Confira os 8 números.")
        );
    }
}

#[tokio::test]
async fn an_unknown_code_is_asked_once() {
    let lookups = Lookups::open().await;
    for _ in 0..3 {
        assert_eq!(lookups.find("01001-999").await.status, 404);
    }
    assert_eq!(lookups.asked(), 1);
}

#[tokio::test]
async fn a_redirect_and_a_long_answer_count_as_no_answer() {
    let lookups = Lookups::open().await;
    for (code, asked) in [("20040-021", 1), ("20040-022", 2)] {
        let found = lookups.find(code).await;
        assert_eq!(
            (found.status, found.at("/complete")),
            (200, &json!(false)),
            "{code}"
        );
        assert_eq!(lookups.asked(), asked, "the redirect is not followed");
    }
}

#[tokio::test]
async fn a_question_above_the_limit_of_open_questions_gets_the_state_at_once() {
    let lookups = Lookups::open().await;
    let codes: Vec<String> = (0..POSTAL_QUESTIONS_MAX).map(|n| format!("2004003{n}")).collect();
    let waiting = join_all(codes.iter().map(|code| lookups.find(code)));
    let above = async {
        until("the service is busy", async || {
            lookups.asked() == POSTAL_QUESTIONS_MAX
        })
        .await;
        let above = lookups.find("20040-039").await;
        assert_eq!((above.status, above.at("/complete")), (200, &json!(false)));
        lookups.slow.add_permits(POSTAL_QUESTIONS_MAX);
    };
    let (answers, ()) = tokio::join!(waiting, above);
    assert!(
        answers
            .iter()
            .all(|answer| answer.at("/complete") == &json!(true))
    );
    assert_eq!(lookups.asked(), POSTAL_QUESTIONS_MAX);
}

#[tokio::test]
async fn the_options_have_every_bank() {
    let lookups = Lookups::open().await;
    let options = lookups.staff.get("/api/options").await;
    let banks = options.at("/banks").as_array().expect("banks");
    // All banks of fixtures/banks.json.
    assert_eq!(banks.len(), 463);
    assert_eq!(banks[0], json!({ "code": "001", "name": "Banco do Brasil S.A." }));
}
