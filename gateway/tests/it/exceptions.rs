//! The exceptions queue: retries, the actions of staff, and the audit of resolved notices.

use chrono::{TimeDelta, Utc};
use gateway::app::Parts;
use gateway_identity::roles::AdminRole;
use gateway_platform::exceptions::ExceptionResolution;
use gateway_platform::exceptions::queue::{self, Resolved};
use gateway_platform::resolution::try_due_notices;
use ledger_domain::calendar::Instant;
use ledger_domain::sale::Provider;
use serde_json::json;
use uuid::Uuid;

use crate::support::acquirer::{SECRETS, app_and_company, app_and_company_without, capture, with_type};
use crate::support::{Client, PARTS, Sale, TestApp};

async fn staff(app: &TestApp, role: AdminRole) -> Client {
    let user = app.admin(&[role]).await;
    app.sign_in(&user).await
}

async fn only_id(staff: &Client) -> String {
    let list = staff.get("/api/admin/exceptions").await;
    assert_eq!(list.at("/meta/total"), 1, "{}", list.body);
    list.text("/data/0/id").to_owned()
}

#[tokio::test]
async fn a_cancel_before_its_sale_is_retried_as_soon_as_the_sale_is_recorded() {
    let (app, company) = app_and_company().await;
    let created = with_type(&capture(&company, "nsu-1"), "sale.created");
    let canceled = with_type(&created, "sale.canceled");
    assert_eq!(app.send(&canceled).await.text("/reason"), "unknown_sale");
    assert_eq!(app.send(&created).await.text("/result"), "recorded");
    app.until_no_exception_waits().await;
    assert_eq!(app.count_events("SaleVoided").await, 1);
    let resolved = app
        .count("SELECT count(*) FROM exception WHERE status = 'resolved' AND resolution = 'recorded'")
        .await;
    assert_eq!(resolved, 1);
}

#[tokio::test]
async fn only_the_notices_that_are_due_are_retried() {
    let (app, company) = app_and_company_without(|parts| parts.exceptions = false).await;
    let canceled = with_type(&capture(&company, "nsu-1"), "sale.canceled");
    assert_eq!(app.send(&canceled).await.text("/reason"), "unknown_sale");
    // No notice reports this sale, so nothing but the due time causes a retry.
    let state = &app.app.state;
    let mut sale = Sale::card();
    sale.facts.sale_id = state.ids.sale(Provider::Zoop, "nsu-1");
    app.create_sale(&company, &sale).await;
    assert_eq!(
        try_due_notices(&state.pool, &state.notices)
            .await
            .expect("the due notices"),
        0,
        "the next try is in a minute"
    );
    app.execute("UPDATE exception SET next_try_at = now()").await;
    assert_eq!(
        try_due_notices(&state.pool, &state.notices)
            .await
            .expect("the due notices"),
        1
    );
    assert_eq!(app.count_events("SaleVoided").await, 1);
    assert_eq!(app.count("SELECT tries::int8 FROM exception").await, 2);
}

#[tokio::test]
async fn the_delay_between_tries_grows_up_to_an_hour() {
    let (app, company) = app_and_company_without(|parts| parts.exceptions = false).await;
    app.send(&with_type(&capture(&company, "nsu-1"), "moon.risen"))
        .await;
    let state = &app.app.state;
    for (tries, minutes) in [(1, 1), (9, 1), (18, 10), (500, 60)] {
        app.execute(&format!(
            "UPDATE exception SET next_try_at = now(), tries = {tries}"
        ))
        .await;
        let recorded = try_due_notices(&state.pool, &state.notices).await;
        assert_eq!(recorded.expect("the due notices"), 0);
        let delay = "SELECT round(extract(epoch FROM next_try_at - now()) / 60)::int8 FROM exception";
        assert_eq!(app.count(delay).await, minutes, "after {tries} tries");
    }
}

