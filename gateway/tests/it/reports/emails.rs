//! Reports by e-mail: each period is sent once, also after an outage, and only to users who may still read the report.

use std::io::Cursor;

use calamine::{Reader, Xlsx};
use gateway::app::{App, Parts};
use gateway_identity::roles::{AdminRole, SellerRole};
use gateway_platform::reports::RunCounts;
use reqwest::Method;
use serde_json::{Value, json};

use crate::support::movements::rows;
use crate::support::{Client, Company, PARTS, ReceivedEmail, Sale, TestApp, User};

/// The tests run the job themselves.
const WITHOUT_JOBS: Parts = PARTS;
/// No e-mail is sent: they wait in the outbox.
const WITHOUT_MAIL: Parts = Parts {
    effects: false,
    ..WITHOUT_JOBS
};
/// The morning after the week of the tests' today, Saturday 21 November.
const MONDAY: &str = "2026-11-23T07:00:00-03:00";

/// The result of a run that sent this many periods, stopped this many reports, and failed at none.
fn sent(periods: u64, stopped: u64) -> RunCounts {
    RunCounts {
        periods,
        stopped,
        failed: 0,
    }
}

async fn run(app: &App) -> RunCounts {
    app.report_emails().run().await.expect("a run")
}

/// An owner with a confirmed address, whose company sold in the week.
struct ReportEmailFixture {
    app: TestApp,
    company: Company,
    owner: User,
}

impl ReportEmailFixture {
    async fn open(parts: Parts) -> Self {
        let app = TestApp::start_with(&[], parts).await;
        let company = app.company("Padaria Aurora").await;
        app.capture(&company, &Sale::card().days_ago(1)).await;
        app.capture(&company, &Sale::pix().days_ago(3)).await;
        app.capture(&company, &Sale::pix().days_ago(12)).await;
        let owner = app.seller(&[(&company, SellerRole::Owner)]).await;
        app.execute("UPDATE seller_user SET email_verified_at = now()")
            .await;
        Self { app, company, owner }
    }

    /// Restarts the gateway at another time.
    async fn at(self, now: &str, parts: Parts) -> Self {
        Self {
            app: self.app.restart(&[("RAZAO_NOW", now)], parts).await,
            ..self
        }
    }

    /// The owner subscribes to the report of each week or month. Returns the subscription's id.
    async fn subscribe(&self, every: &str, filters: Value) -> String {
        let client = self.app.sign_in(&self.owner).await;
        let body = json!({ "report": "totals", "every": every, "filters": filters });
        let created = client.post("/api/report-emails", body).await;
        assert_eq!(created.status, 201, "{}", created.body);
        created.text("/id").to_owned()
    }

    async fn emails(&self) -> Vec<ReceivedEmail> {
        self.app.emails_to(&self.owner.email).await
    }
}

/// The cells of a workbook's one sheet, with the titles first.
fn sheet(content: &[u8]) -> Vec<Vec<String>> {
    let mut workbook = Xlsx::new(Cursor::new(content)).expect("a workbook");
    let range = workbook.worksheet_range("Sheet1").expect("its sheet");
    let row = |row: &[calamine::Data]| row.iter().map(ToString::to_string).collect();
    range.rows().map(row).collect()
}

