//! What a business's decisions need to know, and how each event changes it.
//!
//! Applying decides nothing and refuses nothing. `sales` and `transfers` may hold only those that a command names:
//! whoever loads a business fills in those, because a shop's sales do not end. The rest is loaded whole.

mod rental;
mod transfer;
mod undone;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

pub use transfer::{DUPLICATE_WINDOW, RecentWithdrawal, Transfer};
pub use undone::{Dispute, DisputeStage};

use super::accounts::Accounts;
use super::event::{BusinessEvent, ReceivablesSettled, SaleCaptured};
use crate::calendar::{Date, Instant};
use crate::sale::{Initiator, PaymentType, Provider, SaleFacts, SaleStatus, Solution};
use crate::transfer::TransferStatus;
use crate::{Cents, SaleId, TransferId};

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Business {
    pub accounts: Accounts,
    pub sales: BTreeMap<SaleId, Sale>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty", default)]
    pub transfers: BTreeMap<TransferId, Transfer>,
    /// By which a request that repeats another is told.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub recent_withdrawals: Vec<RecentWithdrawal>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sale {
    pub status: SaleStatus,
    /// Who told of the sale, and under which id: of its capture once there is one.
    pub provider: Provider,
    pub external_id: String,
    pub solution: Solution,
    pub payment_type: PaymentType,
    pub installments: u8,
    pub amount: Cents,
    /// Zero until captured, and so is `net`.
    pub fees: Cents,
    pub net: Cents,
    /// Known where the sale was opened before it was captured or failed: it decides the version of the plan.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub created_at: Option<Instant>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub captured_at: Option<Instant>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub voided_at: Option<Instant>,
    /// Captured for a company that was denied or deleted: what settles of it is held for staff.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub held: bool,
    /// Who gave it up, where `voided_at` is known.
    #[serde(skip_serializing_if = "is_acquirer", default = "acquirer")]
    pub voided_by: Initiator,
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub disputes: Vec<Dispute>,
    /// The instalments that the seller is still to receive.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub open: Vec<OpenReceivable>,
}

/// Nobody else gave sales up when the first states were stored.
const fn acquirer() -> Initiator {
    Initiator::Acquirer
}

fn is_acquirer(initiator: &Initiator) -> bool {
    *initiator == Initiator::Acquirer
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpenReceivable {
    pub number: u8,
    pub net: Cents,
    pub due_date: Date,
}

impl Business {
    /// Folds one recorded event into the state.
    ///
    /// # Panics
    /// Where an account could not hold its balance: no decided event leads there, so the log is not ours.
    pub fn apply(&mut self, event: &BusinessEvent) {
        self.accounts = self
            .accounts
            .posted(&event.moves())
            .expect("a decided event fits its accounts");
        match event {
            BusinessEvent::SaleCreated(event) => {
                let status = if event.awaits_buyer {
                    SaleStatus::Pending
                } else {
                    SaleStatus::Created
                };
                let sale = Sale {
                    created_at: Some(event.occurred_at),
                    ..Sale::opened(&event.sale, status)
                };
                self.sales.insert(event.sale.sale_id, sale);
            }
            BusinessEvent::SaleCaptured(event) => self.sale_mut(&event.sale).capture(event),
            BusinessEvent::SaleFailed(event) => self.sale_mut(&event.sale).status = SaleStatus::Failed,
            BusinessEvent::SaleVoided(event) => self.change_sale(event.sale_id, |sale| sale.void(event)),
            BusinessEvent::SaleCanceled(event) => self.change_sale(event.sale_id, |sale| sale.cancel(event)),
            BusinessEvent::SaleDisputed(event) => {
                self.change_sale(event.sale_id, |sale| sale.contest(event));
            }
            BusinessEvent::DisputeConfirmed(event) => {
                self.change_sale(event.sale_id, |sale| sale.confirm(event));
            }
            BusinessEvent::DisputeWon(event) => self.change_sale(event.sale_id, |sale| sale.win(event)),
            BusinessEvent::SaleChargedBack(event) => {
                self.change_sale(event.sale_id, |sale| sale.charge_back(event));
            }
            BusinessEvent::ReceivablesSettled(event) => self.settle(event),
            BusinessEvent::TransferRequested(event) => self.request(event),
            BusinessEvent::TransferApprovalGiven(event) => {
                self.change(event.transfer_id, |transfer| {
                    transfer.approved_by = Some(event.by)
                });
            }
            BusinessEvent::TransferProcessing(event) => {
                self.change(event.transfer_id, |transfer| transfer.process(event));
            }
            BusinessEvent::TransferApproved(event) => {
                self.change(event.transfer_id, |transfer| transfer.approve(event));
            }
            BusinessEvent::TransferRefused(event) => {
                self.change(event.transfer_id, |transfer| {
                    transfer.status = TransferStatus::Refused
                });
            }
            BusinessEvent::TransferFailed(event) => {
                self.change(event.transfer_id, |transfer| transfer.fail(event));
            }
            BusinessEvent::TransferReopened(event) => self.change(event.transfer_id, Transfer::reopen),
            BusinessEvent::ManualTransferMade(event) => self.make_manually(event),
            BusinessEvent::TerminalRentalCharged(event) => self.rent(event),
            BusinessEvent::TerminalRentalCanceled(event) => {
                self.change(event.transfer_id, |transfer| {
                    transfer.status = TransferStatus::Refused
                });
            }
            BusinessEvent::AmountHeld(_) | BusinessEvent::AmountReleased(_) => {}
        }
    }

    /// A capture and a failure may be the first that is heard of a sale.
    fn sale_mut(&mut self, facts: &SaleFacts) -> &mut Sale {
        self.sales
            .entry(facts.sale_id)
            .or_insert_with(|| Sale::opened(facts, SaleStatus::New))
    }

    fn settle(&mut self, event: &ReceivablesSettled) {
        for settled in &event.settled {
            if let Some(sale) = self.sales.get_mut(&settled.sale_id) {
                sale.open.retain(|open| open.number != settled.number);
            }
        }
    }
}

impl Sale {
    fn opened(facts: &SaleFacts, status: SaleStatus) -> Self {
        Self {
            status,
            provider: facts.provider,
            external_id: facts.external_id.clone(),
            solution: facts.solution,
            payment_type: facts.payment_type,
            installments: facts.installments,
            amount: facts.amount,
            fees: Cents::ZERO,
            net: Cents::ZERO,
            created_at: None,
            captured_at: None,
            voided_at: None,
            held: false,
            voided_by: Initiator::Acquirer,
            disputes: vec![],
            open: vec![],
        }
    }

    fn capture(&mut self, event: &SaleCaptured) {
        self.status = SaleStatus::Succeeded;
        self.provider = event.sale.provider;
        self.external_id.clone_from(&event.sale.external_id);
        self.fees = event.fees.total();
        self.net = event.net;
        self.captured_at = Some(event.occurred_at);
        self.held = event.held;
        self.open = event
            .receivables
            .iter()
            .map(|promised| OpenReceivable {
                number: promised.number,
                net: promised.net,
                due_date: promised.due_date,
            })
            .collect();
    }
}