#[tokio::test]
async fn staff_list_and_filter_the_queue() {
    let (app, company) = app_and_company().await;
    app.send(&with_type(&capture(&company, "nsu-1"), "moon.risen"))
        .await;
    app.send(&with_type(&capture(&company, "nsu-1"), "sale.refunded"))
        .await;
    let staff = staff(&app, AdminRole::CommercialSupervisor).await;
    let all = staff.get("/api/admin/exceptions?perPage=1").await;
    assert_eq!(
        (all.at("/meta/total"), all.at("/meta/total_pages")),
        (&json!(2), &json!(2))
    );
    assert_eq!(all.text("/data/0/type"), "sale.refunded", "newest first");
    let row = staff
        .get("/api/admin/exceptions?provider=zoop&type=moon.risen")
        .await;
    assert_eq!(
        (row.text("/data/0/reason"), row.text("/data/0/business_name")),
        ("unknown_type", "Padaria")
    );
    assert!(row.text("/data/0/body").contains("nsu-1"));
    assert_eq!(
        staff
            .get("/api/admin/exceptions?provider=iugu")
            .await
            .at("/meta/total"),
        0
    );
    assert_eq!(
        staff.get("/api/admin/exceptions?provider=nobody").await.status,
        422
    );
}

#[tokio::test]
async fn the_resolution_recorded_replaces_already_but_not_the_reverse() {
    let (app, company) = app_and_company_without(|parts| parts.exceptions = false).await;
    app.send(&with_type(&capture(&company, "nsu-1"), "sale.canceled"))
        .await;
    let client = app.app.state.pool.get().await.expect("a connection");
    let row = client
        .query_one("SELECT id, business_id FROM exception", &[])
        .await;
    let id: Uuid = row.expect("the exception").get(0);
    let staff = app.admin(&[AdminRole::Admin]).await;
    let (already, recorded) = (ExceptionResolution::Already, ExceptionResolution::Recorded);
    for (resolution, handled_by) in [(already, None), (recorded, Some(staff.id)), (already, None)] {
        let resolved = Resolved {
            resolution,
            business_id: company.id,
            sale_id: None,
        };
        queue::resolve(&client, id, &resolved, handled_by)
            .await
            .expect("resolved");
    }
    let row = client
        .query_one("SELECT resolution, handled_by FROM exception", &[])
        .await;
    let row = row.expect("the exception");
    assert_eq!(
        (row.get::<_, &str>(0), row.get::<_, Option<Uuid>>(1)),
        ("recorded", Some(staff.id.uuid()))
    );
}

#[tokio::test]
async fn a_retry_by_staff_is_in_the_audit_log() {
    let (app, company) = app_and_company().await;
    app.execute("UPDATE business SET approval = 'denied'").await;
    app.send(&with_type(&capture(&company, "nsu-1"), "sale.created"))
        .await;
    let staff = staff(&app, AdminRole::Admin).await;
    let id = only_id(&staff).await;
    let still_waiting = staff
        .post(&format!("/api/admin/exceptions/{id}/retry"), json!({}))
        .await;
    assert_eq!(
        (still_waiting.status, still_waiting.text("/status")),
        (200, "waiting"),
        "{}",
        still_waiting.body
    );
    app.execute("UPDATE business SET approval = 'enabled'").await;
    let resolved = staff
        .post(&format!("/api/admin/exceptions/{id}/retry"), json!({}))
        .await;
    assert_eq!(
        (resolved.text("/status"), resolved.text("/resolution")),
        ("resolved", "recorded")
    );
    assert!(resolved.text("/handled_by").starts_with("usr_"));
    let of_resolved = staff
        .post(&format!("/api/admin/exceptions/{id}/retry"), json!({}))
        .await;
    assert_eq!(of_resolved.status, 409);
    assert_eq!(
        app.count("SELECT count(*) FROM audit_log WHERE subject = 'exception' AND action = 'retry'")
            .await,
        2,
        "the refused retry has no entry"
    );
}

