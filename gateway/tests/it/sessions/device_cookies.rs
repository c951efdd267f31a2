//! Limits of password guesses. Failures of other devices lock out neither a known device nor an open session. A
//! junk, cut or foreign cookie does not make a device known.

use gateway_identity::audience::Audience;
use gateway_identity::rate_limit::local::LocalLimitKind;
use gateway_identity::rate_limit::{LimitedCaller, PasswordAttemptSource};
use gateway_identity::roles::{AdminRole, SellerRole};
use reqwest::Method;
use serde_json::{Value, json};

use crate::support::{Answer, Client, PASSWORD, TestApp, User};

const NEW_PASSWORD: &str = "uma senha nova 2";

async fn sign_in(client: &Client, user: &User, password: &str) -> Answer {
    let form = json!({ "email": user.email, "password": password });
    client.post(user.sign_in_path(), form).await
}

/// The value of the device cookie that an answer sets.
fn device_cookie(answer: &Answer, name: &str) -> String {
    let line = answer.cookie(name).expect("the device cookie is set");
    let pair = line.split(';').next().unwrap_or_default();
    pair.split_once('=').expect("a pair").1.to_owned()
}

fn local_caller() -> LimitedCaller {
    LimitedCaller::from_address(std::net::Ipv4Addr::LOCALHOST.into())
}

impl TestApp {
    /// Uses up all failures that unknown devices have for this user: 40 in all, and at most 8 from one address.
    async fn use_up_failures(&self, audience: Audience, user: &User) {
        let (limits, account) = (&self.app.state.accounts.limits, audience.account(&user.email));
        let other_addresses =
            (1..=50).map(|n| LimitedCaller::from_address(std::net::Ipv4Addr::new(203, 0, 113, n).into()));
        for caller in other_addresses.chain([local_caller()]) {
            let account = account.as_str();
            while limits
                .try_password(PasswordAttemptSource::UnknownDevice { account, caller })
                .await
                .is_ok()
            {}
        }
    }
}

/// Whether a password is checked with this cookie, although unknown devices are locked out.
async fn is_known(app: &TestApp, user: &User, cookie: &str) -> bool {
    let answer = sign_in(&app.client().with("cookie", cookie), user, "outra-senha").await;
    assert!([422, 429].contains(&answer.status), "{}", answer.body);
    assert!(
        answer.cookie("device_token").is_none(),
        "a wrong password sets no cookie"
    );
    answer.status == 422
}

#[tokio::test]
async fn wrong_guesses_of_others_do_not_lock_out_a_known_device() {
    let app = TestApp::start().await;
    let user = app.seller(&[]).await;
    let browser = app.browser();
    assert_eq!(sign_in(&browser, &user, PASSWORD).await.status, 200);
    assert_eq!(browser.get("/api/auth/logout").await.status, 204);
    let guesser = app.client();
    let mut last = sign_in(&guesser, &user, "outra-senha").await;
    // Eight guesses are allowed.
    for _ in 0..8 {
        last = sign_in(&guesser, &user, "outra-senha").await;
    }
    assert_eq!((last.status, last.header("retry-after").is_some()), (429, true));
    assert_eq!(
        sign_in(&guesser, &user, PASSWORD).await.status,
        429,
        "the correct password is limited too"
    );
    assert_eq!(sign_in(&browser, &user, PASSWORD).await.status, 200);
    // The device's own successful sign-ins do not count against it either.
    for _ in 0..12 {
        assert_eq!(sign_in(&browser, &user, PASSWORD).await.status, 200);
    }
}

#[tokio::test]
async fn the_failures_of_a_known_device_limit_only_that_device() {
    let app = TestApp::start().await;
    let user = app.seller(&[]).await;
    let (first, second) = (app.browser(), app.browser());
    for browser in [&first, &second] {
        assert_eq!(sign_in(browser, &user, PASSWORD).await.status, 200);
    }
    for _ in 0..8 {
        assert_eq!(sign_in(&first, &user, "outra-senha").await.status, 422);
    }
    assert_eq!(sign_in(&first, &user, PASSWORD).await.status, 429);
    assert_eq!(sign_in(&second, &user, PASSWORD).await.status, 200);
    assert_eq!(
        sign_in(&app.client(), &user, PASSWORD).await.status,
        200,
        "unknown devices are not limited"
    );
}

