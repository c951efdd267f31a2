//! Staff list, read and reverse the sales of all companies.

use gateway_identity::roles::AdminRole;
use gateway_platform::providers::CanonicalNotice;
use ledger_domain::sale::Provider;
use serde_json::{Value, json};

use super::{ReversalFixture, admin_path, ok, path};
use crate::support::acquirer::{capture, with_type};
use crate::support::{Answer, Client, Sale};

/// The staff user, whose calls wait until the read models have all events that are recorded now.
async fn staff_with_position(fixture: &ReversalFixture) -> Client {
    let position = fixture.app.ledger_position().await.to_string();
    fixture.staff.clone().with("ledger-position", &position)
}

#[tokio::test]
async fn staff_cancel_and_dispute_and_the_ledger_records_the_user() {
    let fixture = ReversalFixture::with(1_000_00).await;
    for (step, status) in [("chargeback", "canceled"), ("dispute", "dispute")] {
        let sale = fixture.sold(Sale::card()).await;
        let preview = ok(fixture
            .staff
            .get(&admin_path(&sale, &format!("{step}/preview")))
            .await)
        .body;
        let done = ok(fixture
            .staff
            .post(&admin_path(&sale, step), json!({ "reason": "Pedido do cliente" }))
            .await);
        assert_eq!(done.text("/status"), status);
        assert_eq!(done.at("/business/id"), &json!(fixture.company.id));
        assert_eq!(done.text("/business/name"), "Padaria Aurora");
        assert_eq!(done.text("/business/document").len(), 14);
        assert_eq!(fixture.balances().await, preview["balance"]["after"]);
        let metadata = fixture.last_metadata().await;
        assert_eq!(metadata["audience"], "admin");
        assert_eq!(metadata["actor"], fixture.staff_id.to_string());
        let audit_log = format!(
            "SELECT count(*) FROM audit_log
              WHERE subject = 'sale' AND subject_id = '{}' AND audience = 'admin' AND actor_id = '{}'",
            sale.facts.sale_id,
            fixture.staff_id.uuid()
        );
        assert_eq!(fixture.app.count(&audit_log).await, 1);
    }
}

#[tokio::test]
async fn a_named_company_must_own_the_sale() {
    let fixture = ReversalFixture::with(1_000_00).await;
    let other = fixture.app.company("Farmácia").await;
    let sale = fixture.sold(Sale::card()).await;
    let recorded = fixture.events_recorded().await;
    for step in ["chargeback", "dispute"] {
        let mismatch = format!("{}?business_id={}", admin_path(&sale, step), other.id);
        assert_eq!(fixture.staff.post(&mismatch, json!({})).await.status, 404);
        let preview = format!("{}/preview?business_id={}", admin_path(&sale, step), other.id);
        assert_eq!(fixture.staff.get(&preview).await.status, 404);
        let nonsense = format!("{}?business_id=padaria", admin_path(&sale, step));
        assert_eq!(fixture.staff.post(&nonsense, json!({})).await.status, 422);
    }
    assert_eq!(fixture.events_recorded().await, recorded);
    let named = format!(
        "{}?business_id={}",
        admin_path(&sale, "chargeback"),
        fixture.company.id
    );
    ok(fixture.staff.post(&named, json!({})).await);
}

#[tokio::test]
async fn balance_and_status_limit_staff_as_they_limit_sellers() {
    let fixture = ReversalFixture::with(0).await;
    let sale = fixture.sold(Sale::card()).await;
    let short = fixture
        .staff
        .post(&admin_path(&sale, "chargeback"), json!({}))
        .await;
    assert_eq!(
        (short.status, short.at("/balance")),
        (
            406,
            &json!({ "needed": 285_00, "available": 0, "covered_on": "2027-02-18" })
        )
    );
    let pending = Sale::pix();
    fixture.app.create_sale(&fixture.company, &pending).await;
    let early = fixture
        .staff
        .post(&admin_path(&pending, "dispute"), json!({}))
        .await;
    assert_eq!((early.status, early.text("/state")), (409, "pending"));
}

#[tokio::test]
async fn the_list_has_the_sales_of_every_company_with_its_name() {
    let fixture = ReversalFixture::with(0).await;
    let other = fixture.app.company("Farmácia São João").await;
    fixture.sold(Sale::card().days_ago(2)).await;
    fixture.app.capture(&other, &Sale::pix().days_ago(1)).await;
    fixture
        .app
        .fail(&other, &Sale::card().days_ago(3), "saldo insuficiente")
        .await;
    let staff = staff_with_position(&fixture).await;
    let names = async |query: &str| -> Vec<Value> {
        let page = ok(staff.get(&format!("/api/admin/transactions?{query}")).await);
        let rows = page.at("/data").as_array().expect("rows");
        rows.iter().map(|row| row["business"]["name"].clone()).collect()
    };
    let (padaria, farmacia) = ("Padaria Aurora", "Farmácia São João");
    assert_eq!(names("").await, [farmacia, padaria, farmacia]);
    assert_eq!(names("order=asc&status=succeeded").await, [padaria, farmacia]);
    assert_eq!(
        names(&format!("business_id={}", fixture.company.id)).await,
        [padaria]
    );
    assert_eq!(
        names("business_id=biz_00000000-0000-4000-8000-000000000000")
            .await
            .len(),
        0
    );
    assert_eq!(
        staff.get("/api/admin/transactions?business_id=x").await.status,
        422
    );

    let totals = ok(staff.get("/api/admin/transactions/totals").await).body;
    assert_eq!(
        totals,
        json!({ "count": 2, "gross": 350_00, "fees": 15_50, "net": 334_50 })
    );
    let own = format!(
        "/api/admin/transactions/totals?business_id={}",
        fixture.company.id
    );
    assert_eq!(ok(staff.get(&own).await).at("/gross"), &json!(300_00));
}

