//! Sending e-mails: a server that is down, refuses or accepts; two programs at once; and the content of the messages.

use std::net::SocketAddr;

use gateway::app::Parts;
use gateway_identity::roles::{AdminRole, SellerRole};
use gateway_mail::delete_old_emails;
use serde_json::json;

use crate::support::sandbox::free_address;
use crate::support::smtp::SmtpServer;
use crate::support::wait::until;
use crate::support::{PARTS, ReceivedEmail, TestApp, User};

const WITHOUT_JOBS_AND_SANDBOX: Parts = PARTS;
const ACCEPTS: &str = "250 somebody";

async fn with_server(addr: SocketAddr) -> TestApp {
    let url = format!("smtp://{addr}");
    TestApp::start_with(&[("RAZAO_SMTP_URL", &url)], WITHOUT_JOBS_AND_SANDBOX).await
}

async fn request_password_link(app: &TestApp, user: &User) {
    let form = json!({ "email": user.email });
    let answer = app.client().post("/api/auth/forgot-password", form).await;
    assert_eq!(answer.status, 202);
}

/// Waits until exactly one e-mail meets the condition.
async fn until_email(app: &TestApp, condition: &str) {
    app.until_count(&format!("SELECT count(*) FROM mail WHERE {condition}"), 1)
        .await;
}

#[tokio::test]
async fn an_e_mail_waits_for_the_server_and_its_link_works() {
    let addr = free_address();
    let app = with_server(addr).await;
    let user = app.seller(&[]).await;
    request_password_link(&app, &user).await;
    until_email(&app, "status = 'waiting' AND last_error = 'connection'").await;
    let pause =
        "SELECT (next_try_at BETWEEN created_at + interval '5 s' AND now() + interval '5 s')::text FROM mail";
    assert_eq!(app.text(pause).await, "true", "five seconds after the first try");
    let metrics = app.operations().get("/metrics").await;
    let metrics = metrics.body.as_str().expect("metrics");
    assert!(metrics.contains("razao_emails_waiting 1"), "{metrics}");

    let server = SmtpServer::start(addr, ACCEPTS).await;
    app.execute("UPDATE mail SET next_try_at = now()").await;
    until_email(&app, "status = 'sent' AND tries = 2").await;
    let taken = server.accepted();
    assert_eq!(taken.len(), 1);
    let (envelope, received) = taken[0].split_once('\n').expect("an envelope");
    assert!(envelope.contains(&user.email), "{envelope}");
    let received = ReceivedEmail::read(received);
    let form = json!({ "token": received.code(), "password": "uma senha nova" });
    let reset = app.client().post("/api/auth/reset-password", form).await;
    assert_eq!(reset.status, 204, "{}", reset.body);
}

/// After a long outage each e-mail would wait for up to an hour.
#[tokio::test]
async fn all_e_mails_that_wait_for_a_silent_server_are_sent_soon_after_it_answers() {
    let addr = free_address();
    let app = with_server(addr).await;
    for _ in 0..3 {
        let user = app.seller(&[]).await;
        request_password_link(&app, &user).await;
    }
    let long_pauses =
        "UPDATE mail SET next_try_at = now() + interval '1 hour', paused_until = now() + interval '1 hour'
                        WHERE awaits = 'smtp' AND next_try_at = paused_until";
    until("three e-mails with long pauses", async || {
        app.execute(long_pauses).await;
        let waiting = "SELECT count(*) FROM mail WHERE last_error = 'connection'
                          AND next_try_at = paused_until AND next_try_at > now() + interval '50 minutes'";
        app.count(waiting).await == 3
    })
    .await;
    let server = SmtpServer::start(addr, ACCEPTS).await;
    app.until_count("SELECT count(*) FROM mail WHERE status = 'sent'", 3)
        .await;
    assert_eq!(server.accepted().len(), 3);
}

#[tokio::test]
async fn an_e_mail_that_is_sent_again_after_a_crash_has_the_same_link() {
    let server = SmtpServer::start(free_address(), ACCEPTS).await;
    let app = with_server(server.addr).await;
    let user = app.seller(&[]).await;
    request_password_link(&app, &user).await;
    until_email(&app, "status = 'sent'").await;
    // The server accepted it, and the program died before it recorded that.
    app.execute("UPDATE mail SET status = 'waiting', ended_at = NULL, next_try_at = now()")
        .await;
    until_email(&app, "status = 'sent' AND tries = 2").await;
    let taken = server.accepted();
    let received_emails: Vec<ReceivedEmail> = taken
        .iter()
        .map(|taken| ReceivedEmail::read(taken.split_once('\n').expect("an envelope").1))
        .collect();
    assert_eq!(received_emails.len(), 2);
    assert_eq!(received_emails[0].code(), received_emails[1].code());
    let id = |received: &ReceivedEmail| {
        let mut lines = received.headers.lines();
        lines
            .find(|line| line.starts_with("Message-ID:"))
            .map(str::to_owned)
    };
    assert!(id(&received_emails[0]).is_some() && id(&received_emails[0]) == id(&received_emails[1]));
    assert_eq!(app.rows("one_time_code").await, 1);
}

