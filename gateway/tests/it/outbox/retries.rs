//! Staff have a row tried now. A row that a worker attempts, or that has ended, is left alone.

use gateway_outbox::{Outbox, Retry, retry_all, retry_one};
use uuid::Uuid;

use super::{Orders, OutboxFixture};

async fn retry(fixture: &OutboxFixture, id: Uuid) -> Retry {
    let client = fixture.database.client().await;
    retry_one(&client, &Orders::TABLE, id).await.expect("a retry")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_row_that_waits_is_tried_now_and_looked_up_first() {
    let fixture = OutboxFixture::open().await;
    let id = fixture.add("pay silently").await;
    let _worker = fixture.worker();
    fixture
        .until_rows(1, "status = 'unknown' AND last_error = 'timeout'")
        .await;
    let Retry::Due(waited) = retry(&fixture, id).await else {
        panic!("it waited");
    };
    assert_eq!((waited.status.as_str(), waited.tries), ("unknown", 1));
    assert_eq!(waited.last_error.as_deref(), Some("timeout"));
    fixture.until_rows(1, "status = 'paid' AND tries = 2").await;
    assert_eq!((fixture.receiver.sent(id), fixture.receiver.paid(id)), (1, 1));
    assert_eq!(retry(&fixture, id).await, Retry::Ended);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_row_in_hand_is_not_tried_twice() {
    let fixture = OutboxFixture::open().await;
    let id = fixture.add("pay slowly").await;
    let _worker = fixture.worker();
    fixture.receiver.called.notified().await;
    assert_eq!(retry(&fixture, id).await, Retry::InHand);
    let client = fixture.database.client().await;
    let all = retry_all(&client, &Orders::TABLE, "true", &[]).await;
    assert_eq!(all.expect("a retry"), 0);
    fixture.until_rows(1, "tries = 1 AND next_try_at > now()").await;
    fixture.receiver.released.notify_one();
    fixture.until_rows(1, "status = 'paid' AND tries = 1").await;
    assert_eq!((fixture.receiver.sent(id), fixture.receiver.paid(id)), (1, 1));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_row_that_does_not_wait_is_left_alone_and_why_is_said() {
    let fixture = OutboxFixture::open().await;
    let due = fixture.add("pay").await;
    assert_eq!(retry(&fixture, due).await, Retry::WasDue);
    let unreadable = fixture.add("from another version").await;
    let _worker = fixture.worker();
    fixture.until_rows(1, "status = 'paid'").await;
    fixture.until_rows(1, "status = 'unreadable'").await;
    assert_eq!(retry(&fixture, unreadable).await, Retry::Parked);
    assert_eq!(retry(&fixture, due).await, Retry::Ended);
    assert_eq!(retry(&fixture, Uuid::new_v4()).await, Retry::NoSuchRow);
}

/// What was accepted waits for the other system's decision.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn all_rows_are_those_whose_last_try_failed() {
    let fixture = OutboxFixture::open().await;
    let accepted = fixture.add("accept").await;
    for _ in 0..3 {
        fixture.add("pay silently").await;
    }
    let _worker = fixture.worker();
    fixture.until_rows(3, "last_error = 'timeout'").await;
    fixture.until_rows(1, "status = 'sent'").await;
    let client = fixture.database.client().await;
    let due = retry_all(&client, &Orders::TABLE, "true", &[]).await;
    assert_eq!(due.expect("a retry"), 3);
    fixture.until_rows(3, "status = 'paid' AND tries = 2").await;
    let waits = format!("id = '{accepted}' AND status = 'sent' AND tries = 1");
    fixture.until_rows(1, &waits).await;
    // One row alone is tried whatever it waits for.
    assert!(matches!(retry(&fixture, accepted).await, Retry::Due(_)));
    fixture.until_rows(4, "status = 'paid'").await;
}
