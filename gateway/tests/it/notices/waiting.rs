//! Notices that cannot be recorded yet. They wait in the exceptions queue.

use chrono::Utc;
use gateway_platform::resolution::try_due_notices;
use ledger_domain::sale::Provider;
use serde_json::{Value, json};

use crate::support::Sale;
use crate::support::acquirer::{app_and_company, app_and_company_without, capture, json_of, with_type};

#[tokio::test]
async fn a_notice_with_a_control_character_waits_for_staff() {
    let (app, company) = app_and_company().await;
    for (field, value) in [("external_id", "nsu\u{0}1"), ("authorization_code", "A\n1")] {
        let mut notice = json_of(&capture(&company, "nsu-1"));
        notice["id"] = json!(field);
        notice["data"][field] = json!(value);
        let answer = app.send_json(&notice).await;
        assert_eq!(
            (answer.status, answer.text("/reason")),
            (202, "control_characters"),
            "{field}"
        );
    }
    app.execute("UPDATE exception SET next_try_at = now()").await;
    let state = &app.app.state;
    let recorded = try_due_notices(&state.pool, &state.notices).await;
    assert_eq!(
        recorded.expect("the due notices"),
        0,
        "the stored body still has the control character"
    );
    assert_eq!(app.count_events("SaleCaptured").await, 0);
}

#[tokio::test]
async fn a_notice_dated_more_than_a_day_ahead_waits() {
    let (app, company) = app_and_company().await;
    // The limit counts from the later of the business clock and the machine's.
    let now = app.app.state.clock.now().max(Utc::now());
    let mut too_far_ahead = capture(&company, "nsu-1");
    too_far_ahead.occurred_at = now + chrono::TimeDelta::hours(25);
    let answer = app.send(&too_far_ahead).await;
    assert_eq!((answer.status, answer.text("/reason")), (202, "dated_ahead"));
    let mut within_a_day = capture(&company, "nsu-2");
    within_a_day.occurred_at = now + chrono::TimeDelta::hours(23);
    assert_eq!(app.send(&within_a_day).await.text("/result"), "recorded");
    assert_eq!(app.count_events("SaleCaptured").await, 1);
}

#[tokio::test]
async fn a_notice_that_cannot_be_recorded_waits_with_its_reason() {
    let (app, company) = app_and_company().await;
    let recorded = capture(&company, "nsu-1");
    assert_eq!(app.send(&recorded).await.status, 200);
    let unknown_company = json!("biz_00000000-0000-4000-8000-000000000001");
    let changed = |r#type: &str, external_id: &str, field: &str, value: Value| {
        let mut notice = json_of(&capture(&company, external_id));
        notice["id"] = json!(format!("{type}-{external_id}-{field}"));
        notice["type"] = json!(r#type);
        notice["data"][field] = value;
        notice
    };
    // Where only the type matters, an unknown field `x` is added.
    let cases = [
        (changed("moon.risen", "nsu-1", "x", json!(1)), "unknown_type"),
        (changed("sale.refunded", "nsu-8", "x", json!(1)), "unknown_sale"),
        (
            changed("dispute.won", "nsu-1", "dispute_id", json!("dp-1")),
            "dispute_not_opened",
        ),
        (
            changed("sale.captured", "nsu-2", "business_id", unknown_company),
            "unknown_business",
        ),
        (
            changed("sale.captured", "nsu-3", "business_id", Value::Null),
            "no_business",
        ),
        (changed("sale.captured", "nsu-4", "solution", json!(2)), "no_plan"),
        (
            changed("sale.captured", "nsu-5", "terminal_serial", json!("PB-UNKNOWN")),
            "unknown_terminal",
        ),
        (
            changed("sale.captured", "nsu-1", "amount", json!(299_99)),
            "amount_differs",
        ),
        (
            changed("sale.captured", "nsu-1", "installments", json!(2)),
            "sale_differs",
        ),
        (changed("sale.canceled", "nsu-6", "x", json!(1)), "unknown_sale"),
        (
            changed(
                "sale.captured",
                "nsu-7",
                "sale_id",
                json!("sal_00000000-0000-4000-8000-000000000007"),
            ),
            "unknown_sale",
        ),
    ];
    for (index, (notice, reason)) in cases.iter().enumerate() {
        let answer = app.send_json(notice).await;
        assert_eq!(
            (answer.status, answer.text("/reason")),
            (202, *reason),
            "case {index}: {}",
            answer.body
        );
        let again = app.send_json(notice).await;
        assert_eq!(again.status, 202, "case {index}, sent again");
    }
    assert_eq!(app.rows("exception").await, 11, "a repeat adds no second row");
    let bodies_with_their_id = app
        .count("SELECT count(*) FROM exception WHERE body::json->>'id' = notice_id")
        .await;
    assert_eq!(bodies_with_their_id, 11);
    assert_eq!(app.count_events("SaleCaptured").await, 1);
}

