//! The network between the processes and the database, with its faults: late and lost messages, lost connections,
//! crashes, stolen shards and skewed clocks.

use chrono::TimeDelta;
use ledger_model::Process;
use ledger_store::Shard;
use ledger_store::lane::{LaneOptions, LookUpFailure};

use crate::Checked;
use crate::chance::Chance;
use crate::names;
use crate::world::{Node, World};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    LoseAppend,
    RefuseAppend,
    LoseLookUp,
    RefuseLookUp,
    Disconnect,
    OutOfReach,
    Crash,
    Steal,
    TellOfLoss,
    AdriftArrives,
    ClockJumps,
}

pub const FAULTS: [Fault; 11] = [
    Fault::LoseAppend,
    Fault::RefuseAppend,
    Fault::LoseLookUp,
    Fault::RefuseLookUp,
    Fault::Disconnect,
    Fault::OutOfReach,
    Fault::Crash,
    Fault::Steal,
    Fault::TellOfLoss,
    Fault::AdriftArrives,
    Fault::ClockJumps,
];

impl Node {
    pub fn by_chance(chance: &mut Chance) -> Self {
        let options = LaneOptions {
            batch_max: chance.pick(&[1, 2, 4, 16]),
            cache_bytes: chance.pick(&[0, 2_000, 1 << 20]),
        };
        Self {
            process: Process::new(options),
            options,
            held: vec![],
            skew: TimeDelta::milliseconds(chance.between(-1_500, 1_500)),
        }
    }
}

impl World {
    /// Moves one message of the process one step further, if there is one.
    pub fn carry(&mut self, node: usize) -> Checked {
        let process = &self.nodes[node].process;
        let mut ways = vec![];
        if process.is_taking() {
            ways.push(Way::Take);
        }
        if process.look_up_is_on_its_way() {
            ways.push(Way::LookUpReaches);
        }
        if process.look_up_is_read() {
            ways.push(Way::LookUpReturns);
        }
        if process.append_is_on_its_way() {
            ways.push(Way::AppendReaches);
        }
        if process.append_is_done() {
            ways.push(Way::AppendReturns);
        }
        if ways.is_empty() {
            return Ok(());
        }
        match self.chance.pick(&ways) {
            Way::Take => self.take(node),
            Way::LookUpReaches => {
                self.read(node);
                Ok(())
            }
            Way::LookUpReturns => {
                let heard = self.on(node, Process::let_look_up_return);
                self.hear(node, heard)
            }
            Way::AppendReaches => {
                self.nodes[node].process.let_append_reach(&mut self.log);
                self.look()
            }
            Way::AppendReturns => {
                let heard = self.on(node, Process::let_append_return);
                self.hear(node, heard)
            }
        }
    }

    fn read(&mut self, node: usize) {
        let (back_office, sales) = (&self.back_office, &self.sales);
        let context = |request: &ledger_domain::business::ContextRequest| {
            let sale = request
                .terminal_id
                .and_then(|id| usize::try_from(names::number(id.uuid())).ok());
            back_office.context(request, sale.map(|sale| sales[sale].business))
        };
        self.nodes[node]
            .process
            .let_look_up_reach(&self.log, Some(&context));
    }

    /// Of the shards without a living owner: those that it had before, and either all others or its share of them.
    pub fn take(&mut self, node: usize) -> Checked {
        let free = Shard::all().filter(|shard| self.owner_of(*shard).is_none());
        let free: Vec<_> = free.collect();
        let (share, is_greedy) = (self.nodes.len(), self.chance.percent(50));
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
        let Node { process, skew, .. } = &mut self.nodes[node];
        let heard = process.take(self.now + *skew, &mut self.log, shards);
        self.hear(node, heard)
    }

    pub fn suffer(&mut self, fault: Fault, node: usize) -> Checked {
        self.trace.line(self.now, || format!("process {node}: {fault:?}"));
        self.tally.faults += 1;
        let heard = match fault {
            Fault::LoseAppend => self.on(node, Process::lose_append),
            Fault::RefuseAppend => self.on(node, Process::refuse_append),
            Fault::LoseLookUp => self.on(node, |process, now| {
                process.fail_look_up(now, LookUpFailure::Lost)
            }),
            Fault::RefuseLookUp => self.on(node, |process, now| {
                process.fail_look_up(now, LookUpFailure::Refused)
            }),
            Fault::Disconnect => self.on(node, Process::disconnect),
            Fault::OutOfReach => self.on(node, Process::fail_to_take),
            Fault::Crash => {
                let fresh = Process::new(self.nodes[node].options);
                let gone = std::mem::replace(&mut self.nodes[node].process, fresh);
                self.adrift.extend(gone.crash());
                self.nodes[node].held.clear();
                vec![]
            }
            Fault::Steal => {
                if self.nodes[node].process.is_taking() {
                    return Ok(());
                }
                let stolen: Vec<_> = Shard::all().filter(|_| self.chance.percent(40)).collect();
                return self.take_these(node, stolen);
            }
            Fault::TellOfLoss => {
                let lost: Vec<_> = self.nodes[node].process.lane().owned().collect();
                let lost = lost
                    .into_iter()
                    .filter(|(shard, epoch)| self.log.epoch(*shard) != *epoch);
                let lost: Vec<_> = lost.map(|(shard, _)| shard).collect();
                self.on(node, |process, now| process.hear_of_loss(now, lost))
            }
            Fault::AdriftArrives => {
                if !self.adrift.is_empty() {
                    let at = self.chance.below(self.adrift.len());
                    let append = self.adrift.swap_remove(at);
                    // No caller waits for its answer any more.
                    let _ = self.log.append(&append);
                }
                return self.look();
            }
            Fault::ClockJumps => {
                self.nodes[node].skew = TimeDelta::milliseconds(self.chance.between(-5_000, 5_000));
                vec![]
            }
        };
        self.hear(node, heard)
    }

    /// No more faults: every process continues until it is idle, and every shard has an owner.
    pub fn settle_down(&mut self) -> Checked {
        for _ in 0..20_000 {
            let busy = (0..self.nodes.len()).find(|node| {
                let process = &self.nodes[*node].process;
                process.is_taking() || !process.lane().is_idle()
            });
            match busy {
                Some(node) => self.carry(node)?,
                None => {
                    let free: Vec<_> = Shard::all()
                        .filter(|shard| self.owner_of(*shard).is_none())
                        .collect();
                    if free.is_empty() {
                        return Ok(());
                    }
                    let node = self.chance.below(self.nodes.len());
                    self.take_these(node, free)?;
                }
            }
        }
        Err("the processes do not become idle".to_owned())
    }
}

#[derive(Debug, Clone, Copy)]
enum Way {
    Take,
    LookUpReaches,
    LookUpReturns,
    AppendReaches,
    AppendReturns,
}
