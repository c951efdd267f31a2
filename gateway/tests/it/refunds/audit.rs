//! The audit finds rows of refunds that were changed by hand and contradict the log.

use gateway_platform::effects::refunds::RefundStatus;

use super::RefundFixture;
use crate::support::PARTS_WITHOUT_EFFECTS;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_refund_that_contradicts_the_log_is_found() {
    let fixture = RefundFixture::open().await;
    let done = fixture.cancel(100_00).await;
    // The cents 11 select a refusal.
    let refused = fixture.cancel(100_11).await;
    fixture.becomes(done, RefundStatus::Done).await;
    fixture.becomes(refused, RefundStatus::Refused).await;
    fixture.app.until_effect_handlers_read_all().await;
    // No worker may act on the changed rows.
    let fixture = fixture.restart(PARTS_WITHOUT_EFFECTS).await;
    let set = |change: &str| format!("UPDATE refund SET {change} WHERE status = 'done'");
    let changes = [
        (set("amount = amount + 1"), "amount: expected 10000, found 10001"),
        (set("business_id = gen_random_uuid()"), "business_id: expected"),
        (set("provider = provider % 8 + 1"), "provider: expected"),
        (set("external_id = 'nsu-0'"), "external_id: expected"),
        (set("attempt = 2"), "attempt: expected 1, found 2"),
        (set("of_part = true"), "of_part: expected false, found true"),
        (set("reference = 'panel_1'"), "expected no row, found a refund of"),
        (
            "DELETE FROM refund WHERE status = 'done'".to_owned(),
            "found no row",
        ),
        (
            "INSERT INTO refund (refund_id, sale_id, business_id, provider, external_id, amount)
             SELECT gen_random_uuid(), gen_random_uuid(), business_id, provider, external_id, amount
               FROM refund LIMIT 1"
                .to_owned(),
            "expected no row, found a refund of",
        ),
    ];
    let changes: Vec<_> = changes
        .iter()
        .map(|(change, expected)| (change.as_str(), std::slice::from_ref(expected)))
        .collect();
    fixture.app.assert_audit_finds("refund", &changes).await;
    let other_sale = "UPDATE exception SET sale_id = gen_random_uuid() WHERE refund_id IS NOT NULL";
    fixture
        .app
        .assert_audit_finds("exception", &[(other_sale, &["expected a refund of that sale"])])
        .await;
}
