//! The followers: each event counts once, no event is skipped, and readers can wait until the lag is over.

use std::time::Duration;

use ledger_domain::sale::SaleFacts;
use ledger_domain::{BusinessId, Cents};
use ledger_store::{LedgerPosition, Recorded, Shard};
use projections::{FollowerOptions, Following, Freshness, ReadModelGroup, Wake};

use super::ledger::{Ledger, business, card, minute, monday, pix};
use crate::support::database::only_with_tables;
use crate::support::tampering::without_triggers;
use crate::support::wait::until_some;

#[tokio::test]
async fn three_followers_of_the_same_shards_count_each_event_once() {
    let ledger = Ledger::create().await;
    let runners = [ledger.follow(), ledger.follow(), ledger.follow()];
    for number in 0..60 {
        let facts = SaleFacts {
            amount: Cents::new(1_000 + number),
            ..pix(ledger.new_sale())
        };
        ledger
            .capture(
                business(1 + u128::try_from(number % 5).expect("small")),
                facts,
                minute(number),
            )
            .await;
    }
    ledger.until_caught_up().await;
    let client = ledger.client().await;
    let totals = projections::daily_sales::period_totals(&**client, None, monday(), monday())
        .await
        .expect("totals");
    let gross: i64 = (0..60).map(|number| 1_000 + number).sum();
    assert_eq!((totals.count, totals.gross), (60, Cents::new(gross)));
    for runner in runners {
        runner.stop().await;
    }
}

#[tokio::test]
async fn an_event_that_a_model_cannot_apply_stops_only_that_model() {
    let ledger = Ledger::create().await;
    let runner = ledger.follow();
    let shop = business(1);
    ledger.capture(shop, card(ledger.new_sale()), minute(0)).await;
    ledger.until_caught_up().await;
    // A corrupted row: the next capture can't be added to it.
    ledger
        .execute(
            "UPDATE daily_sales SET gross = 9223372036854775807, net = 9223372036854775807 - gross + net",
        )
        .await;
    let before = ledger.position().await;
    ledger.capture(shop, card(ledger.new_sale()), minute(1)).await;
    ledger.capture(shop, card(ledger.new_sale()), minute(2)).await;
    let position = ledger.position().await;
    let others = [
        ReadModelGroup::Balance,
        ReadModelGroup::Statement,
        ReadModelGroup::Transfers,
    ];
    let long = Duration::from_secs(10);
    let waited = projections::wait_for(&ledger.pool, &others, &position, long)
        .await
        .expect("checkpoints");
    assert_eq!(waited, Freshness::Fresh);
    let short = Duration::from_millis(200);
    let waited = projections::wait_for(&ledger.pool, &[ReadModelGroup::Sales], &position, short)
        .await
        .expect("checkpoints");
    assert_eq!(waited, Freshness::Stale);

    let client = ledger.client().await;
    let shards = projections::lag(&**client).await.expect("lag");
    let shard = shards
        .iter()
        .find(|shard| shard.shard == Shard::of(shop).number())
        .expect("the shard");
    assert_eq!(shard.events(), 2);
    for at in &shard.models {
        match &at.stopped {
            Some(stop) => {
                assert_eq!(
                    (at.model, stop.position),
                    (ReadModelGroup::Sales, before.get(Shard::of(shop)) + 1)
                );
                assert!(stop.reason.contains("out of range"), "{}", stop.reason);
            }
            None => assert_ne!(at.model, ReadModelGroup::Sales),
        }
    }
    runner.stop().await;

    // After the repair and a restart, the model continues where it stopped, and no event was skipped.
    ledger
        .execute("UPDATE daily_sales SET gross = 30000, net = 29002")
        .await;
    let runner = ledger.follow();
    ledger.until_caught_up().await;
    let totals = projections::daily_sales::period_totals(&**client, shop, monday(), monday())
        .await
        .expect("totals");
    assert_eq!((totals.count, totals.gross), (3, Cents::new(900_00)));
    runner.stop().await;
}

