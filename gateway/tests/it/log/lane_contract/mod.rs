//! The rules of the append, tested on PostgreSQL and on the simulated log (`ModelLog`). The lane's simulations rely on
//! both keeping the same rules.

mod claims;
mod contract_log;
mod transfers;

use chrono::TimeDelta;
use ledger_domain::business::{BusinessCommand, FailSale, OpenDispute, SaleContext};
use ledger_domain::sale::DisputeId;
use ledger_domain::{BusinessId, Cents, SaleId};
use ledger_model::capture;
use ledger_store::lane::{AppendError, Appended, LookUpRequest};
use ledger_store::{Idempotency, Shard, Submission};
use uuid::Uuid;

use crate::support::commands::submission;
use crate::support::noon;

use crate::support::database::only_with_tables;
use contract_log::Log;

fn business(n: u128) -> BusinessId {
    BusinessId::from_uuid(Uuid::from_u128(n))
}

fn sale(n: u128) -> SaleId {
    SaleId::from_uuid(Uuid::from_u128(1000 + n))
}

fn key(n: u128) -> Idempotency {
    Idempotency::new("test", &n.to_string(), b"body")
}

/// A capture under the idempotency key with the sale's number.
fn captured(business_number: u128, sale_number: u128) -> Submission {
    let business_id = business(business_number);
    Submission {
        idempotency: Some(key(sale_number)),
        ..submission(business_id, capture(business_id, sale(sale_number), noon()))
    }
}

/// The sale's payment failed. The submission has no idempotency key.
fn failed(business_number: u128, sale_number: u128) -> Submission {
    let fail = FailSale {
        sale: ledger_model::sale(sale(sale_number)),
        occurred_at: noon(),
        reason: None,
        context: SaleContext::unknown(business(business_number), noon()),
    };
    Submission {
        command: BusinessCommand::FailSale(fail),
        idempotency: None,
        ..captured(business_number, sale_number)
    }
}

fn disputed(sale_number: u128) -> BusinessCommand {
    BusinessCommand::OpenDispute(OpenDispute {
        sale_id: sale(sale_number),
        dispute_id: DisputeId::parse("d1").expect("an id"),
        amount: None,
        occurred_at: noon(),
        reason: None,
    })
}

/// Businesses 1 and 2 belong to different shards.
fn two_shards() -> Vec<Shard> {
    let mut shards = vec![Shard::of(business(1)), Shard::of(business(2))];
    assert_ne!(shards[0], shards[1]);
    shards.sort();
    shards
}

#[tokio::test]
async fn positions_are_consecutive_and_recorded_commands_are_found() {
    for (name, mut log) in Log::both().await {
        let acquired = log.acquire(&two_shards()).await;
        let first = log.batch(&acquired, noon(), &[(1, 1), (1, 2), (2, 3)]).await;
        // `Appended` has the last position of each shard before the batch.
        assert_eq!(
            log.append(&first).await,
            Ok(Appended(vec![Some(0), Some(0)])),
            "{name}"
        );
        let second = log.batch(&acquired, noon(), &[(1, 4)]).await;
        assert_eq!(log.append(&second).await, Ok(Appended(vec![Some(2)])), "{name}");

        let request = LookUpRequest {
            keys: vec![(business(1), key(4).key), (business(2), key(4).key)],
            heads: vec![business(1), business(9)],
            sales: vec![sale(4), sale(9)],
            ..LookUpRequest::default()
        };
        let found = log.look_up(&request).await;
        let [found_key] = found.keys.as_slice() else {
            panic!("{name}: one key: {:?}", found.keys)
        };
        assert_eq!(
            (found_key.business_id, found_key.fingerprint),
            (business(1), key(4).fingerprint)
        );
        let places: Vec<_> = found_key
            .events
            .iter()
            .map(|event| (event.sequence, event.position))
            .collect();
        assert_eq!(places, [(3, 3)], "{name}");
        assert_eq!(found_key.events[0].event, second.events[0].event, "{name}");
        assert_eq!(
            found.heads,
            [(business(1), second.heads[0].head.clone())],
            "{name}"
        );
        let [(sale_id, state)] = found.sales.as_slice() else {
            panic!("{name}: one sale")
        };
        assert_eq!(
            (*sale_id, state.business_id, state.sequence),
            (sale(4), business(1), 3),
            "{name}"
        );
    }
}

#[tokio::test]
async fn a_stale_epoch_rejects_only_the_rows_of_its_shard() {
    for (name, mut log) in Log::both().await {
        let acquired = log.acquire(&two_shards()).await;
        let batch = log.batch(&acquired, noon(), &[(1, 1), (2, 2)]).await;
        // Acquiring the shard again raises its epoch.
        log.acquire(&[Shard::of(business(1))]).await;
        let bases = batch
            .shards
            .iter()
            .map(|row| (row.shard == Shard::of(business(2))).then_some(0))
            .collect();
        assert_eq!(log.append(&batch).await, Ok(Appended(bases)), "{name}");
        assert_eq!(
            (
                log.events_recorded(business(1)).await,
                log.events_recorded(business(2)).await
            ),
            (0, 1),
            "{name}"
        );
    }
}

