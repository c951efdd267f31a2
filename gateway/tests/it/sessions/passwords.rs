//! Forgotten passwords, which are set by an e-mailed link. No answer reveals which addresses are registered.

use gateway::app::Parts;
use gateway_identity::roles::AdminRole;
use serde_json::json;

use super::one_seller;
use crate::support::{
    Answer, Client, PARTS, PARTS_WITHOUT_EFFECTS, PASSWORD, SELLER_URL, STAFF_URL, TestApp, User,
};

/// It ends with a space, because passwords are never trimmed.
pub(super) const NEW_PASSWORD: &str = "uma senha nova ";
pub(super) const INVALID_LINK: &str = "Este link não é mais válido. Peça outro.";

pub(super) async fn forgot(client: &Client, email: &str) -> Answer {
    client
        .post("/api/auth/forgot-password", json!({ "email": email }))
        .await
}

pub(super) async fn reset(client: &Client, token: &str, password: &str) -> Answer {
    let form = json!({ "token": token, "password": password });
    client.post("/api/auth/reset-password", form).await
}

/// Requests a link, and returns the code in the link of the e-mail.
pub(super) async fn requested_code(app: &TestApp, user: &User) -> String {
    assert_eq!(forgot(&app.client(), &user.email).await.status, 202);
    let received = app.last_email_to(&user.email).await;
    received.code().to_owned()
}

/// Checks that the answer is a 422 with this message for the field.
pub(super) fn assert_refused(answer: &Answer, field: &str, message: &str) {
    assert_eq!(
        (answer.status, answer.at(&format!("/errors/{field}"))),
        (422, &json!([message])),
        "{}",
        answer.body
    );
}

#[tokio::test]
async fn a_forgotten_password_is_replaced_through_the_e_mailed_link() {
    let (app, user) = one_seller().await;
    let before = app.sign_in(&user).await;
    let typed = format!("  {} ", user.email.to_uppercase());
    let response = forgot(&app.client(), &typed).await;
    assert_eq!(
        (response.status, response.text("/message")),
        (
            202,
            "Se este e-mail estiver cadastrado, você receberá um link para criar uma nova senha."
        )
    );
    let received = app.last_email_to(&user.email).await;
    let page = format!("{SELLER_URL}/resetar-senha?token=");
    assert!(received.link().starts_with(&page), "{}", received.text);
    assert_eq!(
        reset(&app.client(), received.code(), NEW_PASSWORD).await.status,
        204
    );

    assert_eq!(app.try_sign_in(&user, PASSWORD).await.status, 422);
    assert_eq!(
        app.try_sign_in(&user, NEW_PASSWORD.trim()).await.status,
        422,
        "a password is never trimmed"
    );
    let signed_in = app.try_sign_in(&user, NEW_PASSWORD).await;
    assert_eq!(signed_in.status, 200);
    assert_eq!(signed_in.at("/seller/email_verified"), &json!(true));
    assert_eq!(
        before.get("/api/sellers/me").await.status,
        401,
        "all sessions are ended"
    );
    let notice = app.last_email_to(&user.email).await;
    assert!(
        notice
            .text
            .contains("A senha do seu usuário na plataforma Razão foi alterada."),
        "{}",
        notice.text
    );
    let audit_log = app
        .text("SELECT string_agg(action, ' ' ORDER BY id) FROM audit_log WHERE audience <> 'system'")
        .await;
    assert_eq!(audit_log, "sign-in reset-password sign-in");
}

