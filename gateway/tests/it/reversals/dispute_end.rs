//! Staff record the end of a dispute by hand.

use gateway_identity::roles::AdminRole;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{ReversalFixture, admin_path, ok};
use crate::support::{Answer, Client, Sale};

async fn end(client: &Client, sale: &Sale, outcome: &str, reason: &str) -> Answer {
    let body = json!({ "outcome": outcome, "reason": reason });
    client.post(&admin_path(sale, "dispute/end"), body).await
}

async fn disputed(fixture: &ReversalFixture) -> Sale {
    let sale = fixture.sold(Sale::card()).await;
    ok(fixture.staff.post(&admin_path(&sale, "dispute"), json!({})).await);
    sale
}

#[tokio::test]
async fn an_admin_ends_a_dispute_by_hand_and_the_reason_stays_in_the_audit_log() {
    let fixture = ReversalFixture::with(1_000_00).await;
    let admin = fixture.app.admin(&[AdminRole::Admin]).await;
    let admin = fixture.app.sign_in(&admin).await;
    for (outcome, status, event) in [
        ("won", "succeeded", "DisputeWon"),
        ("lost", "charged_back", "SaleChargedBack"),
    ] {
        let sale = disputed(&fixture).await;
        let before = fixture.balances().await;
        let amount = before["in_dispute"].as_i64().expect("cents");
        assert!(amount > 0, "{before}");
        let keyed = admin.clone().with("idempotency-key", &Uuid::new_v4().to_string());
        for repeat in [false, true] {
            let ended = ok(end(&keyed, &sale, outcome, "Protocolo 4411 da adquirente").await);
            assert_eq!(ended.text("/status"), status, "repeat: {repeat}");
        }
        let after = fixture.balances().await;
        assert_eq!(after["in_dispute"], 0);
        let gained =
            after["available"].as_i64().expect("cents") - before["available"].as_i64().expect("cents");
        assert_eq!(gained, if outcome == "won" { amount } else { 0 });
        assert_eq!(fixture.app.count_events(event).await, 1);
        let logged = format!(
            "SELECT count(*) FROM audit_log WHERE action = 'end-dispute' AND subject_id = '{}'
                AND after::text LIKE '%Protocolo 4411%' AND after::text LIKE '%{outcome}%'",
            sale.facts.sale_id
        );
        assert_eq!(fixture.app.count(&logged).await, 1);
        let other = if outcome == "won" { "lost" } else { "won" };
        assert_eq!(end(&admin, &sale, other, "Engano").await.status, 409);
    }
}

#[tokio::test]
async fn a_dispute_is_ended_with_a_reason_by_an_admin_and_only_if_there_is_one() {
    let fixture = ReversalFixture::with(1_000_00).await;
    let admin = fixture.app.admin(&[AdminRole::Admin]).await;
    let admin = fixture.app.sign_in(&admin).await;
    let sale = disputed(&fixture).await;
    for (outcome, reason, field) in [("won", " ", "reason"), ("", "Protocolo", "outcome")] {
        let refused = end(&admin, &sale, outcome, reason).await;
        assert_eq!(refused.status, 422, "{}", refused.body);
        assert_ne!(refused.body.pointer(&format!("/errors/{field}")), None::<&Value>);
    }
    assert_eq!(end(&fixture.staff, &sale, "won", "Protocolo").await.status, 403);
    let approved = fixture.sold(Sale::card()).await;
    assert_eq!(end(&admin, &approved, "won", "Protocolo").await.status, 409);
    assert_eq!(fixture.app.count_events("DisputeWon").await, 0);
}
