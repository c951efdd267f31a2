//! The verification of one shard, event by event.

use std::collections::{BTreeMap, HashMap, HashSet};

use ledger_domain::business::{Account, BusinessEvent};
use ledger_domain::{BusinessId, SaleId};
use tokio::sync::mpsc;
use tokio_postgres::GenericClient;

use super::pages::EventPages;
use super::tally::{Tally, TallyKeys};
use super::{News, PAGE, Trusted, VerifiedShard};
use crate::audit::chain;
use crate::audit::finding::{Difference, Finding};
use crate::event::StoredEvent;
use crate::log::{self, LogError, StoredHead};
use crate::position::Shard;

pub(super) struct Verification<'a, C> {
    pub client: &'a C,
    pub shard: Shard,
    /// Those that were not sent yet.
    pub findings: Vec<Finding>,
    /// Events that were checked since the last news.
    events: u64,
}

/// A business's chain after the events that were read.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct ChainTip {
    pub sequence: i64,
    pub chain: [u8; 32],
}

/// The sums of a business's postings, added up without the domain's `Accounts`.
#[derive(Debug, Clone, Default)]
struct Sums {
    accounts: BTreeMap<Account, i128>,
    /// An event was unreadable. That is a finding already, and its postings are unknown.
    incomplete: bool,
}

/// The verification of one business.
#[derive(Debug, Clone, Default)]
pub(super) struct BusinessProgress {
    pub tip: ChainTip,
    sums: Sums,
}

/// What the events of a shard name that must have a row of its own.
pub(super) struct Named<'a> {
    keys: &'a TallyKeys,
    /// Hashes of the sales that were opened, each with its business.
    opened: HashSet<u64>,
    pub claims: Tally,
    pub used_keys: Tally,
}

impl<'a> Named<'a> {
    fn new(keys: &'a TallyKeys) -> Self {
        Self {
            keys,
            opened: HashSet::new(),
            claims: Tally::default(),
            used_keys: Tally::default(),
        }
    }

    /// `opening` is the sale of which the event may be the first. The first event of them has the claim.
    fn add(&mut self, event: &StoredEvent, opening: Option<SaleId>) {
        let business = event.business_id;
        if let Some(sale) = opening
            && self.opened.insert(self.keys.short((business, sale)))
        {
            self.claims.add(self.keys, (sale, business, event.sequence));
        }
        if let Some(key) = event.key {
            self.used_keys.add(self.keys, (business, event.sequence, key));
        }
    }
}

impl<'a, C: GenericClient> Verification<'a, C> {
    pub const fn new(client: &'a C, shard: Shard) -> Self {
        Self {
            client,
            shard,
            findings: vec![],
            events: 0,
        }
    }

    /// The session sees the tables of the shard.
    pub async fn run(
        mut self,
        trusted: &Trusted,
        news: &mpsc::Sender<News>,
    ) -> Result<VerifiedShard, LogError> {
        let mut walk = self.begin_walk(&trusted.keys, &trusted.outside).await?;
        self.tree_head_links(&walk.tree_heads, &trusted.keys);
        let mut named = Named::new(&trusted.tally_keys);
        let mut pages = EventPages::of(self.client, self.shard).await?;
        while let Some(page) = pages.next().await? {
            for event in &page.events {
                walk.pass(event);
                let verified = walk.businesses.entry(event.business_id).or_default();
                let opening = self.check_event(event, verified);
                named.add(event, opening);
            }
            self.send(news).await;
        }
        let tree_heads = walk.tree_heads.len() as u64;
        let (businesses, found) = walk.end();
        for (position, what) in found {
            self.found_at(position, what);
        }
        let last = self.compare_heads(businesses, &mut named).await?;
        self.check_keys(&trusted.tally_keys, &last, &named).await?;
        self.send(news).await;
        Ok(VerifiedShard {
            shard: self.shard,
            businesses: last.len() as u64,
            tree_heads,
            last,
            claims: named.claims,
        })
    }

    pub async fn send(&mut self, news: &mpsc::Sender<News>) {
        let findings = std::mem::take(&mut self.findings);
        let events = std::mem::take(&mut self.events);
        // Nobody listens any more only if the whole verification was given up.
        let _ = news.send(News { findings, events }).await;
    }

    pub fn found(&mut self, business_id: BusinessId, sequence: Option<i64>, what: Difference) {
        self.findings.push(Finding {
            shard: self.shard,
            business_id: Some(business_id),
            sequence,
            position: None,
            what,
        });
    }

    pub fn found_at(&mut self, position: i64, what: Difference) {
        self.findings.push(Finding {
            shard: self.shard,
            business_id: None,
            sequence: None,
            position: Some(position),
            what,
        });
    }

