//! Security headers, size limits, client addresses behind proxies, and rate limits of addresses without a session.

use gateway_identity::roles::{AdminRole, SellerRole};
use reqwest::Method;
use serde_json::{Value, json};

use crate::support::{Answer, PARTS_WITHOUT_EFFECTS, PASSWORD, TestApp};

/// The policy of answers that are no pages.
const NOTHING_MAY_LOAD: &str = "default-src 'none'; frame-ancestors 'none'";

fn assert_security_headers(answer: &Answer, what: &str) {
    for (name, value) in [
        ("x-content-type-options", "nosniff"),
        ("x-frame-options", "DENY"),
        ("referrer-policy", "same-origin"),
        ("cross-origin-opener-policy", "same-origin"),
        (
            "permissions-policy",
            "camera=(), geolocation=(), microphone=(), payment=()",
        ),
    ] {
        assert_eq!(answer.header(name), Some(value), "{name} of {what}");
    }
}

#[tokio::test]
async fn pages_files_answers_and_errors_have_the_same_security_headers() {
    let app = TestApp::start().await;
    let admin = app.sign_in(&app.admin(&[AdminRole::Owner]).await).await;
    let on_unlisted_host = app.client().with("host", "evil.example");
    for (what, status, answer) in [
        ("a page", 200, admin.get("/vendas").await),
        ("a file", 200, admin.get("/assets/index-Ab12.js").await),
        ("a missing file", 404, admin.get("/assets/gone-1.js").await),
        ("an answer", 200, admin.get("/api/admin/me").await),
        ("an error", 401, app.staff_client().get("/api/admin/me").await),
        ("an unknown call", 404, admin.get("/api/nowhere").await),
        (
            "a wrong method",
            405,
            admin.send(Method::DELETE, "/api/admin/overview", None).await,
        ),
        ("an unlisted host", 421, on_unlisted_host.get("/").await),
    ] {
        assert_eq!(answer.status, status, "{what}");
        assert_security_headers(&answer, what);
        let policy = answer.header("content-security-policy").expect("a policy");
        if what == "a page" {
            let nonce = "style-src 'self' 'nonce-";
            assert!(
                policy.starts_with("default-src 'self'; script-src 'self';") && policy.contains(nonce),
                "{policy}"
            );
            for closed in ["base-uri 'none'", "frame-ancestors 'none'", "object-src 'none'"] {
                assert!(policy.contains(closed), "{closed} in {policy}");
            }
            assert!(!policy.contains("unsafe"), "{policy}");
        } else {
            assert_eq!(policy, NOTHING_MAY_LOAD, "{what}");
        }
        if answer.status != 200 || what == "an answer" {
            assert_eq!(answer.header("cache-control"), Some("no-store"), "{what}");
        }
    }
    let first = admin.get("/vendas").await;
    let second = admin.get("/vendas").await;
    assert_ne!(
        first.header("content-security-policy"),
        second.header("content-security-policy"),
        "each answer has a new nonce"
    );
}

#[tokio::test]
async fn outside_of_this_machine_answers_send_hsts_and_secure_cookies() {
    let variables = [
        ("RAZAO_SELLER_HOSTS", "painel.example,localhost"),
        ("RAZAO_ADMIN_HOSTS", "admin.painel.example"),
    ];
    let app = TestApp::start_with(&variables, PARTS_WITHOUT_EFFECTS).await;
    for path in ["/", "/assets/index-Ab12.js", "/api/sellers/me", "/api/nowhere"] {
        let outside = app.client().with("host", "painel.example").get(path).await;
        assert_eq!(
            outside.header("strict-transport-security"),
            Some("max-age=31536000; includeSubDomains"),
            "{path}"
        );
        let here = app.client().with("host", "localhost:8080").get(path).await;
        assert_eq!(here.header("strict-transport-security"), None, "{path}");
    }
    let csrf = "/api/auth/get-csrf-token";
    let outside = app.client().with("host", "painel.example").get(csrf).await;
    assert!(
        outside
            .cookie("csrf_token")
            .is_some_and(|line| line.contains("; Secure"))
    );
    let here = app.client().with("host", "localhost").get(csrf).await;
    assert!(
        here.cookie("csrf_token")
            .is_some_and(|line| !line.contains("Secure"))
    );
}

