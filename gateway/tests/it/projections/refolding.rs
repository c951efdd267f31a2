//! A read model that folds the log from the start delays neither other shards nor the report of a poison event.

use std::time::Duration;

use ledger_domain::BusinessId;
use ledger_store::Shard;
use projections::{FollowerOptions, Following, ReadModelGroup};

use super::ledger::{Ledger, business, card, minute};
use crate::support::tampering::without_triggers;
use crate::support::wait::until;

/// Small windows, so that a short log takes many of them.
const WINDOW: i64 = 2;

/// Two businesses in different shards, the one of the lower shard first.
fn shops() -> (BusinessId, BusinessId) {
    let one = business(1);
    let other = (2..)
        .map(business)
        .find(|other| Shard::of(*other) != Shard::of(one))
        .expect("sixteen shards");
    if Shard::of(one) < Shard::of(other) {
        (one, other)
    } else {
        (other, one)
    }
}

/// Keeps each change of a checkpoint in a table, in order.
async fn record_checkpoint_changes(ledger: &Ledger) {
    ledger
        .execute(
            "CREATE TABLE checkpoint_change (
                 number bigserial, model text, shard smallint, position bigint, stopped boolean);
             CREATE FUNCTION keep_change() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                 INSERT INTO checkpoint_change (model, shard, position, stopped)
                 VALUES (NEW.model, NEW.shard, NEW.position, NEW.poison IS NOT NULL);
                 RETURN NULL;
             END $$;
             DO $$ DECLARE place regclass; BEGIN
                 FOR place IN SELECT oid FROM pg_class WHERE relname = 'projection_checkpoint' AND relkind = 'r' LOOP
                     EXECUTE format('CREATE TRIGGER keep_change AFTER UPDATE ON %s
                                         FOR EACH ROW EXECUTE FUNCTION keep_change()', place);
                 END LOOP;
             END $$",
        )
        .await;
}

fn follow_in_small_windows(ledger: &Ledger) -> Following {
    let options = FollowerOptions {
        window: WINDOW,
        poll: Duration::from_millis(20),
        ..FollowerOptions::default()
    };
    // From the log, because the tests change events there.
    projections::follow_log(ledger.pool.clone(), None, options)
}

async fn number(ledger: &Ledger, sql: &str) -> i64 {
    let row = ledger.client().await.query_one(sql, &[]).await;
    row.unwrap_or_else(|error| panic!("{sql}: {error:?}")).get(0)
}

#[tokio::test]
async fn a_shard_with_many_events_takes_turns_with_the_others() {
    let ledger = Ledger::create().await;
    let (first, second) = shops();
    for sale in 0..12 {
        ledger.capture(first, card(ledger.new_sale()), minute(sale)).await;
    }
    ledger.capture(second, card(ledger.new_sale()), minute(1)).await;
    record_checkpoint_changes(&ledger).await;
    let following = follow_in_small_windows(&ledger);
    ledger.until_caught_up().await;
    following.stop().await;
    let other_first = format!(
        "SELECT min(number) FROM checkpoint_change WHERE shard = {}",
        Shard::of(second)
    );
    let last = format!(
        "SELECT max(number) FROM checkpoint_change WHERE shard = {}",
        Shard::of(first)
    );
    let (other_first, last) = (number(&ledger, &other_first).await, number(&ledger, &last).await);
    assert!(
        other_first < last,
        "the second shard waited until the first was done: {other_first}, {last}"
    );
}

#[tokio::test]
async fn a_poison_event_is_reported_while_another_model_folds_the_log_from_the_start() {
    let ledger = Ledger::create().await;
    let shop = business(1);
    for sale in 0..40 {
        ledger.capture(shop, card(ledger.new_sale()), minute(sale)).await;
    }
    let following = ledger.follow();
    ledger.until_caught_up().await;
    following.stop().await;
    // Three more events. No model can apply the second one, with the sequence 42.
    for sale in 40..43 {
        ledger.capture(shop, card(ledger.new_sale()), minute(sale)).await;
    }
    ledger
        .execute(&without_triggers(
            "UPDATE event SET event_version = '9.0' WHERE sequence = 42;
             DELETE FROM sale; DELETE FROM receivables_schedule; DELETE FROM daily_sales;
             DELETE FROM hourly_sales; DELETE FROM monthly_sales; DELETE FROM sale_return;
             UPDATE projection_checkpoint SET position = 0 WHERE model = 'sales'",
        ))
        .await;
    record_checkpoint_changes(&ledger).await;
    let following = follow_in_small_windows(&ledger);
    let models = i64::try_from(ReadModelGroup::ALL.len()).expect("a count");
    let stopped = "SELECT count(*) FROM projection_checkpoint WHERE poison IS NOT NULL";
    until("a stop of the read models", async || {
        number(&ledger, stopped).await == models
    })
    .await;
    following.stop().await;
    let balance_stopped = "SELECT min(number) FROM checkpoint_change WHERE model = 'balance' AND stopped";
    let reached = format!(
        "SELECT coalesce(max(position), 0) FROM checkpoint_change
          WHERE model = 'sales' AND number < ({balance_stopped})"
    );
    let reached = number(&ledger, &reached).await;
    assert!(reached < 41, "sales had caught up before the stop: {reached}");
}
