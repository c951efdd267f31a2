//! Decides one command on the lane's memory: an answer, or events for the next batch.

use std::collections::BTreeMap;
use std::hash::Hash;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use ledger_domain::business::{Business, BusinessEvent, Refusal, Sale, SaleContext, Transfer};
use ledger_domain::calendar::Instant;
use ledger_domain::{BusinessId, SaleId, TransferId};

use super::Lane;
use super::cache::{CacheLookUp, CachedState, CachedStates};
use super::messages::{EventKey, EventRow, FoundKey, FoundState};
use super::work::{Answer, Pending, Task};
use crate::audit::chain;
use crate::position::LedgerPosition;
use crate::submission::{Outcome, Receipt, event_id};
use crate::supervisor::panic_message;

pub(super) enum Verdict {
    /// To be sent when the batch of that number is durable.
    Answer { answer: Answer, depends_on: u64 },
    /// To be looked up again, because the decision needs the plan as of this instant.
    TermsAt(Instant),
    /// To be looked up again with its key, because one of its sales is known.
    KeyMayExist,
    /// The business's head is no longer in memory.
    Evicted,
    /// The events, and the business after them.
    Events(Business, Vec<BusinessEvent>),
}

impl<T> Lane<T> {
    pub(super) fn verdict(
        &self,
        pending: &mut Pending<T>,
        context: Option<SaleContext>,
        key: Option<FoundKey>,
    ) -> Verdict {
        if let Some(found) = key {
            return answer_now(first_answer(pending, found));
        }
        if !self.takes(pending.shard) {
            return answer_now(Outcome::NotOwner);
        }
        if let Some((_, _, given)) = pending.context_mut()
            && let Some(context) = context
        {
            *given = context;
        }
        let business_id = pending.work.business_id;
        let Some(head) = self.cache.heads.get(&business_id) else {
            return Verdict::Evicted;
        };
        let sale_ids = pending.sale_ids();
        let known = sale_ids
            .iter()
            .any(|sale_id| self.cache.sales.get(sale_id).is_some());
        if known && pending.work.keyed && !pending.must_look_up_key() {
            return Verdict::KeyMayExist;
        }
        let states = match self.states_of(pending, sale_ids) {
            Ok(states) => states,
            Err(BelongsToOther { owner, batch }) => {
                return Verdict::Answer {
                    answer: Answer::Outcome(Outcome::BelongsToOther(owner)),
                    depends_on: batch,
                };
            }
        };
        let depends_on = head.batch.max(states.batch);
        let business = Business {
            accounts: head.head.accounts,
            sales: states.sales,
            transfers: states.transfers,
            recent_withdrawals: head.head.recent_withdrawals.to_vec(),
            held_for_sales: head.head.held_for_sales,
            holds: head.head.holds.to_vec(),
        };
        verdict_on(pending, head.head.version, business, depends_on)
    }

    /// The cached states of the command's sales and transfers, if all of them belong to its business.
    fn states_of(
        &self,
        pending: &Pending<T>,
        sale_ids: Vec<SaleId>,
    ) -> Result<CommandStates, BelongsToOther> {
        let business_id = pending.work.business_id;
        let sales = self.cache.sales.for_business(business_id, sale_ids);
        let transfers = self
            .cache
            .transfers
            .for_business(business_id, pending.transfer_ids());
        match (sales, transfers) {
            (
                CacheLookUp::Own { states, batch },
                CacheLookUp::Own {
                    states: transfers,
                    batch: batch_of_transfers,
                },
            ) => Ok(CommandStates {
                sales: states,
                transfers,
                batch: batch.max(batch_of_transfers),
            }),
            (CacheLookUp::Other { owner, batch }, _) | (_, CacheLookUp::Other { owner, batch }) => {
                Err(BelongsToOther { owner, batch })
            }
        }
    }

