//! The verification of archived events: the same checks as of those in the database, in the order of the files.

use std::collections::{BTreeMap, HashMap};

use ledger_domain::BusinessId;
use tokio_postgres::GenericClient;

use super::positions::{EventHeader, Walk};
use super::unique::{FoundRows, NamedByEvents};
use super::{BusinessProgress, Progress, Verification};
use crate::archive::archives;
use crate::audit::finding::Finding;
use crate::log::LogError;
use crate::position::Shard;

pub(super) type ArchivedBusinesses = BTreeMap<BusinessId, BusinessProgress>;

/// What the archives of all shards have. The rows of claims and keys whose events are archived are counted: each of
/// those events was found to have its own row, so as many rows as events means that no row is without an event.
#[derive(Default)]
pub(super) struct AllArchived {
    /// The sequence of the last archived event of each business.
    last: HashMap<BusinessId, i64>,
    pub rows: HashMap<Shard, FoundRows>,
}

impl AllArchived {
    pub fn has(&self, business_id: BusinessId, sequence: i64) -> bool {
        self.last.get(&business_id).is_some_and(|last| sequence <= *last)
    }
}

impl<C: GenericClient, R: FnMut(&Finding), P: FnMut(Progress)> Verification<'_, C, R, P> {
    /// Checks the archived events of the shard. Returns their businesses as they are after them.
    pub(super) async fn check_archives(
        &mut self,
        walk: &mut Walk,
        all: &mut AllArchived,
    ) -> Result<ArchivedBusinesses, LogError> {
        let mut businesses = ArchivedBusinesses::new();
        for archive in archives(self.client, self.shard).await? {
            let mut reader = archive.open()?;
            loop {
                let events = reader.next_events()?;
                if events.is_empty() {
                    break;
                }
                let mut named = NamedByEvents::default();
                for event in &events {
                    walk.pass(&EventHeader::from(event));
                    let business_id = event.business_id;
                    let verified = businesses
                        .entry(business_id)
                        .or_insert_with(|| BusinessProgress::new(business_id));
                    self.check_event(event, verified, &mut named);
                    all.last.insert(business_id, event.sequence);
                }
                let found = self.check_named(named).await?;
                let rows = all.rows.entry(self.shard).or_default();
                rows.claims += found.claims;
                rows.keys += found.keys;
                self.report_progress();
            }
        }
        Ok(businesses)
    }
}
