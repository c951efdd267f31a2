//! The state that decisions read, and how each event changes it.
//!
//! `apply` decides nothing and refuses nothing. For a decision, the writer fills `sales` and `transfers` with those
//! that the command names, because a business has an unlimited number of sales. Everything else is loaded whole.

mod hold;
mod reversal;
mod transfer;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

pub use hold::Hold;
pub use reversal::{Dispute, DisputeStage, PartRefund};
pub use transfer::{DUPLICATE_WINDOW, RecentWithdrawal, Transfer};

use super::accounts::Accounts;
use super::event::{
    BusinessEvent, ReceivablesSettled, SaleCaptured, SaleCreated, SaleEvent, SaleFailed, SettledReceivable,
};
use crate::calendar::{Date, Instant};
use crate::sale::{Initiator, PaymentNames, PaymentType, Provider, SaleFacts, SaleStatus, Solution};
use crate::{Cents, SaleId, TransferId};

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Business {
    pub accounts: Accounts,
    pub sales: BTreeMap<SaleId, Sale>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty", default)]
    pub transfers: BTreeMap<TransferId, Transfer>,
    /// Used to detect repeated withdrawal requests.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub recent_withdrawals: Vec<RecentWithdrawal>,
    /// The hold on sales that were captured while the company was not active.
    #[serde(skip_serializing_if = "Cents::is_zero", default)]
    pub held_for_sales: Cents,
    /// The open holds, in the order in which they were placed, without the hold on sales. Together with
    /// `held_for_sales` they are `held_by_staff`.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub holds: Vec<Hold>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sale {
    pub status: SaleStatus,
    /// The provider of the sale, and its id for the sale. Updated by the capture.
    pub provider: Provider,
    pub external_id: String,
    pub solution: Solution,
    pub payment_type: PaymentType,
    pub installments: u8,
    pub amount: Cents,
    /// Zero until captured, like `net`.
    pub fees: Cents,
    pub net: Cents,
    /// Set if the sale was created before it was captured or failed. Selects the version of the plan.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub created_at: Option<Instant>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub captured_at: Option<Instant>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub voided_at: Option<Instant>,
    /// Captured for a company that was not active: its installments are held for staff when they settle.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub held: bool,
    /// The hold ends when the company is approved.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub until_approved: bool,
    /// Who voided the sale, if `voided_at` is set.
    #[serde(skip_serializing_if = "is_acquirer", default = "acquirer")]
    pub voided_by: Initiator,
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub disputes: Vec<Dispute>,
    /// The gross that the buyer got back in parts. A cancel of the rest does not count.
    #[serde(skip_serializing_if = "Cents::is_zero", default)]
    pub refunded: Cents,
    /// The gross that was charged back in parts. A chargeback of the rest does not count.
    #[serde(skip_serializing_if = "Cents::is_zero", default)]
    pub lost: Cents,
    /// The rest went back to the buyer after a part was charged back. The status is then `ChargedBack`.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub rest_returned: bool,
    /// What parts took from the seller: the nets of refunds, the gross of disputes that are not won.
    #[serde(skip_serializing_if = "Cents::is_zero", default)]
    pub taken: Cents,
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub refunds: Vec<PartRefund>,
    /// The names of the payment that are recorded. A later report adds only others.
    #[serde(skip_serializing_if = "PaymentNames::is_empty", default)]
    pub names: PaymentNames,
    /// The names of what the buyer got back when the sale was canceled. Those of parts are in their events.
    #[serde(skip_serializing_if = "PaymentNames::is_empty", default)]
    pub return_names: PaymentNames,
    /// The installments that are neither settled nor accelerated.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub open: Vec<OpenReceivable>,
    /// What is held of settled installments for the reserve.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub reserved: Vec<Reserved>,
}

/// The default for states stored before this field existed: only acquirers voided sales then.
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

/// The part of an installment that is held for the reserve.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reserved {
    pub number: u8,
    pub amount: Cents,
    pub release_on: Date,
}

impl Business {
    /// Applies one recorded event to the state.
    ///
    /// # Panics
    /// If an account overflows. No decided event does this, so the log must have been altered.
    pub fn apply(&mut self, event: &BusinessEvent) {
        self.accounts = self
            .accounts
            .posted(&event.postings())
            .expect("a decided event fits its accounts");
        match event {
            BusinessEvent::Sale(event) => self.apply_to_sales(event),
            BusinessEvent::Transfer(event) => self.apply_to_transfers(event),
            BusinessEvent::Balance(event) => self.apply_to_balance(event),
        }
    }

