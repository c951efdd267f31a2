//! The task that follows the shards for a consumer.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Instant;

use async_trait::async_trait;
use deadpool_postgres::{Client, Pool};
use tokio::sync::watch;
use tokio::time::sleep;

use super::consumer::{Consumer, Rejected};
use super::options::{FollowerOptions, ShardSet, ShardSignal};
use super::source::EventSource;
use super::window::{NextRange, Step, follow_window};
use crate::layout::Layout;
use crate::position::Shard;
use crate::supervisor::{Failure, Pulse, Task};

/// The pause after a catch-up is the time of the catch-up divided by this number, within the limits of the options.
const PAUSE_DIVISOR: u32 = 2;

pub(super) struct Follower<C, S> {
    pub consumer: Arc<C>,
    pub source: S,
    pub pool: Pool,
    /// The lag watch names shards here.
    pub behind: Arc<ShardSignal>,
    /// Shards of other processes that this follower has moved, and no other process since.
    pub adopted: Arc<ShardSet>,
    pub options: FollowerOptions,
    /// Read from the database when the follower starts.
    pub layout: Layout,
    pub stopping: watch::Receiver<bool>,
    /// Changes with new events of this process, if the source has such a channel.
    pub new_events: Option<watch::Receiver<u64>>,
    pub state: FollowerState,
}

/// The state that a follower keeps between two windows.
#[derive(Debug, Default)]
pub(super) struct FollowerState {
    /// Whether this follower has restarted the stopped parts of the consumer. It does so once.
    stopped_parts_restarted: bool,
    /// The parts of the consumer that are not stopped, by their position in a shard.
    checkpoints: BTreeMap<Shard, Positions>,
    /// Where this follower left the shards that it does not lead. If another process has moved one, it needs no help.
    left: BTreeMap<Shard, Positions>,
    /// The limit of the next window at a position where a window was rejected. Each position has its own, so that a
    /// part of the consumer that advances elsewhere does not reset it.
    limits: BTreeMap<(Shard, i64), i64>,
    /// Shards of a window that the database rejected. Each is applied in its own transaction, so that the others
    /// continue.
    apart: BTreeSet<Shard>,
}

/// The parts of the consumer by their position in a shard.
type Positions = BTreeMap<i64, Vec<&'static str>>;

