//! The settlement job: each due installment settles once, however often the job runs.

use std::time::Duration;

use gateway_platform::settlement::Settled;
use ledger_domain::business::INSTALLMENTS_PER_EVENT;
use projections::{ReadModelGroup, wait_for};

use crate::support::acquirer::{app_and_company, capture};
use crate::support::database::only_with_tables;
use crate::support::{Company, TestApp};

/// More installments than one pass of the job takes.
const MORE_THAN_A_PASS: usize = 2_100;

/// Captures this many sales of R$ 300,00 in three installments on a day: net R$ 285,00, due 30, 60 and 90 days later or
/// on the next banking day.
async fn capture_sales(app: &TestApp, company: &Company, day: &str, count: usize) {
    for number in 0..count {
        let mut notice = capture(company, &format!("nsu-{day}-{number}"));
        notice.occurred_at = format!("{day}T15:00:00Z").parse().expect("an instant");
        assert_eq!(app.send(&notice).await.status, 200);
    }
    let recorded = app.app.state.writer.recorded().position();
    let pool = &app.app.state.pool;
    wait_for(pool, &[ReadModelGroup::Sales], &recorded, Duration::from_secs(10))
        .await
        .expect("the read models");
}

async fn settle(app: &TestApp) -> Settled {
    app.app.settlement().run(|_| ()).await.expect("a settlement")
}

/// The available and the receivable balance of all companies.
async fn balances(app: &TestApp) -> (i64, i64) {
    let available = app.count("SELECT sum(available)::int8 FROM business_head").await;
    (
        available,
        app.count("SELECT sum(receivable)::int8 FROM business_head").await,
    )
}

/// Read models that are behind show settled installments as open. Here they do so for copies of the only sale.
async fn suggest_settled_installments(app: &TestApp, count: usize) {
    let copies = format!(
        "INSERT INTO sale
         SELECT copy.*
           FROM sale, generate_series(1, {count}) AS n,
                jsonb_populate_record(sale, jsonb_build_object('sale_id', md5(n::text)::uuid,
                    'settled_by', ARRAY[NULL, NULL, NULL]::int8[])) AS copy"
    );
    app.execute(&copies).await;
    let open = format!("UPDATE receivables_schedule SET installments = installments + {count}, open = true");
    app.execute(&open).await;
}

#[tokio::test]
async fn installments_settle_once_from_their_due_date_on() {
    let (app, company) = app_and_company().await;
    // Due on 21 September (the 19th is a Saturday), 19 October and 18 November; today is 21 November.
    capture_sales(&app, &company, "2026-08-20", 1).await;
    // Due after today.
    capture_sales(&app, &company, "2026-11-20", 1).await;
    assert_eq!(balances(&app).await, (0, 2 * 285_00));
    assert_eq!(
        settle(&app).await,
        Settled {
            commands: 3,
            installments: 3,
            ..Settled::default()
        }
    );
    assert_eq!(balances(&app).await, (285_00, 285_00));
    assert_eq!(settle(&app).await, Settled::default());
    assert_eq!(app.count_events("ReceivablesSettled").await, 3);
}

#[tokio::test]
async fn a_settlement_is_effective_at_its_due_date_in_brasilia() {
    let (app, company) = app_and_company().await;
    capture_sales(&app, &company, "2026-08-20", 1).await;
    settle(&app).await;
    let effective = "SELECT count(*) FROM event WHERE event_type = 'ReceivablesSettled' AND occurred_at IN
                     ('2026-09-21 03:00Z', '2026-10-19 03:00Z', '2026-11-18 03:00Z')";
    assert_eq!(app.count(effective).await, 3);
}

#[tokio::test]
async fn more_installments_than_one_event_can_settle_are_settled_by_several() {
    let (app, company) = app_and_company().await;
    let count = INSTALLMENTS_PER_EVENT + 10;
    let notices: Vec<_> = (0..count)
        .map(|number| {
            let mut notice = capture(&company, &format!("nsu-{number}"));
            notice.data.installments = 1;
            notice.occurred_at = "2026-09-01T15:00:00Z".parse().expect("an instant");
            serde_json::to_value(notice).expect("JSON")
        })
        .collect();
    assert_eq!(
        app.send_json(&serde_json::Value::Array(notices)).await.status,
        200
    );
    app.until_projected().await;
    assert_eq!(settle(&app).await.installments, count);
    assert_eq!(app.count_events("ReceivablesSettled").await, 2);
}

#[tokio::test]
async fn two_concurrent_runs_settle_once() {
    let (app, company) = app_and_company().await;
    capture_sales(&app, &company, "2026-08-20", 5).await;
    let (first, second) = tokio::join!(settle(&app), settle(&app));
    assert_eq!(first.installments + second.installments, 5 * 3);
    assert_eq!(balances(&app).await, (5 * 285_00, 0));
}

#[tokio::test]
async fn read_models_that_are_behind_delay_no_other_company() {
    let (app, company) = app_and_company().await;
    let other = app.company("Livraria").await;
    capture_sales(&app, &company, "2026-08-20", 1).await;
    assert_eq!(settle(&app).await.installments, 3);
    // The suggestions come before the other company's first installment, which is due on the same day.
    suggest_settled_installments(&app, MORE_THAN_A_PASS).await;
    capture_sales(&app, &other, "2026-08-21", 1).await;
    assert_eq!(settle(&app).await.installments, 3, "the other company's");
}

#[tokio::test]
async fn a_run_sends_a_failing_command_once() {
    only_with_tables!();
    let (app, company) = app_and_company().await;
    let other = app.company("Livraria").await;
    capture_sales(&app, &company, "2026-08-20", 1).await;
    capture_sales(&app, &other, "2026-08-21", 1).await;
    let rule = format!(
        "ALTER TABLE event ADD CHECK (event_type <> 'ReceivablesSettled' OR business_id <> '{}')",
        company.id.uuid()
    );
    app.execute(&rule).await;
    // The later installments of the failing sale wait for its first. The other company's take a pass each.
    let settled = Settled {
        commands: 3,
        installments: 3,
        failed: 1,
        ..Settled::default()
    };
    assert_eq!(settle(&app).await, settled);
}

#[tokio::test]
async fn suggestions_that_settle_nothing_delay_no_other_of_their_day() {
    let (app, company) = app_and_company().await;
    capture_sales(&app, &company, "2026-08-20", 1).await;
    assert_eq!(settle(&app).await.installments, 3);
    suggest_settled_installments(&app, MORE_THAN_A_PASS).await;
    let mut later = capture(&company, "nsu-later");
    later.occurred_at = "2026-08-20T18:00:00Z".parse().expect("an instant");
    assert_eq!(app.send(&later).await.status, 200);
    app.until_projected().await;
    assert_eq!(settle(&app).await.installments, 3, "of the day's last sale");
}
