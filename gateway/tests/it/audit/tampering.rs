//! The log's audit finds tampering with the log.

use ledger_domain::SaleId;
use ledger_domain::business::Account;
use ledger_store::audit::Difference;
use ledger_store::layout::search_path;
use ledger_store::tree_head::InvalidTreeHead;
use ledger_store::{chain, log};
use tokio_postgres::error::SqlState;
use uuid::Uuid;

use super::{recorded, walk};
use crate::support::database::{Database, wants_schemas};
use crate::writer::{self, business, capture_sales};

/// The findings after the statement, each with its sequence or, without one, its position.
async fn findings_after(tampering: &str) -> Vec<(Option<i64>, Difference)> {
    let (database, client) = recorded().await;
    client.batch_execute(tampering).await.expect("tampered");
    walk(&database)
        .await
        .into_iter()
        .map(|finding| (finding.sequence.or(finding.position), finding.what))
        .collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_untouched_log_has_no_findings_and_its_rows_cannot_be_edited() {
    let (database, _client) = recorded().await;
    assert_eq!(walk(&database).await, []);
    let client = database.client().await;
    let path = search_path(super::shard());
    for edit in [
        "UPDATE event SET event_type = 'x'",
        "DELETE FROM event",
        "TRUNCATE event",
        "UPDATE sale_claim SET sequence = 1",
        "DELETE FROM sale_claim",
        "DELETE FROM command_key",
    ] {
        // There the tests may change the one table that has no view.
        if wants_schemas() && edit.contains("sale_claim") {
            continue;
        }
        let edit = format!("SET search_path = {path}; {edit}");
        let error = client.batch_execute(&edit).await.expect_err(&edit);
        assert_eq!(
            error.code(),
            Some(&SqlState::INSUFFICIENT_PRIVILEGE),
            "{edit}: {error:?}"
        );
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_log_that_is_written_meanwhile_has_no_findings() {
    const BATCHES: u128 = 200;
    let database = Database::create().await;
    let (writer, task) = writer::start(&database, "one").await;
    let written = async {
        for batch in 0..BATCHES {
            let sales: Vec<_> = (0..5)
                .map(|n| (business(n), SaleId::from_uuid(Uuid::from_u128(batch << 8 | n))))
                .collect();
            capture_sales(&writer, &sales).await;
        }
    };
    let verified = async {
        loop {
            let summary = writer::assert_consistent(&database).await;
            if u128::from(summary.events) >= 5 * BATCHES {
                return;
            }
        }
    };
    tokio::join!(written, verified);
    writer.shutdown();
    task.join().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_changed_payload_is_found() {
    let found = findings_after(
        "UPDATE event SET payload = replace(payload::text, '\"amount\":10000', '\"amount\":90000')::json \
          WHERE sequence = 3",
    )
    .await;
    assert_eq!(found, [(Some(3), Difference::Digest)]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_changed_instant_is_found_by_its_payload() {
    let found =
        findings_after("UPDATE event SET occurred_at = occurred_at - interval '1 day' WHERE sequence = 3")
            .await;
    assert!(
        matches!(
            found[..],
            [
                (Some(3), Difference::Digest),
                (Some(3), Difference::OccurredAt { .. })
            ]
        ),
        "{found:?}"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_changed_idempotency_key_is_found() {
    let other_values = &[Difference::Digest, Difference::NoKey][..];
    let other_key = &[Difference::Digest, Difference::NoKey, Difference::KeyWithoutEvent][..];
    let no_key = &[Difference::Digest, Difference::KeyWithoutEvent][..];
    for (tampering, found) in [
        (
            "UPDATE event SET fingerprint = gen_random_uuid() WHERE sequence = 3",
            other_values,
        ),
        (
            "UPDATE event SET idempotency_key = gen_random_uuid() WHERE sequence = 3",
            other_key,
        ),
        ("UPDATE event SET span = 2 WHERE sequence = 3", other_values),
        (
            "UPDATE event SET idempotency_key = NULL, fingerprint = NULL, span = NULL WHERE sequence = 3",
            no_key,
        ),
        ("UPDATE event SET fingerprint = NULL WHERE sequence = 3", no_key),
    ] {
        assert_at_event_3(tampering, found).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_key_that_is_missing_invented_or_changed_is_found() {
    let moved = &[Difference::NoKey, Difference::KeyWithoutEvent][..];
    for (tampering, found) in [
        ("DELETE FROM command_key WHERE sequence = 3", &[Difference::NoKey][..]),
        (
            "UPDATE command_key SET fingerprint = gen_random_uuid() WHERE sequence = 3",
            &[Difference::NoKey],
        ),
        ("UPDATE command_key SET span = 2 WHERE sequence = 3", &[Difference::NoKey]),
        (
            "UPDATE command_key SET idempotency_key = gen_random_uuid() WHERE sequence = 3",
            moved,
        ),
        (
            "INSERT INTO command_key SELECT sequence, business_id, gen_random_uuid(), fingerprint, shard, span
               FROM command_key WHERE sequence = 3",
            &[Difference::KeyWithoutEvent],
        ),
    ] {
        assert_at_event_3(tampering, found).await;
    }
    let other_event = "UPDATE command_key SET sequence = 99 WHERE sequence = 3";
    let expected = [
        (Some(3), Difference::NoKey),
        (Some(99), Difference::KeyWithoutEvent),
    ];
    assert_eq!(findings_after(other_event).await, expected);
}

/// All findings after the statement name event 3.
async fn assert_at_event_3(tampering: &str, expected: &[Difference]) {
    let expected: Vec<_> = expected.iter().map(|what| (Some(3), what.clone())).collect();
    assert_eq!(findings_after(tampering).await, expected, "{tampering}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_claim_that_is_missing_invented_or_of_another_business_is_found() {
    let sale = |n| SaleId::from_uuid(Uuid::from_u128(n));
    let no_claim = |owner| {
        let sale_id = sale(3);
        Difference::NoClaim { sale_id, owner }
    };
    let claim = |claimed, may_open| Difference::Claim {
        claimed,
        may_open: Some(may_open),
    };
    let without_event = |sale_id| Difference::ClaimWithoutEvent { sale_id };
    let late = Difference::LateClaim {
        sale_id: sale(3),
        claimed_by: 4,
    };
    let (other, other_sale) = (business(2), sale(99).uuid());
    for (tampering, found) in [
        (
            "DELETE FROM sale_claim WHERE sequence = 3".to_owned(),
            vec![(3, no_claim(None))],
        ),
        (
            format!(
                "UPDATE sale_claim SET business_id = '{}' WHERE sequence = 3",
                other.uuid()
            ),
            vec![(3, no_claim(Some(other))), (3, without_event(sale(3)))],
        ),
        (
            format!("UPDATE sale_claim SET sale_id = '{other_sale}' WHERE sequence = 3"),
            vec![(3, no_claim(None)), (3, claim(sale(99), sale(3)))],
        ),
        (
            format!(
                "INSERT INTO sale_claim SELECT '{other_sale}', business_id, sequence, shard
                   FROM sale_claim WHERE sequence = 3"
            ),
            vec![(3, claim(sale(99), sale(3)))],
        ),
        (
            "UPDATE sale_claim SET sequence = 4 WHERE sequence = 3".to_owned(),
            vec![(3, late), (4, claim(sale(3), sale(4)))],
        ),
        (
            "UPDATE sale_claim SET sequence = 2 WHERE sequence = 3".to_owned(),
            vec![(2, claim(sale(3), sale(2)))],
        ),
        (
            "UPDATE sale_claim SET shard = (shard + 1) % 16 WHERE sequence = 3".to_owned(),
            vec![(3, without_event(sale(3)))],
        ),
    ] {
        let found: Vec<_> = found.into_iter().map(|(at, what)| (Some(at), what)).collect();
        assert_eq!(findings_after(&tampering).await, found, "{tampering}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_changed_type_is_found() {
    let found = findings_after("UPDATE event SET event_type = 'SaleVoided' WHERE sequence = 3").await;
    assert!(
        matches!(
            found[..],
            [(Some(3), Difference::Digest), (Some(3), Difference::Payload(_))]
        ),
        "{found:?}"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_removed_event_is_found_by_sequence_by_chain_and_by_position() {
    let found = findings_after("DELETE FROM event WHERE sequence = 5").await;
    let expected = [
        (Some(5), Difference::KeyWithoutEvent),
        (Some(5), claimed(5)),
        (Some(6), Difference::SequenceGap { expected: 5 }),
        (Some(6), Difference::Chain),
        (Some(6), Difference::PositionGap { expected: 5 }),
        head_balance(Account::Receivable, 10 * 97_00, 9 * 97_00),
        head_balance(Account::PlatformFees, 10 * 3_00, 9 * 3_00),
        head_balance(Account::Clearing, -10 * 100_00, -9 * 100_00),
    ];
    assert_eq!(found, expected);
}

/// The sale that the event with this sequence recorded is claimed for an event that does not exist.
fn claimed(sequence: u128) -> Difference {
    Difference::ClaimWithoutEvent {
        sale_id: SaleId::from_uuid(Uuid::from_u128(sequence)),
    }
}

/// The head after event 10 has another balance than the sum of the log's postings.
fn head_balance(account: Account, head: i64, log: i128) -> (Option<i64>, Difference) {
    (Some(10), Difference::HeadBalance { account, head, log })
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_cut_tail_is_found_by_the_head_and_the_shard() {
    let found = findings_after("DELETE FROM event WHERE sequence > 9").await;
    let expected = [
        (Some(9), Difference::HeadVersion { head: 10, log: 9 }),
        (Some(10), Difference::ShardPosition { row: 10, log: 9 }),
        (Some(10), Difference::KeyWithoutEvent),
        (Some(10), claimed(10)),
    ];
    assert_eq!(found, expected);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_shard_row_set_back_is_found() {
    // No tree head lies above position 9.
    let found = findings_after("UPDATE log_shard SET position = 9 WHERE position = 10").await;
    assert_eq!(found, [(Some(9), Difference::ShardPosition { row: 9, log: 10 })]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_cut_tail_with_matching_counters_is_found_by_the_tree_head() {
    let found = findings_after(
        "DELETE FROM event WHERE sequence > 7; DELETE FROM command_key WHERE sequence > 7; \
         DELETE FROM sale_claim WHERE sequence > 7; UPDATE log_shard SET position = 7 WHERE position = 10; \
         UPDATE business_head SET version = 7, \
                receivable = 7 * 9700, platform_fees = 7 * 300, clearing = -7 * 10000, \
                chain = (SELECT chain FROM event WHERE sequence = 7)",
    )
    .await;
    assert_eq!(found, [(Some(8), Difference::TreeHeadAhead { log: 7 })]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_rewritten_history_with_valid_hashes_is_found_by_the_tree_head() {
    let (database, client) = recorded().await;
    let mut previous = chain::GENESIS;
    for mut event in log::of_business(&client, business(1), 0, 100)
        .await
        .expect("a history")
    {
        event.payload = event
            .payload
            .replace("\"card_last_four\":\"4242\"", "\"card_last_four\":\"9999\"");
        let digest = chain::digest(
            &event.header(),
            event.metadata.as_bytes(),
            event.payload.as_bytes(),
        );
        previous = chain::next(&previous, &digest);
        client
            .execute(
                "UPDATE event SET payload = $2::text::json, digest = $3, chain = $4 WHERE sequence = $1",
                &[
                    &event.sequence,
                    &event.payload,
                    &digest.as_slice(),
                    &previous.as_slice(),
                ],
            )
            .await
            .expect("rewritten");
    }
    client
        .execute("UPDATE business_head SET chain = $1", &[&previous.as_slice()])
        .await
        .expect("rewritten");
    let found = walk(&database).await;
    let [finding] = found.as_slice() else {
        panic!("one finding: {found:?}")
    };
    assert_eq!(
        (finding.position, &finding.what),
        (Some(8), &Difference::TreeHeadRoot)
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_changed_head_is_found() {
    let found = findings_after("UPDATE business_head SET chain = decode(repeat('00', 32), 'hex')").await;
    assert_eq!(found, [(Some(10), Difference::HeadChain)]);
    let found = findings_after("DELETE FROM business_head").await;
    assert_eq!(found, [(Some(10), Difference::NoHead)]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_recording_time_that_runs_backwards_is_found() {
    let found =
        findings_after("UPDATE event SET recorded_at = recorded_at - interval '1 hour' WHERE sequence = 4")
            .await;
    assert!(
        matches!(
            found[..],
            [
                (Some(4), Difference::Digest),
                (Some(4), Difference::RecordedBackwards { .. })
            ]
        ),
        "{found:?}"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_forged_tree_head_is_found() {
    let found = findings_after("UPDATE tree_head SET made_at = made_at - interval '1 day'").await;
    assert_eq!(
        found,
        [(Some(8), Difference::TreeHeadInvalid(InvalidTreeHead::Signature))]
    );
    let found = findings_after("UPDATE tree_head SET key_id = decode(repeat('00', 8), 'hex')").await;
    assert_eq!(
        found,
        [(Some(8), Difference::TreeHeadInvalid(InvalidTreeHead::UnknownKey))]
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_changed_balance_is_found_by_the_logs_postings() {
    let (database, client) = recorded().await;
    let head = log::head(&client, business(1))
        .await
        .expect("a head")
        .expect("a head");
    let (receivable, clearing) = (
        head.accounts.get(Account::Receivable).get(),
        head.accounts.get(Account::Clearing).get(),
    );
    client
        .batch_execute("UPDATE business_head SET receivable = receivable + 100, clearing = clearing - 100")
        .await
        .expect("tampered");
    let mut found: Vec<_> = walk(&database)
        .await
        .into_iter()
        .map(|finding| finding.what)
        .collect();
    found.sort_by_key(|what| format!("{what:?}"));
    let expected = [
        Difference::HeadBalance {
            account: Account::Clearing,
            head: clearing - 100,
            log: clearing.into(),
        },
        Difference::HeadBalance {
            account: Account::Receivable,
            head: receivable + 100,
            log: receivable.into(),
        },
    ];
    assert_eq!(found, expected);
}
