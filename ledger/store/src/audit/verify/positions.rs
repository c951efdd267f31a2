//! The verification of a shard by position: the order of positions and times, and the tree heads.

use std::collections::{BTreeMap, VecDeque};

use ed25519_dalek::VerifyingKey;
use ledger_domain::BusinessId;
use ledger_domain::calendar::Instant;
use tokio_postgres::GenericClient;
use tokio_postgres::types::Type;

use super::shard::{BusinessProgress, Verification};
use super::trees::LogTree;
use crate::audit::companies;
use crate::audit::export::Heads;
use crate::audit::finding::Difference;
use crate::audit::tree_head::{self, TreeHead};
use crate::event::StoredEvent;
use crate::log;

impl<C: GenericClient> Verification<'_, C> {
    /// Reads the tree heads and the end of the log, before any event is read.
    pub(super) async fn begin_walk(
        &self,
        keys: &[VerifyingKey],
        outside: &Heads,
    ) -> Result<Walk, tokio_postgres::Error> {
        // Tree heads are read first. A head that is signed after the end of the log was read would seem to be ahead of
        // it.
        let tree_heads = tree_head::all(self.client, self.shard).await?;
        let mut findings = vec![];
        let log_tree =
            LogTree::begin(self.client, self.shard, &outside.checkpoints, keys, &mut findings).await?;
        // Read before the shard's row. An append writes both in one transaction, so the row is never behind this event.
        let newest = self.newest_position().await?;
        let last = log::shard_positions(self.client).await?.get(self.shard);
        let exported: Vec<_> = outside
            .log
            .iter()
            .filter(|head| head.shard == self.shard)
            .collect();
        // Copies that differ from the database are also compared with the log, because the log may have been rewritten.
        let (differences, differing) = compare_exported(&tree_heads, &exported, keys);
        findings.extend(differences);
        let mut heads: Vec<TreeHead> = tree_heads.iter().chain(differing).cloned().collect();
        heads.sort_by_key(|head| head.position);
        let (due, ahead): (Vec<_>, _) = heads.into_iter().partition(|head| head.position <= last);
        Ok(Walk {
            tree_heads,
            due: due.into(),
            ahead,
            newest,
            last,
            tip: 0,
            recorded_at: Instant::MIN_UTC,
            businesses: BTreeMap::new(),
            log_tree,
            ended: false,
            findings,
        })
    }

    /// Each head's number, signature and link to the one before it.
    pub(super) fn tree_head_links(&mut self, tree_heads: &[TreeHead], keys: &[VerifyingKey]) {
        let mut previous = [0; 32];
        for (expected, head) in numbered(tree_heads) {
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

    /// The position of the shard's last event; 0 without events.
    async fn newest_position(&self) -> Result<i64, tokio_postgres::Error> {
        let sql = "SELECT greatest((SELECT max(position) FROM event WHERE shard = $1), \
                                   (SELECT max(last_position) FROM event_archive WHERE shard = $1), 0)";
        let row = self
            .client
            .query_typed_one(sql, &[(&self.shard.sql(), Type::INT2)])
            .await?;
        Ok(row.get(0))
    }
}

/// The walk over a shard's events in the order of their positions.
pub(super) struct Walk {
    /// Those of the database, in the order of their numbers.
    pub tree_heads: Vec<TreeHead>,
    /// The businesses after the events that were passed, without the last one.
    pub businesses: BTreeMap<BusinessId, BusinessProgress>,
    /// Those that are not passed yet and not ahead of the log, with external copies that differ, by position.
    due: VecDeque<TreeHead>,
    ahead: Vec<TreeHead>,
    /// The position of the last event, and that of the shard's row.
    newest: i64,
    last: i64,
    /// The last event that was passed.
    tip: i64,
    recorded_at: Instant,
    log_tree: LogTree,
    /// The events up to `last` were passed. Later ones are newer than the heads.
    ended: bool,
    findings: Vec<(i64, Difference)>,
}

impl Walk {
    pub fn pass(&mut self, event: &StoredEvent) {
        if event.position > self.last {
            self.compare_last();
            return;
        }
        while self
            .due
            .front()
            .is_some_and(|head| head.position < event.position)
        {
            self.compare_next_root();
        }
        if event.position != self.tip + 1 {
            let expected = self.tip + 1;
            self.findings
                .push((event.position, Difference::PositionGap { expected }));
        }
        if event.recorded_at < self.recorded_at {
            let before = self.recorded_at;
            self.findings
                .push((event.position, Difference::RecordedBackwards { before }));
        }
        (self.tip, self.recorded_at) = (event.position, event.recorded_at);
        self.log_tree.pass(
            event.position,
            &event.digest,
            &self.businesses,
            &mut self.findings,
        );
    }

    fn compare_next_root(&mut self) {
        let Some(head) = self.due.pop_front() else { return };
        let leaves = self.businesses.iter();
        let leaves = leaves.map(|(id, at)| companies::leaf(*id, at.tip.sequence, &at.tip.chain));
        if companies::root(leaves) != head.root {
            self.findings.push((head.position, Difference::TreeHeadRoot));
        }
    }

    /// Compares what was signed up to `last`, once.
    fn compare_last(&mut self) {
        if std::mem::replace(&mut self.ended, true) {
            return;
        }
        while !self.due.is_empty() {
            self.compare_next_root();
        }
        let log = self.tip.max(self.newest);
        let last = self.last;
        if log != last {
            self.findings
                .push((last, Difference::ShardPosition { row: last, log }));
        }
        self.log_tree.end(last, &self.businesses, &mut self.findings);
        let ahead = self.ahead.iter();
        let ahead = ahead.map(|head| (head.position, Difference::TreeHeadAhead { log: last }));
        self.findings.extend(ahead);
    }

    /// After the last event: the businesses as they are then, and what was found.
    pub fn end(mut self) -> (BTreeMap<BusinessId, BusinessProgress>, Vec<(i64, Difference)>) {
        self.compare_last();
        (self.businesses, self.findings)
    }
}

/// Compares external copies with the database's tree heads of the same numbers. Returns the differences, and the copies
/// that differ or are missing there. A copy with an invalid signature is a difference only.
fn compare_exported<'a>(
    tree_heads: &[TreeHead],
    exported: &[&'a TreeHead],
    keys: &[VerifyingKey],
) -> (Vec<(i64, Difference)>, Vec<&'a TreeHead>) {
    let (mut differences, mut differing) = (vec![], vec![]);
    for head in exported {
        if let Err(reason) = head.verify(keys) {
            differences.push((head.position, Difference::TreeHeadInvalid(reason)));
            continue;
        }
        let number = head.number;
        let what = match tree_heads.iter().find(|stored| stored.number == number) {
            Some(stored) if stored == *head => continue,
            Some(_) => Difference::ExportedHeadDiffers { number },
            None => Difference::ExportedHeadMissing { number },
        };
        differences.push((head.position, what));
        differing.push(*head);
    }
    (differences, differing)
}

/// Each head with its expected number.
fn numbered(tree_heads: &[TreeHead]) -> impl Iterator<Item = (i64, &TreeHead)> {
    let before = std::iter::once(0).chain(tree_heads.iter().map(|head| head.number));
    before.map(|number| number + 1).zip(tree_heads)
}
