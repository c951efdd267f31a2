//! Claims of rows: which rows a worker claims, and what follows if it crashes, is late or fails.

use gateway_outbox::{Claimable, Outbox};
use ledger_store::Supervisor;

use super::{Orders, OutboxFixture};

/// Each claim raises `tries`. The worker under test has claimed the row with its first try.
const CLAIM_BY_ANOTHER_PROCESS: &str = "UPDATE test_order SET tries = 2";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn several_processes_take_each_row_once() {
    let fixture = OutboxFixture::open().await;
    let mut orders = vec![];
    for _ in 0..60 {
        orders.push(fixture.add("pay").await);
    }
    let processes: Vec<Supervisor> = (0..3).map(|_| Supervisor::default()).collect();
    let workers: Vec<_> = processes
        .iter()
        .map(|process| fixture.worker_of(process, Claimable::All))
        .collect();
    fixture.until_rows(60, "status = 'paid' AND tries = 1").await;
    drop(workers);
    for id in orders {
        assert_eq!((fixture.receiver.sent(id), fixture.receiver.paid(id)), (1, 1));
        assert_eq!(
            fixture.log_entries(id).await,
            ["paid"],
            "the end is reported once"
        );
    }
}

/// Their results go to the ledger, and only the owner of a company's shard can report them.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_process_takes_the_rows_of_its_own_shards_only() {
    let fixture = OutboxFixture::open().await;
    for _ in 0..60 {
        fixture.add("pay").await;
    }
    let client = fixture.database.client().await;
    let lower = "SELECT count(*) FROM test_order WHERE shard_of(business_id) < 8";
    let lower: i64 = client.query_one(lower, &[]).await.expect("a count").get(0);
    let workers = [vec![], (0..8).collect()].map(|shards| {
        let bank = Claimable::OfProvider("bank");
        fixture.worker_of_shards(&fixture.supervisor, bank, Some(shards))
    });
    let taken = "status = 'paid' AND shard_of(business_id) < 8";
    fixture.until_rows(lower, taken).await;
    // Each row that this worker was to take is taken, so the others are not its own.
    fixture.until_rows(60 - lower, "tries = 0").await;
    drop(workers);
    let _other = fixture.worker_of_shards(&fixture.supervisor, Claimable::All, Some((8..16).collect()));
    fixture.until_rows(60, "status = 'paid'").await;
}

/// The process dies after the other system paid and before that is recorded.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_crash_after_the_call_does_not_pay_twice() {
    let fixture = OutboxFixture::open().await;
    let id = fixture.add("pay and hang").await;
    let crashed = fixture.worker();
    fixture.receiver.called.notified().await;
    drop(crashed);
    let leased = "status = 'unknown' AND tries = 1 AND next_try_at > now()";
    fixture.until_rows(1, leased).await;

    let _next_worker = fixture.worker();
    let other = fixture.add("pay").await;
    fixture
        .until_rows(1, &format!("id = '{other}' AND status = 'paid'"))
        .await;
    fixture.until_rows(1, leased).await;
    fixture.make_due().await;
    fixture.until_rows(2, "status = 'paid'").await;
    assert_eq!((fixture.receiver.sent(id), fixture.receiver.paid(id)), (1, 1));
}

/// The row of an aborted try would be due again only after its lease.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stop_waits_for_the_try_in_hand_and_its_result_is_recorded() {
    let fixture = OutboxFixture::open().await;
    let id = fixture.add("pay slowly").await;
    let worker = fixture.worker();
    fixture.receiver.called.notified().await;
    tokio::join!(worker.stop(), async { fixture.receiver.released.notify_one() });
    fixture.until_rows(1, "status = 'paid'").await;
    assert_eq!(fixture.receiver.paid(id), 1);
    assert_eq!(fixture.supervisor.tasks(), []);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_crash_before_the_order_arrives_leads_to_a_second_sending() {
    let fixture = OutboxFixture::open().await;
    let id = fixture.add("hang").await;
    let crashed = fixture.worker();
    fixture.receiver.called.notified().await;
    drop(crashed);
    fixture.until_rows(1, "status = 'unknown'").await;
    fixture
        .execute("UPDATE test_order SET content = 'pay', next_try_at = now()")
        .await;
    let _next_worker = fixture.worker();
    fixture.until_rows(1, "status = 'paid' AND tries = 2").await;
    assert_eq!((fixture.receiver.sent(id), fixture.receiver.paid(id)), (2, 1));
}