    /// Adds the events' rows to the next batch. `business` is the state after the events.
    pub(super) fn record(
        &mut self,
        pending: Box<Pending<T>>,
        business: Business,
        events: Vec<BusinessEvent>,
        now: Instant,
    ) {
        let business_id = pending.work.business_id;
        let recorded_at = self.stamp(pending.shard, now);
        let entry = self
            .cache
            .heads
            .get(&business_id)
            .expect("the command was just decided on it");
        if entry.batch != self.next.number {
            self.next.heads.push((business_id, entry.head.version));
        }
        let mut head = entry.head.clone();
        let metadata = pending.metadata_text();
        let key = event_key(&pending, events.len());
        let remembered = pending.remembered_version.into_iter();
        self.next.reference_version = remembered.chain(self.next.reference_version).min();
        let rows = self.next.events.len()..self.next.events.len() + events.len();
        let (mut sales, mut transfers) = (Changed::new(), Changed::new());
        let mut claimed = vec![];
        for (ordinal, event) in (0..).zip(events) {
            head.version += 1;
            let occurred_at = whole_micros(event.occurred_at());
            for sale_id in event.sale_ids() {
                note_change(&mut sales, sale_id, occurred_at, head.version);
            }
            for transfer_id in event.transfer_ids() {
                note_change(&mut transfers, transfer_id, occurred_at, head.version);
            }
            let is_new = |id: &SaleId| self.cache.sales.get(id).is_none() && !claimed.contains(id);
            let claimed_sale = event.may_open_sale().filter(is_new);
            claimed.extend(claimed_sale);
            let row = EventRow {
                shard_index: pending.shard.index(),
                ordinal: self.next.count_event(pending.shard),
                business_id,
                sequence: head.version,
                event_id: event_id(pending.work.command_id, ordinal),
                event_type: event.type_name(),
                event_version: event.version(),
                payload: serde_json::to_string(&event).expect("an event serializes"),
                metadata: metadata.clone(),
                recorded_at,
                occurred_at,
                digest: [0; 32],
                chain: [0; 32],
                key: (ordinal == 0).then_some(key),
                claimed_sale,
                event: Arc::new(event),
            };
            let row = chained(row, &head.chain);
            head.chain = row.chain;
            self.next.events.push(row);
        }
        head.accounts = business.accounts;
        head.held_for_sales = business.held_for_sales;
        if *head.recent_withdrawals != *business.recent_withdrawals {
            head.recent_withdrawals = business.recent_withdrawals.into();
        }
        if *head.holds != *business.holds {
            head.holds = business.holds.into();
        }
        self.cache.insert_head(business_id, head, self.next.number);
        self.cache_states(business_id, business.sales, sales, business.transfers, transfers);
        self.next.commands.push((pending, rows));
    }

    /// Keeps the changed states in memory. They are part of the next batch.
    fn cache_states(
        &mut self,
        business_id: BusinessId,
        sales: BTreeMap<SaleId, Sale>,
        changed_sales: Changed<SaleId>,
        transfers: BTreeMap<TransferId, Transfer>,
        changed_transfers: Changed<TransferId>,
    ) {
        let (cache, next) = (&mut self.cache, &mut self.next);
        let batch = next.number;
        cache_changes(
            &mut cache.sales,
            &mut next.sales,
            business_id,
            sales,
            changed_sales,
            batch,
        );
        cache_changes(
            &mut cache.transfers,
            &mut next.transfers,
            business_id,
            transfers,
            changed_transfers,
            batch,
        );
    }
}

struct CommandStates {
    sales: BTreeMap<SaleId, Sale>,
    transfers: BTreeMap<TransferId, Transfer>,
    /// The last batch that changed one of them.
    batch: u64,
}

/// One of the command's sales or transfers belongs to another business.
struct BelongsToOther {
    owner: BusinessId,
    batch: u64,
}

/// Decides on the business, whose state depends on the batch `depends_on`.
fn verdict_on<T>(pending: &Pending<T>, version: i64, business: Business, depends_on: u64) -> Verdict {
    let answer = match &pending.work.task {
        Task::Record { expected, .. } if *expected != version => Answer::Conflict,
        task => match decide_safely(pending.work.business_id, task, business) {
            Some(Ok((business, events))) if !events.is_empty() => {
                return Verdict::Events(business, events);
            }
            Some(Ok(_)) => {
                let position = LedgerPosition::default();
                Answer::Outcome(Outcome::Duplicate { position })
            }
            Some(Err(Refusal::TermsNeededAt(instant))) if pending.terms_at != Some(instant) => {
                return Verdict::TermsAt(instant);
            }
            Some(Err(refusal)) => Answer::Outcome(Outcome::Refused(refusal)),
            None => Answer::Outcome(Outcome::Rejected),
        },
    };
    Verdict::Answer { answer, depends_on }
}

type Decided = Result<(Business, Vec<BusinessEvent>), Refusal>;