#[tokio::test]
async fn a_json_body_of_a_panel_above_64_kb_is_a_413() {
    let app = TestApp::start().await;
    let company = app.company("Padaria").await;
    let seller = app
        .sign_in(&app.seller(&[(&company, SellerRole::Owner)]).await)
        .await;
    let admin = app.sign_in(&app.admin(&[AdminRole::Owner]).await).await;
    let padded = |bytes: usize| json!({ "padding": "a".repeat(bytes) });
    let (fits, too_large) = (padded(60 * 1024), padded(64 * 1024));
    for (client, method, path) in [
        (&app.client(), Method::POST, "/api/auth/sign-in"),
        (&app.client(), Method::POST, "/api/auth/refresh-token"),
        (&seller, Method::PATCH, "/api/sellers/me"),
        (&seller, Method::POST, "/api/balance/transfers"),
        (&admin, Method::POST, "/api/admin/settings"),
    ] {
        let answer = client.send(method.clone(), path, Some(too_large.clone())).await;
        assert_eq!(answer.status, 413, "{path}");
        assert_eq!(answer.text("/message"), "Os dados enviados são grandes demais.");
        let answer = client.send(method, path, Some(fits.clone())).await;
        assert_ne!(answer.status, 413, "{path}");
    }
}

/// Most clients send the whole body before they read the answer.
#[tokio::test]
async fn a_client_that_sends_megabytes_too_many_reads_the_413() {
    let app = TestApp::start().await;
    let seller = app.seller(&[]).await;
    let seller = app.sign_in(&seller).await;
    let body = json!({ "name": "a".repeat(12 * 1024 * 1024) });
    for (client, path, status) in [
        (&seller, "/api/sellers/me", 413),
        (&app.client(), "/api/sellers/me", 401),
    ] {
        let answer = client.send(Method::PATCH, path, Some(body.clone())).await;
        assert_eq!(answer.status, status, "{}", answer.body);
    }
}

#[tokio::test]
async fn the_description_of_the_api_is_compressed_and_has_an_etag() {
    let app = TestApp::start().await;
    let path = "/api/openapi.json";
    let first = app.client().get(path).await;
    let etag = first.header("etag").expect("an ETag").to_owned();
    let again = app.client().with("if-none-match", &etag).get(path).await;
    assert_eq!((again.status, again.header("etag")), (304, Some(etag.as_str())));
    let compressed = app.client().with("accept-encoding", "br, gzip").get(path).await;
    assert_eq!(
        (compressed.status, compressed.header("content-encoding")),
        (200, Some("gzip"))
    );
    assert_eq!(compressed.header("vary"), Some("accept-encoding"));
}

/// Links and orders are protected by their codes alone.
#[tokio::test]
async fn a_caller_that_tries_unknown_codes_is_refused_and_its_neighbors_are_not() {
    let app = TestApp::start_with(&[("RAZAO_TRUSTED_PROXIES", "127.0.0.1")], PARTS_WITHOUT_EFFECTS).await;
    let from = |address: &str| app.client().with("x-forwarded-for", address);
    let thief = from("192.0.2.1");
    let mut answers = vec![];
    for number in 0..200 {
        let path = match number % 2 {
            0 => format!("/api/pl/{number:012}"),
            _ => format!("/api/transactions/{number:010}/status"),
        };
        answers.push(thief.get(&path).await.status);
        if answers.last() == Some(&429) {
            break;
        }
    }
    assert_eq!(answers.last(), Some(&429), "{answers:?}");
    assert!(
        answers.len() >= 60 && answers[..60].iter().all(|status| *status == 404),
        "{answers:?}"
    );
    assert_eq!(from("192.0.2.2").get("/api/pl/000000000000").await.status, 404);
}

