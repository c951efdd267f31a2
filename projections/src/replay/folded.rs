//! One business folded from its events: by the read models' own folds, by the aggregate, and by addition alone.
//!
//! Each read model is folded up to its own checkpoint. The head and the states of sales and transfers are folded up to
//! the last event. So every row is compared as of the position at which it was read.

use std::collections::BTreeMap;

use ledger_domain::business::{Account, Accounts, Business};
use ledger_domain::calendar::Instant;
use ledger_domain::{SaleId, TransferId};
use ledger_store::StoredEvent;
use ledger_store::chain::{self, GENESIS};

use crate::ReadModelGroup;
use crate::decoded_event::DecodedEvent;
use crate::read_model::finding::{Reporter, Subject};
use crate::read_model_groups::Fold;

/// The fold of one group of read models, up to the position of their stored rows.
pub(super) struct GroupFold {
    model: ReadModelGroup,
    pub fold: Fold,
    position: i64,
    /// An event that this fold cannot apply was reported. The fold's rows cannot be compared.
    pub broken: bool,
}

/// The number of events of a sale or a transfer, with figures of the first and of the last one.
pub(super) struct EventSummary {
    pub first_at: Instant,
    pub last_sequence: i64,
    pub events: u64,
    /// The first event claims the sale, so no row in `sale_state` repeats it. A transfer always has a row.
    pub is_claimed: bool,
}

pub(super) struct FoldedBusiness {
    pub read_models: Vec<GroupFold>,
    /// The expected content of the head and of the states of sales and transfers.
    pub business: Business,
    /// The sums of postings by account, added up without the aggregate's arithmetic.
    pub posted: BTreeMap<Account, i128>,
    pub events_by_sale: BTreeMap<SaleId, EventSummary>,
    pub events_by_transfer: BTreeMap<TransferId, EventSummary>,
    /// For each sale the sequence of its first event, which claims it.
    pub claims: BTreeMap<SaleId, i64>,
    pub sequence: i64,
    pub position: i64,
    pub chain: [u8; 32],
    pub events: u64,
    /// An event could not be read, or its postings overflow a balance. Later events are not folded, so states and
    /// balances cannot be compared.
    pub unreadable: bool,
}

impl FoldedBusiness {
    pub fn up_to(positions: &BTreeMap<ReadModelGroup, i64>) -> Self {
        let group_fold = |model| GroupFold {
            model,
            fold: Fold::new(model),
            position: positions.get(&model).copied().unwrap_or(0),
            broken: false,
        };
        Self {
            read_models: ReadModelGroup::ALL.into_iter().map(group_fold).collect(),
            business: Business::default(),
            posted: BTreeMap::new(),
            events_by_sale: BTreeMap::new(),
            events_by_transfer: BTreeMap::new(),
            claims: BTreeMap::new(),
            sequence: 0,
            position: 0,
            chain: GENESIS,
            events: 0,
            unreadable: false,
        }
    }

    pub fn add(&mut self, stored: &StoredEvent, reporter: &mut Reporter<'_>) {
        self.events += 1;
        self.check_sequence_and_position(stored, reporter);
        self.check_hashes(stored, reporter);
        match DecodedEvent::decode(stored) {
            Ok(recorded) if !self.unreadable => {
                self.note_claim(&recorded);
                self.fold(&recorded, reporter);
            }
            Ok(_) => {}
            Err(poison) => {
                reporter.finding(
                    Subject::Log,
                    sequence_key(stored.sequence),
                    "an event that can be read",
                    poison,
                );
                self.unreadable = true;
            }
        }
    }

    /// Checks that sequences have no gap and that positions rise with them.
    fn check_sequence_and_position(&mut self, stored: &StoredEvent, reporter: &mut Reporter<'_>) {
        if stored.sequence != self.sequence + 1 {
            reporter.finding(Subject::Log, "sequence", self.sequence + 1, stored.sequence);
        }
        if stored.position <= self.position {
            let key = format!("{} position", sequence_key(stored.sequence));
            reporter.finding(
                Subject::Log,
                key,
                format_args!("after {}", self.position),
                stored.position,
            );
        }
        self.sequence = stored.sequence;
        self.position = stored.position;
    }

    /// Compares the stored digest and the stored chain hash with the computed ones. The chain continues from the stored
    /// values, so that a changed event gives no findings for the events after it.
    fn check_hashes(&mut self, stored: &StoredEvent, reporter: &mut Reporter<'_>) {
        let mut equal = |column: &str, expected: [u8; 32], found: [u8; 32]| {
            if expected != found {
                let key = format!("{} {column}", sequence_key(stored.sequence));
                reporter.finding(Subject::Log, key, hex::encode(expected), hex::encode(found));
            }
        };
        equal("digest", stored.computed_digest(), stored.digest);
        equal("chain", chain::next(&self.chain, &stored.digest), stored.chain);
        self.chain = stored.chain;
    }

    /// The event claims its sale if it is the sale's first event.
    fn note_claim(&mut self, recorded: &DecodedEvent) {
        let is_first = |sale_id: &SaleId| !self.events_by_sale.contains_key(sale_id);
        if let Some(sale_id) = recorded.event.may_open_sale().filter(is_first) {
            self.claims.insert(sale_id, recorded.sequence);
        }
    }

    fn fold(&mut self, recorded: &DecodedEvent, reporter: &mut Reporter<'_>) {
        for group in &mut self.read_models {
            group.add(recorded, reporter);
        }
        if self
            .business
            .accounts
            .posted(&recorded.event.postings())
            .is_none()
        {
            reporter.finding(
                Subject::Log,
                sequence_key(recorded.sequence),
                "amounts that fit",
                "a sum beyond 64 bits",
            );
            self.unreadable = true;
            return;
        }
        self.business.apply(&recorded.event);
        for (account, amount) in recorded.event.balance_changes() {
            *self.posted.entry(account).or_default() += i128::from(amount.get());
        }
        add_to_summaries(
            &mut self.events_by_sale,
            recorded.event.sale_ids(),
            recorded,
            true,
        );
        add_to_summaries(
            &mut self.events_by_transfer,
            recorded.event.transfer_ids(),
            recorded,
            false,
        );
    }

    pub fn posted_to(&self, account: Account) -> i128 {
        self.posted.get(&account).copied().unwrap_or(0)
    }

    pub fn accounts(&self) -> Accounts {
        self.business.accounts
    }
}

fn add_to_summaries<Id: Ord>(
    summaries: &mut BTreeMap<Id, EventSummary>,
    ids: Vec<Id>,
    recorded: &DecodedEvent,
    is_claimed: bool,
) {
    for id in ids {
        let first = EventSummary {
            first_at: recorded.occurred_at,
            last_sequence: 0,
            events: 0,
            is_claimed,
        };
        let summary = summaries.entry(id).or_insert(first);
        summary.last_sequence = recorded.sequence;
        summary.events += 1;
    }
}

impl GroupFold {
    fn add(&mut self, recorded: &DecodedEvent, reporter: &mut Reporter<'_>) {
        if self.broken || recorded.position > self.position {
            return;
        }
        if let Err(poison) = self.fold.fold(recorded) {
            let table = self.model.tables().first().copied().unwrap_or_default();
            let key = sequence_key(recorded.sequence);
            reporter.finding(Subject::ReadModel(table), key, "an event that folds", poison);
            self.broken = true;
        }
    }
}

fn sequence_key(sequence: i64) -> String {
    format!("event {sequence}")
}
