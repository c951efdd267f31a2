//! The state of a run, and how a delivery is sent and recorded events are checked.
//!
//! `run` chooses the next step, `network` injects the faults, `answers` handles the answers.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use chrono::TimeDelta;
use ledger_domain::business::{BusinessCommand, BusinessEvent, SaleEvent, TransferEvent};
use ledger_domain::calendar::Instant;
use ledger_domain::order::SaleEnd;
use ledger_domain::sale::{DisputeId, Initiator, RefundReference};
use ledger_domain::{BusinessId, Cents, EventId, PayoutId, SaleId, TransferId};
use ledger_model::{ModelLog, Process, ProcessOutput};
use ledger_store::lane::{Append, Appended, LaneOptions};
use ledger_store::peers::Route;
use ledger_store::{Recorded, Shard};

use crate::acquirer::OutsideSale;
use crate::bank::Bank;
use crate::companies::Companies;
use crate::delivery::{Attempt, Delivery, KnownTransfer, Stage};
use crate::forwarding::Copy;
use crate::names;
use crate::orders::Order;
use crate::readers::Readers;
use crate::rng::SimRng;
use crate::trace::Trace;
use crate::watch::{Watcher, ensure};
use crate::{Checked, EventCounts};

pub struct World {
    pub rng: SimRng,
    pub now: Instant,
    pub trace: Trace,
    pub event_counts: EventCounts,
    pub log: ModelLog,
    pub nodes: Vec<Node>,
    /// Batches whose connection was lost before they reached the database. They may still arrive.
    pub unacknowledged: Vec<Arc<Append>>,
    pub companies: Companies,
    pub sales: Vec<OutsideSale>,
    pub bank: Bank,
    pub transfers: Vec<KnownTransfer>,
    pub rentals: Vec<KnownTransfer>,
    pub deliveries: Vec<Delivery>,
    pub orders: Vec<Order>,
    /// The ends of sales of orders that the log has and the follower of orders has not applied yet.
    pub recorded_ends: VecDeque<(SaleId, SaleEnd)>,
    /// The attempts to send a delivery. The index of an attempt is its ticket, from which its ids follow (`names`).
    pub attempts: Vec<Attempt>,
    /// The copies of attempts in the lanes.
    pub copies: Vec<Copy>,
    /// The attempts for which no process that could be asked owned the shard.
    pub seeking: Vec<usize>,
    pub watcher: Watcher,
    pub readers: Readers,
    /// The recorded commands in the log's order, each once.
    pub recorded: Vec<(BusinessId, BusinessCommand)>,
    /// The calls that effects will make to the outside, with their times.
    pub calls: Vec<(Instant, Call)>,
    /// The ticket of each attempt by the id of the first event that it may record.
    tickets: BTreeMap<EventId, usize>,
}

/// A process with its lane.
pub struct Node {
    pub process: Process<usize>,
    pub options: LaneOptions,
    /// The shards that it owned, as far as it knew, before it had to take shards again.
    pub held: Vec<Shard>,
    /// The latest events that it recorded, for its followers.
    pub recorded: Recorded,
    /// The skew of its clock.
    pub skew: TimeDelta,
    /// The chance in percent that another task of the process reads the reference data in force before a look-up.
    pub learns_percent: u64,
}

/// A call of an effect to the acquirer or the bank.
#[derive(Debug, Clone)]
pub enum Call {
    /// Refund the sale with this number.
    Refund(usize),
    /// Report a dispute that a user opened on the sale with this number.
    Dispute(usize, DisputeId),
    /// Refund a part of the sale with this number, under the platform's id.
    RefundPart(usize, RefundReference, Cents),
    Payout(PayoutId, TransferId),
}

impl World {
    pub fn new(seed: u64, trace: Trace) -> Self {
        let mut rng = SimRng::of(seed);
        // Runs begin in the first half of 2026. 1,767,268,800 is January 1 at 12:00 UTC.
        let days = rng.between(0, 150);
        let now = Instant::from_timestamp(1_767_268_800 + days * 86_400 + rng.between(0, 86_399), 0)
            .expect("an instant of 2026");
        let companies = Companies::random(seed, now, &mut rng);
        let nodes = (0..rng.between(1, 3)).map(|_| Node::random(&mut rng)).collect();
        let mut log = ModelLog::default();
        if rng.chance(8) {
            log.rejected_sales.insert(names::sale(rng.below(6)));
        }
        Self {
            readers: Readers::default(),
            rng,
            now,
            trace,
            event_counts: EventCounts::default(),
            log,
            nodes,
            unacknowledged: vec![],
            sales: vec![],
            bank: Bank::default(),
            transfers: vec![],
            rentals: vec![],
            deliveries: vec![],
            orders: vec![],
            recorded_ends: VecDeque::new(),
            attempts: vec![],
            copies: vec![],
            seeking: vec![],
            watcher: Watcher::of(&companies),
            recorded: vec![],
            calls: vec![],
            tickets: BTreeMap::new(),
            companies,
        }
    }

