//! The writer's answers to commands: concurrent ones, repeated ones, and those that lose connections or shards.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use chrono::TimeDelta;
use futures::future::join_all;
use ledger_domain::business::{
    BusinessCommand, BusinessEvent, CreateSale, SaleContext, SaleEvent, SettleReceivables, VoidSale,
};
use ledger_domain::calendar::business_date;
use ledger_domain::sale::{Initiator, PaymentNames};
use ledger_model::{OnePlan, capture, sale};
use ledger_store::{Idempotency, Outcome, Shard, Submission, Writer, WriterOptions, log};

use super::{assert_consistent, business, capture_sales, captured, sale_id, start, start_for, submission};
use crate::support::database::Database;
use crate::support::noon;
use crate::support::tampering::without_triggers;
use crate::support::wait::{POLL_INTERVAL, until};

/// One test kills at least this many connections, one after another, with a pause between them.
const KILLS: usize = 12;
const BETWEEN_KILLS: Duration = Duration::from_millis(15);
/// The test submits sales in rounds of 40: at least so many rounds, and until `KILLS` connections are killed.
const ROUNDS_MIN: u128 = 40;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn concurrent_commands_are_recorded_without_gaps_and_the_log_verifies() {
    let database = Database::create().await;
    let (writer, task) = start(&database, "one").await;
    let sales: Vec<_> = (0..600).map(|n| (business(n % 17), sale_id(n))).collect();
    capture_sales(&writer, &sales).await;
    let again = join_all(
        sales
            .iter()
            .map(|(business, sale)| writer.submit(captured(*business, *sale))),
    )
    .await;
    assert!(
        again
            .iter()
            .all(|outcome| matches!(outcome, Outcome::Duplicate { .. }))
    );
    writer.shutdown();
    task.join().await;
    let late = writer.submit(captured(business(1), sale_id(601))).await;
    assert!(matches!(late, Outcome::NotOwner), "no lane is running: {late:?}");
    let summary = assert_consistent(&database).await;
    assert_eq!((summary.events, summary.businesses), (600, 17));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_key_gets_the_same_answer_after_a_restart() {
    let database = Database::create().await;
    let keyed = |body: &str| Submission {
        idempotency: Some(Idempotency::new("test", "key", body.as_bytes())),
        ..captured(business(1), sale_id(1))
    };
    let (writer, task) = start(&database, "one").await;
    let Outcome::Recorded(first) = writer.submit(keyed("one")).await else {
        panic!("recorded")
    };
    writer.shutdown();
    task.join().await;
    let (writer, task) = start(&database, "another").await;
    let Outcome::Recorded(second) = writer.submit(keyed("one")).await else {
        panic!("recorded before")
    };
    assert_eq!((first.replayed, second.replayed), (false, true));
    let ids = |receipt: &ledger_store::Receipt| {
        receipt
            .events
            .iter()
            .map(|event| event.event_id)
            .collect::<Vec<_>>()
    };
    assert_eq!(ids(&first), ids(&second));
    assert!(matches!(writer.submit(keyed("two")).await, Outcome::KeyReused));
    // The sale is new, so the key is not looked up before the append. The unique index of the log finds it.
    let same_key = Submission {
        command: capture(business(1), sale_id(2), noon()),
        ..keyed("three")
    };
    assert!(matches!(writer.submit(same_key).await, Outcome::KeyReused));
    writer.shutdown();
    task.join().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_capture_uses_the_plan_of_the_sale_s_creation_and_settles_when_due() {
    let database = Database::create().await;
    let (writer, task) = start(&database, "one").await;
    let created_at = noon() - TimeDelta::days(60);
    let context = SaleContext::unknown(business(1), created_at);
    let create = CreateSale {
        sale: sale(sale_id(1)),
        occurred_at: created_at,
        context,
    };
    let created = writer
        .submit(submission(business(1), BusinessCommand::CreateSale(create)))
        .await;
    assert!(matches!(created, Outcome::Recorded(_)), "{created:?}");
    // The sale is no longer in memory, so the plan's instant is known only after the look-up of the sale.
    writer.shutdown();
    task.join().await;
    let (writer, task) = start(&database, "one").await;
    let captured_at = created_at + TimeDelta::days(1);
    let command = capture(business(1), sale_id(1), captured_at);
    let captured = writer.submit(submission(business(1), command)).await;
    let Outcome::Recorded(receipt) = captured else {
        panic!("{captured:?}")
    };
    let BusinessEvent::Sale(SaleEvent::SaleCaptured(event)) = receipt.events[0].event.as_ref() else {
        panic!("a capture")
    };
    let settle = SettleReceivables {
        due_date: event.receivables[0].due_date,
        today: business_date(noon()),
        // The second sale does not exist, and is left out.
        installments: vec![(sale_id(1), 1), (sale_id(2), 1)],
        reserve: None,
    };
    let settle = || {
        writer.submit(submission(
            business(1),
            BusinessCommand::SettleReceivables(settle.clone()),
        ))
    };
    assert!(matches!(settle().await, Outcome::Recorded(_)));
    assert!(matches!(settle().await, Outcome::Duplicate { .. }));
    let head = log::head(&database.client().await, business(1))
        .await
        .expect("a head")
        .expect("a head");
    assert_eq!(
        (head.accounts.available, head.accounts.receivable.get()),
        (event.net, 0)
    );
    writer.shutdown();
    task.join().await;
    assert_consistent(&database).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn lost_connections_neither_lose_nor_duplicate_a_capture() {
    let database = Database::create().await;
    let (writer, task) = start(&database, "one").await;
    let admin = database.client().await;
    // `NotOwner` promises that nothing was recorded, so the caller may retry.
    let until_recorded = async |business, sale| {
        loop {
            match writer.submit(captured(business, sale)).await {
                Outcome::Recorded(_) => return sale,
                Outcome::NotOwner => tokio::time::sleep(POLL_INTERVAL).await,
                other => panic!("{other:?}"),
            }
        }
    };
    let killed = AtomicUsize::new(0);
    let submitting = async {
        let mut recorded = BTreeSet::new();
        for round in 0_u128.. {
            if round >= ROUNDS_MIN && killed.load(Ordering::Relaxed) >= KILLS {
                break;
            }
            let sales = (0..40).map(|n| until_recorded(business(n % 5), sale_id(round * 40 + n)));
            recorded.extend(join_all(sales).await);
        }
        recorded
    };
    let killing = async {
        loop {
            tokio::time::sleep(BETWEEN_KILLS).await;
            let rows = admin
                .query(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
                      WHERE datname = current_database() AND application_name = 'razao-writer' \
                      ORDER BY random() LIMIT 1",
                    &[],
                )
                .await
                .expect("a kill");
            if killed.fetch_add(rows.len(), Ordering::Relaxed) >= KILLS {
                std::future::pending::<()>().await;
            }
        }
    };
    let recorded = tokio::select! { recorded = submitting => recorded, () = killing => unreachable!() };
    writer.shutdown();
    task.join().await;
    let mut in_log = BTreeSet::new();
    for n in 0..5 {
        for event in log::of_business(&admin, business(n), 0, 10_000)
            .await
            .expect("a history")
        {
            let BusinessEvent::Sale(SaleEvent::SaleCaptured(event)) = event.decode().expect("readable")
            else {
                panic!("a capture")
            };
            assert!(in_log.insert(event.sale.sale_id), "{} twice", event.sale.sale_id);
        }
    }
    assert_eq!(
        recorded, in_log,
        "the recorded captures are exactly the acknowledged ones"
    );
    assert_consistent(&database).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_process_that_lost_its_shards_records_nothing_until_it_takes_them_back() {
    let database = Database::create().await;
    // One shard: in layout `schemas` each has a lane, and before 16 lanes are connected the old process has taken the
    // first of them back.
    let shards = vec![Shard::of(business(1))];
    let (old, old_task) = start_for(&database, "same", shards.clone()).await;
    capture_sales(&old, &[(business(1), sale_id(1))]).await;
    let (new, new_task) = start_for(&database, "same", shards).await;
    assert!(matches!(
        old.submit(captured(business(1), sale_id(2))).await,
        Outcome::NotOwner
    ));
    capture_sales(&new, &[(business(1), sale_id(3))]).await;
    // Both processes use the same owner's name here, so that they can take turns. Real processes have different
    // names.
    new.shutdown();
    new_task.join().await;
    until("the shards of old", async || {
        let submitted = old.submit(captured(business(1), sale_id(2))).await;
        matches!(submitted, Outcome::Recorded(_))
    })
    .await;
    old.shutdown();
    old_task.join().await;
    assert_eq!(assert_consistent(&database).await.events, 3);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn another_owner_waits_for_the_lease() {
    let database = Database::create().await;
    let (first, first_task) = start(&database, "first").await;
    let (second, second_task) = start(&database, "second").await;
    assert!(matches!(
        second.submit(captured(business(1), sale_id(1))).await,
        Outcome::NotOwner
    ));
    capture_sales(&first, &[(business(1), sale_id(1))]).await;
    first.shutdown();
    first_task.join().await;
    until("the shards of second", async || {
        let submitted = second.submit(captured(business(1), sale_id(2))).await;
        matches!(submitted, Outcome::Recorded(_))
    })
    .await;
    second.shutdown();
    second_task.join().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_command_that_violates_a_constraint_fails_alone() {
    let database = Database::create().await;
    let (writer, task) = start(&database, "one").await;
    database
        .client()
        .await
        .batch_execute("ALTER TABLE sale_claim ADD CHECK (sale_id <> '00000000-0000-0000-0000-00000000000d')")
        .await
        .expect("a rule that `sale_id(12)` breaks, whose UUID is 13");
    let sales: Vec<_> = (0..40).map(|n| (business(n % 3), sale_id(n))).collect();
    let outcomes = join_all(
        sales
            .iter()
            .map(|(business, sale)| writer.submit(captured(*business, *sale))),
    )
    .await;
    for (n, outcome) in outcomes.iter().enumerate() {
        match outcome {
            Outcome::Rejected => assert_eq!(n, 12),
            Outcome::Recorded(_) => assert_ne!(n, 12),
            other => panic!("{other:?}"),
        }
    }
    writer.shutdown();
    task.join().await;
    assert_eq!(assert_consistent(&database).await.events, 40 - 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn several_lanes_agree_on_the_owner_of_a_sale() {
    let database = Database::create().await;
    let options = WriterOptions {
        lanes: 4,
        ..WriterOptions::new(database.connector(), "one")
    };
    let (writer, task) = Writer::start(options, Arc::new(OnePlan)).await.expect("a writer");
    let claims: Vec<_> = (0..400_u128).map(|n| (business(n % 8), sale_id(n / 8))).collect();
    let outcomes = join_all(
        claims
            .iter()
            .map(|(business, sale)| writer.submit(captured(*business, *sale))),
    )
    .await;
    let mut owners = std::collections::BTreeMap::new();
    for ((business, sale), outcome) in claims.iter().zip(&outcomes) {
        if let Outcome::Recorded(_) = outcome {
            assert!(
                owners.insert(*sale, *business).is_none(),
                "{sale} is recorded twice"
            );
        }
    }
    assert_eq!(owners.len(), 400 / 8);
    for ((_, sale), outcome) in claims.iter().zip(&outcomes) {
        match outcome {
            Outcome::Recorded(_) => {}
            Outcome::BelongsToOther(owner) => assert_eq!(owners[sale], *owner),
            other => panic!("{other:?}"),
        }
    }
    writer.shutdown();
    task.join().await;
    assert_consistent(&database).await;
}

/// Readers of two nodes can see the claim of a sale before its event. Here the event never comes.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_sale_whose_claim_is_seen_before_its_event_is_tried_again() {
    let database = Database::create().await;
    let (writer, task) = start(&database, "one").await;
    let client = database.client().await;
    let claim = format!(
        "INSERT INTO sale_claim (sale_id, business_id, sequence, shard) VALUES ('{}', '{1}', 1, shard_of('{1}'))",
        sale_id(1).uuid(),
        business(2).uuid()
    );
    client.batch_execute(&claim).await.expect("a claim");
    let outcome = writer.submit(captured(business(1), sale_id(1))).await;
    assert!(matches!(outcome, Outcome::NotOwner), "tried later: {outcome:?}");
    let read = log::sale_states(&client, &[sale_id(1)]).await;
    assert!(
        matches!(read, Err(log::LogError::ClaimBeforeEvent { .. })),
        "neither known nor unknown: {read:?}"
    );

    let withdrawn = async {
        let client = database.client().await;
        let delete = without_triggers("DELETE FROM sale_claim");
        client.batch_execute(&delete).await.expect("no claim");
    };
    let ids = [sale_id(1)];
    let (read, ()) = tokio::join!(log::sale_states(&client, &ids), withdrawn);
    assert_eq!(read.expect("the sale is read again"), []);
    capture_sales(&writer, &[(business(1), sale_id(1))]).await;
    writer.shutdown();
    task.join().await;
    assert_eq!(assert_consistent(&database).await.events, 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_process_whose_lease_is_over_refuses_nothing() {
    let database = Database::create().await;
    let (writer, task) = start(&database, "one").await;
    let unknown = || {
        let void = VoidSale {
            sale_id: sale_id(1),
            initiator: Initiator::Platform,
            names: PaymentNames::default(),
            occurred_at: noon(),
            reason: None,
        };
        submission(business(1), BusinessCommand::VoidSale(void))
    };
    assert!(matches!(writer.submit(unknown()).await, Outcome::Refused(_)));
    // Its renewals wait for this transaction, as those of a paused process come too late. Another process may have taken
    // the shards and recorded the sale.
    let mut other = database.client().await;
    let locking = other.transaction().await.expect("a transaction");
    locking
        .batch_execute("LOCK TABLE log_shard IN EXCLUSIVE MODE")
        .await
        .expect("a lock");
    until("the lease is over", async || {
        matches!(writer.submit(unknown()).await, Outcome::NotOwner)
    })
    .await;
    locking.rollback().await.expect("unlocked");
    until("the process has its shards again", async || {
        matches!(writer.submit(unknown()).await, Outcome::Refused(_))
    })
    .await;
    writer.shutdown();
    task.join().await;
}
