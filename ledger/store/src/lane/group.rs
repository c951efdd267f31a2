//! A group of commands: taken from the queue, looked up, decided, and sent when no batch is in flight.

use std::collections::HashMap;

use ledger_domain::BusinessId;
use ledger_domain::business::ContextRequest;
use ledger_domain::calendar::Instant;

use super::Lane;
use super::batch::{Batch, ShardFence};
use super::decide::Verdict;
use super::messages::{Head, LookUpFailure, LookUpRequest, LookUpResult, Output};
use super::work::{Answer, Pending};
use crate::position::Shard;
use crate::submission::Outcome;

/// Commands that are looked up together.
#[derive(Debug)]
pub(super) struct Group<T> {
    pub number: u64,
    pub members: Vec<Box<Pending<T>>>,
    /// For each member, the index of its context in the look-up.
    contexts: Vec<Option<usize>>,
    heads: Vec<BusinessId>,
}

impl<T> Lane<T> {
    /// Sends the next batch if none is in flight. Then takes waiting commands, looks them up and decides them. Halves
    /// of a rejected batch go first, each alone.
    pub(super) fn advance(&mut self, now: Instant, out: &mut Vec<Output<T>>) {
        while !self.is_taking_shards {
            self.send(out);
            self.release_unused(out);
            if self.in_look_up.is_some() || self.next.events.len() >= self.options.batch_max {
                return;
            }
            self.isolating &= !self.nothing_in_progress();
            if self.isolating || (!self.bisected.is_empty() && !self.nothing_in_progress()) {
                return;
            }
            let members = if let Some(bisected) = self.bisected.pop_front() {
                self.isolating = true;
                bisected
            } else {
                let room = self.options.batch_max - self.next.events.len();
                self.waiting.drain(..room.min(self.waiting.len())).collect()
            };
            if members.is_empty() {
                return;
            }
            let (group, look_up) = self.group(members, out);
            if look_up == LookUpRequest::default() {
                self.decide_group(group, LookUpResult::default(), now, out);
            } else {
                out.push(Output::LookUp {
                    number: group.number,
                    look_up,
                });
                self.in_look_up = Some(group);
            }
        }
    }

    fn send(&mut self, out: &mut Vec<Output<T>>) {
        if self.in_flight.is_some() || self.next.commands.is_empty() {
            return;
        }
        self.last_number += 1;
        let batch = std::mem::replace(&mut self.next, Batch::new(self.last_number));
        let fence = |shard: Shard| {
            let owned = self.shards[shard.index()]
                .expect("a batch is rolled back if a shard is lost before it is sent");
            ShardFence {
                epoch: owned.epoch,
                position: owned.position,
                recorded_at: owned.recorded_at,
            }
        };
        let in_flight = batch.seal(&self.cache, fence);
        out.push(Output::Append {
            number: in_flight.batch.number,
            append: in_flight.append.clone(),
        });
        self.in_flight = Some(in_flight);
    }

    /// Collects what the members need and memory does not hold. Members of shards that this process does not own are
    /// answered here, unless they may be recorded.
    fn group(
        &mut self,
        members: Vec<Box<Pending<T>>>,
        out: &mut Vec<Output<T>>,
    ) -> (Group<T>, LookUpRequest) {
        self.last_number += 1;
        let mut look_up = LookUpRequest::default();
        let mut kept = Vec::with_capacity(members.len());
        let mut contexts = Vec::with_capacity(members.len());
        for mut pending in members {
            let owned = self.takes(pending.shard);
            if !owned && !pending.uncertain {
                self.answer(*pending, Answer::Outcome(Outcome::NotOwner), out);
                continue;
            }
            pending.is_presumed_new = false;
            let created_at = if owned {
                self.ask_for_states(&mut pending, &mut look_up)
            } else {
                None
            };
            if pending.must_look_up_key() {
                let key = (pending.work.business_id, pending.work.idempotency.key);
                look_up.keys.push(key);
            }
            let request = context_request(&mut pending, created_at).filter(|_| owned);
            look_up.contexts_in_force |= request.is_some() && pending.context_in_force;
            contexts.push(request.map(|request| {
                look_up.contexts.push(request);
                look_up.contexts.len() - 1
            }));
            kept.push(pending);
        }
        if self.groups_reading_contexts > 0 && !look_up.contexts.is_empty() {
            self.groups_reading_contexts -= 1;
            look_up.contexts_in_force = true;
        }
        sort_and_dedup(&mut look_up.heads);
        sort_and_dedup(&mut look_up.sales);
        sort_and_dedup(&mut look_up.transfers);
        let group = Group {
            number: self.last_number,
            members: kept,
            contexts,
            heads: look_up.heads.clone(),
        };
        (group, look_up)
    }

