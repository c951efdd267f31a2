//! The impact of a change of a receiving plan, on last month's withdrawals.

use serde_json::json;

use super::super::{PLANS, PlanFixture, ok};
use super::compute_impact;

#[tokio::test]
async fn the_impact_of_a_receiving_plan_recomputes_the_fees_of_last_months_paid_withdrawals() {
    let fixture = PlanFixture::open().await;
    let listed = ok(fixture.staff.get(&format!("{PLANS}/receiving")).await);
    let id = listed["data"][0]["id"].as_str().expect("an id");
    // Kind 0 is a withdrawal, 1 a manual transfer. Status 0 is pending, 1 paid. The first two are paid withdrawals
    // that were requested in October. The others are pending, of another month, or no withdrawals.
    for (number, kind, status, amount, fee, at) in [
        (1, 0, 1, 10_000, 350, "2026-10-01T03:00:00Z"),
        (2, 0, 1, 400, 350, "2026-11-01T02:59:59Z"),
        (3, 0, 0, 10_000, 350, "2026-10-10T12:00:00Z"),
        (4, 0, 1, 10_000, 350, "2026-11-01T03:00:00Z"),
        (5, 1, 1, 10_000, 0, "2026-10-10T12:00:00Z"),
    ] {
        let (destination, direction) = match kind {
            0 => ("'{}'", "NULL"),
            _ => ("NULL", "'credit'"),
        };
        fixture
            .app
            .execute(&format!(
                "INSERT INTO transfer (transfer_id, business_id, kind, status, amount, fee, destination, direction, by_hand,
                                       approvals, needs_attention, requested_at, updated_at, sequences)
                 VALUES ('0193f0a0-5b1e-7c3a-9d7e-00000000000{number}', '{}', {kind}, {status}, {amount}, {fee},
                         {destination}, {direction}, true, 0, false, '{at}', '{at}', ARRAY[{number}])",
                fixture.company.id.uuid()
            ))
            .await;
    }
    let path = format!("{PLANS}/receiving/{id}/impact");
    let impact = compute_impact(&fixture.app, &fixture.staff, &path, json!({ "flat_rate": 500 })).await;
    assert_eq!((&impact["count"], &impact["amount"]), (&json!(2), &json!(10_400)));
    // Proposed: R$ 5,00 of the first, and R$ 4,00 of the second, because a fee is at most its withdrawal's amount.
    let line = json!({ "kind": "withdrawal_fee", "charged": 700, "current": 700, "proposed": 900 });
    assert_eq!(impact["lines"], json!([line]));
    assert_eq!(impact["platform_difference"], 200);
}