    pub fn found_in_shard(&mut self, what: Difference) {
        self.findings.push(Finding {
            shard: self.shard,
            business_id: None,
            sequence: None,
            position: None,
            what,
        });
    }

    /// Checks one event against the previous one of its business and against its own bytes. Returns the sale of which it
    /// may be the first event.
    pub fn check_event(&mut self, event: &StoredEvent, verified: &mut BusinessProgress) -> Option<SaleId> {
        self.events += 1;
        let tip = verified.tip;
        let mut found = |what| self.found(event.business_id, Some(event.sequence), what);
        if event.sequence != tip.sequence + 1 {
            found(Difference::SequenceGap {
                expected: tip.sequence + 1,
            });
        }
        if Shard::of(event.business_id) != event.shard {
            found(Difference::WrongShard);
        }
        if event.computed_digest() != event.digest {
            found(Difference::Digest);
        }
        if chain::next(&tip.chain, &event.digest) != event.chain {
            found(Difference::Chain);
        }
        let mut opening = None;
        match event.decode() {
            Ok(payload) => {
                verified.sums.add(&payload);
                opening = payload.may_open_sale();
                let (column, payload) = (event.occurred_at, payload.occurred_at());
                if column.timestamp_micros() != payload.timestamp_micros() {
                    found(Difference::OccurredAt { column, payload });
                }
            }
            Err(error) => {
                verified.sums.incomplete = true;
                found(Difference::Payload(error.to_string()));
            }
        }
        match serde_json::from_str::<BTreeMap<String, String>>(&event.metadata) {
            Ok(metadata) => {
                // Metadata has a key only if a caller gave it, on each event of the command. The column has the key of
                // every command, on its first event.
                let given = metadata.get("idempotency_key");
                let key = event.key.map(|own| hex::encode(own.key));
                if given.zip(key).is_some_and(|(given, key)| *given != key) {
                    found(Difference::IdempotencyKey);
                }
            }
            Err(error) => found(Difference::Metadata(error.to_string())),
        }
        verified.tip = ChainTip {
            sequence: event.sequence,
            chain: event.chain,
        };
        opening
    }

    /// Heads are read after the events, so a head behind the events is an error. For a head ahead of them, the missing
    /// events are read. Returns the sequence of the last event that was read of each business.
    async fn compare_heads(
        &mut self,
        mut businesses: BTreeMap<BusinessId, BusinessProgress>,
        named: &mut Named<'_>,
    ) -> Result<HashMap<BusinessId, i64>, LogError> {
        let mut last = HashMap::with_capacity(businesses.len());
        let mut after = None;
        loop {
            let page = log::heads_after(self.client, self.shard, after, PAGE).await?;
            let Some((greatest, _)) = page.last() else { break };
            after = Some(*greatest);
            for (business_id, head) in page {
                let mut verified = businesses.remove(&business_id).unwrap_or_default();
                // The events of another shard's business are not of this one.
                if Shard::of(business_id) == self.shard {
                    self.catch_up(business_id, &mut verified, &head, named).await?;
                }
                if verified.tip.sequence == 0 {
                    self.found(business_id, None, Difference::HeadWithoutEvents);
                    continue;
                }
                self.compare_head(business_id, &verified, &head);
                last.insert(business_id, verified.tip.sequence);
            }
        }
        for (business_id, verified) in businesses {
            self.found(business_id, Some(verified.tip.sequence), Difference::NoHead);
            last.insert(business_id, verified.tip.sequence);
        }
        Ok(last)
    }

    fn compare_head(&mut self, business_id: BusinessId, verified: &BusinessProgress, head: &StoredHead) {
        let tip = verified.tip;
        let mut found = |what| self.found(business_id, Some(tip.sequence), what);
        if head.version != tip.sequence {
            found(Difference::HeadVersion {
                head: head.version,
                log: tip.sequence,
            });
            return;
        }
        if head.chain != tip.chain {
            found(Difference::HeadChain);
        }
        verified.sums.differences(head).into_iter().for_each(found);
    }

    async fn catch_up(
        &mut self,
        business_id: BusinessId,
        verified: &mut BusinessProgress,
        head: &StoredHead,
        named: &mut Named<'_>,
    ) -> Result<(), LogError> {
        while verified.tip.sequence < head.version {
            let from = verified.tip.sequence;
            let missing = PAGE.min(head.version - from);
            let page = log::of_business(self.client, business_id, from, missing).await?;
            if page.is_empty() {
                break;
            }
            for event in page.iter().filter(|event| event.sequence <= head.version) {
                let opening = self.check_event(event, verified);
                named.add(event, opening);
            }
        }
        Ok(())
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
