//! A lane: commands in, batches out, answers when they are durable. It is a pure state machine without task, clock or
//! database, so that tests can drive it through failures.
//!
//! The steps: admit (repeats of a key wait for the first) → group → look up → decide on memory → batch → answer. At
//! most one batch is in flight. At the same time the next one is looked up and decided, on the state that the first
//! will leave.

mod batch;
mod cache;
mod decide;
mod group;
mod lru;
mod messages;
mod release;
mod rollback;
mod sale_look_ups;
#[cfg(test)]
pub(crate) mod tests;
mod work;

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use ledger_domain::calendar::Instant;

pub use messages::*;
pub use sale_look_ups::SaleLookUps;
pub(crate) use work::Task;
pub use work::{Answer, Work};

use crate::position::{LedgerPosition, SHARDS, Shard};
use crate::submission::{Outcome, Receipt, event_id};
use batch::{Batch, InFlightBatch};
use cache::LaneCache;
use decide::whole_micros;
use group::Group;
use sale_look_ups::KnownSales;
use work::{CallerKey, Pending};

#[derive(Debug, Clone, Copy)]
pub struct LaneOptions {
    /// A batch with this many events takes no further command.
    pub batch_max: usize,
    /// The limit of the cache in bytes.
    pub cache_bytes: usize,
    pub sale_look_ups: SaleLookUps,
    /// The number of groups that read their contexts from the database after a change of the reference data.
    pub groups_reading_contexts: u32,
}

/// The product's value of `LaneOptions::groups_reading_contexts`. Changes of the reference data often come together,
/// and each would roll back a batch.
pub const GROUPS_READING_CONTEXTS: u32 = 32;

/// Boxed, because commands are moved from step to step.
type Commands<T> = Vec<Box<Pending<T>>>;

#[derive(Debug)]
pub struct Lane<T> {
    options: LaneOptions,
    shards: [Option<Owned>; SHARDS as usize],
    /// Owned shards that take no more commands. They go to another process once nothing of them is in progress.
    releasing: Vec<Shard>,
    cache: LaneCache,
    known_sales: KnownSales,
    /// The number of groups that still read their contexts from the database after a change of the reference data.
    groups_reading_contexts: u32,
    /// The idempotency keys of commands in progress, each with the repeats that wait for its answer.
    keys: HashMap<CallerKey, Commands<T>>,
    waiting: VecDeque<Box<Pending<T>>>,
    /// Halves of a batch that the database rejected. Each is tried separately to find the cause.
    bisected: VecDeque<Commands<T>>,
    /// Set when one half of a rejected batch is taken, or when decisions are discarded while a batch is in flight. Then
    /// no command is taken until everything in progress is answered.
    isolating: bool,
    in_look_up: Option<Group<T>>,
    next: Batch<T>,
    in_flight: Option<InFlightBatch<T>>,
    /// The number of the latest durable batch.
    durable: u64,
    /// The last number that a batch or a look-up got.
    last_number: u64,
    /// The number of accepted commands.
    arrivals: u64,
    is_taking_shards: bool,
    is_database_reachable: bool,
}

#[derive(Debug, Clone, Copy)]
struct Owned {
    epoch: i64,
    /// The last durable position.
    position: i64,
    /// The latest `recorded_at` that an event got, durable or not.
    recorded_at: Instant,
}

impl<T> Lane<T> {
    /// Owns no shard until the first `Acquired`.
    pub fn new(options: LaneOptions) -> Self {
        Self {
            options,
            shards: Default::default(),
            releasing: vec![],
            cache: LaneCache::new(options.cache_bytes),
            known_sales: KnownSales::new(options.sale_look_ups),
            groups_reading_contexts: 0,
            keys: HashMap::new(),
            waiting: VecDeque::new(),
            bisected: VecDeque::new(),
            isolating: false,
            in_look_up: None,
            next: Batch::new(1),
            in_flight: None,
            durable: 0,
            last_number: 1,
            arrivals: 0,
            is_taking_shards: true,
            is_database_reachable: true,
        }
    }

