//! The recorded commands of a run, and the effect of each on sales and amounts.

use std::collections::{BTreeMap, BTreeSet};

use ledger_domain::business::{BusinessCommand, HoldRequest, ReturnedFee};
use ledger_domain::calendar::Instant;
use ledger_domain::sale::Initiator;
use ledger_domain::transfer::Direction;
use ledger_domain::{BusinessId, HoldId, PayoutId, SaleId, TransferId};

use super::Balances;

#[derive(Debug, Default)]
pub struct RecordedRequests {
    pub created: BTreeSet<SaleId>,
    pub captured: BTreeSet<SaleId>,
    /// The sales that a user canceled.
    pub canceled: BTreeSet<SaleId>,
    /// The sum of the parts that users refunded, by sale.
    pub parts: BTreeMap<SaleId, i64>,
    /// The sales of which a loss with an amount is recorded.
    lost_in_part: BTreeSet<SaleId>,
    /// The sales whose rest a user canceled after such a loss. The rest is what the acquirer gives back in parts that
    /// are not reported yet.
    pub rest_canceled: BTreeSet<SaleId>,
    /// The sales that a user disputed.
    pub disputed: BTreeSet<SaleId>,
    /// The sales that the platform voided, with the time.
    pub expired: BTreeMap<SaleId, Instant>,
    pub transfers: BTreeMap<TransferId, Withdrawal>,
    /// The effect of all manual transfers, rentals, holds and releases on the balances of a business.
    pub by_hand: BTreeMap<BusinessId, Balances>,
    /// The amount of each rental.
    rentals: BTreeMap<TransferId, i64>,
    /// The holds that courts ordered.
    orders: BTreeSet<HoldId>,
}

#[derive(Debug, Clone, Copy)]
pub struct Withdrawal {
    pub business: BusinessId,
    pub amount: i64,
    pub place: AmountPlace,
    /// The payout that paid it last; `None` for a manual payment.
    pub paid_by: Option<PayoutId>,
    /// Set if the bank returned it: whether the platform keeps the fee.
    pub returned: Option<ReturnedFee>,
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
            BusinessCommand::CreateSale(request) => {
                self.created.insert(request.sale.sale_id);
            }
            BusinessCommand::CaptureSale(request) => {
                self.captured.insert(request.sale.sale_id);
            }
            BusinessCommand::CancelSale(request) => {
                if self.lost_in_part.contains(&request.sale_id) {
                    self.rest_canceled.insert(request.sale_id);
                } else {
                    self.canceled.insert(request.sale_id);
                }
            }
            BusinessCommand::LoseDispute(request) if request.amount.is_some() => {
                self.lost_in_part.insert(request.sale_id);
            }
            BusinessCommand::RefundPart(request) => {
                *self.parts.entry(request.sale_id).or_default() += request.amount.get();
            }
            BusinessCommand::DisputeSale(request) => {
                self.disputed.insert(request.sale_id);
            }
            BusinessCommand::VoidSale(request) if request.initiator == Initiator::Platform => {
                self.expired.insert(request.sale_id, request.occurred_at);
            }
            BusinessCommand::RequestTransfer(request) => {
                let withdrawal = Withdrawal {
                    business,
                    amount: request.amount.get(),
                    place: AmountPlace::InTransfer,
                    paid_by: None,
                    returned: None,
                };
                self.transfers.insert(request.transfer_id, withdrawal);
            }
            BusinessCommand::ApproveTransfer(request) => self.put(request.transfer_id, AmountPlace::Paid),
            BusinessCommand::PayoutPaid(request) => {
                self.put(request.transfer_id, AmountPlace::Paid);
                if let Some(withdrawal) = self.transfers.get_mut(&request.transfer_id) {
                    withdrawal.paid_by = Some(request.payout_id);
                }
            }
            BusinessCommand::PayoutReturned(request) => self.put_back(request.transfer_id, request.fee),
            BusinessCommand::ReturnTransfer(request) => self.put_back(request.transfer_id, request.fee),
            BusinessCommand::RefuseTransfer(request) => self.put(request.transfer_id, AmountPlace::Available),
            BusinessCommand::FailTransfer(request) => self.put(request.transfer_id, AmountPlace::Available),
            BusinessCommand::PayoutFailed(request) => self.put(request.transfer_id, AmountPlace::Available),
            BusinessCommand::ReopenTransfer(request) => {
                self.put(request.transfer_id, AmountPlace::InTransfer)
            }
            BusinessCommand::MakeManualTransfer(request) => {
                let amount = match request.direction {
                    Direction::Out => request.amount.get(),
                    Direction::In => -request.amount.get(),
                };
                let balances = self.by_hand(business);
                balances.available -= amount;
                balances.clearing += amount;
            }
            BusinessCommand::ChargeTerminalRental(request) => {
                self.rentals.insert(request.transfer_id, request.amount.get());
                self.charge(business, request.amount.get());
            }
            BusinessCommand::CancelTerminalRental(request) => {
                let amount = self.rentals.get(&request.transfer_id).copied().unwrap_or(0);
                self.charge(business, -amount);
            }
            BusinessCommand::PlaceHold(request) => match &request.what {
                HoldRequest::Analysis(amount) | HoldRequest::Contract(amount) => {
                    self.hold(business, amount.get());
                }
                // The order of recording decides what a court takes, so the watcher counts and checks it.
                HoldRequest::Judicial(_) => {
                    self.orders.insert(request.hold_id);
                }
            },
            BusinessCommand::ReleaseHold(request) if !self.orders.contains(&request.hold_id) => {
                self.hold(business, -request.amount.get());
            }
            BusinessCommand::WriteOffDebt(request) => self.charge(business, -request.amount.get()),
            BusinessCommand::PayCourt(request) => self.by_hand(business).clearing += request.amount.get(),
            // The model takes the acquirer's facts and the due dates from the simulated world. The other commands move
            // no money or are not sent.
            BusinessCommand::VoidSale(_)
            | BusinessCommand::NameSale(_)
            | BusinessCommand::FailSale(_)
            | BusinessCommand::AnswerRefund(_)
            | BusinessCommand::RefundSale(_)
            | BusinessCommand::ReverseSale(_)
            | BusinessCommand::OpenDispute(_)
            | BusinessCommand::WinDispute(_)
            | BusinessCommand::LoseDispute(_)
            | BusinessCommand::SettleReceivables(_)
            | BusinessCommand::ReleaseReserve(_)
            | BusinessCommand::GiveTransferApproval(_)
            | BusinessCommand::ProcessTransfer(_)
            | BusinessCommand::ReleaseHold(_)
            | BusinessCommand::ChangeHold(_)
            | BusinessCommand::ReleaseSales(_) => {}
        }
    }

    fn put(&mut self, transfer: TransferId, place: AmountPlace) {
        if let Some(withdrawal) = self.transfers.get_mut(&transfer) {
            withdrawal.place = place;
        }
    }

    fn put_back(&mut self, transfer: TransferId, fee: ReturnedFee) {
        self.put(transfer, AmountPlace::Available);
        if let Some(withdrawal) = self.transfers.get_mut(&transfer) {
            withdrawal.returned = Some(fee);
        }
    }

    fn by_hand(&mut self, business: BusinessId) -> &mut Balances {
        self.by_hand.entry(business).or_default()
    }

    fn charge(&mut self, business: BusinessId, amount: i64) {
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