#[tokio::test]
async fn an_unreadable_event_stops_every_model_of_its_shard_only() {
    let ledger = Ledger::create().await;
    let runner = ledger.follow();
    let (shop, other) = (business(1), business_in_another_shard(business(1)));
    ledger.capture(shop, card(ledger.new_sale()), minute(0)).await;
    ledger.until_caught_up().await;
    runner.stop().await;
    ledger.capture(shop, card(ledger.new_sale()), minute(1)).await;
    ledger
        .execute(&without_triggers(
            "UPDATE event SET event_version = '9.0' WHERE sequence = 2",
        ))
        .await;
    let runner = ledger.follow_log_only();
    ledger.capture(other, card(ledger.new_sale()), minute(2)).await;
    let position_of_other = LedgerPosition::at(Shard::of(other), 1);
    ledger.until_reached(&position_of_other).await;
    let stopped = until_some("a stop of every read model", async || {
        let shards = projections::lag(&**ledger.client().await).await.expect("lag");
        let stopped: Vec<_> = shards
            .iter()
            .flat_map(|shard| shard.models.iter().map(move |at| (shard.shard, at)))
            .filter_map(|(shard, at)| {
                Some((shard, at.model, at.position, at.stopped.as_ref()?.reason.clone()))
            })
            .collect();
        (stopped.len() == ReadModelGroup::ALL.len()).then_some(stopped)
    })
    .await;
    let stops: Vec<_> = stopped
        .iter()
        .map(|(shard, model, position, _)| (*shard, *model, *position))
        .collect();
    let shard = Shard::of(shop).number();
    assert_eq!(stops, ReadModelGroup::ALL.map(|model| (shard, model, 1)));
    assert!(
        stopped.iter().all(|(.., reason)| reason.contains("9.0")),
        "{stopped:?}"
    );
    runner.stop().await;
}

/// A business of another shard.
fn business_in_another_shard(than: BusinessId) -> BusinessId {
    (2..)
        .map(business)
        .find(|other| Shard::of(*other) != Shard::of(than))
        .expect("sixteen shards")
}

#[tokio::test]
async fn a_reader_that_waits_for_its_own_write_learns_when_the_data_is_stale() {
    let ledger = Ledger::create().await;
    ledger
        .capture(business(1), card(ledger.new_sale()), minute(0))
        .await;
    let position = ledger.position().await;
    let wait = |time| {
        projections::wait_for(
            &ledger.pool,
            &[ReadModelGroup::Sales],
            &position,
            Duration::from_millis(time),
        )
    };
    assert_eq!(
        wait(50).await.expect("checkpoints"),
        Freshness::Stale,
        "no follower runs"
    );
    let runner = ledger.follow();
    assert_eq!(wait(5_000).await.expect("checkpoints"), Freshness::Fresh);
    let nothing = LedgerPosition::default();
    let waited = projections::wait_for(&ledger.pool, &ReadModelGroup::ALL, &nothing, Duration::ZERO).await;
    assert_eq!(waited.expect("checkpoints"), Freshness::Fresh);
    runner.stop().await;
}

#[tokio::test]
async fn a_waiting_reader_ends_the_pause_of_the_followers() {
    let ledger = Ledger::create().await;
    let wake = Wake::default();
    let options = FollowerOptions {
        // Longer than the reader waits: only the reader's wake-up can end it.
        pause_min: Duration::from_secs(60),
        pause_max: Duration::from_secs(60),
        wake: wake.of_followers(),
        ..FollowerOptions::default()
    };
    let runner = projections::follow_log(ledger.pool.clone(), Some(&ledger.writer.recorded()), options);
    for number in 0..4 {
        ledger
            .capture(business(1), card(ledger.new_sale()), minute(number))
            .await;
        let position = ledger.position().await;
        wake.notify(&position);
        ledger.until_reached(&position).await;
    }
    runner.stop().await;
}