#[tokio::test]
async fn each_closed_week_is_sent_once_with_the_figures_of_the_report() {
    let fixture = ReportEmailFixture::open(WITHOUT_JOBS).await;
    let client = fixture.app.sign_in(&fixture.owner).await;
    fixture.subscribe("week", json!({ "paymentType": "pix" })).await;
    let listed = client.get("/api/report-emails").await.body;
    let row = &rows(&listed)[0];
    assert_eq!(
        (&row["next_start"], &row["next_end"]),
        (&json!("2026-11-16"), &json!("2026-11-22"))
    );
    assert_eq!((&row["last_sent"], &row["stopped"]), (&Value::Null, &Value::Null));
    assert_eq!(run(&fixture.app.app).await, sent(0, 0), "the week has not ended");

    let fixture = fixture.at("2026-11-23T03:00:00-03:00", WITHOUT_JOBS).await;
    assert_eq!(
        run(&fixture.app.app).await,
        sent(0, 0),
        "a week is sent from six in the morning, because acquirers report overnight"
    );
    let fixture = fixture.at(MONDAY, WITHOUT_JOBS).await;
    // Two processes at once.
    let second = fixture
        .app
        .second_gateway_with(&[("RAZAO_NOW", MONDAY)], WITHOUT_JOBS)
        .await;
    let (one, other) = tokio::join!(run(&fixture.app.app), run(&second));
    assert_eq!(one.periods + other.periods, 1);
    assert_eq!(run(&second).await, sent(0, 0));
    let emails = fixture.emails().await;
    // Not stopped before: this test does not wait for the lease of an e-mail that a stopped process holds.
    second.stop().await;
    assert_eq!(emails.len(), 1);
    let email = &emails[0];
    assert!(email.text.contains("Padaria Aurora"), "{}", email.text);
    assert!(email.text.contains("16/11/2026 a 22/11/2026"), "{}", email.text);
    assert!(email.text.contains("/relatorios/por-email"), "{}", email.text);
    let (name, content) = &email.files[0];
    assert_eq!(name, "relatorio-de-totais-2026-11-16-a-2026-11-22.xlsx");
    let cells = sheet(content);
    let gross = cells[0]
        .iter()
        .position(|title| title == "Valor bruto")
        .expect("a column");
    let client = fixture.app.sign_in(&fixture.owner).await;
    let path = "/api/transactions/report?paymentType=pix&start=2026-11-16&end=2026-11-22";
    let report = client.get(path).await.body;
    let total = cells.iter().find(|row| row[0] == "Total").expect("totals");
    assert_eq!(
        report["totals"]["gross"], 50_00,
        "the card sale is not pix, and the other pix sale is of an earlier week"
    );
    assert_eq!(total[gross].parse::<f64>().expect("a number"), 50.0);

    // The gateway was off for two weeks: both are sent, each once.
    let fixture = fixture.at("2026-12-08T10:00:00-03:00", WITHOUT_JOBS).await;
    let operations = fixture.app.operations().get("/readyz").await;
    assert_eq!(operations.at("/report_emails_late"), 1);
    assert_eq!(run(&fixture.app.app).await, sent(2, 0));
    assert_eq!(run(&fixture.app.app).await, sent(0, 0));
    assert_eq!(fixture.emails().await.len(), 3);
    let client = fixture.app.sign_in(&fixture.owner).await;
    let listed = client.get("/api/report-emails").await.body;
    let row = &rows(&listed)[0];
    assert_eq!(
        (&row["last_sent"], &row["next_start"]),
        (&json!("2026-12-06"), &json!("2026-12-07"))
    );
    assert_eq!(
        fixture
            .app
            .operations()
            .get("/readyz")
            .await
            .at("/report_emails_late"),
        0
    );

    // The user stops the report.
    let path = format!("/api/report-emails/{}", row["id"].as_str().expect("an id"));
    assert_eq!(client.send(Method::DELETE, &path, None).await.status, 204);
    assert_eq!(rows(&client.get("/api/report-emails").await.body).len(), 0);
    let actions = "SELECT string_agg(action, ',' ORDER BY at) FROM audit_log WHERE subject = 'report_email'";
    assert_eq!(fixture.app.text(actions).await, "create,stop");
    let fixture = fixture.at("2026-12-14T10:00:00-03:00", WITHOUT_JOBS).await;
    assert_eq!(run(&fixture.app.app).await, sent(0, 0));
}

