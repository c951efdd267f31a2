//! Hands shards over to another process: no new commands, then the answers of those in progress, then the shard.

use super::Lane;
use super::batch::Batch;
use super::messages::Output;
use crate::position::Shard;

impl<T> Lane<T> {
    /// Whether a command of this shard may be decided here.
    pub fn takes(&self, shard: Shard) -> bool {
        self.shards[shard.index()].is_some() && !self.releasing.contains(&shard)
    }

    pub(super) fn release(&mut self, shards: Vec<Shard>) {
        for shard in shards {
            if self.takes(shard) {
                self.releasing.push(shard);
            }
        }
    }

    /// Gives up the shards of which nothing is in progress. A group in look-up may rest on any state in memory, so
    /// nothing is given up before it is decided.
    pub(super) fn release_unused(&mut self, out: &mut Vec<Output<T>>) {
        if self.releasing.is_empty() || self.in_look_up.is_some() {
            return;
        }
        let in_flight = self.in_flight.as_ref().map(|in_flight| &in_flight.batch);
        let is_used = |shard: &Shard| {
            self.next.concerns(*shard)
                || in_flight.is_some_and(|batch| batch.concerns(*shard))
                || self
                    .bisected
                    .iter()
                    .flatten()
                    .any(|pending| pending.shard == *shard)
        };
        let unused: Vec<_> = self
            .releasing
            .iter()
            .copied()
            .filter(|shard| !is_used(shard))
            .collect();
        if unused.is_empty() {
            return;
        }
        let released = self.owned().filter(|(shard, _)| unused.contains(shard)).collect();
        self.forget(&unused);
        out.push(Output::Released(released));
    }
}

impl<T> Batch<T> {
    /// Whether it has a command of the shard, or an answer of one waits for it.
    fn concerns(&self, shard: Shard) -> bool {
        let commands = self.commands.iter().map(|(pending, _)| pending);
        let waiters = self.waiters.iter().map(|(pending, _)| pending);
        commands.chain(waiters).any(|pending| pending.shard == shard)
    }
}
