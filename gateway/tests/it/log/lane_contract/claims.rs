//! The rules of the append: the first event of a sale claims it, and from the second on the sale's state has a row.

use ledger_store::Submission;
use ledger_store::lane::{AppendError, SaleLookUps};

use super::{Log, business, captured, disputed, failed, key, sale, two_shards};
use crate::support::noon;

#[tokio::test]
async fn a_sale_of_another_business_rejects_the_whole_batch_and_is_named() {
    for (name, mut log) in Log::both().await {
        let acquired = log.acquire(&two_shards()).await;
        let later = log.batch(&acquired, noon(), &[(1, 7), (1, 8)]).await;
        let earlier = log.batch(&acquired, noon(), &[(2, 7)]).await;
        log.append(&earlier).await.expect("recorded");
        assert_eq!(
            log.append(&later).await,
            Err(AppendError::SalesExist(vec![sale(7)])),
            "{name}"
        );
        assert_eq!(log.events_recorded(business(1)).await, 0, "{name}");
    }
}

#[tokio::test]
async fn a_sale_that_was_presumed_new_rejects_the_whole_batch_and_is_named() {
    for (name, mut log) in Log::both().await {
        let acquired = log.acquire(&two_shards()).await;
        let first = log.batch(&acquired, noon(), &[(1, 7)]).await;
        log.append(&first).await.expect("recorded");
        // The lane of this batch has not seen the first batch, and presumes that its sales are new.
        let again = Submission {
            idempotency: Some(key(70)),
            ..captured(1, 7)
        };
        let second = log.batch_of(&acquired, noon(), vec![captured(1, 8), again]).await;
        assert_eq!(
            log.append(&second).await,
            Err(AppendError::SalesExist(vec![sale(7)])),
            "{name}"
        );
        assert_eq!(log.events_recorded(business(1)).await, 1, "{name}");
    }
}

#[tokio::test]
async fn all_known_sales_of_a_batch_are_named() {
    for (name, mut log) in Log::both().await {
        let acquired = log.acquire(&two_shards()).await;
        let later = log.batch(&acquired, noon(), &[(1, 7), (1, 8), (1, 9)]).await;
        let earlier = log.batch(&acquired, noon(), &[(2, 9), (2, 7)]).await;
        log.append(&earlier).await.expect("recorded");
        let Err(AppendError::SalesExist(mut named)) = log.append(&later).await else {
            panic!("{name}: sales exist")
        };
        named.sort_unstable();
        assert_eq!(named, [sale(7), sale(9)], "{name}");
    }
}

#[tokio::test]
async fn a_sale_has_a_row_from_its_second_event_on() {
    for (name, mut log) in Log::both().await {
        let acquired = log.acquire(&two_shards()).await;
        let first = log.batch_of(&acquired, noon(), vec![failed(1, 1)]).await;
        assert_eq!(first.events[0].claimed_sale, Some(sale(1)), "{name}");
        assert_eq!(first.sales, [], "{name}: one event");
        log.append(&first).await.expect("recorded");
        let mut existed = vec![];
        for command in [captured(1, 1).command, disputed(1)] {
            let submission = Submission {
                command,
                ..failed(1, 1)
            };
            let next = log
                .batch_with(SaleLookUps::First, &acquired, noon(), vec![submission])
                .await;
            assert_eq!(next.events[0].claimed_sale, None, "{name}: claimed before");
            existed.extend(next.sales.iter().map(|row| row.existed));
            log.append(&next).await.expect("recorded");
        }
        assert_eq!(existed, [false, true], "{name}: inserted, then updated");

        // Both events are in one batch. They make one claim and one row.
        let capture = Submission {
            idempotency: None,
            ..captured(2, 3)
        };
        let both = vec![failed(2, 3), capture];
        let batch = log.batch_of(&acquired, noon(), both).await;
        let claims: Vec<_> = batch.events.iter().map(|row| row.claimed_sale).collect();
        assert_eq!(claims, [Some(sale(3)), None], "{name}");
        let existed: Vec<_> = batch.sales.iter().map(|row| row.existed).collect();
        assert_eq!(existed, [false], "{name}");
        log.append(&batch).await.expect("recorded");
        assert_eq!(log.events_recorded(business(2)).await, 2, "{name}");
    }
}
