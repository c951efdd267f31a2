//! The notices that may still wait for staff after all others are recorded.

use ledger_domain::business::BusinessCommand;

use super::{AmountPlace, Model, SaleOutcome};
use crate::delivery::Delivery;
use crate::names;

impl Model<'_> {
    /// Whether a notice may stay in the exceptions queue at the end of a run.
    pub fn may_wait(&self, delivery: &Delivery) -> bool {
        match &delivery.command {
            // The bank paid a transfer that was already paid manually or by another payout, and maybe returned since.
            BusinessCommand::PayoutPaid(reported) => {
                let transfer = self.requests.transfers.get(&reported.transfer_id);
                return transfer.is_some_and(|transfer| {
                    transfer.place == AmountPlace::Paid || transfer.returned.is_some()
                });
            }
            // The bank returned a payout that did not pay the transfer.
            BusinessCommand::PayoutReturned(reported) => {
                let transfer = self.requests.transfers.get(&reported.transfer_id);
                return transfer.is_some_and(|transfer| transfer.paid_by != Some(reported.payout_id));
            }
            BusinessCommand::PayoutFailed(_) => return false,
            _ => {}
        }
        let sale_id = delivery.command.sale_ids()[0];
        let Some(sale) = usize::try_from(names::number(sale_id.uuid()))
            .ok()
            .and_then(|at| self.sales.get(at))
        else {
            return false;
        };
        let sale_outcome = self.sale_outcome(sale);
        if self.rejected_sales.contains(&sale_id) {
            return true;
        }
        let is_denied = self.companies.company(sale.business).is_denied;
        match &delivery.command {
            BusinessCommand::CaptureSale(_) => sale.is_contradiction(),
            BusinessCommand::VoidSale(_) => {
                sale.is_contradiction() || (is_denied && sale_outcome == SaleOutcome::Unpaid)
            }
            BusinessCommand::CreateSale(_) => is_denied && sale_outcome == SaleOutcome::Unpaid,
            BusinessCommand::FailSale(_) => {
                self.requests.expired.contains_key(&sale_id) && sale_outcome == SaleOutcome::Unpaid
            }
            BusinessCommand::OpenDispute(_) | BusinessCommand::WinDispute(_) => match sale_outcome {
                SaleOutcome::Returned | SaleOutcome::ChargedBack => true,
                // Only one dispute is open at a time.
                SaleOutcome::Disputed => true,
                SaleOutcome::Unpaid | SaleOutcome::Kept => false,
            },
            // All was returned before the part was reported.
            BusinessCommand::RefundSale(_) => {
                sale_outcome == SaleOutcome::Returned || self.requests.rest_canceled.contains(&sale_id)
            }
            // The money was returned before the dispute was lost.
            BusinessCommand::LoseDispute(_) => sale_outcome == SaleOutcome::Returned,
            _ => false,
        }
    }
}