#[tokio::test]
async fn a_permanent_refusal_is_final_and_a_temporary_one_is_retried() {
    for (reply, status, error) in [
        ("550 5.1.1 no such mailbox", "given-up", "smtp 550"),
        ("451 4.7.1 come back later", "waiting", "smtp 451"),
        // This is about the sign-in to the server, which operators can repair.
        ("530 5.7.0 authentication required", "waiting", "smtp 530"),
    ] {
        let server = SmtpServer::start(free_address(), reply).await;
        let app = with_server(server.addr).await;
        let user = app.seller(&[]).await;
        request_password_link(&app, &user).await;
        until_email(&app, &format!("status = '{status}' AND last_error = '{error}'")).await;
        assert!(server.accepted().is_empty());
    }
}

#[tokio::test]
async fn an_e_mail_is_given_up_after_three_days() {
    let app = with_server(free_address()).await;
    let user = app.seller(&[]).await;
    request_password_link(&app, &user).await;
    until_email(&app, "last_error = 'connection'").await;
    app.execute("UPDATE mail SET created_at = now() - interval '3 days', next_try_at = now()")
        .await;
    until_email(&app, "status = 'given-up' AND next_try_at IS NULL").await;
}

#[tokio::test]
async fn two_programs_send_each_e_mail_once() {
    let server = SmtpServer::start(free_address(), ACCEPTS).await;
    let app = with_server(server.addr).await;
    let url = format!("smtp://{}", server.addr);
    let sender = Parts {
        gateway: false,
        writer: false,
        projections: false,
        exceptions: false,
        ..WITHOUT_JOBS_AND_SANDBOX
    };
    let other = app.second_gateway_with(&[("RAZAO_SMTP_URL", &url)], sender).await;
    let mut users = vec![];
    for _ in 0..12 {
        users.push(app.seller(&[]).await);
    }
    for user in &users {
        request_password_link(&app, user).await;
    }
    app.until_no_email_waits().await;
    assert_eq!(app.rows("mail WHERE status = 'sent' AND tries = 1").await, 12);
    let taken = server.accepted();
    assert_eq!(taken.len(), 12);
    for user in &users {
        let own = taken
            .iter()
            .filter(|received| received.starts_with(&format!("RCPT TO:<{}>", user.email)));
        assert_eq!(own.count(), 1);
    }
    other.stop().await;
}

#[tokio::test]
async fn an_e_mail_has_two_parts_its_tenant_s_look_and_escapes_its_tenant_s_name() {
    let app = TestApp::start_with(
        &[("RAZAO_SELLER_HOSTS", "localhost,*.loja.example")],
        WITHOUT_JOBS_AND_SANDBOX,
    )
    .await;
    let company = app.company("Padaria").await;
    let user = app.seller(&[(&company, SellerRole::Owner)]).await;
    app.execute("UPDATE seller_user SET name = '<b>Ana</b> & Cia'")
        .await;
    app.execute(
        "INSERT INTO tenant (label, product_name, theme_color, contact_email)
         VALUES ('verde', 'Verde <b>Pagamentos</b>', '#123456', 'ajuda@verde.example')",
    )
    .await;
    let form = json!({ "email": user.email });
    let response = app
        .client()
        .with("host", "verde.loja.example")
        .post("/api/auth/forgot-password", form)
        .await;
    assert_eq!(response.status, 202, "{}", response.body);
    let received = app.last_email_to(&user.email).await;
    assert!(
        received
            .link()
            .starts_with("https://verde.loja.example:8080/resetar-senha?token=")
    );
    // A name with markup is not a valid name, so the greeting has none.
    assert!(received.text.starts_with("Olá!"), "{}", received.text);
    assert!(
        received.text.contains("Verde <b>Pagamentos</b>"),
        "{}",
        received.text
    );
    assert!(
        received.html.contains("Verde &lt;b&gt;Pagamentos&lt;/b&gt;"),
        "{}",
        received.html
    );
    assert!(!received.html.contains("<b>"));
    for part in [&received.text, &received.html] {
        assert!(part.contains("ajuda@verde.example"), "{part}");
        assert!(part.contains("a partir do IP 127.0.0.1"), "{part}");
        assert!(part.contains("Se não foi você, ignore esta mensagem"), "{part}");
        assert!(part.contains(received.code()));
    }
    assert!(received.html.contains("background-color:#123456;color:#FFFFFF"));
    assert!(
        received.headers.contains("Auto-Submitted: auto-generated"),
        "{}",
        received.headers
    );
    assert!(received.headers.contains("<nao-responda@exemplo.com.br>"));
}