/// The address of the newest session in the database.
async fn newest_origin(app: &TestApp) -> String {
    let client = app.app.state.pool.get().await.expect("a connection");
    let row = client
        .query_one(
            "SELECT host(address) FROM session ORDER BY created_at DESC LIMIT 1",
            &[],
        )
        .await
        .expect("a session");
    row.get(0)
}

#[tokio::test]
async fn only_a_trusted_proxy_can_forward_a_client_address() {
    for (trusted, origin) in [
        ("", "127.0.0.1"),
        ("192.0.2.0/24", "127.0.0.1"),
        ("127.0.0.1", "198.51.100.7"),
        ("127.0.0.1,198.51.100.0/24", "203.0.113.9"),
    ] {
        let app = TestApp::start_with(&[("RAZAO_TRUSTED_PROXIES", trusted)], PARTS_WITHOUT_EFFECTS).await;
        let user = app.admin(&[AdminRole::Admin]).await;
        let form = json!({ "email": user.email, "password": PASSWORD });
        let behind = app
            .staff_client()
            .with("x-forwarded-for", "192.0.2.200, 203.0.113.9, 198.51.100.7");
        let signed_in = behind.post(user.sign_in_path(), form).await;
        assert_eq!(signed_in.status, 200);
        assert_eq!(newest_origin(&app).await, origin, "trusting {trusted:?}");
        // The audit log records changes with the same address.
        let change = json!({ "name": "Bruno Lima Filho" });
        let bearer = behind.bearing(signed_in.text("/access_token"));
        let bearer = bearer.with("x-request-id", "mudar-nome");
        assert_eq!(
            bearer
                .send(Method::PATCH, "/api/admin/me", Some(change))
                .await
                .status,
            200
        );
        let client = app.app.state.pool.get().await.expect("a connection");
        let row = client
            .query_one(
                "SELECT request_id, host(address) FROM audit_log ORDER BY id DESC LIMIT 1",
                &[],
            )
            .await
            .expect("a row of the audit log");
        assert_eq!((row.get(0), row.get(1)), ("mudar-nome", origin));
    }
}

#[tokio::test]
async fn calls_without_a_session_are_limited_for_each_address() {
    let app = TestApp::start_with(&[("RAZAO_TRUSTED_PROXIES", "127.0.0.1")], PARTS_WITHOUT_EFFECTS).await;
    let from = |address: &str| app.client().with("x-forwarded-for", address);
    let (often, path) = (from("2001:db8:1:2::7"), "/api/auth/get-csrf-token");
    let mut refused = None;
    // More than the burst, because the limit refills during the test.
    for _ in 0..5_000 {
        let answer = often.get(path).await;
        if answer.status == 429 {
            refused = Some(answer);
            break;
        }
    }
    let refused = refused.expect("a limit");
    assert_eq!(refused.header("retry-after"), Some("1"));
    assert_eq!(refused.at("/status"), &Value::from(429));
    assert_security_headers(&refused, "a refusal");
    // The limit refills while the test runs, so some of these may pass, but not all.
    let mut passed = 0;
    for neighbor in ["2001:db8:1:2::8", "2001:db8:1:2:ffff::1", "2001:db8:1:2::9"] {
        passed += u32::from(from(neighbor).get(path).await.status == 200);
    }
    assert!(passed < 3, "its /64 network counts as the same caller");
    assert_eq!(from("2001:db8:1:3::7").get(path).await.status, 200);
    // Signed-in callers do not count against this limit.
    let admin = app.sign_in(&app.admin(&[AdminRole::Admin]).await).await;
    let admin = admin.with("x-forwarded-for", "2001:db8:1:2::7");
    assert_eq!(admin.get("/api/admin/me").await.status, 200);
}
