//! The effect of each outcome of a try: look-up, pause, end.

use super::OutboxFixture;

/// Makes the row due, and waits until this try has failed and the next one is due these hours later, by the database's
/// clock.
async fn retry_pauses_for(fixture: &OutboxFixture, tries: i32, hours: i32) {
    let before_try: String = {
        let client = fixture.database.client().await;
        let row = client.query_one("SELECT now()::text", &[]).await;
        row.expect("the database's time").get(0)
    };
    fixture.make_due().await;
    fixture
        .until_rows(
            1,
            &format!(
                "tries = {tries} AND last_error IS NOT NULL
                 AND next_try_at BETWEEN '{before_try}'::timestamptz + interval '{hours} hours'
                                     AND now() + interval '{hours} hours'"
            ),
        )
        .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_order_without_an_answer_is_looked_up_and_not_paid_twice() {
    let fixture = OutboxFixture::open().await;
    let id = fixture.add("pay silently").await;
    let _worker = fixture.worker();
    fixture
        .until_rows(1, "status = 'unknown' AND last_error = 'timeout'")
        .await;
    fixture.make_due().await;
    fixture.until_rows(1, "status = 'paid' AND tries = 2").await;
    assert_eq!((fixture.receiver.sent(id), fixture.receiver.paid(id)), (1, 1));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_accepted_order_is_looked_up_until_it_ends() {
    let fixture = OutboxFixture::open().await;
    let id = fixture.add("accept").await;
    let _worker = fixture.worker();
    fixture
        .until_rows(1, "status = 'sent' AND last_error IS NULL")
        .await;
    fixture.make_due().await;
    fixture.until_rows(1, "status = 'paid' AND tries = 2").await;
    assert_eq!((fixture.receiver.sent(id), fixture.receiver.paid(id)), (1, 1));
    assert_eq!(fixture.log_entries(id).await, ["paid"]);
}

/// The other system may have paid the order before it lost it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_order_that_was_accepted_and_is_forgotten_is_never_sent_again() {
    let fixture = OutboxFixture::open().await;
    let id = fixture.add("forget").await;
    let _worker = fixture.worker();
    fixture.until_rows(1, "status = 'sent'").await;
    for tries in 2..5 {
        fixture.make_due().await;
        let looked_up = format!("status = 'sent' AND tries = {tries} AND last_error = 'forgotten'");
        fixture.until_rows(1, &looked_up).await;
    }
    assert_eq!(fixture.receiver.sent(id), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn pauses_grow_by_the_clock_of_the_database() {
    let fixture = OutboxFixture::open().await;
    fixture.add("unreachable").await;
    let _worker = fixture.worker();
    fixture
        .until_rows(1, "tries = 1 AND last_error = 'unreachable'")
        .await;
    // The first pause is 2 hours. Each further one is twice as long, 5 hours at most.
    for (tries, hours) in [(2, 4), (3, 5), (4, 5)] {
        retry_pauses_for(&fixture, tries, hours).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_contradiction_takes_the_longest_pause_at_once() {
    let fixture = OutboxFixture::open().await;
    // The longest pause is 5 hours.
    fixture.execute("CREATE TABLE began AS SELECT now() AS at").await;
    fixture.add("contradict").await;
    let _worker = fixture.worker();
    fixture
        .until_rows(
            1,
            "tries = 1 AND last_error = 'contradicted'
             AND next_try_at BETWEEN (SELECT at FROM began) + interval '5 hours' AND now() + interval '5 hours'",
        )
        .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_order_that_is_too_old_is_given_up_and_logged_in_the_same_transaction() {
    let fixture = OutboxFixture::open().await;
    let id = fixture.add("unreachable").await;
    let _worker = fixture.worker();
    fixture
        .until_rows(1, "status = 'unknown' AND last_error = 'unreachable'")
        .await;
    assert!(fixture.log_entries(id).await.is_empty());
    // The log entry cannot be written, so the row must not end. A rollback does not undo the sequence's step.
    fixture
        .execute(
            "CREATE SEQUENCE refused_entries;
             CREATE FUNCTION refuse_entry() RETURNS trigger LANGUAGE plpgsql AS $$
             BEGIN
                 PERFORM nextval('refused_entries');
                 RAISE EXCEPTION 'the test refuses the entry';
             END $$;
             CREATE TRIGGER unwritable BEFORE INSERT ON test_order_log
                 FOR EACH ROW EXECUTE FUNCTION refuse_entry();
             UPDATE test_order SET created_at = now() - interval '61 minutes', next_try_at = now()",
        )
        .await;
    let refused = "(SELECT is_called FROM refused_entries) AND status = 'unknown' AND tries = 2";
    fixture.until_rows(1, refused).await;
    fixture.execute("DROP TRIGGER unwritable ON test_order_log").await;
    fixture.make_due().await;
    fixture
        .until_rows(
            1,
            "status = 'given-up' AND last_error = 'unreachable' AND next_try_at IS NULL",
        )
        .await;
    assert_eq!(fixture.log_entries(id).await, ["given-up"]);
}

/// The process that added the row may have a clock that is ahead.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_row_from_the_future_is_not_given_up() {
    let fixture = OutboxFixture::open().await;
    fixture.add("unreachable").await;
    fixture
        .execute("UPDATE test_order SET created_at = now() + interval '2 days'")
        .await;
    let _worker = fixture.worker();
    fixture
        .until_rows(1, "tries = 1 AND last_error = 'unreachable' AND ended_at IS NULL")
        .await;
}
