//! What-if: a company's last month under another plan.

use std::sync::atomic::{AtomicBool, Ordering};

use gateway_identity::roles::SellerRole;
use gateway_platform::plans::impact::{WhatIf, what_if};
use gateway_platform::plans::plan_fetch;
use ledger_domain::PlanId;
use serde_json::{Value, json};

use super::super::{assert_errors, mdr_form, ok};
use super::{COMPANY_TERMS, ImpactFixture, TermsOfAllSales, integer, october, single_connection_pool};

fn what_if_path(plan: &Value) -> String {
    let plan = plan["id"].as_str().expect("an id");
    format!("/api/business/plan/what-if?solution=1&plan={plan}")
}

#[tokio::test]
async fn an_owner_compares_only_offered_plans_of_the_solution_with_the_current_one() {
    let fixture = ImpactFixture::open().await;
    let app = &fixture.plans.app;
    let seller = fixture.plans.seller(SellerRole::Owner).await;
    let mut form = mdr_form("Oferta", "3.99", "1.8");
    form["offered"] = json!(true);
    let offered = fixture.plans.created(form.clone()).await;
    assert_eq!(offered["offered"], true);
    let hidden = fixture.plans.created(mdr_form("Oculto", "2", "0")).await;
    (form["solution_id"], form["description"]) = (json!(4), json!("Links"));
    let of_links = fixture.plans.created(form).await;
    let list = ok(seller.get("/api/business/plan/offered?solution=1").await);
    assert_eq!(list["data"], json!([{ "id": offered["id"], "name": "Oferta" }]));
    let compared = ok(seller.get(&what_if_path(&offered)).await);
    let sales = october(app, &[&fixture.plans.company]).await;
    assert_eq!(integer(&compared, "/count"), 6);
    assert_eq!(integer(&compared, "/current"), COMPANY_TERMS.sum(&sales).0);
    let offered_terms = TermsOfAllSales {
        rate: 399,
        advance: 180,
        ..COMPANY_TERMS
    };
    assert_eq!(integer(&compared, "/proposed"), offered_terms.sum(&sales).0);
    assert_eq!(compared["month"], "2026-10-01");
    assert_eq!(compared["other_plan"]["name"], "Oferta");
    for plan in [&hidden, &of_links] {
        assert_eq!(seller.get(&what_if_path(plan)).await.status, 404);
    }
    let unknown = "/api/business/plan/what-if?solution=1&plan=pln_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b06";
    assert_eq!(seller.get(unknown).await.status, 404);
    let of_others = format!("{}&business_id={}", what_if_path(&offered), fixture.others[0].id);
    assert_eq!(seller.get(&of_others).await.status, 404);
    let operator = fixture.plans.seller(SellerRole::Operator).await;
    assert_eq!(operator.get(&what_if_path(&offered)).await.status, 403);
    // An inactive plan is no longer offered, so it is a 404.
    let changed = fixture.plans.changed(&offered, json!({ "active": false })).await;
    assert_eq!(changed["offered"], false);
    assert_eq!(seller.get(&what_if_path(&offered)).await.status, 404);
    let refused = seller.get("/api/business/plan/what-if?solution=4&plan=x").await;
    assert_errors(&refused, json!({ "plan": ["Deve ser o id de um plano."] }));
}

#[tokio::test]
async fn a_second_comparison_of_a_company_at_once_is_a_429() {
    let fixture = ImpactFixture::open().await;
    let app = &fixture.plans.app;
    let mut form = mdr_form("Oferta", "3.99", "1.8");
    form["offered"] = json!(true);
    let path = what_if_path(&fixture.plans.created(form).await);
    let seller = fixture.plans.seller(SellerRole::Owner).await;
    let other = app.seller(&[(&fixture.others[0], SellerRole::Owner)]).await;
    let other = app.sign_in(&other).await;
    let running = app
        .app
        .state
        .slots
        .plan_comparisons
        .take(fixture.plans.company.id);
    let refused = seller.get(&path).await;
    assert_eq!(
        (
            refused.status,
            refused.text("/message"),
            refused.header("retry-after")
        ),
        (
            429,
            "Outra comparação da sua empresa está em andamento.",
            Some("2")
        )
    );
    ok(other.get(&path).await);
    drop(running);
    ok(seller.get(&path).await);
    ok(seller.get(&path).await);
}

#[tokio::test]
async fn a_long_comparison_gives_its_connection_back_after_each_page() {
    let fixture = ImpactFixture::open().await;
    let plan = fixture.plans.created(mdr_form("Oferta", "3.99", "1.8")).await;
    let plan: PlanId = plan["id"].as_str().and_then(|id| id.parse().ok()).expect("an id");
    let one_connection = single_connection_pool(fixture.plans.app.database.config.clone());
    let db = one_connection.get().await.expect("a connection");
    let now = fixture.plans.app.app.state.clock.now();
    let plan = plan_fetch(&**db, plan, now)
        .await
        .expect("plans")
        .expect("a plan");
    let terms = plan.current.expect("terms in force").terms;
    let question = WhatIf {
        company: fixture.plans.company.id,
        month: "2026-10-01".parse().expect("a date"),
        current: &terms,
        other: &terms,
    };
    // The pool has one connection, which this test holds in `db`, and serves requests in their order. The comparison is
    // the first to wait. It reads six pages with one sale each, and then an empty one. So the other request gets the
    // connection after the first page.
    let is_done = AtomicBool::new(false);
    let comparison = async {
        let totals = what_if(&one_connection, question, 1).await.expect("sums");
        is_done.store(true, Ordering::Relaxed);
        totals
    };
    let another_request = async {
        let _connection = one_connection.get().await.expect("a connection");
        !is_done.load(Ordering::Relaxed)
    };
    let free_connection = async { drop(db) };
    let (totals, came_between, ()) = tokio::join!(comparison, another_request, free_connection);
    assert_eq!(totals.count, 6);
    assert!(came_between, "another request is served between two pages");
}
