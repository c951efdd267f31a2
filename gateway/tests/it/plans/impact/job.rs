//! The job that computes impacts: it continues after a crash, gives up, and writes nothing while no impact waits.

use gateway::app::Parts;
use gateway_identity::roles::AdminRole;
use gateway_platform::plans::impact::Impacts;
use serde_json::{Value, json};

use super::super::{PLANS, PlanFixture, mdr_form, ok, path};
use super::{
    COMPANY_TERMS, ImpactFixture, TermsOfAllSales, assert_figures, compute_impact, october,
    single_connection_pool,
};
use crate::support::TestApp;
use crate::support::wait::until_some;

#[tokio::test]
async fn a_process_continues_where_another_one_died_and_counts_nothing_twice() {
    let fixture = ImpactFixture::open().await;
    let app = &fixture.plans.app;
    let mut form = mdr_form("Padrão", "4", "0");
    form["default"] = json!(true);
    let plan = fixture.plans.created(form).await;
    let companies = [&fixture.plans.company, &fixture.others[0], &fixture.others[1]];
    for company in companies {
        fixture.assign(company, &Value::Null).await;
    }
    let staff = &fixture.plans.staff;
    let change = mdr_form("Padrão", "3.1", "0");
    let started = staff.post(&format!("{}/impact", path(&plan)), change).await;
    let small_pages = Impacts {
        rows_per_page: 4,
        ..app.app.impacts()
    };
    let read = async || {
        ok(staff
            .get(&format!("{PLANS}/impacts/{}", started.text("/id")))
            .await)
    };
    assert!(small_pages.run_page().await.expect("a page"));
    let partly = read().await;
    assert_eq!(
        (&partly["status"], &partly["count"]),
        (&json!("running"), &json!(4))
    );
    assert_eq!(
        (&partly["companies_total"], &partly["stalled"]),
        (&json!(3), &json!(false))
    );
    // A process claimed the next page and died.
    let claimed = "SET leased_until = clock_timestamp() + interval '1 hour', tries = tries + 1";
    fixture.execute(&format!("UPDATE plan_impact {claimed}")).await;
    assert!(!small_pages.run_page().await.expect("nothing to claim"));
    fixture
        .execute("UPDATE plan_impact SET worked_at = now() - interval '2 minutes'")
        .await;
    assert_eq!(read().await["stalled"], true);
    fixture
        .execute("UPDATE plan_impact SET leased_until = now()")
        .await;
    small_pages.run().await.expect("the rest");
    let sales = october(app, &companies).await;
    // Three companies with six sales each.
    assert_eq!(sales.len(), 18);
    let before = TermsOfAllSales {
        rate: 400,
        ..COMPANY_TERMS
    };
    assert_figures(
        &read().await,
        &sales,
        before,
        TermsOfAllSales {
            rate: 310,
            ..COMPANY_TERMS
        },
    );
    assert_eq!(read().await["companies_done"], 3);
}

#[tokio::test]
async fn an_impact_that_cannot_be_computed_fails_and_a_new_one_replaces_a_running_one() {
    let fixture = PlanFixture::open().await;
    let plan = fixture.created(mdr_form("Loja", "4", "0")).await;
    let start = async || {
        let path = format!("{}/impact", path(&plan));
        let started = fixture.staff.post(&path, json!({ "flat_rate": 10 })).await;
        assert_eq!(started.status, 202, "{}", started.body);
        format!("{PLANS}/impacts/{}", started.text("/id"))
    };
    let status = async |path: &str| {
        let impact = ok(fixture.staff.get(path).await);
        (impact["status"].clone(), impact["failure"].clone())
    };
    let first = start().await;
    // Five tries without progress are the most.
    fixture.app.execute("UPDATE plan_impact SET tries = 5").await;
    fixture.app.app.impacts().run().await.expect("the job runs");
    assert_eq!(status(&first).await, (json!("failed"), json!("interrupted")));
    let second = start().await;
    let third = start().await;
    assert_eq!(status(&second).await, (json!("failed"), json!("replaced")));
    assert_eq!(status(&third).await, (json!("running"), Value::Null));
    // A day later, the next request deletes them.
    fixture
        .app
        .execute("UPDATE plan_impact SET created_at = now() - interval '25 hours'")
        .await;
    start().await;
    assert_eq!(fixture.staff.get(&third).await.status, 404);
    assert_eq!(fixture.app.rows("plan_impact").await, 1);
}

#[tokio::test]
async fn an_impact_that_cannot_be_read_fails_at_once_and_the_next_one_is_computed() {
    let fixture = PlanFixture::open().await;
    let other = fixture
        .app
        .sign_in(&fixture.app.admin(&[AdminRole::Admin]).await)
        .await;
    let plan = fixture.created(mdr_form("Loja", "4", "0")).await;
    let path = format!("{}/impact", path(&plan));
    for unreadable in ["question = '{\"refunds\": {}}'", "totals = '[]'"] {
        let started = fixture.staff.post(&path, json!({ "flat_rate": 10 })).await;
        let make_unreadable = format!("UPDATE plan_impact SET {unreadable} WHERE status = 'running'");
        fixture.app.execute(&make_unreadable).await;
        let next = compute_impact(&fixture.app, &other, &path, json!({ "flat_rate": 10 })).await;
        assert_eq!(next["status"], "done");
        let failed = format!("{PLANS}/impacts/{}", started.text("/id"));
        let failed = ok(fixture.staff.get(&failed).await);
        assert_eq!(
            (&failed["status"], &failed["failure"]),
            (&json!("failed"), &json!("interrupted"))
        );
    }
    let metrics = fixture.app.operations().get("/metrics").await.body;
    let counted = "razao_rows_unreadable_total{table=\"plan_impact\"}";
    let line = metrics
        .as_str()
        .and_then(|text| text.lines().find_map(|line| line.strip_prefix(counted)));
    assert!(line.is_some_and(|count| count != " 0"), "{metrics}");
}

#[tokio::test]
async fn the_job_writes_nothing_while_no_impact_waits() {
    let fixture = PlanFixture::open().await;
    // In a read-only transaction PostgreSQL refuses an UPDATE or a DELETE even if it would find no row.
    let mut config = fixture.app.database.config.clone();
    config.options("-c default_transaction_read_only=on");
    let idle = Impacts::new(single_connection_pool(config));
    assert!(!idle.run_page().await.expect("it only reads"));
    let plan = fixture.created(mdr_form("Loja", "4", "0")).await;
    let path = format!("{}/impact", path(&plan));
    assert_eq!(
        fixture.staff.post(&path, json!({ "flat_rate": 10 })).await.status,
        202
    );
    assert!(idle.run_page().await.is_err(), "a claim writes");
}

#[tokio::test]
async fn the_job_of_a_running_program_computes_an_impact() {
    let parts = Parts {
        sandbox: false,
        ..Parts::ALL
    };
    let app = TestApp::start_with(&[], parts).await;
    let user = app.admin(&[AdminRole::Admin]).await;
    let staff = app.sign_in(&user).await;
    let started = staff
        .post(&format!("{PLANS}/impact"), mdr_form("Loja", "4", "0"))
        .await;
    let path = format!("{PLANS}/impacts/{}", started.text("/id"));
    let done = until_some("the impact", async || {
        let impact = ok(staff.get(&path).await);
        (impact["status"] == "done").then_some(impact)
    })
    .await;
    assert_eq!(done["companies_total"], 0);
}
