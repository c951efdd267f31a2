//! The verification of a shard by position: the order of positions and times, and the tree heads.

use std::collections::BTreeMap;

use ed25519_dalek::VerifyingKey;
use ledger_domain::BusinessId;
use ledger_domain::calendar::Instant;
use tokio_postgres::GenericClient;
use tokio_postgres::types::Type;

use super::{ChainTip, PAGE, Progress, Verification};
use crate::audit::finding::{Difference, Finding};
use crate::audit::merkle;
use crate::audit::tree_head::{self, TreeHead};
use crate::log;

impl<C: GenericClient, R: FnMut(&Finding), P: FnMut(Progress)> Verification<'_, C, R, P> {
    /// Checks the order of positions and times, and each tree head against the businesses at its position.
    pub(super) async fn check_positions(
        &mut self,
        keys: &[VerifyingKey],
        exported: &[TreeHead],
    ) -> Result<(), tokio_postgres::Error> {
        // Tree heads are read first. A head that is signed after the end of the log was read would seem to be ahead of
        // it.
        let tree_heads = tree_head::all(self.client, self.shard).await?;
        // Read before the shard's row. An append writes both in one transaction, so the row is never behind this event.
        let newest = self.newest_position().await?;
        let last = log::shard_positions(self.client).await?.get(self.shard);
        self.tree_head_links(&tree_heads, keys);
        let exported: Vec<_> = exported.iter().filter(|head| head.shard == self.shard).collect();
        // Copies that differ from the database are also compared with the log, because the log may have been rewritten.
        let differing = self.exported_heads(&tree_heads, &exported, keys);
        let mut heads: Vec<_> = tree_heads.iter().chain(differing).collect();
        heads.sort_by_key(|head| head.position);
        let mut due = heads.iter().filter(|head| head.position <= last).peekable();
        let mut businesses: BTreeMap<BusinessId, ChainTip> = BTreeMap::new();
        let (mut tip, mut recorded_at) = (0, Instant::MIN_UTC);
        loop {
            let page = self.event_headers(tip).await?;
            for event in page.iter().filter(|event| event.position <= last) {
                while let Some(head) = due.next_if(|head| head.position < event.position) {
                    self.compare_root(head, &businesses);
                }
                if event.position != tip + 1 {
                    self.found_at(event.position, Difference::PositionGap { expected: tip + 1 });
                }
                if event.recorded_at < recorded_at {
                    self.found_at(
                        event.position,
                        Difference::RecordedBackwards { before: recorded_at },
                    );
                }
                (tip, recorded_at) = (event.position, event.recorded_at);
                let at = ChainTip {
                    sequence: event.sequence,
                    chain: event.chain,
                };
                businesses.insert(event.business_id, at);
            }
            if page.last().is_none_or(|event| event.position >= last) {
                break;
            }
        }
        for head in due {
            self.compare_root(head, &businesses);
        }
        let log_end = tip.max(newest);
        if log_end != last {
            let difference = Difference::ShardPosition {
                row: last,
                log: log_end,
            };
            self.found_at(last, difference);
        }
        for head in heads.iter().filter(|head| head.position > last) {
            self.found_at(head.position, Difference::TreeHeadAhead { log: last });
        }
        Ok(())
    }

    fn tree_head_links(&mut self, tree_heads: &[TreeHead], keys: &[VerifyingKey]) {
        let mut previous = [0; 32];
        for (expected, head) in numbered(tree_heads) {
            self.summary.tree_heads += 1;
            if head.number != expected {
                let found = head.number;
                self.found_at(head.position, Difference::TreeHeadGap { expected, found });
            }
            if let Err(reason) = head.verify(keys) {
                self.found_at(head.position, Difference::TreeHeadInvalid(reason));
            }
            if head.previous != previous {
                self.found_at(head.position, Difference::TreeHeadLink);
            }
            previous = head.hash();
        }
    }

    /// Compares external copies with the database's tree heads of the same numbers; returns the copies that differ or
    /// are missing there. A copy with an invalid signature is reported and not returned.
    fn exported_heads<'a>(
        &mut self,
        tree_heads: &[TreeHead],
        exported: &[&'a TreeHead],
        keys: &[VerifyingKey],
    ) -> Vec<&'a TreeHead> {
        let mut differing = vec![];
        for head in exported {
            if let Err(reason) = head.verify(keys) {
                self.found_at(head.position, Difference::TreeHeadInvalid(reason));
                continue;
            }
            let number = head.number;
            let what = match tree_heads.iter().find(|stored| stored.number == number) {
                Some(stored) if stored == *head => continue,
                Some(_) => Difference::ExportedHeadDiffers { number },
                None => Difference::ExportedHeadMissing { number },
            };
            self.found_at(head.position, what);
            differing.push(*head);
        }
        differing
    }

    fn compare_root(&mut self, head: &TreeHead, businesses: &BTreeMap<BusinessId, ChainTip>) {
        let leaves = businesses
            .iter()
            .map(|(id, at)| merkle::leaf(*id, at.sequence, &at.chain))
            .collect();
        if merkle::root(leaves) != head.root {
            self.found_at(head.position, Difference::TreeHeadRoot);
        }
    }

    /// The position of the shard's last event; 0 without events.
    async fn newest_position(&self) -> Result<i64, tokio_postgres::Error> {
        let sql = "SELECT coalesce(max(position), 0) FROM event WHERE shard = $1";
        let row = self
            .client
            .query_typed_one(sql, &[(&self.shard.sql(), Type::INT2)])
            .await?;
        Ok(row.get(0))
    }

    async fn event_headers(&self, after: i64) -> Result<Vec<EventHeader>, tokio_postgres::Error> {
        let rows = self
            .client
            .query_typed(
                "SELECT position, business_id, sequence, recorded_at, chain FROM event \
                  WHERE shard = $1 AND position > $2 ORDER BY shard, position LIMIT $3",
                &[
                    (&self.shard.sql(), Type::INT2),
                    (&after, Type::INT8),
                    // These rows have no payload, so a page may have more of them.
                    (&(5 * PAGE), Type::INT8),
                ],
            )
            .await?;
        let headers = rows.iter().map(|row| EventHeader {
            position: row.get(0),
            business_id: BusinessId::from_uuid(row.get(1)),
            sequence: row.get(2),
            recorded_at: row.get(3),
            chain: row.get::<_, &[u8]>(4).try_into().unwrap_or_default(),
        });
        Ok(headers.collect())
    }
}

struct EventHeader {
    position: i64,
    business_id: BusinessId,
    sequence: i64,
    recorded_at: Instant,
    chain: [u8; 32],
}

/// Each head with its expected number.
fn numbered(tree_heads: &[TreeHead]) -> impl Iterator<Item = (i64, &TreeHead)> {
    let before = std::iter::once(0).chain(tree_heads.iter().map(|head| head.number));
    before.map(|number| number + 1).zip(tree_heads)
}