    /// The first four bytes of each business's chain hash, which covers all events of the business.
    pub fn fingerprint(&self) -> String {
        let heads = self
            .companies
            .businesses
            .iter()
            .filter_map(|company| self.log.head(company.id));
        let chains = heads.flat_map(|head| head.chain.into_iter().take(4));
        chains.map(|byte| format!("{byte:02x}")).collect()
    }

    // ------------------------------------------------------------ deliveries

    pub fn add(&mut self, delivery: Delivery) -> usize {
        self.deliveries.push(delivery);
        self.deliveries.len() - 1
    }

    /// Sends a delivery to a process, more often than not to the shard's owner.
    pub fn send(&mut self, delivery: usize) -> Checked {
        let ticket = self.attempts.len();
        let wait = TimeDelta::milliseconds(self.rng.between(500, 90_000));
        let sent = &mut self.deliveries[delivery];
        sent.due_at = self.now + wait;
        sent.will_be_retried = false;
        if !sent.is_open() {
            sent.repeats = sent.repeats.saturating_sub(1);
        }
        let command = sent.command_of_attempt(ticket);
        let submission = sent.submission(ticket, command.clone());
        let shard = Shard::of(sent.sent_to);
        let owner = self.owner_of(shard).filter(|_| self.rng.chance(60));
        let node = owner.unwrap_or_else(|| self.rng.below(self.nodes.len()));
        self.trace.line(self.now, || {
            let Delivery { sender, sent_to, .. } = &self.deliveries[delivery];
            let business = self.companies.name(*sent_to);
            format!(
                "{sender:?} → process {node}, {business}, ticket {ticket}: {}",
                command_text(&command)
            )
        });
        let first_event = names::first_event(ticket);
        self.tickets.insert(first_event, ticket);
        self.attempts.push(Attempt {
            delivery,
            command,
            sent_to: submission.business_id,
            first_event,
            reference_version: self.log.reference_version,
            answered: false,
            front: node,
            work: submission.into(),
            route: Route::default(),
        });
        self.route(ticket)
    }

    /// The current owner of the shard, if any.
    pub fn owner_of(&self, shard: Shard) -> Option<usize> {
        let epoch = self.log.epoch(shard);
        self.nodes
            .iter()
            .position(|node| node.process.lane().owned().any(|owned| owned == (shard, epoch)))
    }

    /// Acts on a process at the time of its clock.
    pub fn on<Returned>(
        &mut self,
        node: usize,
        act: impl FnOnce(&mut Process<usize>, Instant) -> Returned,
    ) -> Returned {
        let Node {
            process, held, skew, ..
        } = &mut self.nodes[node];
        if !process.needs_shards() {
            held.clear();
            held.extend(process.lane().owned().map(|(shard, _)| shard));
        }
        act(process, self.now + *skew)
    }

    pub fn handle_outputs(&mut self, node: usize, outputs: Vec<ProcessOutput<usize>>) -> Checked {
        for output in outputs {
            match output {
                ProcessOutput::Answer(ticket, answer) => self.copy_answered(ticket, answer)?,
                ProcessOutput::Committed(append, appended) => self.committed(node, &append, &appended)?,
                ProcessOutput::Unacknowledged(append) => self.unacknowledged.push(append),
                ProcessOutput::Released(shards) => self.released(node, shards)?,
            }
        }
        Ok(())
    }

    /// Another process takes the shards, or nobody does for a while.
    fn released(&mut self, node: usize, shards: Vec<Shard>) -> Checked {
        self.event_counts.saw("shards handed over");
        let other = self.rng.below(self.nodes.len());
        if other == node || self.nodes[other].process.needs_shards() {
            return Ok(());
        }
        self.take_these(other, shards)
    }

    /// The process knows that its batch is durable, and its followers get the events.
    fn committed(&mut self, node: usize, append: &Append, Appended(bases): &Appended) -> Checked {
        for (advance, base) in append.shards.iter().zip(bases) {
            let Some(base) = base else { continue };
            let (shard, position) = (advance.shard, base + advance.events);
            let reached = self.log.position(shard);
            ensure(position <= reached, || {
                format!("process {node} reports {shard}:{position} as durable, but the log ends at {reached}")
            })?;
        }
        self.nodes[node].recorded.publish(append, bases);
        Ok(())
    }

    pub fn count_windows(&mut self) {
        if self.readers.from_memory > 0 {
            self.event_counts.saw("window from memory");
        }
        if self.readers.from_log > 0 {
            self.event_counts.saw("window from the log");
        }
    }

