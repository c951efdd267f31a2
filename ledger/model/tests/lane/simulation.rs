//! A lane with a simulated log, clock and network, all driven by the test.

use std::collections::{BTreeMap, BTreeSet};

use chrono::TimeDelta;
use ledger_domain::business::{Business, BusinessEvent, Refusal, SaleEvent, TransferEvent};
use ledger_domain::calendar::Instant;
use ledger_domain::{SaleId, TransferId};
use uuid::Uuid;

use crate::noon;
use ledger_model::{ModelLog, OnePlan, Process, ProcessOutput};
use ledger_store::audit::chain;
use ledger_store::lane::{
    Answer, AppendError, GROUPS_READING_CONTEXTS, LaneOptions, LookUpFailure, SaleLookUps, Work,
};
use ledger_store::position::Shard;
use ledger_store::submission::{Outcome, RecordedEvent, Submission, event_id};

/// The lane looks up every sale before it decides. Tests that need another behavior change these.
pub const OPTIONS: LaneOptions = LaneOptions {
    batch_max: 4,
    cache_bytes: 1 << 20,
    sale_look_ups: SaleLookUps::First,
    groups_reading_contexts: GROUPS_READING_CONTEXTS,
};

pub struct Simulation {
    pub process: Process<u64>,
    pub log: ModelLog,
    pub now: Instant,
    /// By ticket.
    pub answers: BTreeMap<u64, Outcome>,
    /// The command id of each ticket.
    pub commands: BTreeMap<u64, Uuid>,
    /// Batches that rested on reference data which had changed.
    pub refused_batches: u64,
    /// The shards that it has handed over.
    pub released: Vec<Shard>,
    /// The version of the reference data at the time of each command.
    versions: BTreeMap<u64, i64>,
    /// The sales and transfers of each command.
    subjects: BTreeMap<u64, (Vec<SaleId>, Vec<TransferId>)>,
}

impl Simulation {
    pub fn new(options: LaneOptions) -> Self {
        let mut simulation = Self {
            process: Process::new(options),
            log: ModelLog::default(),
            now: noon(),
            answers: BTreeMap::new(),
            commands: BTreeMap::new(),
            refused_batches: 0,
            released: vec![],
            versions: BTreeMap::new(),
            subjects: BTreeMap::new(),
        };
        simulation.acquire();
        simulation
    }

    pub fn submit(&mut self, submission: Submission) -> u64 {
        let ticket = self.commands.len() as u64;
        self.commands.insert(ticket, submission.command_id);
        self.versions.insert(ticket, self.log.reference_version);
        let command = &submission.command;
        self.subjects
            .insert(ticket, (command.sale_ids(), command.transfer_ids()));
        let outputs = self.process.submit(self.now, ticket, submission.into());
        self.handle_outputs(outputs);
        ticket
    }

    fn handle_outputs(&mut self, outputs: Vec<ProcessOutput<u64>>) {
        for output in outputs {
            match output {
                ProcessOutput::Answer(ticket, answer) => self.answered(ticket, answer),
                ProcessOutput::Committed(append, appended) => {
                    for (advance, base) in append.shards.iter().zip(appended.0) {
                        let end = base.map(|base| base + advance.events);
                        if let Some(end) = end {
                            assert_eq!(end, self.log.position(advance.shard));
                        }
                    }
                }
                // The batch may still arrive later. In this simulation it never does.
                ProcessOutput::Unacknowledged(_) => {}
                ProcessOutput::Released(shards) => self.released.extend(shards),
            }
        }
    }

    /// Panics if the answer contradicts the log at that moment.
    fn answered(&mut self, ticket: u64, answer: Answer) {
        let Answer::Outcome(outcome) = answer else {
            panic!("only events decided outside the lane can conflict")
        };
        match &outcome {
            Outcome::Recorded(receipt) => {
                for recorded in &receipt.events {
                    self.assert_recorded(ticket, recorded);
                }
            }
            Outcome::Rejected | Outcome::NotOwner | Outcome::Unknown => {
                let first = event_id(self.commands[&ticket], 0);
                let others = self
                    .commands
                    .iter()
                    .filter(|(_, id)| **id == self.commands[&ticket])
                    .count();
                let recorded = self.log.events().any(|(_, _, row)| row.event_id == first);
                assert!(
                    !recorded || others > 1,
                    "command {ticket} is answered {outcome:?} but recorded"
                );
            }
            Outcome::Duplicate { position } => {
                let (shard, reached) = position.iter().next().expect("a position");
                assert!(
                    self.log
                        .events()
                        .any(|(at, position, _)| at == shard && position == reached)
                );
            }
            Outcome::Refused(Refusal::UnknownBusiness) => {
                let mut versions = self.versions[&ticket]..=self.log.reference_version;
                assert!(
                    versions.any(OnePlan::is_unknown_at),
                    "command {ticket} was refused on reference data that had changed before it"
                );
            }
            Outcome::BelongsToOther(owner) => {
                let (sales, transfers) = &self.subjects[&ticket];
                let names = |event: &BusinessEvent| {
                    event.sale_ids().iter().any(|id| sales.contains(id))
                        || event.transfer_ids().iter().any(|id| transfers.contains(id))
                };
                assert!(
                    self.log
                        .events()
                        .any(|(_, _, row)| row.business_id == *owner && names(&row.event)),
                    "command {ticket} is {owner}'s, but nothing in the log says so"
                );
            }
            Outcome::Refused(_) | Outcome::KeyReused => {}
        }
        assert!(
            self.answers.insert(ticket, outcome).is_none(),
            "command {ticket} is answered twice"
        );
    }

