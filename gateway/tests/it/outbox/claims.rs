//! Who claims a row: several processes at once, a process after another's crash, and a worker that failed.

use gateway_outbox::{Claimable, Outbox};
use ledger_store::Supervisor;

use super::{Bench, Orders};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn several_processes_take_each_row_once() {
    let bench = Bench::open().await;
    let mut orders = vec![];
    for _ in 0..60 {
        orders.push(bench.add("pay").await);
    }
    let processes: Vec<Supervisor> = (0..3).map(|_| Supervisor::default()).collect();
    let workers: Vec<_> = processes
        .iter()
        .map(|process| bench.worker_of(process, Claimable::All))
        .collect();
    bench.until(60, "status = 'paid' AND tries = 1").await;
    drop(workers);
    for id in orders {
        assert_eq!((bench.receiver.sent(id), bench.receiver.paid(id)), (1, 1));
        assert_eq!(bench.told(id).await, ["paid"], "the end is told once");
    }
}

/// The process dies after the other system paid and before that is recorded.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_crash_after_the_call_does_not_pay_twice() {
    let bench = Bench::open().await;
    let id = bench.add("pay and hang").await;
    let crashed = bench.worker();
    bench.receiver.called.notified().await;
    drop(crashed);
    let leased = "status = 'unknown' AND tries = 1 AND next_try_at > now()";
    bench.until(1, leased).await;

    let _after = bench.worker();
    let other = bench.add("pay").await;
    bench
        .until(1, &format!("id = '{other}' AND status = 'paid'"))
        .await;
    bench.until(1, leased).await;
    bench.make_due().await;
    bench.until(2, "status = 'paid'").await;
    assert_eq!((bench.receiver.sent(id), bench.receiver.paid(id)), (1, 1));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_crash_before_the_order_arrives_leads_to_a_second_sending() {
    let bench = Bench::open().await;
    let id = bench.add("hang").await;
    let crashed = bench.worker();
    bench.receiver.called.notified().await;
    drop(crashed);
    bench.until(1, "status = 'unknown'").await;
    bench
        .execute("UPDATE test_order SET content = 'pay', next_try_at = now()")
        .await;
    let _after = bench.worker();
    bench.until(1, "status = 'paid' AND tries = 2").await;
    assert_eq!((bench.receiver.sent(id), bench.receiver.paid(id)), (2, 1));
}

