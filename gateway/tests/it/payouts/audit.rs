//! The audit finds rows of payouts and checkpoints that were changed in the database.

use gateway::app::Parts;

use super::PayoutFixture;

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
    let fixture = fixture
        .restart(Parts {
            effects: false,
            ..Parts::ALL
        })
        .await;
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
        "UPDATE reactor_checkpoint SET position = position + 1000 WHERE reactor = 'payouts' AND shard = 3";
    let gone = "DELETE FROM reactor_checkpoint WHERE reactor = 'refunds' AND shard = 3";
    fixture
        .app
        .assert_audit_finds(
            "reactor_checkpoint",
            &[
                (ahead, &["checkpoint payouts of shard 3: expected at most"]),
                (gone, &["checkpoint refunds of shard 3: expected a row"]),
            ],
        )
        .await;
}