#[tokio::test]
async fn a_known_device_can_sign_in_although_the_address_limit_is_used_up() {
    let app = TestApp::start().await;
    let (known, unknown) = (app.seller(&[]).await, app.seller(&[]).await);
    let browser = app.browser();
    assert_eq!(sign_in(&browser, &known, PASSWORD).await.status, 200);
    let limits = &app.app.state.accounts.limits;
    // A hundred sign-ins at once, before any of them is checked.
    let waiting: Vec<String> = (0..100)
        .map(|n| format!("seller/colega{n}@loja.example"))
        .collect();
    let mut tried = vec![];
    for account in &waiting {
        let caller = local_caller();
        let source = PasswordAttemptSource::UnknownDevice { account, caller };
        tried.push(limits.try_password(source).await);
    }
    assert!(tried.iter().all(Result::is_ok));
    assert_eq!(sign_in(&app.client(), &unknown, PASSWORD).await.status, 200);
    // One device at the address guesses passwords of 400 accounts, and uses up the address's public calls too.
    for n in 0..400 {
        let account = format!("seller/palpite{n}@loja.example");
        let source = PasswordAttemptSource::UnknownDevice {
            account: &account,
            caller: local_caller(),
        };
        drop(limits.try_password(source).await);
    }
    let public = &app.app.state.local_limits;
    while public.take(LocalLimitKind::Public, local_caller()).is_ok() {}
    assert_eq!(sign_in(&app.client(), &unknown, PASSWORD).await.status, 429);
    assert_eq!(sign_in(&browser, &known, PASSWORD).await.status, 200);
    let token = browser.get("/api/auth/get-csrf-token").await;
    assert_eq!(token.status, 200);
    let browser = browser.with("x-csrf-token", token.text("/csrfToken"));
    let renewed = browser.post("/api/auth/refresh-token", json!({})).await;
    assert_eq!(renewed.status, 200, "its public calls have their own limit too");
    let form = json!({ "email": known.email });
    assert_eq!(browser.post("/api/auth/forgot-password", form).await.status, 202);
}

#[tokio::test]
async fn the_cookie_is_long_lived_http_only_and_of_one_audience() {
    let app = TestApp::start().await;
    let staff = app.admin(&[AdminRole::Sac]).await;
    let seller = app.seller(&[]).await;
    for (user, name) in [(&seller, "device_token"), (&staff, "admin_device_token")] {
        let answer = sign_in(&app.client_for(user), user, PASSWORD).await;
        let line = answer.cookie(name).expect("the device cookie is set");
        // 400 days.
        for attribute in ["; Path=/;", "Max-Age=34560000", "SameSite=Lax", "HttpOnly"] {
            assert!(line.contains(attribute), "{attribute} in {line}");
        }
        assert!(!line.contains("Secure") && !line.contains("Domain"), "{line}");
        let out = app.client_for(user).bearing(answer.text("/access_token"));
        let path = if name == "device_token" {
            "/api/auth/logout"
        } else {
            "/api/auth/admin/logout"
        };
        let out = out.get(path).await;
        assert_eq!(
            (out.status, out.cookie(name)),
            (204, None),
            "it outlives the session"
        );
    }
}

#[tokio::test]
async fn a_junk_cut_or_foreign_cookie_does_not_make_a_device_known() {
    let app = TestApp::start().await;
    let (ana, bia) = (app.seller(&[]).await, app.seller(&[]).await);
    let staff = app.admin(&[AdminRole::Sac]).await;
    let of_ana = device_cookie(&sign_in(&app.client(), &ana, PASSWORD).await, "device_token");
    let of_bia = device_cookie(&sign_in(&app.client(), &bia, PASSWORD).await, "device_token");
    let of_staff = device_cookie(
        &sign_in(&app.staff_client(), &staff, PASSWORD).await,
        "admin_device_token",
    );
    for user in [&ana, &bia] {
        app.use_up_failures(Audience::Seller, user).await;
    }
    app.use_up_failures(Audience::Admin, &staff).await;
    let junk = "device_token=x; ".repeat(5);
    let cases = [
        ("none", String::new(), false),
        ("their own", format!("device_token={of_ana}"), true),
        ("their own in quotes", format!("device_token=\"{of_ana}\""), true),
        (
            "a colleague's first",
            format!("device_token={of_bia}.{of_ana}"),
            true,
        ),
        ("another user's", format!("device_token={of_bia}"), false),
        ("another audience's", format!("device_token={of_staff}"), false),
        (
            "under another name",
            format!("admin_device_token={of_ana}"),
            false,
        ),
        (
            "cut",
            format!("device_token={}", &of_ana[..of_ana.len() - 1]),
            false,
        ),
        (
            "behind five others",
            format!("{junk}device_token={of_ana}"),
            false,
        ),
        ("huge", format!("device_token={}", "A".repeat(100_000)), false),
        ("five thousand empty ones", "device_token=; ".repeat(5_000), false),
    ];
    for (case, cookie, expected) in cases {
        // The three known cases use three of the device's eight failures.
        assert_eq!(is_known(&app, &ana, &cookie).await, expected, "{case}");
    }
    let by_staff = app
        .staff_client()
        .with("cookie", &format!("admin_device_token={of_ana}"));
    assert_eq!(sign_in(&by_staff, &staff, PASSWORD).await.status, 429);
}