#[tokio::test]
async fn a_lost_access_stops_the_report_and_the_user_gets_an_e_mail() {
    let fixture = ReportEmailFixture::open(WITHOUT_MAIL).await;
    fixture.subscribe("week", json!({})).await;
    fixture.subscribe("month", json!({})).await;
    let fixture = fixture.at(MONDAY, WITHOUT_MAIL).await;
    assert_eq!(run(&fixture.app.app).await, sent(1, 0));
    // The file is made and its e-mail waits. Now the owner becomes an operator (role 7), who may not read the report.
    let seller = fixture.owner.id.uuid();
    fixture
        .app
        .execute(&format!(
            "UPDATE business_access SET role_id = 7 WHERE seller_id = '{seller}'"
        ))
        .await;
    let sender = fixture
        .app
        .second_gateway_with(&[("RAZAO_NOW", MONDAY)], WITHOUT_JOBS)
        .await;
    // The status of an e-mail that is not needed any more.
    let not_needed = "SELECT count(*) FROM mail WHERE kind = 'report-ready' AND status = 'nobody'";
    fixture.app.until_count(not_needed, 1).await;
    sender.stop().await;
    assert!(fixture.emails().await.is_empty());

    let fixture = fixture.at("2026-12-01T08:00:00-03:00", WITHOUT_JOBS).await;
    assert_eq!(run(&fixture.app.app).await, sent(0, 2));
    assert_eq!(run(&fixture.app.app).await, sent(0, 0));
    let emails = fixture.emails().await;
    assert_eq!(emails.len(), 2);
    for email in &emails {
        assert!(
            email.text.contains("Você não tem mais acesso a este relatório."),
            "{}",
            email.text
        );
        assert!(email.files.is_empty());
    }
    let stops = "audit_log WHERE subject = 'report_email' AND action = 'stop' AND audience = 'system'";
    assert_eq!(fixture.app.rows(stops).await, 2);
    // As an administrator (role 2), the user sees the stopped reports in the list, and removes one.
    fixture
        .app
        .execute(&format!(
            "UPDATE business_access SET role_id = 2 WHERE seller_id = '{seller}'"
        ))
        .await;
    let client = fixture.app.sign_in(&fixture.owner).await;
    let listed = client.get("/api/report-emails").await.body;
    assert_eq!(rows(&listed)[0]["stopped"], "access");
    let id = rows(&listed)[0]["id"].as_str().expect("an id");
    let path = format!("/api/report-emails/{id}");
    assert_eq!(client.send(Method::DELETE, &path, None).await.status, 204);
    assert_eq!(rows(&client.get("/api/report-emails").await.body).len(), 1);
}

#[tokio::test]
async fn filters_that_the_report_refuses_stop_the_e_mails() {
    let fixture = ReportEmailFixture::open(WITHOUT_JOBS).await;
    let id = fixture.subscribe("week", json!({})).await;
    fixture
        .app
        .execute(&format!(
            r#"UPDATE report_email SET filters = '{{"solution": "9"}}' WHERE id = '{id}'"#
        ))
        .await;
    let fixture = fixture.at(MONDAY, WITHOUT_JOBS).await;
    assert_eq!(run(&fixture.app.app).await, sent(0, 1));
    let email = fixture.app.last_email_to(&fixture.owner.email).await;
    assert!(
        email.text.contains("com os filtros que você escolheu"),
        "{}",
        email.text
    );
}

#[tokio::test]
async fn a_large_file_is_a_link_that_expires_and_needs_its_owner() {
    let fixture = ReportEmailFixture::open(WITHOUT_JOBS).await;
    fixture.subscribe("week", json!({})).await;
    let fixture = fixture.at(MONDAY, WITHOUT_JOBS).await;
    // Bytes. Every workbook is larger.
    let job = fixture.app.app.report_emails().attaching_up_to(1_000);
    assert_eq!(job.run().await.expect("a run"), sent(1, 0));
    let email = fixture.app.last_email_to(&fixture.owner.email).await;
    assert!(email.files.is_empty());
    let (page, file) = email.link().split_once("?arquivo=").expect("a link to the file");
    assert!(page.ends_with("/relatorios/por-email"), "{page}");
    let (file, company) = file.split_once("&empresa=").expect("the company");
    assert_eq!(company, fixture.company.id.to_string());
    let path = format!("/api/report-emails/files/{file}");
    let owner = fixture.app.sign_in(&fixture.owner).await;
    let (status, headers, content) = owner.download(&path).await;
    assert_eq!(status, 200);
    assert!(
        headers["content-disposition"]
            .to_str()
            .expect("a name")
            .contains("relatorio-de-totais")
    );
    assert!(sheet(&content).len() > 7, "a line for each day");

    assert_eq!(fixture.app.client().get(&path).await.status, 401);
    let colleague = fixture.app.seller(&[(&fixture.company, SellerRole::Owner)]).await;
    assert_eq!(fixture.app.sign_in(&colleague).await.get(&path).await.status, 404);
    let staff = fixture
        .app
        .sign_in(&fixture.app.admin(&[AdminRole::Admin]).await)
        .await;
    let of_staff = format!("/api/admin/report-emails/files/{file}");
    assert_eq!(staff.get(&of_staff).await.status, 404);

    // The link expires after seven days.
    let fixture = fixture.at("2026-11-30T07:30:00-03:00", WITHOUT_JOBS).await;
    let owner = fixture.app.sign_in(&fixture.owner).await;
    assert_eq!(owner.get(&path).await.status, 410);
    run(&fixture.app.app).await;
    let expired = format!("report_delivery_part WHERE delivery_id = '{file}'");
    assert_eq!(fixture.app.rows(&expired).await, 0, "the file is deleted");
    assert_eq!(
        fixture.app.rows("report_delivery").await,
        2,
        "the expired week stays, and the next one was sent"
    );
}

