//! The operations listener: it alone serves readiness and metrics.

use std::collections::BTreeSet;

use gateway_identity::roles::{AdminRole, SellerRole};
use reqwest::Method;
use serde_json::json;

use crate::support::TestApp;

#[tokio::test]
async fn only_the_operations_listener_serves_readiness_and_metrics_and_it_serves_neither_panels_nor_api() {
    let app = TestApp::start().await;
    let public = app.client();
    for host in ["localhost", "admin.localhost", "evil.example"] {
        let public = public.clone().with("host", host);
        assert_eq!(public.get("/healthz").await.status, 200, "{host}");
        for path in ["/readyz", "/metrics"] {
            for method in [Method::GET, Method::HEAD, Method::POST] {
                let answer = public.send(method.clone(), path, None).await;
                assert_eq!(answer.status, 404, "{method} {path} of {host}");
                assert!(!answer.body.to_string().contains("razao_"), "{path}");
            }
        }
    }
    let operations = app.operations();
    for path in ["/healthz", "/readyz", "/metrics"] {
        assert_eq!(operations.get(path).await.status, 200, "{path}");
    }
    for path in ["/", "/api/sellers/me", "/api/auth/get-csrf-token", "/login"] {
        assert_eq!(operations.get(path).await.status, 404, "{path}");
    }
}

#[tokio::test]
async fn no_label_of_the_metrics_comes_from_a_user_or_a_caller() {
    let app = TestApp::start().await;
    let company = app.company("Padaria").await;
    let seller = app
        .sign_in(&app.seller(&[(&company, SellerRole::Owner)]).await)
        .await;
    app.sign_in(&app.admin(&[AdminRole::Owner]).await).await;
    let invented = Method::from_bytes(b"INVENTED-4711").expect("a method");
    app.client().send(invented, "/api/overview", None).await;
    app.client().get("/an-invented-path-4711").await;
    app.client().get("/api/an-invented-path-4711").await;
    app.client().get("/api/webhooks/invented-4711").await;
    seller.get("/api/transactions/sal_4711").await;
    seller.get("/api/transactions?terminal=4711").await;
    let form = json!({ "email": "ana-4711@padaria.example" });
    app.client().post("/api/auth/forgot-password", form).await;

    let metrics = app.operations().get("/metrics").await;
    let metrics = metrics.body.as_str().expect("metrics");
    assert!(metrics.contains("razao_http_requests_total"), "{metrics}");
    // The part of each line before its value: a measured time may contain any digits.
    let named = metrics.lines().filter_map(|line| Some(line.rsplit_once(' ')?.0));
    for name in named {
        assert!(!name.contains("4711") && !name.contains('@'), "{name}");
    }
    let labels: BTreeSet<&str> = metrics
        .lines()
        .filter_map(|line| line.split_once('{')?.1.split_once('}'))
        .flat_map(|(labels, _)| labels.split("\","))
        .filter_map(|label| Some(label.split_once('=')?.0))
        .collect();
    let known = [
        "answer",
        "effect",
        "kind",
        "lane",
        "le",
        "listener",
        "method",
        "model",
        "outcome",
        "phase",
        "provider",
        "quantile",
        "reason",
        "route",
        "shard",
        "state",
        "statement",
        "status",
        "table",
        "task",
        "version",
    ];
    let unknown: Vec<_> = labels.iter().filter(|label| !known.contains(label)).collect();
    assert!(
        unknown.is_empty(),
        "{unknown:?}: add a label to `known` only if no user or caller chooses its values"
    );
}
