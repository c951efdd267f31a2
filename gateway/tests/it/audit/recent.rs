//! The verification in the background.

use gateway_platform::recent_audit::{RecentAudit, events_behind};
use ledger_store::verify::last::{Part, last};
use tokio_postgres::Client;

use super::recorded;

async fn findings(client: &Client) -> Option<i64> {
    let ended = last(client).await.expect("read");
    let recent = ended.into_iter().find(|last| last.part == Part::Recent);
    recent.map(|recent| recent.findings)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_recorded_is_verified_once() {
    let (database, client) = recorded().await;
    let audit = RecentAudit {
        pool: database.program_pool(),
    };
    assert_eq!(events_behind(&client).await.expect("read"), 10);
    assert_eq!(findings(&client).await, None);
    for _ in 0..2 {
        audit.tick().await.expect("verified");
        assert_eq!(events_behind(&client).await.expect("read"), 0);
        assert_eq!(findings(&client).await, Some(0));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_changed_or_missing_event_is_found_in_the_background() {
    for (tampering, expected) in [
        (
            "UPDATE event SET payload = replace(payload::text, '\"amount\":10000', '\"amount\":90000')::json \
              WHERE sequence = 9",
            1,
        ),
        // The event after it has neither its position nor its sequence, and the chain is broken.
        ("DELETE FROM event WHERE sequence = 5", 3),
        // Neither the digest nor the chain is that of the event.
        ("UPDATE event SET digest = sha256(digest) WHERE sequence = 10", 2),
    ] {
        let (database, client) = recorded().await;
        client.batch_execute(tampering).await.expect(tampering);
        let audit = RecentAudit {
            pool: database.program_pool(),
        };
        audit.tick().await.expect("verified");
        assert_eq!(findings(&client).await, Some(expected), "{tampering}");
    }
}
