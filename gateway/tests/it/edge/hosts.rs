//! Host names, the panels with their files, and request ids.

use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::support::{PARTS, TestApp};

#[tokio::test]
async fn an_unlisted_host_is_a_421_except_for_probes_and_notices() {
    let app = TestApp::start().await;
    let on_unlisted_host = app.client().with("host", "evil.example");
    for path in ["/", "/api/sellers/me", "/api/openapi.json", "/nada", "/healthzz"] {
        let answer = on_unlisted_host.get(path).await;
        assert_eq!(
            (answer.status, answer.at("/status")),
            (421, &Value::from(421)),
            "{path}"
        );
    }
    assert_eq!(on_unlisted_host.get("/healthz").await.status, 200);
    // The notice is unsigned, so the answer is about the signature.
    assert_eq!(
        on_unlisted_host
            .post_text("/api/webhooks/zoop", "application/json", "{}")
            .await
            .status,
        401
    );
}

#[tokio::test]
async fn the_host_selects_the_panel() {
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
            "the page has the nonce of its policy"
        );
    }
}

#[tokio::test]
async fn a_pattern_matches_hosts_below_a_domain() {
    let variables = [
        ("RAZAO_SELLER_HOSTS", "*.lojas.example"),
        ("RAZAO_ADMIN_HOSTS", "staff.lojas.example"),
    ];
    let parts = PARTS;
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
async fn a_malformed_host_that_begins_or_ends_like_a_listed_one_is_refused() {
    let variables = [
        ("RAZAO_SELLER_HOSTS", "*.lojas.example,localhost"),
        ("RAZAO_ADMIN_HOSTS", "staff.lojas.example"),
    ];
    let parts = PARTS;
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
        // The HTTP server itself may reject it as an invalid host.
        assert!(matches!(answer.status, 400 | 421), "{host}: {}", answer.status);
    }
}

#[tokio::test]
async fn files_under_assets_are_immutable_and_missing_files_are_a_404() {
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
async fn a_file_that_the_build_compressed_is_sent_compressed_if_the_client_accepts_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let assets = folder.path().join("assets");
    std::fs::create_dir(&assets).expect("a folder");
    std::fs::write(assets.join("index-Cd34.js"), "plain").expect("a file");
    std::fs::write(assets.join("index-Cd34.js.gz"), "compressed").expect("a file");
    let parts = PARTS;
    let ui = folder.path().to_str().expect("a path in UTF-8");
    let app = TestApp::start_with(&[("RAZAO_UI", ui)], parts).await;
    for (accepted, encoding, content) in [("gzip", Some("gzip"), "compressed"), ("identity", None, "plain")] {
        let client = app.client().with("accept-encoding", accepted);
        let (status, headers, body) = client.download("/assets/index-Cd34.js").await;
        let sent = headers
            .get("content-encoding")
            .and_then(|value| value.to_str().ok());
        assert_eq!((status, sent), (200, encoding));
        assert_eq!(body, content.as_bytes());
        let kind = headers.get("content-type").and_then(|value| value.to_str().ok());
        assert!(kind.is_some_and(|kind| kind.contains("javascript")), "{kind:?}");
        let varies = headers.get("vary").and_then(|value| value.to_str().ok());
        assert!(
            varies.is_some_and(|varies| varies.contains("accept-encoding")),
            "{varies:?}"
        );
    }
}

#[tokio::test]
async fn without_built_panels_the_page_says_how_to_build_them() {
    let parts = PARTS;
    let app = TestApp::start_with(&[("RAZAO_UI", "/nonexistent")], parts).await;
    let page = app.client().get("/").await;
    assert_eq!(page.status, 503);
    assert!(page.body.as_str().is_some_and(|text| text.contains("npm start")));
}

