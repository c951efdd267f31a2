//! Host names, panels and what comes with every answer.

use serde_json::Value;

use crate::support::TestApp;

#[tokio::test]
async fn an_unlisted_host_is_misdirected_but_for_probes_and_notices() {
    let app = TestApp::start().await;
    let stranger = app.client().with("host", "evil.example");
    for path in ["/", "/api/sellers/me", "/api/openapi.json", "/nada", "/healthzz"] {
        let answer = stranger.get(path).await;
        assert_eq!(
            (answer.status, answer.at("/status")),
            (421, &Value::from(421)),
            "{path}"
        );
    }
    assert_eq!(stranger.get("/healthz").await.status, 200);
    // Unsigned, and that is what it is told.
    assert_eq!(
        stranger
            .post_text("/api/webhooks/zoop", "application/json", "{}")
            .await
            .status,
        401
    );
}

#[tokio::test]
async fn the_host_decides_which_panel_the_page_is() {
    let app = TestApp::start().await;
    let addr = app.addr().to_string();
    let cases = [
        (addr.as_str(), "seller"),
        ("localhost:8080", "seller"),
        ("seller.localhost", "seller"),
        ("ADMIN.localhost:8080", "admin"),
    ];
    for (host, panel) in cases {
        let page = app.client().with("host", host).get("/vendas/sal_1").await;
        let text = page.body.as_str().expect("a page");
        assert_eq!(page.status, 200);
        assert!(
            text.contains(&format!("name=\"razao-panel\" content=\"{panel}\"")),
            "{host}: {text}"
        );
        let policy = page.header("content-security-policy").expect("a policy");
        let nonce = policy
            .split("'nonce-")
            .nth(1)
            .and_then(|rest| rest.split('\'').next())
            .expect("a nonce");
        assert!(
            text.contains(&format!("name=\"csp-nonce\" content=\"{nonce}\"")),
            "the page has its policy's nonce"
        );
    }
}

#[tokio::test]
async fn patterns_name_every_host_below_a_domain() {
    let variables = [
        ("RAZAO_SELLER_HOSTS", "*.lojas.example"),
        ("RAZAO_ADMIN_HOSTS", "staff.lojas.example"),
    ];
    let parts = gateway::app::Parts {
        settlement: false,
        sandbox: false,
        ..gateway::app::Parts::ALL
    };
    let app = TestApp::start_with(&variables, parts).await;
    for (host, status) in [
        ("a.lojas.example", 200),
        ("lojas.example", 421),
        ("lojas.example.evil", 421),
        ("localhost", 421),
    ] {
        assert_eq!(
            app.client().with("host", host).get("/").await.status,
            status,
            "{host}"
        );
    }
    let staff = app.client().with("host", "staff.lojas.example").get("/").await;
    assert!(
        staff
            .body
            .as_str()
            .is_some_and(|page| page.contains("content=\"admin\""))
    );
    assert!(staff.header("strict-transport-security").is_some());
}

#[tokio::test]
async fn what_only_ends_like_a_host_of_ours_is_none() {
    let variables = [
        ("RAZAO_SELLER_HOSTS", "*.lojas.example,localhost"),
        ("RAZAO_ADMIN_HOSTS", "staff.lojas.example"),
    ];
    let parts = gateway::app::Parts {
        settlement: false,
        sandbox: false,
        ..gateway::app::Parts::ALL
    };
    let app = TestApp::start_with(&variables, parts).await;
    for host in [
        "evil.example/.lojas.example",
        "evil.example?.lojas.example",
        "evil.example#.lojas.example",
        "ana@a.lojas.example",
        "a..lojas.example",
        "localhost:@evil.example",
        "localhost:80.evil.example",
        "a.lojas.example:",
        "[::1].lojas.example",
    ] {
        let answer = app.client().with("host", host).get("/api/sellers/me").await;
        // The server itself may take it for no host at all.
        assert!(matches!(answer.status, 400 | 421), "{host}: {}", answer.status);
    }
}

#[tokio::test]
async fn hashed_files_are_kept_for_ever_and_missing_ones_are_no_pages() {
    let app = TestApp::start().await;
    let file = app.client().get("/assets/index-Ab12.js").await;
    assert_eq!(file.status, 200);
    assert!(
        file.header("cache-control")
            .is_some_and(|cache| cache.contains("immutable"))
    );
    assert_eq!(file.header("x-content-type-options"), Some("nosniff"));
    assert_eq!(app.client().get("/assets/gone-1.js").await.status, 404);
    assert_eq!(app.client().get("/..%2f..%2fCargo.toml").await.status, 404);
}

#[tokio::test]
async fn without_built_panels_the_page_says_what_to_do() {
    let parts = gateway::app::Parts {
        settlement: false,
        sandbox: false,
        ..gateway::app::Parts::ALL
    };
    let app = TestApp::start_with(&[("RAZAO_UI", "/nonexistent")], parts).await;
    let page = app.client().get("/").await;
    assert_eq!(page.status, 503);
    assert!(page.body.as_str().is_some_and(|text| text.contains("npm start")));
}

#[tokio::test]
async fn a_request_keeps_its_id_and_a_strange_one_gets_another() {
    let app = TestApp::start().await;
    let kept = app
        .client()
        .with("x-request-id", "abc-123")
        .get("/api/sellers/me")
        .await;
    assert_eq!(kept.header("x-request-id"), Some("abc-123"));
    assert_eq!(kept.text("/request_id"), "abc-123");
    let made = app
        .client()
        .with("x-request-id", "{\"a\": 1}")
        .get("/api/sellers/me")
        .await;
    assert_eq!(made.header("x-request-id"), Some(made.text("/request_id")));
    assert_ne!(made.text("/request_id"), "{\"a\": 1}");
}
