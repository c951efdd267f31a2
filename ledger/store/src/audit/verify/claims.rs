//! The verification of claims: if an event can be the first of a sale, the sale is claimed for the event's business.
//!
//! `audit replay` checks that the claiming event is the sale's first. That needs the whole history of a business in
//! memory.

use ledger_domain::{BusinessId, SaleId};
use tokio_postgres::GenericClient;
use uuid::Uuid;

use super::{Progress, Verification};
use crate::audit::finding::{Difference, Finding};
use crate::event::StoredEvent;
use crate::log::{self, StateTable};

/// An event that may be the first of a sale and does not claim it. That is right if another event of the business
/// claims the sale.
pub(super) struct Unclaimed {
    business_id: BusinessId,
    sequence: i64,
    sale_id: SaleId,
}

impl Unclaimed {
    pub const fn of(event: &StoredEvent, sale_id: SaleId) -> Self {
        Self {
            business_id: event.business_id,
            sequence: event.sequence,
            sale_id,
        }
    }
}

impl<C: GenericClient, R: FnMut(&Finding), P: FnMut(Progress)> Verification<'_, C, R, P> {
    pub(super) async fn check_claims(
        &mut self,
        unclaimed: Vec<Unclaimed>,
    ) -> Result<(), tokio_postgres::Error> {
        if unclaimed.is_empty() {
            return Ok(());
        }
        let ids: Vec<Uuid> = unclaimed.iter().map(|event| event.sale_id.uuid()).collect();
        let owners = log::businesses_of(self.client, StateTable::Sale, &ids).await?;
        for Unclaimed {
            business_id,
            sequence,
            sale_id,
        } in unclaimed
        {
            let owner = owners.get(&sale_id.uuid()).copied();
            if owner != Some(business_id) {
                self.found(
                    business_id,
                    Some(sequence),
                    Difference::NoClaim { sale_id, owner },
                );
            }
        }
        Ok(())
    }
}