#[tokio::test]
async fn a_batch_whose_only_shard_has_a_stale_epoch_records_nothing() {
    for (name, mut log) in Log::both().await {
        let acquired = log.acquire(&two_shards()).await;
        let batch = log.batch(&acquired, noon(), &[(1, 1)]).await;
        log.acquire(&[Shard::of(business(1))]).await;
        assert_eq!(log.append(&batch).await, Ok(Appended(vec![None])), "{name}");
        assert_eq!(log.events_recorded(business(1)).await, 0, "{name}");
    }
}

#[tokio::test]
async fn a_batch_that_rests_on_reference_data_of_another_version_records_nothing() {
    for (name, mut log) in Log::both().await {
        let acquired = log.acquire(&two_shards()).await;
        for captures in [&[(1, 1)][..], &[(1, 2), (2, 3)]] {
            let mut batch = log.batch(&acquired, noon(), captures).await;
            let version = log.reference_version().await;
            batch.reference_version = Some(version - 1);
            assert_eq!(
                log.append(&batch).await,
                Err(AppendError::ReferenceDataChanged),
                "{name}"
            );
            batch.reference_version = Some(version);
            assert!(log.append(&batch).await.is_ok(), "{name}");
        }
        assert_eq!(log.events_recorded(business(1)).await, 2, "{name}");
    }
}

#[tokio::test]
async fn a_changed_head_rejects_the_whole_batch() {
    only_with_tables!();
    for (name, mut log) in Log::both().await {
        let acquired = log.acquire(&two_shards()).await;
        let overtaken = log.batch(&acquired, noon(), &[(1, 1), (2, 2)]).await;
        let faster = log.batch(&acquired, noon(), &[(1, 3)]).await;
        log.append(&faster).await.expect("recorded");
        // Only the head is outdated: the positions and times are set to the latest.
        let mut late = overtaken;
        for row in &mut late.shards {
            row.base = log.position(row.shard).await;
            row.recorded_at = noon();
        }
        assert_eq!(log.append(&late).await, Err(AppendError::Conflict), "{name}");
        assert_eq!(log.events_recorded(business(2)).await, 0, "{name}");
    }
}

#[tokio::test]
async fn a_batch_that_was_decided_on_another_position_records_nothing() {
    for (name, mut log) in Log::both().await {
        let acquired = log.acquire(&two_shards()).await;
        let first = log.batch(&acquired, noon(), &[(1, 1)]).await;
        let mut late = log.batch(&acquired, noon(), &[(2, 2)]).await;
        log.append(&first).await.expect("recorded");
        late.shards[0].base = 1;
        assert_eq!(
            log.append(&late).await,
            Err(AppendError::Conflict),
            "{name}: ahead"
        );
        late.shards[0].base = 0;
        assert_eq!(log.append(&late).await, Ok(Appended(vec![Some(0)])), "{name}");
        // The same rows again: their positions are not after the end of the log any more.
        assert_eq!(
            log.append(&late).await,
            Err(AppendError::Conflict),
            "{name}: behind"
        );
        assert_eq!(log.events_recorded(business(2)).await, 1, "{name}");
    }
}

#[tokio::test]
async fn recording_times_never_decrease_within_a_shard() {
    for (name, mut log) in Log::both().await {
        let acquired = log.acquire(&two_shards()).await;
        let now = noon();
        let batch = log.batch(&acquired, now, &[(1, 1)]).await;
        log.append(&batch).await.expect("recorded");
        let earlier = log.batch(&acquired, now - TimeDelta::seconds(1), &[(1, 2)]).await;
        assert_eq!(log.append(&earlier).await, Err(AppendError::Conflict), "{name}");
    }
}

#[tokio::test]
async fn a_batch_with_an_unbalanced_head_or_a_used_key_is_rejected_and_records_nothing() {
    for (name, mut log) in Log::both().await {
        let acquired = log.acquire(&two_shards()).await;
        let batch = log.batch(&acquired, noon(), &[(1, 1)]).await;
        let mut unbalanced = batch.clone();
        unbalanced.heads[0].head.accounts.available = Cents::new(1);
        assert_eq!(
            log.append(&unbalanced).await,
            Err(AppendError::Rejected),
            "{name}"
        );
        assert_eq!(
            log.append(&batch).await,
            Ok(Appended(vec![Some(0)])),
            "{name}: the rejected batch took no position"
        );

        let mut reused = log.batch(&acquired, noon(), &[(1, 2)]).await;
        reused.events[0].key = batch.events[0].key;
        assert_eq!(
            log.append(&reused).await,
            Err(AppendError::KeyUsed),
            "{name}: one key, one command"
        );
        assert_eq!(log.events_recorded(business(1)).await, 1, "{name}");
    }
}
