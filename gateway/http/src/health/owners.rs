//! The other processes that own shards of the log, as a text for operators.

use std::collections::BTreeMap;

use ledger_store::log;
use tokio_postgres::{Error, GenericClient};

/// Such as `; process-5f6e… owns 16`. Shards that nobody owns are named too.
pub(super) async fn other_owners(client: &impl GenericClient, own: &str) -> Result<String, Error> {
    let mut shards: BTreeMap<Option<String>, usize> = BTreeMap::new();
    for known in log::shard_owners(client).await? {
        if known.owner.as_deref() != Some(own) {
            *shards.entry(known.owner).or_default() += 1;
        }
    }
    let texts = shards.into_iter().map(|(owner, count)| match owner {
        Some(owner) => format!("; {owner} owns {count}"),
        None => format!("; nobody owns {count}"),
    });
    Ok(texts.collect())
}
