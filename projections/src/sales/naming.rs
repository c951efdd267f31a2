//! The names of payments in the sales' fold: what a sale is found by.

use ledger_domain::business::SaleNamed;
use ledger_domain::sale::{NamedPayment, PaymentName, PaymentNames};

use super::SaleRow;
use super::records::SaleRecords;
use crate::decoded_event::DecodedEvent;
use crate::error::Poison;

impl SaleRecords {
    pub(super) fn name(&mut self, recorded: &DecodedEvent, event: &SaleNamed) -> Result<(), Poison> {
        let entry = self.existing(event.sale_id)?;
        entry.row_changed = true;
        let row = &mut entry.record.row;
        row.sequences.push(recorded.sequence);
        match event.of {
            NamedPayment::Payment => row.names = event.names.clone().or(std::mem::take(&mut row.names)),
            // A refund's names are in its events. The row is only found by them.
            NamedPayment::Return => {}
        }
        row.search_by(&event.names);
        Ok(())
    }
}

impl SaleRow {
    /// A sale of the checkout has its own id as the provider's until the acquirer's is known: it names no payment.
    pub(super) fn search_by_own_names(&mut self) {
        let external_id = Some(&self.external_id).filter(|id| **id != self.sale_id.to_string());
        let own = [external_id, self.authorization_code.as_ref()];
        let keys: Vec<_> = own
            .into_iter()
            .flatten()
            .map(|name| PaymentName::search_key(name))
            .collect();
        let names = self.names.clone();
        self.add_search_names(keys);
        self.search_by(&names);
    }

    pub(super) fn search_by(&mut self, names: &PaymentNames) {
        self.add_search_names(names.iter().map(|name| PaymentName::search_key(name.as_str())));
    }

    fn add_search_names(&mut self, keys: impl IntoIterator<Item = String>) {
        self.search_names
            .extend(keys.into_iter().filter(|key| !key.is_empty()));
        self.search_names.sort_unstable();
        self.search_names.dedup();
    }
}
