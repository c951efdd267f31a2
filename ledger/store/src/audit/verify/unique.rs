//! The verification of what exists once, in both directions: each event that opens a sale has the sale's claim, or comes
//! after the event that has it, and each claim has such an event; each key of an event is in `command_key`, and each row
//! there is the key of an event.
//!
//! `audit replay` checks that the claiming event is the sale's first. That needs the whole history of a business in
//! memory.

use std::collections::HashMap;

use ledger_domain::{BusinessId, SaleId};
use tokio_postgres::GenericClient;
use uuid::Uuid;

use super::archived::AllArchived;
use super::{PAGE, Progress, Verification};
use crate::audit::finding::{Difference, Finding};
use crate::event::StoredEvent;
use crate::lane::EventKey;
use crate::layout::{self, Layout};
use crate::log::{self, BusinessKey, Claim, LogError, UsedKey};
use crate::position::Shard;

/// What some events name that must have a row.
#[derive(Default)]
pub(super) struct NamedByEvents {
    /// The events that may be the first of these sales.
    openings: Vec<(BusinessId, i64, SaleId)>,
    keys: Vec<(BusinessId, i64, EventKey)>,
}

/// The rows of claims and of keys that name some events.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct FoundRows {
    pub claims: u64,
    pub keys: u64,
}

impl NamedByEvents {
    pub fn opening(&mut self, event: &StoredEvent, sale_id: SaleId) {
        self.openings.push((event.business_id, event.sequence, sale_id));
    }

    pub fn key(&mut self, event: &StoredEvent) {
        let key = event.key.map(|key| (event.business_id, event.sequence, key));
        self.keys.extend(key);
    }
}

impl<C: GenericClient, R: FnMut(&Finding), P: FnMut(Progress)> Verification<'_, C, R, P> {
    /// Checks that what the events name has its row. Returns the number of rows that name these events.
    pub(super) async fn check_named(&mut self, named: NamedByEvents) -> Result<FoundRows, LogError> {
        let mut rows = FoundRows::default();
        let NamedByEvents { openings, keys } = named;
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
                    rows.claims += u64::from(claim.sequence == sequence);
                    continue;
                }
                None => Difference::NoClaim { sale_id, owner: None },
            };
            self.found(business_id, Some(sequence), what);
        }
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
                rows.keys += 1;
            } else {
                self.found(business_id, Some(sequence), Difference::NoKey);
            }
        }
        Ok(rows)
    }

    /// Checks that each key of the shard is that of an event.
    pub(super) async fn check_keys(&mut self, archived: &AllArchived) -> Result<(), LogError> {
        let mut of_archived = 0;
        let mut after: BusinessKey = (BusinessId::from_uuid(Uuid::nil()), [0; 16]);
        loop {
            let page = log::keys_after(self.client, self.shard, after, PAGE).await?;
            let Some((last, _)) = page.last() else { break };
            after = (last.business_id, last.key.key);
            for (used, _) in page.iter().filter(|(_, has_event)| !has_event) {
                if archived.has(used.business_id, used.sequence) {
                    of_archived += 1;
                } else {
                    self.found(used.business_id, Some(used.sequence), Difference::KeyWithoutEvent);
                }
            }
        }
        let events = archived.rows.get(&self.shard).map_or(0, |found| found.keys);
        if of_archived != events {
            let rows = of_archived;
            self.report_finding(Finding {
                shard: self.shard,
                business_id: None,
                sequence: None,
                position: None,
                what: Difference::ArchivedKeys { rows, events },
            });
        }
        Ok(())
    }
}

/// Checks that each claim has its event, which may open the sale. Claims are in the order of their sales, whatever their
/// shards.
pub(super) async fn check_claims(
    client: &impl GenericClient,
    archived: &AllArchived,
    report: &mut (impl FnMut(&Finding) + Send),
) -> Result<u64, LogError> {
    let layout = Layout::of(client).await?;
    let (mut after, mut findings) = (None, 0);
    let mut of_archived: HashMap<Shard, u64> = HashMap::new();
    loop {
        let page = log::claims_after(client, after, PAGE).await?;
        let Some(last) = page.last() else { break };
        after = Some(last.sale_id);
        let mut events = HashMap::new();
        for place in layout.places() {
            let claims = page.iter().filter(|claim| place.shards.contains(&claim.shard));
            let claims: Vec<Claim> = claims.copied().collect();
            let Some(first) = claims.first() else { continue };
            layout::enter(client, first.shard).await?;
            let key = |event: StoredEvent| ((event.shard, event.business_id, event.sequence), event);
            events.extend(log::claiming_events(client, &claims).await?.into_iter().map(key));
        }
        for claim in page {
            let event = events.get(&(claim.shard, claim.business_id, claim.sequence));
            if event.is_none() && archived.has(claim.business_id, claim.sequence) {
                *of_archived.entry(claim.shard).or_default() += 1;
            } else if let Some(what) = difference(&claim, event) {
                findings += 1;
                report(&Finding {
                    shard: claim.shard,
                    business_id: Some(claim.business_id),
                    sequence: Some(claim.sequence),
                    position: None,
                    what,
                });
            }
        }
    }
    for shard in Shard::all() {
        let rows = of_archived.get(&shard).copied().unwrap_or(0);
        let events = archived.rows.get(&shard).map_or(0, |found| found.claims);
        if rows != events {
            findings += 1;
            report(&Finding {
                shard,
                business_id: None,
                sequence: None,
                position: None,
                what: Difference::ArchivedClaims { rows, events },
            });
        }
    }
    Ok(findings)
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