#[tokio::test]
async fn a_report_by_e_mail_needs_valid_filters_a_confirmed_address_and_a_role_that_may_read_it() {
    let fixture = ReportEmailFixture::open(WITHOUT_JOBS).await;
    let owner = fixture.app.sign_in(&fixture.owner).await;
    for (every, filters, fields) in [
        (
            "year",
            json!({ "start": "2026-01-01" }),
            // The filters are read once each field is valid.
            vec!["every"],
        ),
        ("week", json!({ "solution": "9" }), vec!["filters.solution"]),
        // A week is too long for a report by hour.
        ("week", json!({ "group": "hour" }), vec!["filters.end"]),
    ] {
        let form = json!({ "report": "totals", "every": every, "filters": filters });
        let refused = owner.post("/api/report-emails", form).await;
        assert_eq!(refused.status, 422, "{filters}");
        let errors = refused.at("/errors").as_object().expect("errors");
        assert_eq!(errors.keys().collect::<Vec<_>>(), fields, "{filters}");
    }
    let monthly = json!({ "report": "totals", "every": "month" });
    let keyed = owner.clone().with("idempotency-key", "key-1");
    let first = keyed.post("/api/report-emails", monthly.clone()).await;
    let again = keyed.post("/api/report-emails", monthly.clone()).await;
    assert_eq!((first.status, again.status), (201, 201));
    assert_eq!(first.at("/id"), again.at("/id"));
    // A user gets at most ten reports by e-mail.
    for _ in 1..10 {
        assert_eq!(
            owner.post("/api/report-emails", monthly.clone()).await.status,
            201
        );
    }
    assert_eq!(
        owner.post("/api/report-emails", monthly.clone()).await.status,
        409
    );

    let unconfirmed = fixture.app.seller(&[(&fixture.company, SellerRole::Admin)]).await;
    let unconfirmed: Client = fixture.app.sign_in(&unconfirmed).await;
    let refused = unconfirmed.post("/api/report-emails", monthly).await;
    assert_eq!(refused.status, 409);
    assert!(
        refused.text("/message").starts_with("Confirme o seu e-mail"),
        "{}",
        refused.body
    );
    let commercial = fixture
        .app
        .sign_in(&fixture.app.admin(&[AdminRole::Commercial]).await)
        .await;
    let billing = json!({ "report": "billing", "every": "month" });
    let refused = commercial.post("/api/admin/report-emails", billing).await;
    assert_eq!(refused.status, 403);
}

#[tokio::test]
async fn every_report_of_staff_can_be_sent_by_e_mail() {
    let fixture = ReportEmailFixture::open(WITHOUT_JOBS).await;
    let user = fixture.app.admin(&[AdminRole::Admin]).await;
    fixture
        .app
        .execute("UPDATE admin_user SET email_verified_at = now()")
        .await;
    let staff = fixture.app.sign_in(&user).await;
    for report in [
        "withdrawals",
        "settled",
        "billing",
        "billing-businesses",
        "total-sales",
        "company-terminals",
    ] {
        let filters = if report == "company-terminals" {
            json!({ "business_id": fixture.company.id })
        } else {
            json!({})
        };
        let form = json!({ "report": report, "every": "month", "filters": filters });
        let created = staff.post("/api/admin/report-emails", form).await;
        assert_eq!(created.status, 201, "{report}: {}", created.body);
    }
    let fixture = fixture.at("2026-12-01T09:00:00-03:00", WITHOUT_JOBS).await;
    assert_eq!(run(&fixture.app.app).await, sent(6, 0));
    let emails = fixture.app.emails_to(&user.email).await;
    assert_eq!(emails.len(), 6);
    for email in &emails {
        let (name, content) = &email.files[0];
        assert!(name.ends_with("-2026-11-01-a-2026-11-30.xlsx"), "{name}");
        assert!(!sheet(content).is_empty());
    }
}