/// `None` if the decision panics, which is a fault in the program. Only this command fails: the lane would otherwise
/// restart, and fail again at each repeat of the command.
fn decide_safely(business_id: BusinessId, task: &Task, business: Business) -> Option<Decided> {
    // The business is a copy, so a panic leaves nothing half changed.
    let decided = catch_unwind(AssertUnwindSafe(|| decide(task, business)));
    decided
        .inspect_err(|panic| {
            let reason = panic_message(&**panic);
            tracing::error!(code = "decision_panicked", %business_id, reason, "a command was rejected");
            metrics::counter!("razao_ledger_decisions_panicked_total").increment(1);
        })
        .ok()
}

fn decide(task: &Task, mut business: Business) -> Decided {
    let events = match task {
        Task::Decide(command) => business.decide(command)?,
        Task::Record { events, .. } => events.clone(),
    };
    events.iter().for_each(|event| business.apply(event));
    Ok((business, events))
}

/// The key of a command's first event.
fn event_key<T>(pending: &Pending<T>, event_count: usize) -> EventKey {
    EventKey {
        key: pending.work.idempotency.key,
        fingerprint: pending.work.idempotency.fingerprint,
        event_count: i16::try_from(event_count).expect("a command has few events"),
    }
}

/// How a command's events changed one sale or transfer.
struct Change {
    first_at: Instant,
    last_sequence: i64,
    events: u32,
}

type Changed<Id> = BTreeMap<Id, Change>;

fn note_change<Id: Ord>(changed: &mut Changed<Id>, id: Id, occurred_at: Instant, sequence: i64) {
    let change = changed.entry(id).or_insert(Change {
        first_at: occurred_at,
        last_sequence: sequence,
        events: 0,
    });
    change.last_sequence = sequence;
    change.events += 1;
}

/// `touched` collects the batch's changed ids, each once, with whether each had a row before the batch.
fn cache_changes<Id: Copy + Eq + Hash + Ord, S: CachedState>(
    states: &mut CachedStates<Id, S>,
    touched: &mut Vec<(Id, bool)>,
    business_id: BusinessId,
    mut states_after: BTreeMap<Id, S>,
    changed: Changed<Id>,
    batch: u64,
) {
    for (id, change) in changed {
        let Some(state) = states_after.remove(&id) else {
            continue;
        };
        let known = states.get(&id);
        let created_at = known.map_or(change.first_at, |entry| entry.found.created_at);
        if known.is_none_or(|entry| entry.batch != batch) {
            touched.push((id, known.is_some_and(|entry| entry.found.is_stored)));
        }
        let found = FoundState {
            business_id,
            state,
            created_at,
            sequence: change.last_sequence,
            is_stored: S::STORED_AT_ONCE || known.is_some() || change.events > 1,
        };
        states.insert(id, found, batch);
    }
}

fn answer_now(outcome: Outcome) -> Verdict {
    Verdict::Answer {
        answer: Answer::Outcome(outcome),
        depends_on: 0,
    }
}

/// The key is in the log: repeats the first answer, unless the key was used for another body.
fn first_answer<T>(pending: &Pending<T>, found: FoundKey) -> Outcome {
    if found.fingerprint == pending.work.idempotency.fingerprint {
        // After a lost connection, this may be the command itself, whose answer was never sent.
        let mut receipt = Receipt {
            events: found.events,
            replayed: true,
        };
        let is_own = receipt.begins_with(event_id(pending.work.command_id, 0));
        receipt.replayed = !(pending.uncertain && is_own);
        Outcome::Recorded(receipt)
    } else {
        Outcome::KeyReused
    }
}

/// The row with its hash, after the hash of the business's event before it.
fn chained(mut row: EventRow, previous: &[u8; 32]) -> EventRow {
    row.digest = row_digest(&row);
    row.chain = chain::next(previous, &row.digest);
    row
}

fn row_digest(row: &EventRow) -> [u8; 32] {
    let header = chain::Header {
        business_id: row.business_id,
        sequence: row.sequence,
        event_id: row.event_id,
        event_type: row.event_type,
        event_version: row.event_version,
        recorded_at: row.recorded_at,
        occurred_at: row.occurred_at,
        key: row.key,
    };
    chain::digest(&header, row.metadata.as_bytes(), row.payload.as_bytes())
}

/// The database keeps microseconds, and the hash must cover the stored value.
pub(super) fn whole_micros(instant: Instant) -> Instant {
    Instant::from_timestamp_micros(instant.timestamp_micros()).unwrap_or(instant)
}