#[tokio::test]
async fn staff_assign_a_sale_to_its_company() {
    let (app, company) = app_and_company().await;
    let mut notice = capture(&company, "nsu-1");
    notice.data.business_id = None;
    assert_eq!(app.send(&notice).await.text("/reason"), "no_business");
    let staff = staff(&app, AdminRole::Admin).await;
    let path = format!("/api/admin/exceptions/{}/assign", only_id(&staff).await);
    assert_eq!(staff.post(&path, json!({})).await.status, 422);
    let unknown = json!({ "business_id": "biz_00000000-0000-4000-8000-000000000001" });
    assert_eq!(staff.post(&path, unknown).await.status, 422);
    let assigned = staff.post(&path, json!({ "business_id": company.id })).await;
    assert_eq!(
        (assigned.status, assigned.text("/status")),
        (200, "resolved"),
        "{}",
        assigned.body
    );
    let of_company = format!(
        "SELECT count(*) FROM event WHERE business_id = '{}'",
        company.id.uuid()
    );
    assert_eq!(app.count(&of_company).await, 1);
}

#[tokio::test]
async fn staff_close_a_notice_once_and_only_with_a_reason() {
    let (app, company) = app_and_company().await;
    app.send(&with_type(&capture(&company, "nsu-1"), "moon.risen"))
        .await;
    let staff = staff(&app, AdminRole::Admin).await;
    let path = format!("/api/admin/exceptions/{}/close", only_id(&staff).await);
    for (reason, fault) in [
        ("  ".to_owned(), "Informe o motivo."),
        (
            "Aviso\nde teste.".to_owned(),
            "Escreva o motivo em uma linha, sem tabulações nem caracteres de controle.",
        ),
        ("a".repeat(501), "O motivo deve ter até 500 caracteres."),
    ] {
        let refused = staff.post(&path, json!({ "reason": reason })).await;
        assert_eq!((refused.status, refused.text("/errors/reason/0")), (422, fault));
    }
    let closed = staff.post(&path, json!({ "reason": "Aviso de teste." })).await;
    assert_eq!(
        (closed.text("/status"), closed.text("/resolution")),
        ("closed", "Aviso de teste.")
    );
    assert_eq!(
        staff.post(&path, json!({ "reason": "Outra vez." })).await.status,
        409
    );
    assert_eq!(staff.get("/api/admin/exceptions").await.at("/meta/total"), 0);
    assert_eq!(
        staff
            .get("/api/admin/exceptions?status=closed")
            .await
            .at("/meta/total"),
        1
    );
    assert_eq!(
        staff.post(&path.replace("close", "burn"), json!({})).await.status,
        404
    );
}

#[tokio::test]
async fn only_owners_and_admins_act_and_supervisors_can_read() {
    let (app, company) = app_and_company().await;
    app.send(&with_type(&capture(&company, "nsu-1"), "moon.risen"))
        .await;
    for (role, list_status, retry_status) in [
        (AdminRole::Owner, 200, 200),
        (AdminRole::Admin, 200, 200),
        (AdminRole::CommercialSupervisor, 200, 403),
        (AdminRole::Sac, 403, 403),
        (AdminRole::Financial, 403, 403),
        (AdminRole::Commercial, 403, 403),
        (AdminRole::Operator, 403, 403),
    ] {
        let staff = staff(&app, role).await;
        let list = staff.get("/api/admin/exceptions").await;
        assert_eq!(list.status, list_status, "{role:?}");
        let client = app.app.state.pool.get().await.expect("a connection");
        let id: Uuid = client
            .query_one("SELECT id FROM exception", &[])
            .await
            .expect("one")
            .get(0);
        let retried = staff
            .post(&format!("/api/admin/exceptions/{id}/retry"), json!({}))
            .await;
        assert_eq!(retried.status, retry_status, "{role:?}");
    }
}

