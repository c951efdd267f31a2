//! Reading the log: windows and histories of events, pages of heads, and the wake of readers.

use chrono::TimeDelta;
use ledger_domain::{BusinessId, SaleId};
use ledger_store::{Shard, log};
use uuid::Uuid;

use crate::support::database::Database;
use crate::support::noon;
use crate::writer::{self, business, capture_sales};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn windows_and_histories_have_every_event_once_and_in_order() {
    let database = Database::create().await;
    let (writer, task) = writer::start(&database, "one").await;
    let sales: Vec<_> = (0..90)
        .map(|n| (business(n % 3), SaleId::from_uuid(Uuid::from_u128(n))))
        .collect();
    let position = capture_sales(&writer, &sales).await;
    let client = database.client().await;
    assert_eq!(log::shard_positions(&client).await.expect("positions"), position);

    let mut in_windows = vec![];
    for shard in Shard::all() {
        let mut after = 0;
        loop {
            let window = log::window(&client, shard, after, 7).await.expect("a window");
            let Some(last) = window.last() else { break };
            let places: Vec<_> = window.iter().map(|event| event.position).collect();
            assert_eq!(places, (after + 1..=last.position).collect::<Vec<_>>());
            after = last.position;
            in_windows.extend(window);
        }
    }
    let mut in_histories = vec![];
    for n in 0..3 {
        let all = log::of_business(&client, business(n), 0, 1000)
            .await
            .expect("a history");
        assert_eq!(
            all.iter().map(|event| event.sequence).collect::<Vec<_>>(),
            (1..=30).collect::<Vec<_>>()
        );
        let tail = log::of_business(&client, business(n), 28, 1000)
            .await
            .expect("a tail");
        assert_eq!(tail, all[28..]);
        in_histories.extend(all);
    }
    in_windows.sort_by_key(|event| (event.business_id, event.sequence));
    in_histories.sort_by_key(|event| (event.business_id, event.sequence));
    assert_eq!(in_windows, in_histories);
    writer.shutdown();
    task.join().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn heads_are_paged_by_key() {
    let database = Database::create().await;
    let (writer, task) = writer::start(&database, "one").await;
    let sales: Vec<_> = (0..25)
        .map(|n| (business(n), SaleId::from_uuid(Uuid::from_u128(n + 1))))
        .collect();
    capture_sales(&writer, &sales).await;
    let client = database.client().await;
    let mut heads = vec![];
    for shard in Shard::all() {
        let mut after: Option<BusinessId> = None;
        loop {
            let page = log::heads_after(&client, shard, after, 1).await.expect("a page");
            let Some((last, head)) = page.last() else { break };
            assert_eq!((Shard::of(*last), head.version), (shard, 1));
            after = Some(*last);
            heads.extend(page);
        }
    }
    assert_eq!(heads.len(), 25);
    assert!(
        log::head(&client, business(999))
            .await
            .expect("no head")
            .is_none()
    );
    writer.shutdown();
    task.join().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_recorded_event_wakes_the_readers() {
    let database = Database::create().await;
    let (writer, task) = writer::start(&database, "one").await;
    let shard = Shard::of(business(1));
    let mut woken = writer.recorded().batches();
    let position = capture_sales(&writer, &[(business(1), SaleId::from_uuid(Uuid::from_u128(1)))]).await;
    woken.changed().await.expect("woken");
    assert_eq!(writer.recorded().position(), position);
    assert_eq!(writer.recorded().end(shard), Some(position.get(shard)));
    let event = log::window(&database.client().await, shard, 0, 1)
        .await
        .expect("a window")
        .pop()
        .expect("one");
    // The writer's clock starts at noon and advances by a millisecond with each reading.
    assert!((noon()..noon() + TimeDelta::seconds(1)).contains(&event.recorded_at));
    assert_eq!(event.decode().expect("readable").type_name(), "SaleCaptured");
    writer.shutdown();
    task.join().await;
}
