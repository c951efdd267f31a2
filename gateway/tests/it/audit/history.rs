//! What the panels say of the checks of the ledger, and the proofs that they give.

use chrono::Utc;
use ed25519_dalek::SigningKey;
use gateway_identity::roles::{AdminRole, SellerRole};
use ledger_domain::SaleId;
use ledger_store::audit::checkpoint;
use ledger_store::{Shard, tree_head};
use razao_verify::check::Shows;
use razao_verify::{Checked, check};
use serde_json::Value;

use super::{KEY, proofs::NAME};
use crate::support::movements::MovementsFixture;
use crate::support::{Answer, Company};

async fn sign(fixture: &MovementsFixture) {
    let client = fixture.app.database.client().await;
    for shard in Shard::all() {
        tree_head::make(&client, shard, &KEY, Utc::now())
            .await
            .expect("made");
        checkpoint::make(&client, shard, NAME, &KEY).await.expect("made");
    }
}

fn path(company: &Company, rest: &str) -> String {
    format!("/api/business/{}/{rest}", company.id)
}

fn valid(answer: &Answer) -> Checked {
    let key = SigningKey::from_bytes(&KEY).verifying_key();
    check(&answer.body.to_string(), &[key], &[]).expect("a valid proof")
}

async fn sale_of(fixture: &MovementsFixture, company: &Company) -> SaleId {
    let client = fixture.app.database.client().await;
    let sql = "SELECT sale_id FROM sale_claim WHERE business_id = $1 ORDER BY sequence LIMIT 1";
    let row = client
        .query_one(sql, &[&company.id.uuid()])
        .await
        .expect("a sale");
    SaleId::from_uuid(row.get(0))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_seller_gets_what_was_checked_and_the_proof_of_it() {
    let fixture = MovementsFixture::open().await;
    let (seller, company) = (&fixture.seller, &fixture.company);
    let before = seller.get(&path(company, "verified-history")).await;
    assert_eq!(before.status, 200, "{}", before.body);
    assert_eq!(before.body["checkpoint"], Value::Null);
    assert_eq!(before.body["verified"], Value::Null);
    let proof = seller.get(&path(company, "verified-history/proof")).await;
    assert_eq!(proof.status, 409, "{}", proof.body);

    sign(&fixture).await;
    let history = seller.get(&path(company, "verified-history")).await;
    assert_eq!(history.status, 200, "{}", history.body);
    let origin = format!("{NAME}/shard/{}", Shard::of(company.id));
    assert_eq!(history.text("/checkpoint/origin"), origin);
    let key = hex::encode(SigningKey::from_bytes(&KEY).verifying_key().as_bytes());
    assert_eq!(history.text("/keys/0/public_key"), key);
    assert_eq!(history.body["keys"][0]["to"], Value::Null);

    let today = ledger_domain::calendar::business_date(Utc::now());
    let month = format!(
        "verified-history/proof?start={}&end={today}",
        today - chrono::Days::new(30)
    );
    let proof = seller.get(&path(company, &month)).await;
    assert_eq!(proof.status, 200, "{}", proof.body);
    let Shows::Company {
        events,
        accounts,
        period: Some(period),
        ..
    } = valid(&proof).shows
    else {
        panic!("a company with a period")
    };
    assert_eq!(history.body["events"], events);
    let balances = fixture.ledger_balances(company).await;
    assert_eq!(accounts.available, balances.available);
    assert_eq!(accounts.receivable, balances.receivable);
    assert_eq!(accounts.held_by_staff, balances.held_by_staff);
    // Of the sale of 75 days ago, the fees are before the period.
    assert_eq!(period.closing, accounts);
    assert!(period.fees < accounts.platform_fees);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_sale_is_proven_to_its_company_only() {
    let fixture = MovementsFixture::open().await;
    sign(&fixture).await;
    let (seller, company) = (&fixture.seller, &fixture.company);
    let own = sale_of(&fixture, company).await;
    let proof = seller.get(&path(company, &format!("sales/{own}/proof"))).await;
    assert_eq!(proof.status, 200, "{}", proof.body);
    assert!(matches!(valid(&proof).shows, Shows::Sale { sale_id, .. } if sale_id == own.to_string()));
    let foreign = sale_of(&fixture, &fixture.other).await;
    let refused = seller
        .get(&path(company, &format!("sales/{foreign}/proof")))
        .await;
    assert_eq!(refused.status, 404, "{}", refused.body);
    let refused = seller.get(&path(&fixture.other, "verified-history/proof")).await;
    assert_eq!(refused.status, 404, "{}", refused.body);
    let operator = fixture.app.seller(&[(company, SellerRole::Operator)]).await;
    let operator = fixture.app.sign_in(&operator).await;
    let refused = operator.get(&path(company, "verified-history/proof")).await;
    assert_eq!(refused.status, 403, "{}", refused.body);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn half_a_period_is_refused() {
    let fixture = MovementsFixture::open().await;
    for (query, field) in [("start=2026-11-01", "end"), ("end=2026-11-30", "start")] {
        let path = path(&fixture.company, &format!("verified-history/proof?{query}"));
        let refused = fixture.seller.get(&path).await;
        assert_eq!(refused.status, 422, "{}", refused.body);
        assert!(refused.body["errors"][field].is_array(), "{}", refused.body);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn staff_see_each_shard_and_anybody_the_keys() {
    let fixture = MovementsFixture::open().await;
    sign(&fixture).await;
    let staff = fixture.staff_user(AdminRole::Admin).await;
    let history = staff.get("/api/admin/operations/verified-history").await;
    assert_eq!(history.status, 200, "{}", history.body);
    let shards = history.body["shards"].as_array().expect("a list");
    assert_eq!(shards.len(), 16);
    let of_company = &shards[usize::from(Shard::of(fixture.company.id).number())];
    assert_eq!(of_company["recorded"], of_company["checkpoint"]["size"]);
    let signed = shards.iter().filter(|shard| shard["checkpoint"] != Value::Null);
    let recorded = shards.iter().filter(|shard| shard["recorded"] != 0);
    assert_eq!(signed.count(), recorded.count());
    let keys = fixture.app.client().get("/api/ledger/keys").await;
    assert_eq!(keys.status, 200, "{}", keys.body);
    assert_eq!(keys.body["data"], history.body["keys"]);
}
