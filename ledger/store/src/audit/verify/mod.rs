//! Verifies the log: chains, digests, columns, claims, keys, positions, heads and tree heads.
//!
//! Reads pages by key, each with one statement, so that it holds no snapshot and can run while the writer runs. Events
//! that are recorded during the verification may be left to the next one. But if a head moved, the new events of its
//! business are read too. Archived events are read from their files, in the order of their positions; the check of a
//! business's events in the database goes on where its archived ones end.

mod archived;
mod checkpoints;
pub mod last;
mod positions;
pub mod recent;
mod unique;

use std::collections::BTreeMap;

use ed25519_dalek::VerifyingKey;
use ledger_domain::BusinessId;
use ledger_domain::business::{Account, BusinessEvent};
use tokio_postgres::GenericClient;
use tokio_postgres::types::Type;
use uuid::Uuid;

use super::chain;
use super::export::Heads;
use super::finding::{Difference, Finding};
use crate::archive::{hold_log, release_log};
use crate::event::StoredEvent;
use crate::layout;
use crate::log::{self, LogError, StoredHead};
use crate::position::Shard;
use archived::{AllArchived, ArchivedBusinesses};
use unique::NamedByEvents;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Summary {
    pub events: u64,
    pub businesses: u64,
    pub tree_heads: u64,
    pub findings: u64,
}

/// How far the verification has got.
#[derive(Debug, Clone, Copy)]
pub struct Progress {
    pub shard: Shard,
    /// Events read so far, in all shards.
    pub events: u64,
}

/// Events in a page.
const PAGE: i64 = 2_000;

/// Verifies every shard. `keys` are the public keys that may have signed tree heads; `outside` are copies that were kept
/// outside of the database.
pub async fn run(
    client: &impl GenericClient,
    keys: &[VerifyingKey],
    outside: &Heads,
    report: &mut (impl FnMut(&Finding) + Send),
    progress: &mut (impl FnMut(Progress) + Send),
) -> Result<Summary, LogError> {
    hold_log(client).await?;
    let verified = verify_log(client, keys, outside, report, progress).await;
    layout::leave(client).await?;
    release_log(client).await?;
    let summary = verified?;
    last::record(client, last::Part::Log, summary.findings).await;
    Ok(summary)
}

async fn verify_log(
    client: &impl GenericClient,
    keys: &[VerifyingKey],
    outside: &Heads,
    report: &mut (impl FnMut(&Finding) + Send),
    progress: &mut (impl FnMut(Progress) + Send),
) -> Result<Summary, LogError> {
    let mut summary = Summary::default();
    let mut archived = AllArchived::default();
    for shard in Shard::all() {
        layout::enter(client, shard).await?;
        let mut verification = Verification {
            client,
            shard,
            summary: &mut summary,
            report,
            progress,
        };
        let mut walk = verification.begin_walk(keys, outside).await?;
        let businesses = verification.check_archives(&mut walk, &mut archived).await?;
        verification.check_chains(businesses).await?;
        verification.find_heads_without_events().await?;
        verification.check_keys(&archived).await?;
        verification.check_positions(walk, keys).await?;
    }
    summary.findings += unique::check_claims(client, &archived, report).await?;
    Ok(summary)
}

struct Verification<'a, C, R, P> {
    client: &'a C,
    shard: Shard,
    summary: &'a mut Summary,
    report: &'a mut R,
    progress: &'a mut P,
}

/// A business's chain after the events that were read.
#[derive(Debug, Clone, Copy, Default)]
struct ChainTip {
    sequence: i64,
    chain: [u8; 32],
}

/// The sums of a business's postings, added up without the domain's `Accounts`.
#[derive(Debug, Clone, Default)]
struct Sums {
    accounts: BTreeMap<Account, i128>,
    /// An event was unreadable. That is a finding already, and its postings are unknown.
    incomplete: bool,
}

/// The verification of one business.
#[derive(Debug, Clone)]
struct BusinessProgress {
    business_id: BusinessId,
    tip: ChainTip,
    sums: Sums,
}