/// The asker chooses the Host header of the request.
#[tokio::test]
async fn a_link_leads_to_the_configured_address_whatever_the_host_of_the_request() {
    let parts = Parts {
        effects: true,
        ..PARTS
    };
    let hosts = [
        (
            "RAZAO_SELLER_HOSTS",
            "app.razao.example,*.razao.example,localhost",
        ),
        ("RAZAO_ADMIN_HOSTS", "admin.localhost"),
    ];
    let app = TestApp::start_with(&hosts, parts).await;
    app.execute("INSERT INTO tenant (label, product_name) VALUES ('lojas', 'Lojas')")
        .await;
    for (host, url) in [
        ("localhost:6666", "http://localhost:8080"),
        ("127.0.0.1:1", "https://app.razao.example:8080"),
        ("app.razao.example:6666", "https://app.razao.example:8080"),
        ("lojas.razao.example:6666", "https://lojas.razao.example:8080"),
        // No tenant has the label, so another server may have the host.
        ("blog.razao.example", "https://app.razao.example:8080"),
        ("a.lojas.razao.example", "https://app.razao.example:8080"),
    ] {
        let user = app.seller(&[]).await;
        let asked = forgot(&app.client().with("host", host), &user.email).await;
        assert_eq!(asked.status, 202, "{host}: {}", asked.body);
        let received = app.last_email_to(&user.email).await;
        let page = format!("{url}/resetar-senha?token=");
        assert!(received.link().starts_with(&page), "{host}: {}", received.link());
    }
    let staff = app.admin(&[AdminRole::Sac]).await;
    let form = json!({ "email": staff.email });
    let client = app.client().with("host", "admin.localhost:1");
    let asked = client.post("/api/auth/admin/forgot-password", form).await;
    assert_eq!(asked.status, 202, "{}", asked.body);
    let received = app.last_email_to(&staff.email).await;
    assert!(received.link().starts_with(STAFF_URL), "{}", received.link());
}

#[tokio::test]
async fn a_link_works_once_and_ends_the_others() {
    let (app, user) = one_seller().await;
    let (first, second) = (
        requested_code(&app, &user).await,
        requested_code(&app, &user).await,
    );
    assert_ne!(first, second);
    let client = app.client();
    let (one, two) = tokio::join!(
        reset(&client, &first, NEW_PASSWORD),
        reset(&client, &first, NEW_PASSWORD)
    );
    let mut statuses = [one.status, two.status];
    statuses.sort_unstable();
    assert_eq!(
        statuses,
        [204, 422],
        "two requests at once run one after the other"
    );
    assert_refused(
        &reset(&app.client(), &first, NEW_PASSWORD).await,
        "token",
        INVALID_LINK,
    );
    assert_refused(
        &reset(&app.client(), &second, NEW_PASSWORD).await,
        "token",
        INVALID_LINK,
    );
    assert_refused(
        &reset(&app.client(), "never-issued", NEW_PASSWORD).await,
        "token",
        INVALID_LINK,
    );
    assert_refused(
        &reset(&app.client(), "", NEW_PASSWORD).await,
        "token",
        INVALID_LINK,
    );
    let admin = json!({ "token": requested_code(&app, &user).await, "password": NEW_PASSWORD });
    let admin = app
        .staff_client()
        .post("/api/auth/admin/reset-password", admin)
        .await;
    assert_refused(&admin, "token", INVALID_LINK);
}

#[tokio::test]
async fn two_links_of_one_user_at_once_set_one_password() {
    let (app, user) = one_seller().await;
    let (first, second) = (
        requested_code(&app, &user).await,
        requested_code(&app, &user).await,
    );
    let client = app.client();
    let (one, two) = tokio::join!(
        reset(&client, &first, "primeira senha"),
        reset(&client, &second, "segunda senha")
    );
    let kept = match (one.status, two.status) {
        (204, 422) => "primeira senha",
        (422, 204) => "segunda senha",
        other => panic!("{other:?}"),
    };
    assert_eq!(app.try_sign_in(&user, kept).await.status, 200);
}

#[tokio::test]
async fn a_link_ends_after_an_hour_by_deactivation_and_by_a_new_address() {
    let (app, user) = one_seller().await;
    // A link is valid for one hour.
    let reasons = [
        "UPDATE one_time_code SET created_at = created_at - interval '1 hour', expires_at = expires_at - interval '1 hour'",
        "UPDATE seller_user SET active = false",
        "UPDATE seller_user SET email = 'outra@loja.example'",
    ];
    for reason in reasons {
        app.execute("UPDATE seller_user SET active = true").await;
        let token = requested_code(&app, &user).await;
        app.execute(reason).await;
        assert_refused(
            &reset(&app.client(), &token, NEW_PASSWORD).await,
            "token",
            INVALID_LINK,
        );
    }
}