    /// An event in a receipt is in the log. A capture was decided on reference data that were in force when the command
    /// arrived, or later.
    fn assert_recorded(&self, ticket: u64, recorded: &RecordedEvent) {
        let found = self
            .log
            .events()
            .find(|(_, _, row)| row.event_id == recorded.event_id);
        let (shard, position, row) = found.expect("an event in a receipt is recorded");
        assert_eq!((shard, position), (recorded.shard, recorded.position));
        assert_eq!((row.sequence, &row.event), (recorded.sequence, &recorded.event));
        let is_own = row.event_id == event_id(self.commands[&ticket], 0);
        if let (BusinessEvent::Sale(SaleEvent::SaleCaptured(captured)), true) = (&*row.event, is_own) {
            let decided_on = i64::from(captured.plan.version);
            assert!(
                decided_on >= self.versions[&ticket],
                "command {ticket} was decided on reference data that had changed before it"
            );
        }
    }

    // ------------------------------------------------------------ the network

    pub fn deliver_look_up(&mut self) {
        self.process.deliver_look_up(&self.log, None);
        let outputs = self.process.return_look_up(self.now);
        self.handle_outputs(outputs);
    }

    pub fn deliver_append(&mut self) {
        self.process.deliver_append(&mut self.log);
        let refused = Some(&Err(AppendError::ReferenceDataChanged));
        self.refused_batches += u64::from(self.process.append_result() == refused);
        let outputs = self.process.return_append(self.now);
        self.handle_outputs(outputs);
    }

    /// The connection is lost before the batch arrives, or after it is recorded.
    pub fn lose_append(&mut self, was_recorded: bool) {
        if was_recorded {
            self.process.deliver_append(&mut self.log);
        }
        let outputs = self.process.lose_append(self.now);
        self.handle_outputs(outputs);
    }

    /// Another process has joined and gets these shards.
    pub fn release(&mut self, shards: Vec<Shard>) {
        let outputs = self.process.release(self.now, shards);
        self.handle_outputs(outputs);
    }

    /// Another process sends the command, in the form in which commands travel.
    pub fn submit_sent(&mut self, submission: Submission, may_be_recorded: bool) -> u64 {
        let ticket = self.commands.len() as u64;
        self.commands.insert(ticket, submission.command_id);
        self.versions.insert(ticket, self.log.reference_version);
        self.subjects.insert(ticket, (vec![], vec![]));
        let mut work = Work::from(submission);
        work.may_be_recorded = may_be_recorded;
        let sent = serde_json::to_vec(&work).expect("a text");
        let work = serde_json::from_slice(&sent).expect("a command");
        let outputs = self.process.submit(self.now, ticket, work);
        self.handle_outputs(outputs);
        ticket
    }

    pub fn lose_look_up(&mut self) {
        let outputs = self.process.fail_look_up(self.now, LookUpFailure::ConnectionLost);
        self.handle_outputs(outputs);
    }

    pub fn acquire(&mut self) {
        if self.process.needs_shards() {
            let (_, outputs) = self.process.acquire(self.now, &mut self.log, Shard::all());
            self.handle_outputs(outputs);
        }
    }

    pub fn database_unreachable(&mut self) {
        let outputs = self.process.fail_to_acquire(self.now);
        self.handle_outputs(outputs);
    }

    pub const fn companies_are_unknown(&self) -> bool {
        OnePlan::is_unknown_at(self.log.reference_version)
    }

    /// Staff change the reference data; no process is told.
    pub const fn change_reference_data(&mut self) {
        self.log.reference_version += 1;
    }

    /// Memory has the reference data in force, because something else in the process has read it.
    pub const fn learn_reference_data(&mut self) {
        self.process.remember(self.log.reference_version);
    }