impl<C: GenericClient, R: FnMut(&Finding), P: FnMut(Progress)> Verification<'_, C, R, P> {
    fn found(&mut self, business_id: BusinessId, sequence: Option<i64>, what: Difference) {
        self.report_finding(Finding {
            shard: self.shard,
            business_id: Some(business_id),
            sequence,
            position: None,
            what,
        });
    }

    fn found_at(&mut self, position: i64, what: Difference) {
        let position = Some(position);
        self.report_finding(Finding {
            shard: self.shard,
            business_id: None,
            sequence: None,
            position,
            what,
        });
    }

    fn report_finding(&mut self, finding: Finding) {
        self.summary.findings += 1;
        (self.report)(&finding);
    }

    /// `archived` are the businesses after their archived events.
    async fn check_chains(&mut self, mut archived: ArchivedBusinesses) -> Result<(), LogError> {
        let mut after = (BusinessId::from_uuid(Uuid::nil()), i64::MIN);
        let mut current: Option<BusinessProgress> = None;
        loop {
            let page = log::of_businesses(self.client, self.shard, after, PAGE).await?;
            let (mut complete, mut named) = (vec![], NamedByEvents::default());
            for event in &page {
                let mut verified = match current.take() {
                    Some(verified) if verified.business_id == event.business_id => verified,
                    other => {
                        complete.extend(other);
                        let archived = archived.remove(&event.business_id);
                        archived.unwrap_or_else(|| BusinessProgress::new(event.business_id))
                    }
                };
                self.check_event(event, &mut verified, &mut named);
                current = Some(verified);
                after = (event.business_id, event.sequence);
            }
            if page.is_empty() {
                complete.extend(current.take());
                complete.extend(std::mem::take(&mut archived).into_values());
            }
            self.check_named(named).await?;
            self.compare_heads(complete).await?;
            self.report_progress();
            if page.is_empty() {
                return Ok(());
            }
        }
    }

    fn report_progress(&mut self) {
        (self.progress)(Progress {
            shard: self.shard,
            events: self.summary.events,
        });
    }

    /// Checks one event against the previous one and against its own bytes. Adds to `named` what must have a row for it.
    fn check_event(
        &mut self,
        event: &StoredEvent,
        verified: &mut BusinessProgress,
        named: &mut NamedByEvents,
    ) {
        self.summary.events += 1;
        let tip = verified.tip;
        let mut differences = vec![];
        named.key(event);
        if event.sequence != tip.sequence + 1 {
            differences.push(Difference::SequenceGap {
                expected: tip.sequence + 1,
            });
        }
        if Shard::of(event.business_id) != event.shard {
            differences.push(Difference::WrongShard);
        }
        if event.computed_digest() != event.digest {
            differences.push(Difference::Digest);
        }
        if chain::next(&tip.chain, &event.digest) != event.chain {
            differences.push(Difference::Chain);
        }
        match event.decode() {
            Ok(payload) => {
                verified.sums.add(&payload);
                let may_open = payload.may_open_sale();
                let (column, payload) = (event.occurred_at, payload.occurred_at());
                if column.timestamp_micros() != payload.timestamp_micros() {
                    differences.push(Difference::OccurredAt { column, payload });
                }
                if let Some(sale_id) = may_open {
                    named.opening(event, sale_id);
                }
            }
            Err(error) => {
                verified.sums.incomplete = true;
                differences.push(Difference::Payload(error.to_string()));
            }
        }
        match serde_json::from_str::<BTreeMap<String, String>>(&event.metadata) {
            Ok(metadata) => {
                // Metadata has a key only if a caller gave it, on each event of the command. The column has the key of
                // every command, on its first event.
                let given = metadata.get("idempotency_key");
                let key = event.key.map(|own| hex::encode(own.key));
                if given.zip(key).is_some_and(|(given, key)| *given != key) {
                    differences.push(Difference::IdempotencyKey);
                }
            }
            Err(error) => differences.push(Difference::Metadata(error.to_string())),
        }
        for what in differences {
            self.found(event.business_id, Some(event.sequence), what);
        }
        verified.tip = ChainTip {
            sequence: event.sequence,
            chain: event.chain,
        };
    }

    /// Heads are read after the events, so a head behind the events is an error. For a head ahead of them, the missing
    /// events are read.
    async fn compare_heads(&mut self, complete: Vec<BusinessProgress>) -> Result<(), LogError> {
        if complete.is_empty() {
            return Ok(());
        }
        self.summary.businesses += complete.len() as u64;
        let ids: Vec<_> = complete.iter().map(|verified| verified.business_id).collect();
        let heads: BTreeMap<_, _> = log::heads(self.client, &ids).await?.into_iter().collect();
        for mut verified in complete {
            let business_id = verified.business_id;
            let Some(head) = heads.get(&business_id) else {
                self.found(business_id, Some(verified.tip.sequence), Difference::NoHead);
                continue;
            };
            self.catch_up(&mut verified, head).await?;
            let tip = verified.tip;
            if head.version != tip.sequence {
                let what = Difference::HeadVersion {
                    head: head.version,
                    log: tip.sequence,
                };
                self.found(business_id, Some(tip.sequence), what);
                continue;
            }
            if head.chain != tip.chain {
                self.found(business_id, Some(tip.sequence), Difference::HeadChain);
            }
            for what in verified.sums.differences(head) {
                self.found(business_id, Some(tip.sequence), what);
            }
        }
        Ok(())
    }

    async fn catch_up(&mut self, verified: &mut BusinessProgress, head: &StoredHead) -> Result<(), LogError> {
        while verified.tip.sequence < head.version {
            let from = verified.tip.sequence;
            let missing = PAGE.min(head.version - from);
            let page = log::of_business(self.client, verified.business_id, from, missing).await?;
            if page.is_empty() {
                break;
            }
            let mut named = NamedByEvents::default();
            for event in page.iter().filter(|event| event.sequence <= head.version) {
                self.check_event(event, verified, &mut named);
            }
            self.check_named(named).await?;
        }
        Ok(())
    }

    async fn find_heads_without_events(&mut self) -> Result<(), tokio_postgres::Error> {
        let mut after = Uuid::nil();
        loop {
            let rows = self
                .client
                .query_typed(
                    "SELECT business_id, EXISTS (SELECT 1 FROM event WHERE event.shard = head.shard \
                            AND event.business_id = head.business_id) \
                         OR EXISTS (SELECT 1 FROM event_archive_business old WHERE old.shard = head.shard \
                            AND old.business_id = head.business_id) \
                       FROM business_head head WHERE shard = $1 AND business_id > $2 \
                      ORDER BY shard, business_id LIMIT $3",
                    &[
                        (&self.shard.sql(), Type::INT2),
                        (&after, Type::UUID),
                        (&PAGE, Type::INT8),
                    ],
                )
                .await?;
            for row in &rows {
                after = row.get(0);
                if !row.get::<_, bool>(1) {
                    self.found(BusinessId::from_uuid(after), None, Difference::HeadWithoutEvents);
                }
            }
            if rows.is_empty() {
                return Ok(());
            }
        }
    }
}

impl BusinessProgress {
    fn new(business_id: BusinessId) -> Self {
        Self {
            business_id,
            tip: ChainTip::default(),
            sums: Sums::default(),
        }
    }
}

impl Sums {
    fn add(&mut self, event: &BusinessEvent) {
        for posting in event.postings() {
            let amount = i128::from(posting.amount.get());
            *self.accounts.entry(posting.from).or_default() -= amount;
            *self.accounts.entry(posting.to).or_default() += amount;
        }
    }

    fn differences(&self, head: &StoredHead) -> Vec<Difference> {
        if self.incomplete {
            return vec![];
        }
        let accounts = Account::ALL.into_iter().map(|account| {
            let log = self.accounts.get(&account).copied().unwrap_or(0);
            (account, head.accounts.get(account).get(), log)
        });
        accounts
            .filter(|(_, head, log)| i128::from(*head) != *log)
            .map(|(account, head, log)| Difference::HeadBalance { account, head, log })
            .collect()
    }
}
