//! The audit finds rows of payouts and checkpoints that were changed in the database.

use super::PayoutFixture;
use crate::support::{PARTS, PARTS_WITHOUT_EFFECTS};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_audit_finds_payouts_and_checkpoints_that_contradict_the_log() {
    let fixture = PayoutFixture::open().await;
    let (_, paid) = fixture.withdraw(100_00).await;
    // The cents ,01 make the bank report a failure.
    let (_, failed) = fixture.withdraw(100_01).await;
    fixture.until_payout_is(paid, "paid").await;
    fixture.until_payout_is(failed, "failed").await;
    fixture.app.until_effect_handlers_read_all().await;
    // No worker may act on the changed rows.
    let fixture = fixture.restart(PARTS_WITHOUT_EFFECTS).await;
    let on = |change: &str| format!("UPDATE payout SET {change} WHERE status = 'paid'");
    let changes = [
        (on("amount = amount + 1"), "amount: expected 10000, found 10001"),
        (on("transfer_id = gen_random_uuid()"), "transfer_id: expected"),
        (on("business_id = gen_random_uuid()"), "business_id: expected"),
        (
            on("destination = replace(destination::text, '52998224725', '11144477735')::json"),
            "destination: expected",
        ),
        (
            on("destination = '{\"moon\": 1}'"),
            "destination: expected a destination",
        ),
        (on("status = 'failed'"), "status: expected paid, found failed"),
        (
            "UPDATE payout SET status = 'sent', ended_at = NULL, next_try_at = now(), provider = 'sandbox'
              WHERE status = 'failed'"
                .to_owned(),
            "status: expected failed, found sent",
        ),
        ("DELETE FROM payout WHERE status = 'failed'".to_owned(), "found no row"),
        (
            "INSERT INTO payout (payout_id, transfer_id, business_id, amount, destination)
             SELECT gen_random_uuid(), gen_random_uuid(), business_id, amount, destination FROM payout LIMIT 1"
                .to_owned(),
            "expected no row, found a payout of",
        ),
    ];
    let changes: Vec<_> = changes
        .iter()
        .map(|(change, expected)| (change.as_str(), std::slice::from_ref(expected)))
        .collect();
    fixture.app.assert_audit_finds("payout", &changes).await;
    let ahead =
        "UPDATE effect_checkpoint SET position = position + 1000 WHERE effect = 'payouts' AND shard = 3";
    let gone = "DELETE FROM effect_checkpoint WHERE effect = 'refunds' AND shard = 3";
    fixture
        .app
        .assert_audit_finds(
            "effect_checkpoint",
            &[
                (ahead, &["checkpoint payouts of shard 3: expected at most"]),
                (gone, &["checkpoint refunds of shard 3: expected a row"]),
            ],
        )
        .await;
}

/// A payout failed, another one of the same transfer was paid: read again, the first result must not replace anything.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_checkpoint_of_payouts_that_was_set_back_is_named_and_pays_nothing_again() {
    let fixture = PayoutFixture::open().await;
    let (_, paid) = fixture.withdraw(100_00).await;
    let (_, failed) = fixture.withdraw(100_01).await;
    fixture.until_payout_is(paid, "paid").await;
    fixture.until_payout_is(failed, "failed").await;
    fixture.app.until_effect_handlers_read_all().await;
    let rows = "SELECT string_agg(payout::text, E'\n' ORDER BY payout_id) FROM payout";
    let before = fixture.app.text(rows).await;
    let events = fixture.app.rows("event").await;
    let fixture = fixture.restart(PARTS_WITHOUT_EFFECTS).await;
    fixture
        .app
        .execute("UPDATE effect_checkpoint SET position = 0 WHERE effect = 'payouts'")
        .await;
    let named = fixture.app.audit_findings().await;
    assert!(
        named.len() == 1
            && named[0].contains("checkpoint payouts of shard")
            && named[0].contains("expected at least"),
        "{named:#?}"
    );
    let fixture = fixture.restart(PARTS).await;
    fixture.app.until_effect_handlers_read_all().await;
    assert_eq!(
        fixture
            .app
            .rows("effect_checkpoint WHERE poison IS NOT NULL")
            .await,
        0
    );
    assert_eq!(fixture.app.text(rows).await, before);
    assert_eq!(fixture.app.rows("event").await, events, "nothing was paid again");
    assert_eq!(fixture.app.audit_findings().await, [""; 0]);
}
