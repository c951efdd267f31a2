//! The recorded requests of users, jobs and banks, and the effect of each on sales and amounts.

use std::collections::{BTreeMap, BTreeSet};

use ledger_domain::business::BusinessCommand;
use ledger_domain::calendar::Instant;
use ledger_domain::sale::Initiator;
use ledger_domain::transfer::Direction;
use ledger_domain::{BusinessId, SaleId, TransferId};

use super::Balances;

#[derive(Debug, Default)]
pub struct RecordedRequests {
    pub created: BTreeSet<SaleId>,
    pub captured: BTreeSet<SaleId>,
    /// The sales that a user canceled.
    pub canceled: BTreeSet<SaleId>,
    /// The sales that a user disputed.
    pub disputed: BTreeSet<SaleId>,
    /// The sales that the platform voided, with the time.
    pub expired: BTreeMap<SaleId, Instant>,
    pub transfers: BTreeMap<TransferId, Withdrawal>,
    /// The effect of all manual transfers, rentals, holds and releases on the balances of a business.
    pub by_hand: BTreeMap<BusinessId, Balances>,
    /// The amount of each rental.
    rentals: BTreeMap<TransferId, i64>,
}

#[derive(Debug, Clone, Copy)]
pub struct Withdrawal {
    pub business: BusinessId,
    pub amount: i64,
    pub place: AmountPlace,
}

/// Where a withdrawal's amount is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AmountPlace {
    Available,
    InTransfer,
    Paid,
}

impl RecordedRequests {
    pub fn of(recorded: &[(BusinessId, BusinessCommand)]) -> Self {
        let mut requests = Self::default();
        for (business, command) in recorded {
            requests.add(*business, command);
        }
        requests
    }

    fn add(&mut self, business: BusinessId, command: &BusinessCommand) {
        match command {
            BusinessCommand::CreateSale(c) => {
                self.created.insert(c.sale.sale_id);
            }
            BusinessCommand::CaptureSale(c) => {
                self.captured.insert(c.sale.sale_id);
            }
            BusinessCommand::CancelSale(c) => {
                self.canceled.insert(c.sale_id);
            }
            BusinessCommand::DisputeSale(c) => {
                self.disputed.insert(c.sale_id);
            }
            BusinessCommand::VoidSale(c) if c.initiator == Initiator::Platform => {
                self.expired.insert(c.sale_id, c.occurred_at);
            }
            BusinessCommand::RequestTransfer(c) => {
                let withdrawal = Withdrawal {
                    business,
                    amount: c.amount.get(),
                    place: AmountPlace::InTransfer,
                };
                self.transfers.insert(c.transfer_id, withdrawal);
            }
            BusinessCommand::ApproveTransfer(c) => self.put(c.transfer_id, AmountPlace::Paid),
            BusinessCommand::PayoutPaid(c) => self.put(c.transfer_id, AmountPlace::Paid),
            BusinessCommand::RefuseTransfer(c) => self.put(c.transfer_id, AmountPlace::Available),
            BusinessCommand::FailTransfer(c) => self.put(c.transfer_id, AmountPlace::Available),
            BusinessCommand::PayoutFailed(c) => self.put(c.transfer_id, AmountPlace::Available),
            BusinessCommand::ReopenTransfer(c) => self.put(c.transfer_id, AmountPlace::InTransfer),
            BusinessCommand::MakeManualTransfer(c) => {
                let amount = match c.direction {
                    Direction::Out => c.amount.get(),
                    Direction::In => -c.amount.get(),
                };
                let balances = self.by_hand(business);
                balances.available -= amount;
                balances.clearing += amount;
            }
            BusinessCommand::ChargeTerminalRental(c) => {
                self.rentals.insert(c.transfer_id, c.amount.get());
                self.rent(business, c.amount.get());
            }
            BusinessCommand::CancelTerminalRental(c) => {
                let amount = self.rentals.get(&c.transfer_id).copied().unwrap_or(0);
                self.rent(business, -amount);
            }
            BusinessCommand::HoldAmount(c) => self.hold(business, c.amount.get()),
            BusinessCommand::ReleaseAmount(c) => self.hold(business, -c.amount.get()),
            // Acquirers' facts are known from the simulated world; the other commands move no money.
            BusinessCommand::VoidSale(_)
            | BusinessCommand::FailSale(_)
            | BusinessCommand::RefundSale(_)
            | BusinessCommand::ReverseSale(_)
            | BusinessCommand::OpenDispute(_)
            | BusinessCommand::WinDispute(_)
            | BusinessCommand::LoseDispute(_)
            | BusinessCommand::SettleReceivables(_)
            | BusinessCommand::GiveTransferApproval(_)
            | BusinessCommand::ProcessTransfer(_)
            | BusinessCommand::ReleaseSales(_) => {}
        }
    }

    fn put(&mut self, transfer: TransferId, place: AmountPlace) {
        if let Some(withdrawal) = self.transfers.get_mut(&transfer) {
            withdrawal.place = place;
        }
    }

    fn by_hand(&mut self, business: BusinessId) -> &mut Balances {
        self.by_hand.entry(business).or_default()
    }

    fn rent(&mut self, business: BusinessId, amount: i64) {
        let balances = self.by_hand(business);
        balances.available -= amount;
        balances.platform_fees += amount;
    }

    fn hold(&mut self, business: BusinessId, amount: i64) {
        let balances = self.by_hand(business);
        balances.available -= amount;
        balances.held_by_staff += amount;
    }
}