/// A slow process learns its outcome after its lease has ended and another process has claimed the row.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_late_retry_of_an_older_claim_changes_nothing() {
    let bench = Bench::open().await;
    bench
        .execute(
            "CREATE TABLE postponed (at timestamptz);
             CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS $$
             BEGIN INSERT INTO postponed VALUES (now()); RETURN NULL; END $$;
             CREATE TRIGGER note AFTER UPDATE OF last_error ON test_order
                FOR EACH STATEMENT EXECUTE FUNCTION note()",
        )
        .await;
    bench.add("fail slowly").await;
    let _worker = bench.worker();
    bench.receiver.called.notified().await;
    bench.execute("UPDATE test_order SET tries = 2").await;
    bench.receiver.released.notify_one();
    while bench.number("SELECT count(*) FROM postponed").await == 0 {
        tokio::task::yield_now().await;
    }
    bench
        .until(1, "tries = 2 AND last_error IS NULL AND next_try_at > now()")
        .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_late_result_of_an_older_claim_ends_the_row() {
    let bench = Bench::open().await;
    let id = bench.add("pay slowly").await;
    let _worker = bench.worker();
    bench.receiver.called.notified().await;
    bench.execute("UPDATE test_order SET tries = 2").await;
    bench.receiver.released.notify_one();
    bench.until(1, "tries = 2 AND status = 'paid'").await;
    assert_eq!(bench.told(id).await, ["paid"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_unreadable_row_leaves_its_queue_and_is_told_once() {
    let bench = Bench::open().await;
    let unreadable = bench.add("from another version").await;
    let readable = bench.add("pay").await;
    let _worker = bench.worker();
    bench.until(1, "status = 'paid'").await;
    bench
        .until(1, "status = 'unreadable' AND next_try_at IS NULL AND tries = 1")
        .await;
    assert_eq!(bench.told(unreadable).await, ["unreadable"]);
    assert_eq!(bench.told(readable).await, ["paid"]);
    // Staff put it back, and it is readable now. It was never sent: any provider may be chosen.
    let released = "status = 'unreadable' AND provider IS NULL";
    bench.until(1, released).await;
    bench
        .execute(&format!("UPDATE test_order SET content = 'pay' WHERE {released}"))
        .await;
    let client = bench.database.client().await;
    let resumed = client.execute(&Orders::TABLE.resume_sql(), &[&unreadable]).await;
    assert_eq!(resumed.expect("a resumed row"), 1);
    bench.until(2, "status = 'paid' AND provider = 'bank'").await;
    assert_eq!(bench.receiver.sent(unreadable), 1);
}

/// The other provider may have paid it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_row_that_was_sent_through_another_provider_is_left_to_it() {
    let bench = Bench::open().await;
    let elsewhere = bench.add("pay").await;
    bench
        .execute("UPDATE test_order SET provider = 'former bank', status = 'unknown'")
        .await;
    let here = bench.add("pay").await;
    let _worker = bench.worker();
    bench.until(1, "status = 'paid' AND provider = 'bank'").await;
    bench
        .until(1, "status = 'unknown' AND provider = 'former bank' AND tries = 0")
        .await;
    assert_eq!(
        (bench.receiver.sent(here), bench.receiver.sent(elsewhere)),
        (1, 0)
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_row_of_an_unknown_kind_is_left_to_newer_processes_at_first() {
    let bench = Bench::open().await;
    bench.add("pay").await;
    bench.execute("UPDATE test_order SET kind = 'new'").await;
    bench.add("pay").await;
    let _worker = bench.worker_of(&bench.supervisor, Claimable::OfKinds(&["usual"]));
    bench.until(1, "status = 'paid' AND kind = 'usual'").await;
    bench
        .until(1, "status = 'waiting' AND kind = 'new' AND tries = 0")
        .await;
    bench
        .execute("UPDATE test_order SET created_at = now() - interval '16 minutes' WHERE kind = 'new'")
        .await;
    bench.until(2, "status = 'paid'").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_call_that_panics_leaves_the_worker_and_the_other_rows_alone() {
    let bench = Bench::open().await;
    bench.add("panic").await;
    let _worker = bench.worker();
    bench.until(1, "status = 'unknown' AND tries = 1").await;
    let other = bench.add("pay").await;
    bench
        .until(1, &format!("id = '{other}' AND status = 'paid'"))
        .await;
    bench
        .execute("UPDATE test_order SET content = 'pay', next_try_at = now() WHERE status = 'unknown'")
        .await;
    bench.until(2, "status = 'paid'").await;
    assert!(bench.supervisor.failing().is_empty());
}

/// Readiness is red while the supervisor has a failing task (`supervision`).
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_worker_that_stops_is_failing_until_it_claims_again() {
    let bench = Bench::open().await;
    let _worker = bench.worker();
    let failing = || {
        let failing = bench.supervisor.failing().into_iter();
        failing.map(|task| task.task).collect::<Vec<_>>()
    };
    for (broken, mended) in [
        (None, None),
        (
            Some("ALTER TABLE test_order RENAME TO gone"),
            Some("ALTER TABLE gone RENAME TO test_order"),
        ),
    ] {
        match broken {
            Some(sql) => bench.execute(sql).await,
            None => bench.supervisor.break_tasks("worker of test orders"),
        }
        while failing() != ["worker of test orders"] {
            tokio::task::yield_now().await;
        }
        match mended {
            Some(sql) => bench.execute(sql).await,
            None => bench.supervisor.mend_tasks("worker of test orders"),
        }
        while !failing().is_empty() {
            tokio::task::yield_now().await;
        }
    }
    bench.add("pay").await;
    bench.until(1, "status = 'paid'").await;
}