    /// Another process takes every shard. This one learns it at once, or from its next batch.
    pub fn steal(&mut self, is_notified: bool) {
        let stolen = self.log.acquire(Shard::all());
        if is_notified && !self.process.needs_shards() {
            let lost = stolen.iter().map(|acquired| acquired.shard).collect();
            let outputs = self.process.lose_shards(self.now, lost);
            self.handle_outputs(outputs);
        }
    }

    /// The renewal of the lease: takes the shards that are not owned.
    pub fn renew(&mut self) {
        let held: BTreeSet<_> = self.process.lane().owned().map(|(shard, _)| shard).collect();
        if !self.process.needs_shards() && held.len() < Shard::all().count() {
            let free = Shard::all().filter(|shard| !held.contains(shard));
            let (_, outputs) = self.process.acquire(self.now, &mut self.log, free);
            self.handle_outputs(outputs);
        }
    }

    pub fn tick(&mut self, milliseconds: i64) {
        self.now += TimeDelta::milliseconds(milliseconds);
    }

    /// Delivers every message until the lane is idle.
    pub fn settle(&mut self) {
        for _ in 0..10_000 {
            if self.process.lane().is_idle() {
                return;
            }
            self.acquire();
            self.deliver_look_up();
            self.deliver_append();
        }
        panic!("the lane does not become idle");
    }

    // ------------------------------------------------------------ the checks at the end

    pub fn check(&self) {
        let unanswered: Vec<_> = self
            .commands
            .keys()
            .filter(|ticket| !self.answers.contains_key(ticket))
            .collect();
        assert!(unanswered.is_empty(), "unanswered: {unanswered:?}");
        let mut positions: BTreeMap<Shard, (i64, Instant)> = BTreeMap::new();
        let mut businesses = BTreeMap::new();
        for (shard, position, row) in self.log.events() {
            let (reached, recorded_at) = positions.entry(shard).or_insert((0, Instant::MIN_UTC));
            assert_eq!(position, *reached + 1, "positions have no gaps");
            assert!(row.recorded_at >= *recorded_at, "recorded_at never decreases");
            (*reached, *recorded_at) = (position, row.recorded_at);
            let (sequence, chained, folded) =
                businesses
                    .entry(row.business_id)
                    .or_insert((0, chain::GENESIS, Business::default()));
            assert_eq!(row.sequence, *sequence + 1, "sequences have no gaps");
            assert_eq!(row.chain, chain::next(chained, &row.digest));
            folded.apply(&row.event);
            (*sequence, *chained) = (row.sequence, row.chain);
        }
        let (mut captured, mut paid) = (BTreeSet::new(), BTreeSet::new());
        let mut events_of_sales: BTreeMap<SaleId, u32> = BTreeMap::new();
        for (_, _, row) in self.log.events() {
            let is_first = |sale_id: &SaleId| !events_of_sales.contains_key(sale_id);
            let first = row.event.may_open_sale().filter(is_first);
            assert_eq!(row.claimed_sale, first, "the first event of a sale claims it");
            for sale_id in row.event.sale_ids() {
                *events_of_sales.entry(sale_id).or_default() += 1;
            }
            match row.event.as_ref() {
                BusinessEvent::Sale(SaleEvent::SaleCaptured(event)) => {
                    let sale_id = event.sale.sale_id;
                    assert!(captured.insert(sale_id), "{sale_id} is captured twice");
                }
                BusinessEvent::Transfer(TransferEvent::TransferApproved(event)) => {
                    let transfer_id = event.transfer_id;
                    assert!(paid.insert(transfer_id), "{transfer_id} is paid twice");
                }
                _ => {}
            }
        }
        for (business_id, (sequence, chained, folded)) in businesses {
            let head = self
                .log
                .head(business_id)
                .expect("a business with events has a head");
            assert_eq!(
                (head.version, head.chain, head.accounts),
                (sequence, chained, folded.accounts)
            );
            assert_eq!(*head.recent_withdrawals, *folded.recent_withdrawals);
            assert_eq!(head.held_for_sales, folded.held_for_sales);
            assert_eq!(*head.holds, *folded.holds);
            for (transfer_id, transfer) in folded.transfers {
                let found = self.log.transfer(transfer_id).map(|found| &found.state);
                assert_eq!(found, Some(&transfer));
            }
            for (sale_id, sale) in folded.sales {
                assert_eq!(self.log.sale(sale_id).map(|found| found.state), Some(sale));
                assert_eq!(
                    self.log.has_state_row(sale_id),
                    events_of_sales[&sale_id] > 1,
                    "{sale_id}"
                );
            }
        }
    }
}
