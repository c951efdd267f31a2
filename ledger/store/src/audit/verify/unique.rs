//! The verification of what exists once: each event that opens a sale has the sale's claim, or comes after the event that
//! has it, and each claim has such an event; each key of an event is in `command_key`, and each row there is the key of
//! an event.
//!
//! First the rows' sums are compared with those of the events. If they differ, or in the background, each event's rows
//! are looked up, and each row's event. `audit replay` checks the claims by the whole history of each business.

use std::collections::{HashMap, HashSet};

use deadpool_postgres::Pool;
use ledger_domain::{BusinessId, SaleId};
use tokio::sync::mpsc;
use tokio_postgres::GenericClient;
use uuid::Uuid;

use super::pages::EventPages;
use super::shard::{Named, Verification};
use super::tally::{Tally, TallyKeys};
use super::{News, PAGE, VerifiedShard, VerifyError};
use crate::audit::finding::Difference;
use crate::event::StoredEvent;
use crate::lane::EventKey;
use crate::layout;
use crate::log::{self, BusinessKey, Claim, LogError, UsedKey};
use crate::position::Shard;

/// What some events name that must have a row.
#[derive(Default)]
pub(super) struct NamedRows {
    /// The events that may be the first of these sales.
    pub openings: Vec<(BusinessId, i64, SaleId)>,
    pub keys: Vec<(BusinessId, i64, EventKey)>,
}

/// The archived events of a shard. The rows of claims and keys whose events are archived are counted: each of those
/// events was found to have its own row, so as many rows as events means that no row is without an event.
#[derive(Default)]
struct Archived {
    /// The sequence of the last one of each business.
    last: HashMap<BusinessId, i64>,
    /// Those that have a row.
    rows: u64,
}