    pub fn on(&mut self, now: Instant, input: Input<T>, out: &mut Vec<Output<T>>) {
        match input {
            Input::Submitted { ticket, work } => self.submitted(ticket, work, out),
            Input::LookedUp { number, found } => {
                if let Some(group) = self.in_look_up.take_if(|group| group.number == number) {
                    self.decide_group(group, found, now, out);
                }
            }
            Input::LookUpFailed { number, failure } => self.look_up_failed(number, failure, out),
            Input::Appended { number, result } => {
                if let Some(in_flight) = self
                    .in_flight
                    .take_if(|in_flight| in_flight.batch.number == number)
                {
                    match result {
                        Ok(Appended(bases)) => self.appended(in_flight, &bases, out),
                        Err(error) => self.roll_back(in_flight, error, out),
                    }
                }
            }
            Input::Acquired(acquired) => self.acquired(&acquired),
            Input::Disconnected => self.disconnected(out),
            Input::DatabaseUnreachable => self.database_unreachable(out),
            Input::ShardsLost(shards) => self.lost(&shards),
            Input::Release(shards) => self.release(shards),
        }
        self.advance(now, out);
    }

    /// Takes commands that arrived together, so that they are looked up together: one after another, the first would be
    /// looked up and sent alone, and the others would wait for it.
    pub fn submit(
        &mut self,
        now: Instant,
        commands: impl IntoIterator<Item = (T, Work)>,
        out: &mut Vec<Output<T>>,
    ) {
        for (ticket, work) in commands {
            self.submitted(ticket, work, out);
        }
        self.advance(now, out);
    }

    /// The number of commands that no group has taken. While it is large, the shell takes no more from its queue.
    pub fn backlog(&self) -> usize {
        self.waiting.len()
    }

    /// Whether every submitted command is answered.
    pub fn is_idle(&self) -> bool {
        self.waiting.is_empty() && self.bisected.is_empty() && self.nothing_in_progress()
    }

    pub fn cached_bytes(&self) -> usize {
        self.cache.bytes()
    }

    /// The owned shards with their epochs.
    pub fn owned(&self) -> impl Iterator<Item = (Shard, i64)> {
        Shard::all().filter_map(|shard| Some((shard, self.shards[shard.index()]?.epoch)))
    }

    fn nothing_in_progress(&self) -> bool {
        self.in_look_up.is_none() && self.in_flight.is_none() && self.next.commands.is_empty()
    }

    // ------------------------------------------------------------ admitting and answering

    fn submitted(&mut self, ticket: T, work: Work, out: &mut Vec<Output<T>>) {
        if !self.is_database_reachable {
            out.push(Output::Answer(ticket, Answer::Outcome(Outcome::NotOwner)));
            return;
        }
        self.arrivals += 1;
        let shard = Shard::of(work.business_id);
        let arrival = self.arrivals;
        let uncertain = work.may_be_recorded;
        self.admit(Box::new(Pending {
            ticket,
            work,
            shard,
            arrival,
            terms_at: None,
            key_may_exist: false,
            sales_may_exist: false,
            is_counted: false,
            is_presumed_new: false,
            context_in_force: false,
            remembered_version: None,
            uncertain,
            rollbacks: 0,
        }));
    }

    fn admit(&mut self, pending: Box<Pending<T>>) {
        if pending.work.keyed {
            let key = (pending.work.business_id, pending.work.idempotency.key);
            if let Some(repeats) = self.keys.get_mut(&key) {
                repeats.push(pending);
                return;
            }
            self.keys.insert(key, vec![]);
        }
        self.waiting.push_back(pending);
    }

    /// Sends the answer. If it is a receipt, repeats of the key are answered from it; else they are tried themselves.
    fn answer(&mut self, pending: Pending<T>, mut answer: Answer, out: &mut Vec<Output<T>>) {
        if let Answer::Outcome(Outcome::Duplicate { position }) = &mut answer
            && let Some(owned) = self.shards[pending.shard.index()]
        {
            *position = LedgerPosition::at(pending.shard, owned.position);
        }
        let key = (pending.work.business_id, pending.work.idempotency.key);
        let repeats = if pending.work.keyed {
            self.keys.remove(&key)
        } else {
            None
        };
        for repeat in repeats.unwrap_or_default() {
            match &answer {
                Answer::Outcome(Outcome::Recorded(receipt)) => {
                    let same = repeat.work.idempotency.fingerprint == pending.work.idempotency.fingerprint;
                    // Another process may have sent the same command twice, because it lost the connection.
                    let is_own = receipt.begins_with(event_id(repeat.work.command_id, 0));
                    let outcome = if same {
                        Outcome::Recorded(Receipt {
                            replayed: !is_own,
                            ..receipt.clone()
                        })
                    } else {
                        Outcome::KeyReused
                    };
                    out.push(Output::Answer(repeat.ticket, Answer::Outcome(outcome)));
                }
                Answer::Outcome(_) | Answer::Conflict => self.admit(repeat),
            }
        }
        out.push(Output::Answer(pending.ticket, answer));
    }

