//! The verification of what was recorded since the last time, in the background: each event's digest, its chain from the
//! event before it, its position, its columns, its claim and its key.
//!
//! It finds a change of the latest events within seconds, and reads each event once. What was changed before that is
//! found by the whole verification.

use std::collections::BTreeMap;

use ledger_domain::BusinessId;
use tokio_postgres::GenericClient;

use super::shard::{BusinessProgress, ChainTip, Verification};
use super::unique::NamedRows;
use crate::audit::finding::{Difference, Finding};
use crate::layout;
use crate::log::{self, LogError};
use crate::position::Shard;

/// Verifies at most `limit` events after `after`, and returns the position of the last one.
pub async fn run(
    client: &impl GenericClient,
    shard: Shard,
    after: i64,
    limit: i64,
    report: &mut (impl FnMut(&Finding) + Send),
) -> Result<i64, LogError> {
    layout::enter(client, shard).await?;
    let mut verification = Verification::new(client, shard);
    let verified = verification.check_recent(after, limit).await;
    layout::leave(client).await?;
    verification.findings.iter().for_each(report);
    verified
}

impl<C: GenericClient> Verification<'_, C> {
    async fn check_recent(&mut self, after: i64, limit: i64) -> Result<i64, LogError> {
        let events = log::window(self.client, self.shard, after, limit).await?;
        let mut businesses: BTreeMap<BusinessId, BusinessProgress> = BTreeMap::new();
        let mut named = NamedRows::default();
        let mut position = after;
        for event in &events {
            if event.position != position + 1 {
                self.found_at(
                    event.position,
                    Difference::PositionGap {
                        expected: position + 1,
                    },
                );
            }
            position = event.position;
            let business_id = event.business_id;
            let mut verified = match businesses.remove(&business_id) {
                Some(verified) => verified,
                None => self.before(business_id, event.sequence).await?,
            };
            let opening = self.check_event(event, &mut verified);
            named.add(event, opening);
            businesses.insert(business_id, verified);
        }
        self.check_named(named).await?;
        Ok(position)
    }

    /// The business as it was before the event with that sequence. If the event before it is gone, that is a gap.
    async fn before(&self, business_id: BusinessId, sequence: i64) -> Result<BusinessProgress, LogError> {
        let mut verified = BusinessProgress::default();
        if let Some(event) = log::event(self.client, business_id, sequence - 1).await? {
            verified.tip = ChainTip {
                sequence: event.sequence,
                chain: event.chain,
            };
        }
        Ok(verified)
    }
}