#[tokio::test]
async fn staff_see_what_the_seller_sees_of_a_sale_and_its_company() {
    let fixture = ReversalFixture::with(0).await;
    let sale = fixture.sold(Sale::card()).await;
    let staff = staff_with_position(&fixture).await;
    let mut seen = ok(staff
        .get(&format!(
            "{}?receivables=1",
            admin_path(&sale, "").trim_end_matches('/')
        ))
        .await)
    .body;
    let business = seen.as_object_mut().and_then(|sale| sale.remove("business"));
    let business = business.expect("staff see the company");
    assert_eq!(business["id"], json!(fixture.company.id));
    assert_eq!(business["name"], "Padaria Aurora");
    // Only staff see who told the brand.
    let brand_source = seen
        .as_object_mut()
        .and_then(|sale| sale.remove("card_brand_source"));
    assert_eq!(brand_source, Some(json!(null)));
    let own = format!("/api/transactions/{}?receivables=1", sale.facts.sale_id);
    assert_eq!(seen, ok(fixture.seller.get(&own).await).body);
    let unknown = "/api/admin/transactions/sal_00000000-0000-4000-8000-000000000000";
    assert_eq!(staff.get(unknown).await.status, 404);
    // A role that does not work with sales.
    let financial = fixture
        .app
        .sign_in(&fixture.app.admin(&[AdminRole::Financial]).await)
        .await;
    assert_eq!(financial.get("/api/admin/transactions").await.status, 403);
}

fn last_author(sale: &Answer) -> Value {
    let events = sale.at("/events").as_array().expect("a timeline");
    events.last().expect("an event")["author"].clone()
}

#[tokio::test]
async fn the_timeline_names_staff_users_only_to_staff() {
    let fixture = ReversalFixture::with(1_000_00).await;
    let seller_path = |sale: &Sale| format!("/api/transactions/{}", sale.facts.sale_id);
    let staff_path = |sale: &Sale| format!("/api/admin/transactions/{}", sale.facts.sale_id);
    let ana = json!({ "kind": "seller", "name": "Ana Souza" });
    let bruno = json!({ "kind": "staff", "name": "Bruno Lima" });
    let unnamed_staff = json!({ "kind": "staff", "name": null });

    let canceled = fixture.sold(Sale::card()).await;
    let done = ok(fixture
        .seller
        .post(&path(&canceled, "chargeback"), json!({}))
        .await);
    assert_eq!(last_author(&done), ana);
    let by_staff = ok(fixture.staff.get(&staff_path(&canceled)).await);
    assert_eq!(last_author(&by_staff), ana);

    let disputed = fixture.sold(Sale::card()).await;
    let done = ok(fixture
        .staff
        .post(&admin_path(&disputed, "dispute"), json!({}))
        .await);
    assert_eq!(
        (last_author(&done), done.at("/dispute/author")),
        (bruno.clone(), &bruno)
    );
    let by_seller = ok(fixture.seller.get(&seller_path(&disputed)).await);
    assert_eq!(
        (last_author(&by_seller), by_seller.at("/dispute/author")),
        (unnamed_staff.clone(), &unnamed_staff),
        "sellers do not see which staff user it was"
    );

    let reported = capture(&fixture.company, "nsu-1");
    assert_eq!(fixture.app.send(&reported).await.text("/result"), "recorded");
    let refunded = CanonicalNotice {
        occurred_at: "2026-11-20T18:00:00Z".parse().expect("an instant"),
        ..with_type(&reported, "sale.refunded")
    };
    assert_eq!(fixture.app.send(&refunded).await.text("/result"), "recorded");
    let sale_id = fixture.app.app.state.ids.sale(Provider::Zoop, "nsu-1");
    let staff = staff_with_position(&fixture).await;
    let sale = ok(staff.get(&format!("/api/admin/transactions/{sale_id}")).await);
    let zoop = json!({ "kind": "acquirer", "name": "Zoop" });
    assert_eq!(
        (last_author(&sale), sale.at("/events/0/author")),
        (zoop.clone(), &zoop)
    );
}