/// The windows of one transaction: parts of the consumer, and where they begin in each shard.
type Group = (Vec<&'static str>, Vec<NextRange>);

/// How many positions wait (`i64::MAX` if that is unknown), and where they begin.
type Waiting = (i64, NextRange);

#[async_trait]
impl<C: Consumer, S: EventSource> Task for Follower<C, S> {
    async fn run(&mut self, pulse: &Pulse) -> Result<(), Failure> {
        self.layout = Layout::of(&**self.pool.get().await?).await?;
        // After a failure the checkpoints in memory may be wrong.
        self.state.checkpoints.clear();
        let mut named: Vec<Shard> = vec![];
        loop {
            let began = Instant::now();
            self.catch_up(named, pulse).await?;
            let pause = (began.elapsed() / PAUSE_DIVISOR)
                .min(self.options.pause_max)
                .max(self.options.pause_min);
            // The pause gathers events into larger windows. A reader that waits for a position ends it.
            let mut wanted = tokio::select! {
                _ = self.stopping.wait_for(|stop| *stop) => return Ok(()),
                () = sleep(pause) => None,
                wanted = self.options.wake.notified() => Some(wanted),
            };
            named = vec![];
            if wanted.is_none() {
                tokio::select! {
                    _ = self.stopping.wait_for(|stop| *stop) => return Ok(()),
                    behind = self.behind.notified() => named = behind,
                    shards = self.options.wake.notified() => wanted = Some(shards),
                    () = changed(&mut self.new_events) => {}
                }
            }
            // The feed reports news of the shards whose end it knows. A reader names the others.
            let unknown = |shard: &Shard| self.source.end(*shard).is_none();
            named.extend(wanted.unwrap_or_default().into_iter().filter(unknown));
        }
    }
}

impl<C: Consumer, S: EventSource> Follower<C, S> {
    /// Applies windows until nothing is new in the shards that this process leads and in the named ones, other
    /// processes hold the checkpoints, or the follower is to stop.
    async fn catch_up(&mut self, named: Vec<Shard>, pulse: &Pulse) -> Result<(), C::Error> {
        let led: BTreeSet<_> = Shard::all().filter(|shard| self.source.leads(*shard)).collect();
        let not_led = self
            .state
            .checkpoints
            .extract_if(.., |shard, _| !led.contains(shard));
        self.state.left.extend(not_led);
        // The checkpoints of named shards are read again. This follower may have missed a change there, such as a
        // stopped part that was restarted.
        for shard in &named {
            self.state.checkpoints.remove(shard);
        }
        let mut named = BTreeSet::from_iter(named);
        // If shards are named, a led shard without a known end is left out, because only the poll can find events
        // there.
        let has_news = |shard: &Shard| named.is_empty() || self.source.end(*shard).is_some();
        let mut shards: BTreeSet<Shard> = led
            .into_iter()
            .filter(has_news)
            .chain(named.iter().copied())
            .collect();
        let mut missed = BTreeSet::new();
        while !shards.is_empty() && !*self.stopping.borrow() {
            shards = self.round(&shards, &named, &mut missed).await?;
            named.clear();
            pulse.beat();
        }
        Ok(())
    }

    /// Applies one window to each group of consumer parts, and returns the shards in which more events may follow. The
    /// shards share the window. So a shard that is far behind, such as after a read model was emptied, does not delay
    /// the others. The connection is given back after each round.
    async fn round(
        &mut self,
        shards: &BTreeSet<Shard>,
        named: &BTreeSet<Shard>,
        missed: &mut BTreeSet<Shard>,
    ) -> Result<BTreeSet<Shard>, C::Error> {
        let mut groups = self.groups(shards, named);
        let unread = shards
            .iter()
            .any(|shard| !self.state.checkpoints.contains_key(shard));
        if groups.is_empty() && !unread {
            return Ok(BTreeSet::new());
        }
        let mut client = self.pool.get().await?;
        if unread {
            self.read_checkpoints(&mut client, shards).await?;
            groups = self.groups(shards, named);
        }
        let mut more = BTreeSet::new();
        for (names, next) in groups {
            let consumer = Arc::clone(&self.consumer);
            match follow_window(&mut client, &*consumer, &self.source, &names, &next, self.layout).await? {
                Step::Applied(ranges) => {
                    for next in next {
                        let range = ranges.iter().find(|range| range.shard == next.shard);
                        let moved = range.is_some_and(|range| range.positions() > 0);
                        match range {
                            Some(range) if moved => {
                                self.state.moved(next, range.until, &names);
                                if !self.source.leads(next.shard) {
                                    self.adopted.insert(next.shard);
                                }
                            }
                            Some(_) => {}
                            // Another process changed the checkpoints, or holds them. They are read again, and tried
                            // once more.
                            None => {
                                self.state.checkpoints.remove(&next.shard);
                                if missed.insert(next.shard) {
                                    more.insert(next.shard);
                                }
                            }
                        }
                        if range.is_some_and(|range| range.positions() >= next.limit) {
                            more.insert(next.shard);
                        }
                    }
                }
                Step::Rejected(rejected) => {
                    more.extend(next.iter().map(|next| next.shard));
                    self.shrink_window(&mut client, &next, &rejected).await?;
                }
            }
        }
        Ok(more)
    }

    /// The next windows of these shards, without those that are known to be empty.
    fn groups(&self, shards: &BTreeSet<Shard>, named: &BTreeSet<Shard>) -> Vec<Group> {
        let mut groups: BTreeMap<(Option<Shard>, &[&'static str]), Vec<Waiting>> = BTreeMap::new();
        for shard in shards {
            let end = self.source.end(*shard).filter(|_| !named.contains(shard));
            for (position, names) in self.state.checkpoints.get(shard).into_iter().flatten() {
                let waiting = end.map_or(i64::MAX, |end| end - position);
                if waiting <= 0 {
                    continue;
                }
                let is_apart = self.layout == Layout::Schemas || self.state.apart.contains(shard);
                let apart = is_apart.then_some(*shard);
                let next = NextRange {
                    shard: *shard,
                    position: *position,
                    limit: 0, // Set by `with_limits`.
                };
                groups.entry((apart, names)).or_default().push((waiting, next));
            }
        }
        let groups = groups.into_iter();
        groups
            .map(|((_, names), ranges)| (names.to_vec(), self.with_limits(ranges)))
            .collect()
    }

    /// Divides the window between the ranges; what one does not need is left to the others.
    fn with_limits(&self, mut ranges: Vec<Waiting>) -> Vec<NextRange> {
        ranges.sort_unstable_by_key(|(waiting, next)| (*waiting, next.shard));
        let (mut left, mut ranges_left) = (self.options.window, i64::try_from(ranges.len()).unwrap_or(1));
        let mut next_ranges = vec![];
        for (waiting, next) in ranges {
            let share = (left / ranges_left).max(1);
            left = (left - share.min(waiting)).max(0);
            ranges_left -= 1;
            let rejected_before = self.state.limits.get(&(next.shard, next.position));
            let limit = rejected_before.map_or(share, |limit| share.min(*limit));
            next_ranges.push(NextRange { limit, ..next });
        }
        next_ranges.sort_unstable_by_key(|next| next.shard);
        next_ranges
    }

    async fn read_checkpoints(
        &mut self,
        client: &mut Client,
        shards: &BTreeSet<Shard>,
    ) -> Result<(), C::Error> {
        let consumer = Arc::clone(&self.consumer);
        let (checkpoints, names) = (consumer.checkpoints(), consumer.names());
        if !self.state.stopped_parts_restarted {
            for place in self.layout.places() {
                let tx = self.layout.begin(client, place.shards[0]).await?;
                checkpoints.restart_stopped(&*tx, names).await?;
                tx.commit().await?;
            }
            self.state.stopped_parts_restarted = true;
        }
        let unread = shards
            .iter()
            .copied()
            .filter(|shard| !self.state.checkpoints.contains_key(shard));
        let unread: Vec<_> = unread.collect();
        let read = checkpoints.names_by_position(&***client, &unread, names).await?;
        for shard in unread {
            let of_shard = read.get(&shard).cloned().unwrap_or_default();
            self.state
                .limits
                .retain(|(limited, position), _| *limited != shard || of_shard.contains_key(position));
            if self
                .state
                .left
                .remove(&shard)
                .is_some_and(|left| left != of_shard)
            {
                self.adopted.remove(shard);
            }
            self.state.checkpoints.insert(shard, of_shard);
        }
        Ok(())
    }

    /// Limits the next window to the events before the rejected one, or to half if the rejected event is unknown. If it
    /// is the next event, the parts that cannot apply it stop. If even its shard is unknown, the shards are applied
    /// apart.
    async fn shrink_window(
        &mut self,
        client: &mut Client,
        next: &[NextRange],
        rejected: &Rejected,
    ) -> Result<(), C::Error> {
        let (next, before) = match (rejected.at, next) {
            (Some((shard, position)), next) => {
                let Some(next) = next.iter().find(|next| next.shard == shard) else {
                    return Ok(());
                };
                (next, position - next.position - 1)
            }
            (None, [next]) => (next, next.limit / 2),
            (None, several) => {
                self.state.apart.extend(several.iter().map(|next| next.shard));
                return Ok(());
            }
        };
        let place = (next.shard, next.position);
        if before > 0 {
            self.state.limits.insert(place, before);
            return Ok(());
        }
        self.state.limits.remove(&place);
        self.state.checkpoints.remove(&next.shard);
        self.consumer.log_stop(next.shard, next.position + 1, rejected);
        let tx = self.layout.begin(client, next.shard).await?;
        self.consumer
            .checkpoints()
            .stop(&*tx, next.shard, next.position, &rejected.names, &rejected.reason)
            .await?;
        tx.commit().await?;
        Ok(())
    }
}

impl FollowerState {
    /// These parts moved from the beginning of their window to `until`.
    fn moved(&mut self, from: NextRange, until: i64, names: &[&'static str]) {
        self.limits.remove(&(from.shard, from.position));
        self.apart.remove(&from.shard);
        let Some(checkpoints) = self.checkpoints.get_mut(&from.shard) else {
            return;
        };
        checkpoints.remove(&from.position);
        let there = checkpoints.entry(until).or_default();
        there.extend(names);
        there.sort_unstable();
    }
}

/// Waits for new events. If the source ends the channel, the follower polls from then on.
async fn changed(new_events: &mut Option<watch::Receiver<u64>>) {
    let ended = match new_events {
        Some(receiver) => receiver.changed().await.is_err(),
        None => std::future::pending().await,
    };
    if ended {
        *new_events = None;
    }
}
