//! Decisions on the names of a payment that an acquirer reports after the payment itself.
//!
//! A later report often knows more: a look-up has the end-to-end id that the first answer lacked. The new names are
//! recorded, so that none is lost without a trace; names that are known add nothing. Another text for a known name is a
//! contradiction: it may be a second payment, so staff decide.

use super::command::NameSale;
use super::event::{BusinessEvent, SaleNamed};
use super::refusal::Refusal;
use super::state::{Business, Sale};
use crate::SaleId;
use crate::calendar::Instant;
use crate::sale::{NamedPayment, PaymentNames};

type Decision = Result<Vec<BusinessEvent>, Refusal>;

impl Business {
    pub(super) fn name_sale(&self, command: &NameSale) -> Decision {
        let sale = self.sale(command.sale_id)?;
        sale.named(command.sale_id, command.of, &command.names, command.occurred_at)
    }
}

impl Sale {
    pub(super) fn named(
        &self,
        sale_id: SaleId,
        of: NamedPayment,
        reported: &PaymentNames,
        occurred_at: Instant,
    ) -> Decision {
        let known = match of {
            NamedPayment::Payment => &self.names,
            NamedPayment::Return => &self.return_names,
        };
        if let Some((recorded, reported)) = reported.difference(known) {
            return Err(Refusal::NameDiffers { recorded, reported });
        }
        let names = reported.missing_in(known);
        if names.is_empty() {
            return Ok(vec![]);
        }
        Ok(vec![BusinessEvent::from(SaleNamed {
            occurred_at,
            sale_id,
            of,
            names,
        })])
    }
}