    fn apply_to_sales(&mut self, event: &SaleEvent) {
        match event {
            SaleEvent::SaleCreated(event) => {
                self.sales.insert(event.sale.sale_id, Sale::created(event));
            }
            SaleEvent::SaleCaptured(event) => self.sale_mut(&event.sale).capture(event),
            SaleEvent::SaleFailed(event) => self.sale_mut(&event.sale).fail(event),
            SaleEvent::SaleVoided(event) => self.change_sale(event.sale_id, |sale| sale.void(event)),
            SaleEvent::SaleNamed(event) => self.change_sale(event.sale_id, |sale| sale.name(event)),
            SaleEvent::SaleCanceled(event) => self.change_sale(event.sale_id, |sale| sale.cancel(event)),
            SaleEvent::SalePartRefunded(event) => {
                self.change_sale(event.sale_id, |sale| sale.refund_part(event));
            }
            SaleEvent::RefundAnswered(event) => {
                self.change_sale(event.sale_id, |sale| sale.answer_refund(event));
            }
            SaleEvent::SaleDisputed(event) => {
                self.change_sale(event.sale_id, |sale| sale.mark_disputed(event));
            }
            SaleEvent::DisputeConfirmed(event) => {
                self.change_sale(event.sale_id, |sale| sale.confirm(event));
            }
            SaleEvent::DisputeWon(event) => self.change_sale(event.sale_id, |sale| sale.win(event)),
            SaleEvent::SaleChargedBack(event) => {
                self.change_sale(event.sale_id, |sale| sale.charge_back(event));
            }
            SaleEvent::ReceivablesSettled(event) => self.settle(event),
        }
    }

    /// A capture or a failure may be the first event of a sale.
    fn sale_mut(&mut self, facts: &SaleFacts) -> &mut Sale {
        self.sales
            .entry(facts.sale_id)
            .or_insert_with(|| Sale::opened(facts, SaleStatus::New))
    }

    fn settle(&mut self, event: &ReceivablesSettled) {
        self.add_reserve(event.reserved());
        let release_on = event.reserve.as_ref().map(|reserve| reserve.release_on);
        for settled in &event.settled {
            if let Some(sale) = self.sales.get_mut(&settled.sale_id) {
                sale.settle(settled, release_on);
            }
        }
    }
}

impl Sale {
    /// The sale as its first event leaves it; `None` if the event cannot be the first of a sale. The log stores no
    /// state for a sale with one event.
    pub fn after_first(event: &BusinessEvent) -> Option<Self> {
        match event {
            BusinessEvent::Sale(SaleEvent::SaleCreated(event)) => Some(Self::created(event)),
            BusinessEvent::Sale(SaleEvent::SaleCaptured(event)) => {
                let mut sale = Self::opened(&event.sale, SaleStatus::New);
                sale.capture(event);
                Some(sale)
            }
            BusinessEvent::Sale(SaleEvent::SaleFailed(event)) => {
                Some(Self::opened(&event.sale, SaleStatus::Failed))
            }
            _ => None,
        }
    }

    fn created(event: &SaleCreated) -> Self {
        let status = if event.awaits_buyer {
            SaleStatus::Pending
        } else {
            SaleStatus::Created
        };
        Self {
            created_at: Some(event.occurred_at),
            ..Self::opened(&event.sale, status)
        }
    }

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
            until_approved: false,
            voided_by: Initiator::Acquirer,
            disputes: vec![],
            refunded: Cents::ZERO,
            lost: Cents::ZERO,
            rest_returned: false,
            taken: Cents::ZERO,
            refunds: vec![],
            names: facts.names.clone(),
            return_names: PaymentNames::default(),
            open: vec![],
            reserved: vec![],
        }
    }

    fn settle(&mut self, settled: &SettledReceivable, release_on: Option<Date>) {
        self.open.retain(|open| open.number != settled.number);
        if let Some(release_on) = release_on.filter(|_| settled.reserved != Cents::ZERO) {
            self.reserved.push(Reserved {
                number: settled.number,
                amount: settled.reserved,
                release_on,
            });
        }
    }

    fn release_reserved(&mut self, number: u8, amount: Cents) {
        for reserved in &mut self.reserved {
            if reserved.number == number {
                reserved.amount = reserved.amount.saturating_sub(amount);
            }
        }
        self.reserved.retain(|reserved| reserved.amount != Cents::ZERO);
    }

    const fn end_hold(&mut self) {
        self.held = false;
        self.until_approved = false;
    }

    fn fail(&mut self, event: &SaleFailed) {
        self.status = SaleStatus::Failed;
        self.take_names(&event.sale);
    }

    /// The newest facts count, and the older ones that they lack.
    fn take_names(&mut self, facts: &SaleFacts) {
        self.names = facts.names.clone().or(std::mem::take(&mut self.names));
    }

    fn capture(&mut self, event: &SaleCaptured) {
        self.status = SaleStatus::Succeeded;
        self.take_names(&event.sale);
        self.provider = event.sale.provider;
        self.external_id.clone_from(&event.sale.external_id);
        self.fees = event.fees.total();
        self.net = event.net;
        self.captured_at = Some(event.occurred_at);
        self.held = event.held;
        self.until_approved = event.until_approved;
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