    /// The memory of any process, for a follower that is part of it.
    pub fn memory_of_any(&mut self) -> Recorded {
        let node = self.rng.below(self.nodes.len());
        self.nodes[node].recorded.clone()
    }

    // ------------------------------------------------------------ recorded events

    /// Checks the events that were recorded since the last call, and lets users, effects and orders react to them.
    pub fn check_new_events(&mut self) -> Checked {
        let (attempts, tickets) = (&self.attempts, &self.tickets);
        let command_of = |event: EventId| Some(&attempts[*tickets.get(&event)?].command);
        let mut delivery = None;
        for view in self.watcher.check_new_events(&self.log, command_of)? {
            self.trace.line(self.now, || {
                let business = self.companies.name(view.business);
                format!(
                    "    log {} of {business}: {}",
                    view.description,
                    names::shortened(&format!("{:?}", view.event.postings()))
                )
            });
            self.event_counts.saw(view.event.type_name());
            if view.is_first {
                let ticket = self.tickets[&view.event_id];
                let Attempt {
                    delivery: sent,
                    command,
                    ..
                } = &self.attempts[ticket];
                let (sent, command) = (*sent, command.clone());
                ensure(self.deliveries[sent].recorded.is_empty(), || {
                    format!(
                        "delivery {sent} ({}) is recorded a second time",
                        command_text(&command)
                    )
                })?;
                ensure(view.business == self.deliveries[sent].business, || {
                    format!(
                        "delivery {sent} ({}) is recorded at another business",
                        command_text(&command)
                    )
                })?;
                delivery = Some(sent);
                self.check_was_known(ticket)
                    .map_err(|fault| format!("{}: {fault}", view.description))?;
                self.recorded.push((view.business, command));
            }
            // The other events of a command follow its first one.
            if let Some(sent) = delivery {
                self.deliveries[sent].recorded.push(view.event_id);
            }
            self.react(view.business, &view.event);
            self.order_event(&view.event);
            self.wake_up(&view.event);
        }
        Ok(())
    }

    /// Users learn of new transfers at once. Effects make their calls up to two hours later.
    fn react(&mut self, business: BusinessId, event: &BusinessEvent) {
        let call = match event {
            BusinessEvent::Transfer(TransferEvent::TransferRequested(event)) => {
                let id = event.transfer_id;
                self.transfers.push(KnownTransfer::new(id, business));
                return;
            }
            BusinessEvent::Transfer(TransferEvent::TerminalRentalCharged(event)) => {
                let id = event.transfer_id;
                self.rentals.push(KnownTransfer::new(id, business));
                return;
            }
            BusinessEvent::Transfer(TransferEvent::TransferProcessing(event)) => match event.payout_id {
                Some(payout_id) => Call::Payout(payout_id, event.transfer_id),
                None => return,
            },
            BusinessEvent::Sale(SaleEvent::SaleCanceled(event)) if event.initiator == Initiator::Platform => {
                Call::Refund(sale_number(event.sale_id))
            }
            BusinessEvent::Sale(SaleEvent::SalePartRefunded(event))
                if event.initiator == Initiator::Platform =>
            {
                let Some(refund) = event.refund.clone() else {
                    return;
                };
                Call::RefundPart(sale_number(event.sale_id), refund, event.amount)
            }
            BusinessEvent::Sale(SaleEvent::SaleDisputed(event)) if event.initiator == Initiator::Platform => {
                Call::Dispute(sale_number(event.sale_id), event.dispute_id.clone())
            }
            _ => return,
        };
        let at = self.now + TimeDelta::seconds(self.rng.between(1, 7_200));
        self.calls.push((at, call));
    }

    /// Notices in the exceptions queue are tried again when their sale or transfer changes.
    fn wake_up(&mut self, event: &BusinessEvent) {
        let (sales, transfers) = (event.sale_ids(), event.transfer_ids());
        for delivery in self
            .deliveries
            .iter_mut()
            .filter(|delivery| matches!(delivery.stage, Stage::InExceptionsQueue(_)))
        {
            let named = delivery
                .command
                .sale_ids()
                .iter()
                .any(|sale| sales.contains(sale))
                || delivery
                    .command
                    .transfer_ids()
                    .iter()
                    .any(|transfer| transfers.contains(transfer));
            if named {
                delivery.due_at = self.now;
                delivery.will_be_retried = true;
            }
        }
    }
}

pub fn sale_number(sale_id: ledger_domain::SaleId) -> usize {
    usize::try_from(names::number(sale_id.uuid())).expect("sales are numbered from 0")
}

/// The command in the trace and in messages of failures.
pub fn command_text(command: &BusinessCommand) -> String {
    let text = names::shortened(&format!("{command:?}"));
    // Leaves out the context, which is long and says little.
    let end = text.find(", context").unwrap_or(text.len());
    text[..end].to_owned()
}