#[tokio::test]
async fn after_a_password_change_only_the_device_that_made_it_is_known() {
    let app = TestApp::start().await;
    let user = app.seller(&[]).await;
    let (browser, other) = (app.browser(), app.browser());
    for browser in [&browser, &other] {
        assert_eq!(sign_in(browser, &user, PASSWORD).await.status, 200);
    }
    let token = browser.get("/api/auth/get-csrf-token").await;
    let signed = browser.clone().with("x-csrf-token", token.text("/csrfToken"));
    let form = json!({ "current_password": PASSWORD, "new_password": NEW_PASSWORD });
    assert_eq!(signed.post("/api/auth/change-password", form).await.status, 204);
    app.use_up_failures(Audience::Seller, &user).await;
    assert_eq!(
        sign_in(&other, &user, NEW_PASSWORD).await.status,
        429,
        "the cookie of the other device is not valid any more"
    );
    assert_eq!(sign_in(&browser, &user, NEW_PASSWORD).await.status, 200);
}

#[tokio::test]
async fn a_device_that_set_a_password_through_an_e_mailed_link_is_known() {
    let app = TestApp::start().await;
    let user = app.seller(&[]).await;
    let form = json!({ "email": user.email });
    assert_eq!(
        app.client().post("/api/auth/forgot-password", form).await.status,
        202
    );
    let received = app.last_email_to(&user.email).await;
    let browser = app.browser();
    let form = json!({ "token": received.code(), "password": NEW_PASSWORD });
    assert_eq!(browser.post("/api/auth/reset-password", form).await.status, 204);
    app.use_up_failures(Audience::Seller, &user).await;
    assert_eq!(sign_in(&app.client(), &user, NEW_PASSWORD).await.status, 429);
    assert_eq!(sign_in(&browser, &user, NEW_PASSWORD).await.status, 200);
}

#[tokio::test]
async fn password_confirmations_are_limited_per_session() {
    let app = TestApp::start().await;
    let company = app.company("Padaria").await;
    let user = app.seller(&[(&company, SellerRole::Owner)]).await;
    let (session, other) = (app.sign_in(&user).await, app.sign_in(&user).await);
    app.use_up_failures(Audience::Seller, &user).await;
    let calls: [(Method, &str, &str, Value); 3] = [
        (
            Method::POST,
            "/api/auth/change-email",
            "password",
            json!({ "email": "nova@loja.example" }),
        ),
        (
            Method::POST,
            "/api/auth/change-password",
            "current_password",
            json!({ "new_password": NEW_PASSWORD }),
        ),
        (
            Method::POST,
            "/api/balance/transfers",
            "password",
            json!({ "amount": 10_00, "destination": 1 }),
        ),
    ];
    let with = |(method, path, field, body): &(Method, &'static str, &str, Value), password: &str| {
        let mut body = body.clone();
        body[*field] = json!(password);
        (method.clone(), *path, body)
    };
    // Eight failures in total over all of these calls.
    for n in 0..8 {
        let (method, path, body) = with(&calls[n % 3], "outra-senha");
        let refused = session.send(method, path, Some(body)).await;
        assert_eq!(refused.status, 422, "{path}: {}", refused.body);
    }
    for call in &calls {
        let (method, path, body) = with(call, PASSWORD);
        let refused = session.send(method, path, Some(body)).await;
        assert_eq!(
            (refused.status, refused.header("retry-after").is_some()),
            (429, true),
            "{path}"
        );
    }
    let (method, path, body) = with(&calls[0], PASSWORD);
    assert_eq!(
        other.send(method, path, Some(body)).await.status,
        202,
        "another session is not limited"
    );
}