#[tokio::test]
async fn e_mails_that_ended_a_month_ago_are_deleted() {
    let app = TestApp::start().await;
    let (old, new) = (app.seller(&[]).await, app.seller(&[]).await);
    for user in [&old, &new] {
        request_password_link(&app, user).await;
    }
    app.until_no_email_waits().await;
    app.execute(&format!(
        "UPDATE mail SET ended_at = now() - interval '31 days' WHERE recipient = '{0}';
         UPDATE one_time_code SET created_at = now() - interval '32 days', expires_at = now() - interval '31 days'
          WHERE email = '{0}'",
        old.email
    ))
    .await;
    let deleted = delete_old_emails(&app.app.state.pool)
        .await
        .expect("the deletion");
    assert_eq!(deleted, 2, "the e-mail, and the code of its link");
    assert_eq!((app.rows("mail").await, app.rows("one_time_code").await), (1, 1));
    // An e-mail whose sending was not needed is deleted after one day.
    app.execute("UPDATE mail SET status = 'nobody', ended_at = now() - interval '25 hours'")
        .await;
    assert_eq!(
        delete_old_emails(&app.app.state.pool)
            .await
            .expect("the deletion"),
        1
    );
}

#[tokio::test]
async fn an_e_mail_that_cannot_be_read_waits_for_staff_who_close_or_retry_it() {
    let server = SmtpServer::start(free_address(), ACCEPTS).await;
    let app = with_server(server.addr).await;
    app.execute(
        "INSERT INTO mail (id, kind, audience, recipient, panel_url, facts, created_at) VALUES
         ('00000000-0000-4000-8000-000000000001', 'moon-phase', 'seller', 'ana@padaria.example', 'http://x', '{}',
          now() - interval '1 hour'),
         ('00000000-0000-4000-8000-000000000002', 'welcome', 'seller', 'bia@padaria.example', 'http://x', '[1]', now())",
    )
    .await;
    until_email(
        &app,
        "status = 'given-up' AND last_error = 'unreadable' AND kind = 'moon-phase'",
    )
    .await;
    until_email(
        &app,
        "status = 'given-up' AND last_error = 'unreadable' AND kind = 'welcome'",
    )
    .await;
    assert!(server.accepted().is_empty());
    let user = app.admin(&[AdminRole::Admin]).await;
    let staff = app.sign_in(&user).await;
    let waiting = staff.get("/api/admin/exceptions?type=email.unreadable").await;
    assert_eq!(waiting.at("/meta/total"), 2, "{}", waiting.body);
    assert_eq!(waiting.text("/data/0/reason"), "unreadable_email");
    assert!(
        !waiting.body.to_string().contains("padaria.example"),
        "the queue does not show e-mail addresses"
    );
    let path = format!("/api/admin/exceptions/{}/close", waiting.text("/data/0/id"));
    let closed = staff.post(&path, json!({ "reason": "De outra versão." })).await;
    assert_eq!((closed.status, closed.text("/status")), (200, "closed"));
    let path = format!("/api/admin/exceptions/{}/retry", waiting.text("/data/1/id"));
    let retried = staff.post(&path, json!({})).await;
    assert_eq!((retried.status, retried.text("/status")), (200, "resolved"));
    let again = "status = 'given-up' AND tries = 2";
    until_email(&app, again).await;
    let waits = staff.get("/api/admin/exceptions?type=email.unreadable").await;
    assert_eq!(waits.at("/meta/total"), 1, "it is still unreadable");
    app.execute("UPDATE mail SET ended_at = now() - interval '31 days' WHERE tries = 2")
        .await;
    assert_eq!(
        delete_old_emails(&app.app.state.pool)
            .await
            .expect("the deletion"),
        1
    );
    let waits = staff.get("/api/admin/exceptions?type=email.unreadable").await;
    assert_eq!(waits.at("/meta/total"), 0, "the unreadable e-mail is gone");
}

/// During an update, a newer process may know the kind and send the e-mail.
#[tokio::test]
async fn an_unknown_kind_of_e_mail_is_left_to_newer_processes_at_first() {
    let app = TestApp::start_with(&[], WITHOUT_JOBS_AND_SANDBOX).await;
    app.execute(
        "INSERT INTO mail (id, kind, audience, recipient, panel_url, facts) VALUES
         ('00000000-0000-4000-8000-000000000001', 'moon-phase', 'seller', 'ana@padaria.example', 'http://x', '{}'),
         ('00000000-0000-4000-8000-000000000002', 'welcome', 'seller', 'bia@padaria.example', 'http://x', '{}')",
    )
    .await;
    until_email(&app, "kind = 'welcome' AND status <> 'waiting'").await;
    until_email(&app, "kind = 'moon-phase' AND status = 'waiting' AND tries = 0").await;
}