/// The positions of all read models in the shard of the business.
async fn positions_of(ledger: &Ledger, shop: BusinessId) -> Vec<i64> {
    let shards = projections::lag(&**ledger.client().await).await.expect("lag");
    let of_shop = shards
        .iter()
        .find(|shard| shard.shard == Shard::of(shop).number());
    let of_shop = of_shop.expect("the shard");
    of_shop.models.iter().map(|at| at.position).collect()
}

#[tokio::test]
async fn events_of_this_process_are_read_from_its_memory() {
    let ledger = Ledger::create().await;
    let shop = business(1);
    ledger.capture(shop, card(ledger.new_sale()), minute(0)).await;
    // No follower can apply the event as the log has it now.
    ledger
        .execute(&without_triggers("UPDATE event SET event_version = '9.0'"))
        .await;
    let runner = ledger.follow();
    ledger.until_caught_up().await;
    assert_eq!(positions_of(&ledger, shop).await, [1; ReadModelGroup::ALL.len()]);
    runner.stop().await;
}

#[tokio::test]
async fn events_of_two_shards_move_all_checkpoints_in_one_transaction() {
    only_with_tables!();
    let ledger = Ledger::create().await;
    let shop = business(1);
    let other = business_in_another_shard(shop);
    ledger.capture(shop, card(ledger.new_sale()), minute(0)).await;
    ledger.capture(other, card(ledger.new_sale()), minute(1)).await;
    ledger
        .execute(
            "CREATE TABLE checkpoint_change (model text, shard smallint, transaction xid8);
             CREATE FUNCTION keep_change() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                 INSERT INTO checkpoint_change VALUES (NEW.model, NEW.shard, pg_current_xact_id());
                 RETURN NULL;
             END $$;
             CREATE TRIGGER keep_change AFTER UPDATE ON projection_checkpoint
                 FOR EACH ROW EXECUTE FUNCTION keep_change()",
        )
        .await;
    let runner = ledger.follow();
    ledger.until_caught_up().await;
    runner.stop().await;
    let client = ledger.client().await;
    let row = client
        .query_one(
            "SELECT count(*), count(DISTINCT transaction) FROM checkpoint_change",
            &[],
        )
        .await
        .expect("changes");
    let changes = i64::try_from(2 * ReadModelGroup::ALL.len()).expect("small");
    assert_eq!((row.get::<_, i64>(0), row.get::<_, i64>(1)), (changes, 1));
}

/// The followers of a process that owns no shard. It follows a shard of another process once that shard's read models
/// have been behind for `foreign_lag`.
fn follow_as_another_process(ledger: &Ledger, foreign_lag: Duration, wake: &Wake) -> Following {
    let options = FollowerOptions {
        poll: Duration::from_millis(5),
        foreign_lag,
        wake: wake.of_followers(),
        ..FollowerOptions::default()
    };
    projections::follow_log(ledger.pool.clone(), Some(&Recorded::default()), options)
}

#[tokio::test]
async fn a_shard_of_another_process_is_followed_when_it_is_behind_or_a_reader_waits() {
    let ledger = Ledger::create().await;
    let (shop, wake) = (business(1), Wake::default());
    let runner = follow_as_another_process(&ledger, Duration::from_secs(3_600), &wake);
    ledger.capture(shop, card(ledger.new_sale()), minute(0)).await;
    // Many polls see that the shard is behind, but not for an hour.
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert_eq!(positions_of(&ledger, shop).await, [0; ReadModelGroup::ALL.len()]);
    wake.notify(&ledger.position().await);
    ledger.until_caught_up().await;
    // Since then no other process has moved the shard's checkpoints, so this one follows it at each poll.
    ledger.capture(shop, card(ledger.new_sale()), minute(1)).await;
    ledger.until_caught_up().await;
    runner.stop().await;

    ledger.capture(shop, card(ledger.new_sale()), minute(2)).await;
    let runner = follow_as_another_process(&ledger, Duration::from_millis(50), &Wake::default());
    ledger.until_caught_up().await;
    assert_eq!(positions_of(&ledger, shop).await, [3; ReadModelGroup::ALL.len()]);
    runner.stop().await;
}