impl Archived {
    fn has(&self, business_id: BusinessId, sequence: i64) -> bool {
        self.last.get(&business_id).is_some_and(|last| sequence <= *last)
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Unique {
    Claims,
    Keys,
}

impl<C: GenericClient> Verification<'_, C> {
    /// Compares the shard's keys with those of its events. `last` is the last event of each business that was read.
    pub(super) async fn check_keys(
        &mut self,
        keys: &TallyKeys,
        last: &HashMap<BusinessId, i64>,
        named: &Named<'_>,
    ) -> Result<(), LogError> {
        let mut rows = Tally::default();
        let mut newer = vec![];
        let mut after: BusinessKey = (BusinessId::from_uuid(Uuid::nil()), [0; 16]);
        loop {
            let page = log::keys_after(self.client, self.shard, after, PAGE).await?;
            let Some(greatest) = page.last() else { break };
            after = (greatest.business_id, greatest.key.key);
            for used in page {
                let read = last.get(&used.business_id);
                if read.is_some_and(|read| used.sequence <= *read) {
                    rows.add(keys, (used.business_id, used.sequence, used.key));
                } else {
                    newer.push(used);
                }
            }
        }
        if rows != named.used_keys {
            // All keys of the shard are looked up, the newer ones too.
            return self.locate(Unique::Keys).await;
        }
        self.check_events_of_keys(&newer, &mut Archived::default()).await
    }

    /// Finds the events and rows that differ, by looking up each.
    async fn locate(&mut self, what: Unique) -> Result<(), LogError> {
        let mut archived = Archived::default();
        let mut pages = EventPages::of(self.client, self.shard).await?;
        while let Some(page) = pages.next().await? {
            let mut named = NamedRows::default();
            for event in &page.events {
                let opening = event.decode().ok().and_then(|payload| payload.may_open_sale());
                named.add(event, opening);
                if page.archived {
                    archived.last.insert(event.business_id, event.sequence);
                }
            }
            let rows = match what {
                Unique::Claims => self.check_claims_of(named.openings).await?,
                Unique::Keys => self.check_keys_of(named.keys).await?,
            };
            archived.rows += if page.archived { rows } else { 0 };
        }
        match what {
            Unique::Claims => self.locate_claims(archived).await,
            Unique::Keys => self.locate_keys(archived).await,
        }
    }

    /// Checks that what the events name has its row.
    pub(super) async fn check_named(&mut self, named: NamedRows) -> Result<(), LogError> {
        self.check_claims_of(named.openings).await?;
        self.check_keys_of(named.keys).await?;
        Ok(())
    }

    /// Returns the number of claims that name these events.
    async fn check_claims_of(&mut self, openings: Vec<(BusinessId, i64, SaleId)>) -> Result<u64, LogError> {
        let mut rows = 0;
        let sales: Vec<SaleId> = openings.iter().map(|(_, _, sale_id)| *sale_id).collect();
        let claims = log::claims(self.client, &sales).await?;
        for (business_id, sequence, sale_id) in openings {
            let what = match claims.get(&sale_id) {
                Some(claim) if claim.business_id != business_id => Difference::NoClaim {
                    sale_id,
                    owner: Some(claim.business_id),
                },
                Some(claim) if claim.sequence > sequence => Difference::LateClaim {
                    sale_id,
                    claimed_by: claim.sequence,
                },
                Some(claim) => {
                    rows += u64::from(claim.sequence == sequence);
                    continue;
                }
                None => Difference::NoClaim { sale_id, owner: None },
            };
            self.found(business_id, Some(sequence), what);
        }
        Ok(rows)
    }

    /// Returns the number of rows that name these events.
    async fn check_keys_of(&mut self, keys: Vec<(BusinessId, i64, EventKey)>) -> Result<u64, LogError> {
        let mut rows = 0;
        let asked: Vec<BusinessKey> = keys
            .iter()
            .map(|(business_id, _, own)| (*business_id, own.key))
            .collect();
        let used = log::used_keys(self.client, &asked).await?;
        for (business_id, sequence, key) in keys {
            let row = UsedKey {
                business_id,
                sequence,
                key,
            };
            if used.get(&(business_id, key.key)) == Some(&row) {
                rows += 1;
            } else {
                self.found(business_id, Some(sequence), Difference::NoKey);
            }
        }
        Ok(rows)
    }

    async fn locate_keys(&mut self, archived: Archived) -> Result<(), LogError> {
        let events = archived.rows;
        let mut found = Archived { rows: 0, ..archived };
        let mut after: BusinessKey = (BusinessId::from_uuid(Uuid::nil()), [0; 16]);
        loop {
            let page = log::keys_after(self.client, self.shard, after, PAGE).await?;
            let Some(greatest) = page.last() else { break };
            after = (greatest.business_id, greatest.key.key);
            self.check_events_of_keys(&page, &mut found).await?;
        }
        let rows = found.rows;
        if rows != events {
            self.found_in_shard(Difference::ArchivedKeys { rows, events });
        }
        Ok(())
    }

    /// Checks that each key is that of an event. Counts those of archived events.
    async fn check_events_of_keys(
        &mut self,
        used: &[UsedKey],
        archived: &mut Archived,
    ) -> Result<(), LogError> {
        let places: Vec<_> = used
            .iter()
            .map(|used| (used.business_id, used.sequence))
            .collect();
        let events = log::events_at(self.client, self.shard, &places).await?;
        let keys: HashMap<_, _> = events
            .iter()
            .map(|event| ((event.business_id, event.sequence), event.key))
            .collect();
        for used in used {
            match keys.get(&(used.business_id, used.sequence)) {
                Some(key) if key.map(|own| own.key) == Some(used.key.key) => {}
                None if archived.has(used.business_id, used.sequence) => archived.rows += 1,
                _ => self.found(used.business_id, Some(used.sequence), Difference::KeyWithoutEvent),
            }
        }
        Ok(())
    }

    async fn locate_claims(&mut self, archived: Archived) -> Result<(), LogError> {
        let events = archived.rows;
        let mut found = Archived { rows: 0, ..archived };
        let mut after = None;
        loop {
            let page = log::claims_after(self.client, after, PAGE).await?;
            let Some(greatest) = page.last() else { break };
            after = Some(greatest.sale_id);
            let of_shard = page.into_iter().filter(|claim| claim.shard == self.shard);
            self.check_events_of_claims(of_shard.collect(), &mut found)
                .await?;
        }
        let rows = found.rows;
        if rows != events {
            self.found_in_shard(Difference::ArchivedClaims { rows, events });
        }
        Ok(())
    }

    /// Checks that each claim of the shard has its event, which may open the sale. Counts those of archived events.
    async fn check_events_of_claims(
        &mut self,
        claims: Vec<Claim>,
        archived: &mut Archived,
    ) -> Result<(), LogError> {
        let places: Vec<_> = claims
            .iter()
            .map(|claim| (claim.business_id, claim.sequence))
            .collect();
        let events = log::events_at(self.client, self.shard, &places).await?;
        let events: HashMap<_, _> = events
            .iter()
            .map(|event| ((event.business_id, event.sequence), event))
            .collect();
        for claim in claims {
            let event = events.get(&(claim.business_id, claim.sequence));
            if event.is_none() && archived.has(claim.business_id, claim.sequence) {
                archived.rows += 1;
            } else if let Some(what) = difference(&claim, event.copied()) {
                self.found(claim.business_id, Some(claim.sequence), what);
            }
        }
        Ok(())
    }
}

impl NamedRows {
    pub fn add(&mut self, event: &StoredEvent, opening: Option<SaleId>) {
        let (business_id, sequence) = (event.business_id, event.sequence);
        self.openings
            .extend(opening.map(|sale_id| (business_id, sequence, sale_id)));
        self.keys
            .extend(event.key.map(|key| (business_id, sequence, key)));
    }
}

/// Compares the claims with the events of all shards. Claims are in the order of their sales, whatever their shards.
pub(super) async fn check_claims(
    pool: &Pool,
    keys: &TallyKeys,
    shards: &[VerifiedShard],
    news: &mpsc::Sender<News>,
) -> Result<(), VerifyError> {
    let client = pool.get().await?;
    let shards: HashMap<Shard, &VerifiedShard> = shards.iter().map(|shard| (shard.shard, shard)).collect();
    let mut rows: HashMap<Shard, Tally> = HashMap::new();
    let mut newer: HashMap<Shard, Vec<Claim>> = HashMap::new();
    let mut after = None;
    loop {
        let page = log::claims_after(&**client, after, PAGE).await?;
        let Some(greatest) = page.last() else { break };
        after = Some(greatest.sale_id);
        for claim in page {
            let read = shards
                .get(&claim.shard)
                .and_then(|shard| shard.last.get(&claim.business_id));
            if read.is_some_and(|read| claim.sequence <= *read) {
                let row = (claim.sale_id, claim.business_id, claim.sequence);
                rows.entry(claim.shard).or_default().add(keys, row);
            } else {
                newer.entry(claim.shard).or_default().push(claim);
            }
        }
    }
    let differing = shards.values().filter(|verified| {
        let rows = rows.get(&verified.shard).copied().unwrap_or_default();
        rows != verified.claims
    });
    let differing: HashSet<Shard> = differing.map(|verified| verified.shard).collect();
    for shard in Shard::all() {
        let newer = newer.remove(&shard).unwrap_or_default();
        if newer.is_empty() && !differing.contains(&shard) {
            continue;
        }
        layout::enter(&**client, shard).await?;
        let mut verification = Verification::new(&**client, shard);
        let checked = async {
            if differing.contains(&shard) {
                // All claims of the shard are looked up, the newer ones too.
                verification.locate(Unique::Claims).await
            } else {
                let none = &mut Archived::default();
                verification.check_events_of_claims(newer, none).await
            }
        };
        let checked = checked.await;
        layout::leave(&**client).await?;
        checked?;
        verification.send(news).await;
    }
    Ok(())
}

fn difference(claim: &Claim, event: Option<&StoredEvent>) -> Option<Difference> {
    let Claim { sale_id, .. } = *claim;
    let Some(event) = event.filter(|_| claim.shard == Shard::of(claim.business_id)) else {
        return Some(Difference::ClaimWithoutEvent { sale_id });
    };
    // The check of the chains reports an unreadable event.
    let may_open = event.decode().ok()?.may_open_sale();
    (may_open != Some(sale_id)).then_some(Difference::Claim {
        claimed: sale_id,
        may_open,
    })
}
