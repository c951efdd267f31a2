//! The messages between the processes and the database, and the faults of a run.

use chrono::TimeDelta;
use ledger_model::Process;
use ledger_store::lane::{
    AppendError, Appended, GROUPS_READING_CONTEXTS, LaneOptions, LookUpFailure, SaleLookUps,
};
use ledger_store::{Recorded, Shard};

use crate::Checked;
use crate::names;
use crate::rng::SimRng;
use crate::world::{Node, World};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// The connection is lost while an append is in flight. The append is recorded already, arrives later, or never.
    LoseAppend,
    /// The database refuses an append temporarily.
    RefuseAppend,
    /// The connection is lost during a look-up.
    LoseLookUp,
    /// A look-up fails in the database.
    RefuseLookUp,
    /// A look-up sees the claim of a sale before its event.
    LookUpBeforeEvent,
    /// The connection of the lane is lost.
    Disconnect,
    /// An attempt to take shards fails.
    DatabaseUnreachable,
    /// The process loses its memory and starts again.
    Crash,
    /// The process takes some shards, whoever owns them.
    Steal,
    /// The process learns which of its shards others have taken.
    TellOfLoss,
    /// A lost append arrives at the database.
    LateAppendArrives,
    /// The skew of the process's clock changes.
    ClockJumps,
    /// The process hands some of its shards over to another one.
    HandOver,
    /// The connections between the process and the others are lost.
    LoseConnections,
}

pub const FAULTS: [Fault; 14] = [
    Fault::LoseAppend,
    Fault::RefuseAppend,
    Fault::LoseLookUp,
    Fault::RefuseLookUp,
    Fault::LookUpBeforeEvent,
    Fault::Disconnect,
    Fault::DatabaseUnreachable,
    Fault::Crash,
    Fault::Steal,
    Fault::TellOfLoss,
    Fault::LateAppendArrives,
    Fault::ClockJumps,
    Fault::HandOver,
    Fault::LoseConnections,
];

impl Node {
    pub fn random(rng: &mut SimRng) -> Self {
        let options = LaneOptions {
            batch_max: rng.pick(&[1, 2, 4, 16]),
            cache_bytes: rng.pick(&[0, 2_000, 1 << 20]),
            sale_look_ups: rng.pick(&[
                SaleLookUps::Adaptive,
                SaleLookUps::First,
                SaleLookUps::AfterConflict,
            ]),
            groups_reading_contexts: rng.pick(&[0, 2, GROUPS_READING_CONTEXTS]),
        };
        Self {
            process: Process::new(options),
            options,
            held: vec![],
            recorded: Recorded::with_limit(rng.pick(&[0, 4_000, 1 << 20])),
            skew: TimeDelta::milliseconds(rng.between(-1_500, 1_500)),
            learns_percent: rng.pick(&[0, 0, 30]),
        }
    }
}

impl World {
    /// Lets one pending message of the process reach its destination, if there is one.
    pub fn carry(&mut self, node: usize) -> Checked {
        if self.rng.chance(30) && self.carry_between_processes()? {
            return Ok(());
        }
        let process = &self.nodes[node].process;
        let mut pending = vec![];
        if process.needs_shards() {
            pending.push(Message::TakesShards);
        }
        if process.look_up_is_undelivered() {
            pending.push(Message::LookUpReaches);
        }
        if process.look_up_is_done() {
            pending.push(Message::LookUpReturns);
        }
        if process.append_is_undelivered() {
            pending.push(Message::AppendReaches);
        }
        if process.append_is_done() {
            pending.push(Message::AppendReturns);
        }
        if pending.is_empty() {
            return Ok(());
        }
        match self.rng.pick(&pending) {
            Message::TakesShards => self.take(node),
            Message::LookUpReaches => {
                self.deliver_look_up(node);
                Ok(())
            }
            Message::LookUpReturns => {
                let outputs = self.on(node, Process::return_look_up);
                self.handle_outputs(node, outputs)
            }
            Message::AppendReaches => {
                self.nodes[node].process.deliver_append(&mut self.log);
                match self.nodes[node].process.append_result() {
                    Some(Err(AppendError::SalesExist(_))) => self.event_counts.saw("presumed sale exists"),
                    Some(Err(AppendError::ReferenceDataChanged)) => {
                        self.event_counts.saw("batch on changed reference data");
                    }
                    Some(Ok(Appended(bases))) if bases.contains(&None) => {
                        self.event_counts.saw("batch of a deposed owner");
                    }
                    Some(_) | None => {}
                }
                self.check_new_events()
            }
            Message::AppendReturns => {
                let outputs = self.on(node, Process::return_append);
                self.handle_outputs(node, outputs)
            }
        }
    }

    fn deliver_look_up(&mut self, node: usize) {
        // Other tasks of the process share its memory of reference data, and may have read the version in force.
        if self.rng.chance(self.nodes[node].learns_percent) {
            self.nodes[node].process.remember(self.log.reference_version);
        }
        let (companies, sales) = (&self.companies, &self.sales);
        let context = |request: &ledger_domain::business::ContextRequest, version: i64| {
            let sale = request
                .terminal_id
                .and_then(|id| usize::try_from(names::number(id.uuid())).ok());
            companies.context(request, sale.map(|sale| sales[sale].business), version)
        };
        self.nodes[node]
            .process
            .deliver_look_up(&self.log, Some(&context));
    }