#[tokio::test]
async fn known_and_unknown_addresses_get_the_same_answer() {
    let parts = PARTS_WITHOUT_EFFECTS;
    let app = TestApp::start_with(&[], parts).await;
    let (known, gone) = (app.seller(&[]).await, app.seller(&[]).await);
    app.execute(&format!(
        "UPDATE seller_user SET active = false WHERE email = '{}'",
        gone.email
    ))
    .await;
    let before = app.rows("audit_log").await;
    let mut answers = vec![];
    for email in [known.email.as_str(), gone.email.as_str(), "ninguem@loja.example"] {
        answers.push(forgot(&app.client(), email).await);
    }
    let seen = |answer: &Answer| {
        let mut headers: Vec<String> = answer
            .headers
            .iter()
            .filter(|(name, _)| !["x-request-id", "date", "business-time"].contains(&name.as_str()))
            .map(|(name, value)| format!("{name}: {value:?}"))
            .collect();
        headers.sort();
        (answer.status, headers, answer.body.clone())
    };
    assert!(answers.iter().all(|answer| seen(answer) == seen(&answers[0])));
    assert_eq!(answers[0].status, 202);
    // One queued e-mail for each address, all with the same content.
    let rows = "SELECT count(*)::text || ' ' || count(DISTINCT (kind, audience, user_id, panel_url, facts::text, status)) FROM mail";
    assert_eq!(app.text(rows).await, "3 1");
    assert_eq!(app.rows("one_time_code").await, 0);
    assert_eq!(app.rows("audit_log").await, before);

    let wrong = forgot(&app.client(), "ana@padaria").await;
    assert_refused(&wrong, "email", "Email inválido.");
    assert_refused(&forgot(&app.client(), " ").await, "email", "Email é requerido.");
    // A fourth link within ten minutes is refused, for known and unknown addresses alike.
    let last_of_four = |email: &str| {
        let (client, email) = (app.client(), email.to_owned());
        async move {
            let mut last = forgot(&client, &email).await;
            for _ in 0..3 {
                last = forgot(&client, &email).await;
            }
            last
        }
    };
    let (known, unknown) = (
        last_of_four(&known.email).await,
        last_of_four("outro@loja.example").await,
    );
    assert_eq!((known.status, unknown.status), (429, 429));
    assert!(known.header("retry-after").is_some());
}

#[tokio::test]
async fn only_an_active_user_of_that_audience_gets_an_e_mail() {
    let (app, user) = one_seller().await;
    let gone = app.seller(&[]).await;
    app.execute(&format!(
        "UPDATE seller_user SET active = false WHERE email = '{}'",
        gone.email
    ))
    .await;
    for (path, email) in [
        ("/api/auth/forgot-password", gone.email.as_str()),
        ("/api/auth/forgot-password", "ninguem@loja.example"),
        ("/api/auth/admin/forgot-password", user.email.as_str()),
    ] {
        let is_of_staff = path.contains("/admin/");
        let client = if is_of_staff {
            app.staff_client()
        } else {
            app.client()
        };
        let answer = client.post(path, json!({ "email": email })).await;
        assert_eq!(answer.status, 202);
    }
    assert!(app.received_emails().await.is_empty());
    // The status of an e-mail that is not needed.
    assert_eq!(app.rows("mail WHERE status = 'nobody'").await, 3);
    assert_eq!(app.rows("one_time_code").await, 0);
}

#[tokio::test]
async fn a_staff_user_sets_a_password_through_a_link_to_the_staff_panel() {
    let app = TestApp::start().await;
    let user = app.admin(&[AdminRole::Sac]).await;
    let client = app.staff_client();
    let form = json!({ "email": user.email });
    assert_eq!(
        client.post("/api/auth/admin/forgot-password", form).await.status,
        202
    );
    let received = app.last_email_to(&user.email).await;
    assert!(
        received
            .link()
            .starts_with(&format!("{STAFF_URL}/resetar-senha?token=")),
        "{}",
        received.text
    );
    let form = json!({ "token": received.code(), "password": NEW_PASSWORD });
    assert_eq!(
        client.post("/api/auth/admin/reset-password", form).await.status,
        204
    );
    assert_eq!(app.try_sign_in(&user, NEW_PASSWORD).await.status, 200);
}