/// A notice waits if it is dated more than a day ahead. This one is dated 25 hours ahead, and 23 hours at its next try.
#[tokio::test]
async fn a_notice_with_a_future_date_is_recorded_later_with_its_company_and_sale() {
    let (app, company) = app_and_company_without(|parts| parts.exceptions = false).await;
    let long_ago = "2026-01-01T00:00:00Z".parse().expect("an instant");
    app.terminal(&company, "PB-1", Some(long_ago)).await;
    // The limit counts from the later of the business clock and the machine's.
    let now = app.app.state.clock.now().max(Utc::now());
    let mut early = capture(&company, "nsu-1");
    early.occurred_at = now + TimeDelta::hours(25);
    early.data.business_id = None;
    early.data.terminal_serial = Some("PB-1".to_owned());
    assert_eq!(app.send(&early).await.text("/reason"), "dated_ahead");
    let sale_id = app.app.state.ids.sale(Provider::Zoop, "nsu-1");
    let of_sale = format!(
        "SELECT count(*) FROM exception WHERE sale_id = '{}'",
        sale_id.uuid()
    );
    assert_eq!(app.count(&of_sale).await, 1);
    let app = restarted_two_hours_later(app, now).await;
    let state = &app.app.state;
    assert_eq!(
        try_due_notices(&state.pool, &state.notices)
            .await
            .expect("the due notices"),
        1
    );
    assert_eq!(app.count_events("SaleCaptured").await, 1);
    let of_company = format!(
        "SELECT count(*) FROM exception WHERE business_id = '{}' AND resolution = 'recorded'",
        company.id.uuid()
    );
    assert_eq!(app.count(&of_company).await, 1);
    app.until_effect_handlers_read_all().await;
    assert_eq!(app.audit_findings().await, [""; 0]);
}

async fn restarted_two_hours_later(app: TestApp, now: Instant) -> TestApp {
    app.execute("UPDATE exception SET next_try_at = now()").await;
    let later = (now + TimeDelta::hours(2)).to_rfc3339();
    let parts = Parts {
        exceptions: false,
        ..PARTS
    };
    app.restart(&[SECRETS, ("RAZAO_NOW", &later)], parts).await
}

/// The trigger stands for a database that fails after a sale's change, before the waiting notices are retried. The
/// sequence counts the failures, because a rollback does not set it back.
#[tokio::test]
async fn notices_that_wait_for_a_sale_are_retried_at_once_although_the_first_retry_fails() {
    let (app, company) = app_and_company().await;
    let created = with_type(&capture(&company, "nsu-1"), "sale.created");
    app.send(&with_type(&created, "sale.canceled")).await;
    app.execute(
        "CREATE SEQUENCE failures;
         CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$
         BEGIN PERFORM nextval('failures'); RAISE 'not now'; END $$;
         CREATE TRIGGER fail BEFORE UPDATE ON exception FOR EACH STATEMENT EXECUTE FUNCTION fail()",
    )
    .await;
    assert_eq!(app.send(&created).await.text("/result"), "recorded");
    app.until_count("SELECT count(*) FROM failures WHERE is_called", 1)
        .await;
    app.execute("DROP TRIGGER fail ON exception").await;
    app.until_no_exception_waits().await;
    assert_eq!(app.count_events("SaleVoided").await, 1);
}

#[tokio::test]
async fn an_exception_that_contradicts_the_log_is_found() {
    let (app, company) = app_and_company().await;
    let created = with_type(&capture(&company, "nsu-1"), "sale.created");
    assert_eq!(
        app.send(&with_type(&created, "sale.canceled"))
            .await
            .text("/reason"),
        "unknown_sale"
    );
    assert_eq!(app.send(&created).await.text("/result"), "recorded");
    app.until_no_exception_waits().await;
    app.assert_audit_finds(
        "exception",
        &[
            (
                "UPDATE exception SET notice_id = 'evt-of-nobody'",
                &["expected an event of notice evt-of-nobody, found no event"],
            ),
            (
                // Another one of the eight providers.
                "UPDATE exception SET provider = provider % 8 + 1",
                &["expected an event of notice"],
            ),
            (
                "UPDATE exception SET fingerprint = decode(repeat('00', 32), 'hex')",
                &["fingerprint: expected"],
            ),
            (
                "UPDATE exception SET business_id = NULL, sale_id = gen_random_uuid()",
                &["found no event"],
            ),
        ],
    )
    .await;
}
