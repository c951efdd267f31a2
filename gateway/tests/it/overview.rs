//! The staff's home page: the platform's figures, each visible to certain roles.

use gateway_identity::roles::AdminRole;
use serde_json::{Value, json};

use crate::support::acquirer;
use crate::support::movements::{MovementsFixture, rows};

#[tokio::test]
async fn the_platform_figures_cover_all_companies() {
    let fixture = MovementsFixture::open().await;
    let mut without_company = acquirer::capture(&fixture.company, "without-company");
    without_company.data.business_id = None;
    assert_eq!(fixture.app.send(&without_company).await.status, 202);
    let overview = fixture.staff.get("/api/admin/overview").await.body;
    assert_eq!(overview["today"], "2026-11-21");
    assert_eq!(overview["volume_today"], json!({ "count": 1, "gross": 50_00 }));
    assert_eq!(overview["volume_month"], json!({ "count": 3, "gross": 150_00 }));
    // One percent of three pix sales, and the fee of the paid withdrawal.
    assert_eq!(overview["revenue_month"], 3 * 50 + 3_50);
    assert_eq!(overview["active_businesses"], 2);
    assert_eq!(
        overview["withdrawals_waiting"],
        json!({ "count": 1, "amount": 50_00 })
    );
    assert_eq!(overview["exceptions_waiting"], 1);
    let newest = overview["newest_businesses"].as_array().expect("companies");
    assert_eq!(newest.len(), 2);
    assert!(newest.iter().all(|company| company["created_at"].is_string()));
}

#[tokio::test]
async fn a_denied_company_does_not_count_as_active() {
    let fixture = MovementsFixture::open().await;
    let denial = format!(
        "UPDATE business SET approval = 'denied' WHERE id = '{}'",
        fixture.other.id.uuid()
    );
    fixture.app.execute(&denial).await;
    let overview = fixture.staff.get("/api/admin/overview").await;
    assert_eq!(overview.at("/active_businesses"), &json!(1));
}

#[tokio::test]
async fn each_role_sees_only_the_figures_that_other_pages_show_it() {
    let fixture = MovementsFixture::open().await;
    let all = [
        "revenue_month",
        "active_businesses",
        "withdrawals_waiting",
        "exceptions_waiting",
        "newest_businesses",
    ];
    let companies = ["active_businesses", "newest_businesses"];
    for (role, seen) in [
        (AdminRole::Owner, &all[..]),
        (AdminRole::Admin, &all),
        (AdminRole::Financial, &["withdrawals_waiting"]),
        (AdminRole::Commercial, &companies),
        (
            AdminRole::CommercialSupervisor,
            &["active_businesses", "exceptions_waiting", "newest_businesses"],
        ),
        (AdminRole::Sac, &companies),
        (AdminRole::Operator, &[]),
    ] {
        let overview = fixture
            .staff_user(role)
            .await
            .get("/api/admin/overview")
            .await
            .body;
        let visible_parts: Vec<&str> = all.into_iter().filter(|part| !overview[part].is_null()).collect();
        assert_eq!(visible_parts, seen, "{role:?}");
        assert_eq!(overview["volume_month"]["count"], 3, "{role:?}");
    }
}

#[tokio::test]
async fn the_home_page_shows_the_withdrawals_of_the_queue() {
    let fixture = MovementsFixture::open().await;
    let queue = fixture
        .staff
        .get("/api/admin/balance/transfers?status=0")
        .await
        .body;
    let sum: i64 = rows(&queue).iter().filter_map(|row| row["amount"].as_i64()).sum();
    let waiting = &fixture.staff.get("/api/admin/overview").await.body["withdrawals_waiting"];
    assert_eq!(waiting, &json!({ "count": rows(&queue).len(), "amount": sum }));
    assert_ne!(waiting["count"], Value::from(0));
}