#[tokio::test]
async fn a_capture_of_a_denied_company_is_recorded_and_marked_for_a_hold() {
    let (app, company) = app_and_company().await;
    app.execute("UPDATE business SET approval = 'denied'").await;
    assert_eq!(
        app.send(&capture(&company, "nsu-1")).await.text("/result"),
        "recorded"
    );
    let held = "SELECT count(*) FROM event WHERE (payload->'SaleCaptured'->>'held')::boolean";
    assert_eq!(app.count(held).await, 1);
    // A sale that is only created moves no money, and waits for staff.
    let created = with_type(&capture(&company, "nsu-2"), "sale.created");
    let answer = app.send(&created).await;
    assert_eq!(
        (answer.status, answer.text("/reason")),
        (202, "business_not_active")
    );
}

#[tokio::test]
async fn one_notice_id_with_two_bodies_waits_for_staff() {
    let (app, company) = app_and_company().await;
    let mut notice = capture(&company, "nsu-1");
    app.send(&notice).await;
    notice.data.external_id = "nsu-2".to_owned();
    let answer = app.send(&notice).await;
    assert_eq!((answer.status, answer.text("/reason")), (202, "notice_id_reused"));
    assert_eq!(app.count_events("SaleCaptured").await, 1);
}

#[tokio::test]
async fn a_notice_whose_retry_fails_does_not_keep_later_notices_from_being_retried() {
    let (app, company) = app_and_company_without(|parts| parts.exceptions = false).await;
    for external_id in ["nsu-1", "nsu-2"] {
        let canceled = with_type(&capture(&company, external_id), "sale.canceled");
        assert_eq!(app.send(&canceled).await.text("/reason"), "unknown_sale");
    }
    let state = &app.app.state;
    let sale_id = |external_id| state.ids.sale(Provider::Zoop, external_id);
    // No notice reports this sale, so nothing but the due time causes a retry.
    let mut sale = Sale::card();
    sale.facts.sale_id = sale_id("nsu-2");
    app.create_sale(&company, &sale).await;
    // The claim of a row raises `tries`. The trigger refuses the next update, which stores the outcome, for nsu-1.
    app.execute(&format!(
        "UPDATE exception SET next_try_at = now();
         CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
             $$ BEGIN RAISE EXCEPTION 'no outcome'; END $$;
         CREATE TRIGGER refused BEFORE UPDATE ON exception FOR EACH ROW
             WHEN (OLD.sale_id = '{}' AND NEW.tries = OLD.tries) EXECUTE FUNCTION refuse()",
        sale_id("nsu-1").uuid()
    ))
    .await;
    let tried = try_due_notices(&state.pool, &state.notices).await;
    let error = tried.expect_err("nsu-1 cannot be tried").to_string();
    assert!(error.contains("no outcome"), "{error}");
    assert_eq!(
        app.count_events("SaleVoided").await,
        1,
        "nsu-2 was tried after nsu-1"
    );
}
