//! The indexes that a list reads: a page, a later page and the batches of an export.

use std::collections::BTreeSet;

use gateway_platform::list::{List, list_batch, list_page};
use projections::Paging;
use tokio_postgres::Client;

use crate::projections::indexes::scans_since_last_call;

/// Lists, each with its name and the index that a page must use.
pub type Listed<L> = (&'static str, &'static str, L);

/// Reads each list as the calls do. No statement may scan a whole table, except `small` ones: they have few rows in the
/// test, so the planner rightly scans them.
pub async fn check_lists<L: List>(
    client: &Client,
    small: &[&str],
    lists: impl IntoIterator<Item = Listed<L>>,
) {
    client.batch_execute("BEGIN").await.expect("a transaction");
    // Forgets the scans so far.
    scans_since_last_call(client).await;
    for (name, index, list) in lists {
        let first = Paging {
            page: 1,
            per_page: 20,
        };
        let page = list_page(client, &list, first).await.expect("a page");
        assert!(!page.rows.is_empty(), "{name} has rows");
        let used = indexes_used(client, name, small).await;
        assert!(used.contains(index), "{name} uses {used:?}");
        let later = Paging {
            page: 2,
            per_page: 10,
        };
        let later = list_page(client, &list, later).await.expect("a later page");
        let expected = page.rows.len().saturating_sub(10);
        assert_eq!(later.rows.len(), expected, "the later page of {name}");
        indexes_used(client, &format!("a later page of {name}"), small).await;
        let count = count_in_batches(client, &list).await;
        let total = usize::try_from(page.total).expect("a small number");
        assert!(page.total_capped || count == total, "{name}: {count} of {total}");
        indexes_used(client, &format!("the batches of {name}"), small).await;
    }
    client.batch_execute("COMMIT").await.expect("the end");
}

/// Few rows, because a batch of a whole table may well read it without an index.
const BATCH: u32 = 50;

async fn count_in_batches<L: List>(client: &Client, list: &L) -> usize {
    let (mut count, mut after) = (0, None);
    loop {
        let batch = list_batch(client, list, after.as_ref(), BATCH)
            .await
            .expect("a batch");
        count += batch.rows.len();
        after = batch.next;
        if after.is_none() {
            return count;
        }
    }
}

/// The indexes that the last queries used. They must have scanned no whole table of many rows.
async fn indexes_used(client: &Client, name: &str, small: &[&str]) -> BTreeSet<String> {
    let (mut whole, indexes) = scans_since_last_call(client).await;
    for table in small {
        whole.remove(*table);
    }
    assert!(whole.is_empty(), "{name} scans all of {whole:?}");
    indexes
}
