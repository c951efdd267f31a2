//! Refusals of cancels and disputes, which record nothing.

use gateway_identity::roles::SellerRole;
use serde_json::json;

use super::{ReversalFixture, ok, path};
use crate::support::acquirer::SECRETS;
use crate::support::{PARTS_WITHOUT_EFFECTS, Sale};

#[tokio::test]
async fn a_low_balance_is_a_406_with_the_needed_amount_and_the_day() {
    let fixture = ReversalFixture::with(100_00).await;
    let sale = fixture.sold(Sale::card()).await;
    let (recorded, before) = (fixture.events_recorded().await, fixture.balances().await);
    for (step, needed, covered_on) in [
        ("chargeback", 285_00, "2027-01-19"),
        ("dispute", 300_00, "2027-02-18"),
    ] {
        let answer = fixture.seller.post(&path(&sale, step), json!({})).await;
        assert_eq!(answer.status, 406, "{}", answer.body);
        assert_eq!(answer.header("content-type"), Some("application/problem+json"));
        assert_eq!(answer.text("/type"), "/problems/balance-too-short");
        assert_eq!(
            answer.text("/message"),
            "O saldo disponível não é suficiente para cancelar a venda"
        );
        assert_eq!(
            answer.at("/balance"),
            &json!({ "needed": needed, "available": 100_00, "covered_on": covered_on })
        );
    }
    assert_eq!(fixture.events_recorded().await, recorded);
    assert_eq!(fixture.balances().await, before);
}

#[tokio::test]
async fn on_the_day_that_the_406_names_the_cancel_is_allowed() {
    let fixture = ReversalFixture::with(0).await;
    // Two installments are due by today, one on 7 December.
    let sale = fixture.sold(Sale::card().days_ago(75)).await;
    fixture.settle().await;
    let refused = fixture.seller.post(&path(&sale, "chargeback"), json!({})).await;
    assert_eq!(
        refused.at("/balance"),
        &json!({ "needed": 285_00, "available": 190_00, "covered_on": "2026-12-07" })
    );
    let noon = ("RAZAO_NOW", "2026-12-07T12:00:00-03:00");
    let app = fixture.app.restart(&[SECRETS, noon], PARTS_WITHOUT_EFFECTS).await;
    app.settle_due().await;
    let owner = app.seller(&[(&fixture.company, SellerRole::Owner)]).await;
    let seller = app.sign_in(&owner).await;
    ok(seller.post(&path(&sale, "chargeback"), json!({})).await);
}

#[tokio::test]
async fn a_refusal_is_not_stored_under_its_key() {
    let fixture = ReversalFixture::with(0).await;
    let sale = fixture.sold(Sale::card()).await;
    let keyed = fixture.seller.clone().with("idempotency-key", "de-novo");
    let refused = keyed.post(&path(&sale, "chargeback"), json!({})).await;
    assert_eq!(
        (refused.status, refused.at("/balance/covered_on")),
        (406, &json!("2027-02-18"))
    );
    super::credit(&fixture.app, &fixture.company, 285_00).await;
    let taken = ok(keyed.post(&path(&sale, "chargeback"), json!({})).await);
    assert_eq!(taken.header("idempotent-replayed"), None);
}

#[tokio::test]
async fn a_reversed_or_unpaid_sale_is_a_409_with_its_status() {
    let fixture = ReversalFixture::with(1_000_00).await;
    let canceled = fixture.sold(Sale::card()).await;
    ok(fixture
        .seller
        .post(&path(&canceled, "chargeback"), json!({}))
        .await);
    let disputed = fixture.sold(Sale::card()).await;
    ok(fixture.seller.post(&path(&disputed, "dispute"), json!({})).await);
    let pending = Sale::pix();
    fixture.app.create_sale(&fixture.company, &pending).await;
    let failed = Sale::card();
    fixture
        .app
        .fail(&fixture.company, &failed, "saldo insuficiente")
        .await;
    let recorded = fixture.events_recorded().await;
    for (sale, state) in [
        (&canceled, "canceled"),
        (&disputed, "dispute"),
        (&pending, "pending"),
        (&failed, "failed"),
    ] {
        for step in ["chargeback", "dispute"] {
            let answer = fixture.seller.post(&path(sale, step), json!({})).await;
            assert_eq!((answer.status, answer.text("/state")), (409, state), "{step}");
        }
    }
    assert_eq!(fixture.events_recorded().await, recorded);
}

#[tokio::test]
async fn another_company_s_sale_is_a_404_and_a_reason_over_200_characters_a_422() {
    let fixture = ReversalFixture::with(1_000_00).await;
    let other = fixture.app.company("Farmácia").await;
    let (foreign, own) = (Sale::card(), fixture.sold(Sale::card()).await);
    fixture.app.capture(&other, &foreign).await;
    for step in ["chargeback", "dispute"] {
        let answer = fixture.seller.post(&path(&foreign, step), json!({})).await;
        assert_eq!(answer.status, 404, "{step}");
        let preview = fixture
            .seller
            .get(&path(&foreign, &format!("{step}/preview")))
            .await;
        assert_eq!(preview.status, 404, "{step}");
        let long = json!({ "reason": "x".repeat(201) });
        let answer = fixture.seller.post(&path(&own, step), long).await;
        assert_eq!(answer.status, 422, "{}", answer.body);
        assert!(answer.at("/errors/reason").is_array());
    }
    let unknown = fixture
        .seller
        .post("/api/transactions/venda/chargeback", json!({}))
        .await;
    assert_eq!(unknown.status, 404);
}

#[tokio::test]
async fn a_seller_who_loses_access_during_the_request_is_refused() {
    for step in ["chargeback", "dispute"] {
        let fixture = ReversalFixture::with(400_00).await;
        let sale = fixture.sold(Sale::card()).await;
        let recorded = fixture.events_recorded().await;
        let mut client = fixture.app.app.state.pool.get().await.expect("a connection");
        let removal = client.transaction().await.expect("a transaction");
        let removed = "SELECT FROM seller_user FOR UPDATE; DELETE FROM business_access";
        removal
            .batch_execute(removed)
            .await
            .expect("the access is removed");
        let (path, body) = (path(&sale, step), json!({}));
        let request = fixture.seller.post(&path, body);
        tokio::pin!(request);
        tokio::select! {
            answer = &mut request => panic!("{step} does not check the access again: {}", answer.status),
            () = fixture.app.until_sessions_wait_for_locks(1) => {}
        }
        removal.commit().await.expect("the removal");
        let answer = request.await;
        assert_eq!(answer.status, 403, "{step}: {}", answer.body);
        assert_eq!(fixture.events_recorded().await, recorded, "{step}");
    }
}