#[tokio::test]
async fn a_valid_request_id_is_kept_and_an_invalid_one_is_replaced() {
    let app = TestApp::start().await;
    let kept = app
        .client()
        .with("x-request-id", "abc-123")
        .get("/api/sellers/me")
        .await;
    assert_eq!(kept.header("x-request-id"), Some("abc-123"));
    assert_eq!(kept.text("/request_id"), "abc-123");
    // The panels take today from it. The tests' clock starts at noon in Brasília.
    let time = kept.header("business-time");
    assert!(
        time.is_some_and(|time| time.starts_with("2026-11-21T15:00:")),
        "{time:?}"
    );
    let made = app
        .client()
        .with("x-request-id", "{\"a\": 1}")
        .get("/api/sellers/me")
        .await;
    assert_eq!(made.header("x-request-id"), Some(made.text("/request_id")));
    assert_ne!(made.text("/request_id"), "{\"a\": 1}");
}

/// The status of the answer to a request that is sent byte for byte.
async fn status_of(app: &TestApp, request: &str) -> String {
    let mut stream = TcpStream::connect(app.addr()).await.expect("a connection");
    stream.write_all(request.as_bytes()).await.expect("a request");
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await.expect("an answer");
    let answer = String::from_utf8_lossy(&answer);
    answer.split(' ').nth(1).unwrap_or("none").to_owned()
}

#[tokio::test]
async fn a_request_names_exactly_one_host() {
    let app = TestApp::start().await;
    let close = "connection: close\r\n\r\n";
    for path in ["/api/auth/get-csrf-token", "/healthz", "/", "/api/webhooks/zoop"] {
        for head in [
            format!("GET {path} HTTP/1.1\r\nhost: localhost\r\nhost: localhost\r\n"),
            format!("GET {path} HTTP/1.1\r\nhost: localhost\r\nHOST: evil.example\r\n"),
            format!("GET {path} HTTP/1.1\r\n"),
            format!("GET http://localhost{path} HTTP/1.1\r\n"),
            format!("GET http://evil.example{path} HTTP/1.1\r\nhost: localhost\r\n"),
            format!("GET http://localhost{path} HTTP/1.1\r\nhost: evil.example\r\n"),
            format!("GET http://localhost:81{path} HTTP/1.1\r\nhost: localhost:80\r\n"),
        ] {
            assert_eq!(status_of(&app, &format!("{head}{close}")).await, "400", "{head}");
        }
    }
    let csrf = "/api/auth/get-csrf-token";
    for (head, status) in [
        (format!("GET {csrf} HTTP/1.1\r\nhost: localhost\r\n"), "200"),
        (format!("GET {csrf} HTTP/1.1\r\nhost: LOCALHOST:8080\r\n"), "200"),
        (
            format!("GET http://localhost{csrf} HTTP/1.1\r\nhost: localhost\r\n"),
            "200",
        ),
        (
            format!("GET http://evil.example{csrf} HTTP/1.1\r\nhost: evil.example\r\n"),
            "421",
        ),
        // Before HTTP/1.1 the Host header was optional: a probe may name no host. A panel request must
        // name one, in the header or in its target.
        (format!("GET {csrf} HTTP/1.0\r\n"), "421"),
        (format!("GET http://localhost{csrf} HTTP/1.0\r\n"), "200"),
        (format!("GET {csrf} HTTP/1.0\r\nhost: localhost\r\n"), "200"),
        ("GET /healthz HTTP/1.0\r\n".to_owned(), "200"),
        (format!("GET {csrf} HTTP/1.1\r\nhost: \r\n"), "421"),
        (format!("GET {csrf} HTTP/1.1\r\nhost: localhost:0\r\n"), "400"),
        (format!("GET {csrf} HTTP/1.1\r\nhost: localhost:65536\r\n"), "400"),
        (format!("GET {csrf} HTTP/1.1\r\nhost: localhost:+80\r\n"), "400"),
        (
            format!("GET {csrf} HTTP/1.1\r\nhost: localhost:8080:80\r\n"),
            "400",
        ),
        (
            format!("GET {csrf} HTTP/1.1\r\nhost: localhost, evil.example\r\n"),
            "400",
        ),
        (format!("GET {csrf} HTTP/1.1\r\nhost: ana@localhost\r\n"), "400"),
        (
            "CONNECT localhost:80 HTTP/1.1\r\nhost: localhost:80\r\n".to_owned(),
            "405",
        ),
    ] {
        assert_eq!(status_of(&app, &format!("{head}{close}")).await, status, "{head}");
    }
}