    /// Asks for the command's head, sales and transfers that memory does not hold, except for sales that it presumes to
    /// be new. Returns when the sale was created, if memory knows it.
    fn ask_for_states(&mut self, pending: &mut Pending<T>, look_up: &mut LookUpRequest) -> Option<Instant> {
        let business_id = pending.work.business_id;
        if self.cache.heads.touch(&business_id).is_none() {
            look_up.heads.push(business_id);
        }
        let mut created_at = None;
        let presumes_new = self.known_sales.presumes_new() && pending.may_be_new();
        for sale_id in pending.sale_ids() {
            match self.cache.sales.touch(&sale_id) {
                Some(entry) => {
                    created_at = entry.found.state.created_at;
                    pending.key_may_exist = true;
                }
                None => {
                    if !pending.is_counted {
                        self.known_sales.asked();
                    }
                    if presumes_new {
                        pending.is_presumed_new = true;
                    } else {
                        look_up.sales.push(sale_id);
                    }
                }
            }
        }
        pending.is_counted = true;
        for transfer_id in pending.transfer_ids() {
            if self.cache.transfers.touch(&transfer_id).is_none() {
                look_up.transfers.push(transfer_id);
            }
        }
        created_at
    }

    pub(super) fn decide_group(
        &mut self,
        group: Group<T>,
        found: LookUpResult,
        now: Instant,
        out: &mut Vec<Output<T>>,
    ) {
        // A business that is not found has no events yet, and only this lane can write its first.
        for business_id in group.heads {
            self.cache.insert_head(business_id, Head::default(), 0);
        }
        for (business_id, head) in found.heads {
            self.cache.insert_head(business_id, head, 0);
        }
        self.known_sales.found(found.sales.len());
        for (sale_id, sale) in found.sales {
            self.cache.sales.insert(sale_id, sale, 0);
        }
        for (transfer_id, transfer) in found.transfers {
            self.cache.transfers.insert(transfer_id, transfer, 0);
        }
        let mut keys: HashMap<_, _> = found
            .keys
            .into_iter()
            .map(|key| ((key.business_id, key.key), key))
            .collect();
        let mut contexts: Vec<_> = found.contexts.into_iter().map(Some).collect();
        let mut again = vec![];
        for (mut pending, context) in group.members.into_iter().zip(group.contexts) {
            let context = context.and_then(|place| contexts.get_mut(place).and_then(Option::take));
            pending.remembered_version = context.as_ref().and(found.remembered_version);
            let key = keys.remove(&(pending.work.business_id, pending.work.idempotency.key));
            match self.verdict(&mut pending, context, key) {
                // Only events may rest on a presumption or on contexts in memory. The command is decided again after a
                // look-up.
                Verdict::Answer { answer, .. }
                    if pending.is_presumed_new
                        || (pending.remembered_version.is_some() && answer.rests_on_context()) =>
                {
                    pending.sales_may_exist |= pending.is_presumed_new;
                    pending.context_in_force |= pending.remembered_version.is_some();
                    again.push(pending);
                }
                Verdict::Answer { answer, depends_on } => {
                    self.answer_when_durable(pending, answer, depends_on, out)
                }
                Verdict::Events(business, events) => self.record(pending, business, events, now),
                Verdict::TermsAt(instant) => {
                    pending.terms_at = Some(instant);
                    again.push(pending);
                }
                Verdict::KeyMayExist => {
                    pending.key_may_exist = true;
                    again.push(pending);
                }
                Verdict::Evicted => again.push(pending),
            }
        }
        if self.isolating && !again.is_empty() {
            // The commands of a bisected batch stay separate.
            self.bisected.push_front(again);
        } else {
            self.put_back(again);
        }
        self.cache.evict_to_limit(self.durable);
    }

    pub(super) fn look_up_failed(&mut self, number: u64, failure: LookUpFailure, out: &mut Vec<Output<T>>) {
        let Some(group) = self.in_look_up.take_if(|group| group.number == number) else {
            return;
        };
        match failure {
            LookUpFailure::Conflict => {
                // A command that may be recorded is answered only when its key was looked up.
                let (mut again, unrecorded): (Vec<_>, Vec<_>) =
                    group.members.into_iter().partition(|pending| pending.uncertain);
                again.extend(self.within_rollbacks(unrecorded, out));
                self.put_back(again);
            }
            LookUpFailure::DatabaseError => {
                for pending in group.members {
                    if pending.uncertain {
                        self.waiting.push_back(pending);
                    } else {
                        self.answer(*pending, Answer::Outcome(Outcome::NotOwner), out);
                    }
                }
            }
            LookUpFailure::ConnectionLost => {
                self.in_look_up = Some(group);
                self.disconnected(out);
            }
        }
    }
}

/// The facts outside the ledger that a command on a sale needs.
fn context_request<T>(pending: &mut Pending<T>, created_at: Option<Instant>) -> Option<ContextRequest> {
    let business_id = pending.work.business_id;
    let terms_at = pending.terms_at.or(created_at);
    let (sale, occurred_at, _) = pending.context_mut()?;
    Some(ContextRequest {
        business_id,
        solution: sale.solution,
        terminal_id: sale.terminal.as_ref().map(|terminal| terminal.id),
        occurred_at,
        terms_at: terms_at.unwrap_or(occurred_at),
    })
}

/// Several commands of a group may need the same state.
fn sort_and_dedup<Id: Ord>(ids: &mut Vec<Id>) {
    ids.sort_unstable();
    ids.dedup();
}
