//! The notices that may wait for staff forever, after all others are recorded: those that contradict the log, and those
//! about a dispute whose sale has already lost its money.

use ledger_domain::business::BusinessCommand;

use super::{Fate, Model, Place};
use crate::errand::Errand;
use crate::names;

impl Model<'_> {
    pub fn may_wait(&self, errand: &Errand) -> bool {
        match &errand.what {
            // The bank paid a transfer that was already paid manually or by another payout.
            BusinessCommand::PayoutPaid(told) => {
                let transfer = self.asked.transfers.get(&told.transfer_id);
                return transfer.is_some_and(|transfer| transfer.place == Place::Gone);
            }
            BusinessCommand::PayoutFailed(_) => return false,
            _ => {}
        }
        let sale_id = errand.what.sale_ids()[0];
        let Some(sale) = usize::try_from(names::number(sale_id.uuid()))
            .ok()
            .and_then(|at| self.sales.get(at))
        else {
            return false;
        };
        let fate = self.fate(sale);
        if self.unheard_of.contains(&sale_id) {
            return true;
        }
        let is_denied = self.back_office.company(sale.business).is_denied;
        match &errand.what {
            BusinessCommand::CaptureSale(_) => sale.is_contradiction(),
            BusinessCommand::VoidSale(_) => sale.is_contradiction() || (is_denied && fate == Fate::Unpaid),
            BusinessCommand::CreateSale(_) => is_denied && fate == Fate::Unpaid,
            BusinessCommand::FailSale(_) => self.asked.expired.contains_key(&sale_id) && fate == Fate::Unpaid,
            BusinessCommand::OpenDispute(_) | BusinessCommand::WinDispute(_) => match fate {
                Fate::Returned | Fate::ChargedBack => true,
                // Only one dispute is open at a time.
                Fate::Disputed => true,
                Fate::Unpaid | Fate::Stands => false,
            },
            // The platform was faster, and the money already left.
            BusinessCommand::LoseDispute(_) => fate == Fate::Returned,
            _ => false,
        }
    }
}