    /// The process takes shards without a living owner: those that it had before, and either all others or its share of
    /// them.
    pub fn take(&mut self, node: usize) -> Checked {
        let free = Shard::all().filter(|shard| self.owner_of(*shard).is_none());
        let free: Vec<_> = free.collect();
        let (share, is_greedy) = (self.nodes.len(), self.rng.chance(50));
        let held = &self.nodes[node].held;
        let wanted = |shard: &Shard| is_greedy || held.contains(shard) || shard.index() % share == node;
        let wanted = free.into_iter().filter(wanted).collect();
        self.take_these(node, wanted)
    }

    pub fn take_these(&mut self, node: usize, shards: Vec<Shard>) -> Checked {
        self.trace.line(self.now, || {
            let numbers: Vec<_> = shards.iter().map(ToString::to_string).collect();
            format!("process {node} takes shards {}", numbers.join(" "))
        });
        let Node {
            process,
            skew,
            recorded,
            ..
        } = &mut self.nodes[node];
        let (acquired, outputs) = process.acquire(self.now + *skew, &mut self.log, shards);
        recorded.own(&acquired);
        self.handle_outputs(node, outputs)
    }

    pub fn inject_fault(&mut self, fault: Fault, node: usize) -> Checked {
        self.trace.line(self.now, || format!("process {node}: {fault:?}"));
        self.event_counts.faults += 1;
        let outputs = match fault {
            Fault::LoseAppend => self.on(node, Process::lose_append),
            Fault::RefuseAppend => self.on(node, Process::refuse_append),
            Fault::LoseLookUp => self.on(node, |process, now| {
                process.fail_look_up(now, LookUpFailure::ConnectionLost)
            }),
            Fault::RefuseLookUp => self.on(node, |process, now| {
                process.fail_look_up(now, LookUpFailure::DatabaseError)
            }),
            Fault::LookUpBeforeEvent => self.on(node, |process, now| {
                process.fail_look_up(now, LookUpFailure::Conflict)
            }),
            Fault::Disconnect => self.on(node, Process::disconnect),
            Fault::DatabaseUnreachable => self.on(node, Process::fail_to_acquire),
            Fault::Crash => {
                let fresh = Process::new(self.nodes[node].options);
                let gone = std::mem::replace(&mut self.nodes[node].process, fresh);
                self.unacknowledged.extend(gone.crash());
                self.nodes[node].held.clear();
                self.nodes[node].recorded = Recorded::with_limit(self.rng.pick(&[0, 4_000, 1 << 20]));
                self.forget_commands_of(node)?;
                vec![]
            }
            Fault::Steal => {
                if self.nodes[node].process.needs_shards() {
                    return Ok(());
                }
                let stolen: Vec<_> = Shard::all().filter(|_| self.rng.chance(40)).collect();
                return self.take_these(node, stolen);
            }
            Fault::TellOfLoss => {
                let lost: Vec<_> = self.nodes[node].process.lane().owned().collect();
                let lost = lost
                    .into_iter()
                    .filter(|(shard, epoch)| self.log.epoch(*shard) != *epoch);
                let lost: Vec<_> = lost.map(|(shard, _)| shard).collect();
                self.on(node, |process, now| process.lose_shards(now, lost))
            }
            Fault::LateAppendArrives => {
                if !self.unacknowledged.is_empty() {
                    let at = self.rng.below(self.unacknowledged.len());
                    let append = self.unacknowledged.swap_remove(at);
                    // No process waits for the result.
                    let _ = self.log.append(&append);
                }
                return self.check_new_events();
            }
            Fault::HandOver => {
                let shards: Vec<_> = Shard::all().filter(|_| self.rng.chance(40)).collect();
                self.on(node, |process, now| process.release(now, shards))
            }
            Fault::LoseConnections => return self.lose_connections(node),
            Fault::ClockJumps => {
                self.nodes[node].skew = TimeDelta::milliseconds(self.rng.between(-5_000, 5_000));
                vec![]
            }
        };
        self.handle_outputs(node, outputs)
    }

    /// Continues without faults until every process is idle and every shard has an owner.
    pub fn settle_down(&mut self) -> Checked {
        for _ in 0..20_000 {
            let busy = (0..self.nodes.len()).find(|node| {
                let process = &self.nodes[*node].process;
                process.needs_shards() || !process.lane().is_idle()
            });
            match busy {
                Some(node) => self.carry(node)?,
                None => {
                    let free: Vec<_> = Shard::all()
                        .filter(|shard| self.owner_of(*shard).is_none())
                        .collect();
                    if free.is_empty() {
                        if self.carry_between_processes()? {
                            continue;
                        }
                        return self.check_nothing_is_on_its_way();
                    }
                    let node = self.rng.below(self.nodes.len());
                    self.take_these(node, free)?;
                }
            }
        }
        Err("the processes do not become idle".to_owned())
    }
}

/// A message between a process and the database.
#[derive(Debug, Clone, Copy)]
enum Message {
    /// The process takes shards without a living owner.
    TakesShards,
    /// A look-up reaches the database.
    LookUpReaches,
    /// The result of a look-up reaches the process.
    LookUpReturns,
    /// An append reaches the database.
    AppendReaches,
    /// The result of an append reaches the process.
    AppendReturns,
}