    /// Answers now, or when the batch that the answer depends on is durable.
    fn answer_when_durable(
        &mut self,
        pending: Box<Pending<T>>,
        answer: Answer,
        depends_on: u64,
        out: &mut Vec<Output<T>>,
    ) {
        if depends_on <= self.durable {
            self.answer(*pending, answer, out);
        } else if depends_on == self.next.number {
            self.next.waiters.push((pending, answer));
        } else {
            let in_flight = self
                .in_flight
                .as_mut()
                .expect("a batch that is not durable is the next one or in flight");
            in_flight.batch.waiters.push((pending, answer));
        }
    }

    // ------------------------------------------------------------ batches recorded, shards acquired and lost

    fn appended(&mut self, in_flight: InFlightBatch<T>, bases: &[Option<i64>], out: &mut Vec<Output<T>>) {
        self.durable = in_flight.batch.number;
        let mut lost = vec![];
        for (advance, base) in in_flight.append.shards.iter().zip(bases) {
            let shard = advance.shard;
            let owned = self.shards[shard.index()]
                .as_mut()
                .filter(|owned| owned.epoch == advance.epoch);
            match (base, owned) {
                (Some(base), Some(owned)) => owned.position = base + advance.events,
                // The shard was lost, or lost and acquired again, after the batch was sent.
                (Some(_), None) => {}
                (None, _) => lost.push((shard, advance.epoch)),
            }
        }
        out.push(Output::Committed {
            append: Arc::clone(&in_flight.append),
            appended: Appended(bases.to_vec()),
        });
        let mut again = vec![];
        let all_recorded = lost.is_empty();
        if !all_recorded {
            again = self.discard_undecided();
            lost.retain(|(shard, epoch)| self.owned().any(|owned| owned == (*shard, *epoch)));
            self.forget(&lost.iter().map(|(shard, _)| *shard).collect::<Vec<_>>());
        }
        let commands: Vec<_> = in_flight
            .batch
            .commands
            .iter()
            .map(|(_, rows)| {
                in_flight
                    .receipt(rows.clone(), bases)
                    .map_or(Outcome::NotOwner, Outcome::Recorded)
            })
            .collect();
        for ((pending, _), outcome) in in_flight.batch.commands.into_iter().zip(commands) {
            self.answer(*pending, Answer::Outcome(outcome), out);
        }
        for (waiter, answer) in in_flight.batch.waiters {
            if all_recorded {
                self.answer(*waiter, answer, out);
            } else {
                again.push(waiter);
            }
        }
        self.put_back(again);
        // State that a group in look-up found in memory must stay there until the group is decided.
        if self.in_look_up.is_none() {
            self.cache.evict_to_limit(self.durable);
        }
    }

    fn acquired(&mut self, acquired: &[AcquiredShard]) {
        let again = self.discard_undecided();
        self.put_back(again);
        self.is_taking_shards = false;
        self.is_database_reachable = true;
        let shards: Vec<_> = acquired.iter().map(|acquired| acquired.shard).collect();
        self.releasing.retain(|shard| !shards.contains(shard));
        self.cache.remove_shards(&shards);
        for AcquiredShard {
            shard,
            epoch,
            position,
            recorded_at,
        } in acquired
        {
            let recorded_at = recorded_at.unwrap_or(Instant::MIN_UTC);
            self.shards[shard.index()] = Some(Owned {
                epoch: *epoch,
                position: *position,
                recorded_at,
            });
        }
    }

    fn lost(&mut self, shards: &[Shard]) {
        let again = self.discard_undecided();
        self.put_back(again);
        self.forget(shards);
    }

    fn forget(&mut self, shards: &[Shard]) {
        for shard in shards {
            self.shards[shard.index()] = None;
        }
        self.releasing.retain(|shard| !shards.contains(shard));
        self.cache.remove_shards(shards);
    }

    /// The `recorded_at` of the shard's next events. Never earlier than its latest event, even if the clock was set
    /// back.
    fn stamp(&mut self, shard: Shard, now: Instant) -> Instant {
        let owned = self.shards[shard.index()]
            .as_mut()
            .expect("the lane owns the shard that it decides for");
        owned.recorded_at = owned.recorded_at.max(whole_micros(now));
        owned.recorded_at
    }
}