/// A slow process learns its outcome after its lease has ended and another process has claimed the row.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_late_postponement_under_an_older_claim_changes_nothing() {
    let fixture = OutboxFixture::open().await;
    // The table shows when the worker has tried to postpone the row.
    fixture
        .execute(
            "CREATE TABLE postponed (at timestamptz);
             CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS $$
             BEGIN INSERT INTO postponed VALUES (now()); RETURN NULL; END $$;
             CREATE TRIGGER note AFTER UPDATE OF last_error ON test_order
                FOR EACH STATEMENT EXECUTE FUNCTION note()",
        )
        .await;
    fixture.add("fail slowly").await;
    let _worker = fixture.worker();
    fixture.receiver.called.notified().await;
    fixture.execute(CLAIM_BY_ANOTHER_PROCESS).await;
    fixture.receiver.released.notify_one();
    while fixture.number("SELECT count(*) FROM postponed").await == 0 {
        tokio::task::yield_now().await;
    }
    fixture
        .until_rows(1, "tries = 2 AND last_error IS NULL AND next_try_at > now()")
        .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_late_result_of_an_older_claim_ends_the_row() {
    let fixture = OutboxFixture::open().await;
    let id = fixture.add("pay slowly").await;
    let _worker = fixture.worker();
    fixture.receiver.called.notified().await;
    fixture.execute(CLAIM_BY_ANOTHER_PROCESS).await;
    fixture.receiver.released.notify_one();
    fixture.until_rows(1, "tries = 2 AND status = 'paid'").await;
    assert_eq!(fixture.log_entries(id).await, ["paid"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_unreadable_row_leaves_its_queue_and_is_reported_once() {
    let fixture = OutboxFixture::open().await;
    let unreadable = fixture.add("from another version").await;
    let readable = fixture.add("pay").await;
    let _worker = fixture.worker();
    fixture.until_rows(1, "status = 'paid'").await;
    fixture
        .until_rows(1, "status = 'unreadable' AND next_try_at IS NULL AND tries = 1")
        .await;
    assert_eq!(fixture.log_entries(unreadable).await, ["unreadable"]);
    assert_eq!(fixture.log_entries(readable).await, ["paid"]);
    // The row was never sent, so its provider is cleared: any provider may be chosen.
    let unclaimed = "status = 'unreadable' AND provider IS NULL";
    fixture.until_rows(1, unclaimed).await;
    // Staff put the row back into the queue, and it is readable now.
    fixture
        .execute(&format!(
            "UPDATE test_order SET content = 'pay' WHERE {unclaimed}"
        ))
        .await;
    let client = fixture.database.client().await;
    let resumed = client.execute(&Orders::TABLE.resume_sql(), &[&unreadable]).await;
    assert_eq!(resumed.expect("a resumed row"), 1);
    fixture
        .until_rows(2, "status = 'paid' AND provider = 'bank'")
        .await;
    assert_eq!(fixture.receiver.sent(unreadable), 1);
}

/// The former bank may have paid the row.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_row_that_was_sent_through_another_provider_is_left_to_it() {
    let fixture = OutboxFixture::open().await;
    let of_former_bank = fixture.add("pay").await;
    fixture
        .execute("UPDATE test_order SET provider = 'former bank', status = 'unknown'")
        .await;
    let unclaimed = fixture.add("pay").await;
    let _worker = fixture.worker();
    fixture
        .until_rows(1, "status = 'paid' AND provider = 'bank'")
        .await;
    fixture
        .until_rows(1, "status = 'unknown' AND provider = 'former bank' AND tries = 0")
        .await;
    assert_eq!(
        (
            fixture.receiver.sent(unclaimed),
            fixture.receiver.sent(of_former_bank)
        ),
        (1, 0)
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_row_of_an_unknown_kind_is_left_to_newer_processes_for_a_quarter_of_an_hour() {
    let fixture = OutboxFixture::open().await;
    fixture.add("pay").await;
    fixture.execute("UPDATE test_order SET kind = 'new'").await;
    fixture.add("pay").await;
    let _worker = fixture.worker_of(&fixture.supervisor, Claimable::OfKinds(vec!["usual"]));
    fixture.until_rows(1, "status = 'paid' AND kind = 'usual'").await;
    fixture
        .until_rows(1, "status = 'waiting' AND kind = 'new' AND tries = 0")
        .await;
    fixture
        .execute("UPDATE test_order SET created_at = now() - interval '16 minutes' WHERE kind = 'new'")
        .await;
    fixture.until_rows(2, "status = 'paid'").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_call_that_panics_leaves_the_worker_and_the_other_rows_alone() {
    let fixture = OutboxFixture::open().await;
    fixture.add("panic").await;
    let _worker = fixture.worker();
    fixture.until_rows(1, "status = 'unknown' AND tries = 1").await;
    let other = fixture.add("pay").await;
    fixture
        .until_rows(1, &format!("id = '{other}' AND status = 'paid'"))
        .await;
    fixture
        .execute("UPDATE test_order SET content = 'pay', next_try_at = now() WHERE status = 'unknown'")
        .await;
    fixture.until_rows(2, "status = 'paid'").await;
    assert!(fixture.supervisor.failing().is_empty());
}

/// Readiness fails while the supervisor has a failing task.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_worker_that_panics_or_returns_an_error_is_failing_until_it_claims_again() {
    const TASK: &str = "worker of test orders";
    let fixture = OutboxFixture::open().await;
    let _worker = fixture.worker();
    let until_failing = async |expected: &[&str]| {
        let failing = || {
            let failing = fixture.supervisor.failing().into_iter();
            failing.map(|task| task.task).collect::<Vec<_>>()
        };
        while failing() != expected {
            tokio::task::yield_now().await;
        }
    };
    fixture.supervisor.break_tasks(TASK);
    until_failing(&[TASK]).await;
    fixture.supervisor.mend_tasks(TASK);
    until_failing(&[]).await;

    fixture.execute("ALTER TABLE test_order RENAME TO gone").await;
    until_failing(&[TASK]).await;
    fixture.execute("ALTER TABLE gone RENAME TO test_order").await;
    until_failing(&[]).await;

    fixture.add("pay").await;
    fixture.until_rows(1, "status = 'paid'").await;
}
