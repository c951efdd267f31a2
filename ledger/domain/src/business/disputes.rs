//! Decisions on disputes: opened by a user or an acquirer, won, lost.
//!
//! A dispute id opens at most once, and is won or lost at most once. So notices may arrive late, repeatedly and out of
//! order. A notice that cannot be recorded yet or contradicts the state is refused; the caller keeps it and tries
//! again. A dispute may be of a part of the sale; then its own amount is blocked, won or lost.

use super::command::{DisputeSale, LoseDispute, OpenDispute, WinDispute};
use super::event::{
    AcceleratedReceivable, BusinessEvent, ConsumedReceivable, DisputeConfirmed, DisputeWon, SaleChargedBack,
    SaleDisputed,
};
use super::held;
use super::refusal::Refusal;
use super::state::{Business, DisputeStage, Sale};
use crate::Cents;
use crate::sale::{Initiator, SaleStatus};

type Decision = Result<Vec<BusinessEvent>, Refusal>;

impl Business {
    pub(super) fn dispute_sale(&self, command: &DisputeSale) -> Decision {
        let sale = self.sale(command.sale_id)?;
        if sale.dispute(&command.dispute_id).is_some() {
            return Ok(vec![]);
        }
        sale.must_have_succeeded()?;
        let disputed = sale.disputed_event(command)?;
        self.must_have_cover(sale, disputed.amount)?;
        Ok(self.disputed(sale, disputed))
    }

    pub(super) fn open_dispute(&self, command: &OpenDispute) -> Decision {
        let OpenDispute {
            sale_id,
            dispute_id,
            amount,
            occurred_at,
            reason,
        } = command;
        let sale = self.captured_sale(*sale_id)?;
        if sale.dispute(dispute_id).is_some() {
            return Ok(vec![]);
        }
        match sale.open_dispute() {
            Some(open) if open.initiator == Initiator::Platform => {
                sale.must_be_disputed_for(*amount)?;
                Ok(vec![BusinessEvent::from(DisputeConfirmed {
                    occurred_at: *occurred_at,
                    sale_id: *sale_id,
                    dispute_id: dispute_id.clone(),
                    opened_as: open.id.clone(),
                })])
            }
            Some(open) => Err(Refusal::AnotherDisputeOpen(open.id.clone())),
            None => {
                sale.must_have_succeeded()?;
                let (amount, taken) = sale.taken_for(*amount)?;
                let disputed = SaleDisputed {
                    occurred_at: *occurred_at,
                    sale_id: *sale_id,
                    dispute_id: dispute_id.clone(),
                    initiator: Initiator::Acquirer,
                    amount,
                    accelerated: taken.accelerated,
                    part: taken.part,
                    reason: reason.clone(),
                };
                Ok(self.disputed(sale, disputed))
            }
        }
    }

    pub(super) fn win_dispute(&self, command: &WinDispute) -> Decision {
        let WinDispute {
            sale_id,
            dispute_id,
            occurred_at,
        } = command;
        let sale = self.captured_sale(*sale_id)?;
        match sale.dispute(dispute_id).map(|dispute| dispute.stage) {
            None => Err(Refusal::DisputeNotOpened(dispute_id.clone())),
            Some(DisputeStage::Won | DisputeStage::Closed) => Ok(vec![]),
            Some(DisputeStage::Lost) => Err(Refusal::DisputeLost(dispute_id.clone())),
            Some(DisputeStage::Open) => {
                let amount = sale.disputed_or_left();
                let won = BusinessEvent::from(DisputeWon {
                    occurred_at: *occurred_at,
                    sale_id: *sale_id,
                    dispute_id: dispute_id.clone(),
                    amount,
                });
                let of_seller = sale.net_without_open_dispute().min(amount);
                let held_again =
                    (sale.held && of_seller != Cents::ZERO).then(|| held::hold(*occurred_at, of_seller));
                Ok(std::iter::once(won).chain(held_again).collect())
            }
        }
    }

    /// A lost dispute is recorded even if its opening was never reported, because the money is gone.
    pub(super) fn lose_dispute(&self, command: &LoseDispute) -> Decision {
        let sale = self.captured_sale(command.sale_id)?;
        match sale.dispute(&command.dispute_id).map(|dispute| dispute.stage) {
            Some(DisputeStage::Lost) => Ok(vec![]),
            Some(DisputeStage::Won) => Err(Refusal::DisputeWon(command.dispute_id.clone())),
            Some(DisputeStage::Open | DisputeStage::Closed) | None => {
                let charged_back = sale.charged_back_event(command)?;
                let from_balance = Taken::from_balance(charged_back.part.as_deref(), charged_back.amount);
                let event = BusinessEvent::from(charged_back);
                Ok(match from_balance {
                    None => self.with_hold_released(sale, event),
                    Some(from_balance) => self.with_part_of_hold_released(sale, from_balance, event),
                })
            }
        }
    }

    /// The event, after the release of what is held of the sale.
    pub(super) fn disputed(&self, sale: &Sale, disputed: SaleDisputed) -> Vec<BusinessEvent> {
        let from_balance = Taken::from_balance(disputed.part.as_deref(), disputed.amount);
        let event = BusinessEvent::from(disputed);
        match from_balance {
            None => self.with_hold_released(sale, event),
            Some(from_balance) => self.with_part_of_hold_released(sale, from_balance, event),
        }
    }
}

/// The installments that pay for a dispute or a chargeback.
struct Taken {
    /// All, for the whole that is left of the sale.
    accelerated: Vec<AcceleratedReceivable>,
    /// For a part of it.
    part: Option<Vec<ConsumedReceivable>>,
}

impl Taken {
    /// What a part takes from the balance; `None` for a whole.
    fn from_balance(part: Option<&[ConsumedReceivable]>, amount: Cents) -> Option<Cents> {
        part.map(|consumed| amount.saturating_sub(ConsumedReceivable::total(consumed)))
    }
}

impl Sale {
    pub(super) fn disputed_event(&self, command: &DisputeSale) -> Result<SaleDisputed, Refusal> {
        let (amount, taken) = self.taken_for(command.amount)?;
        Ok(SaleDisputed {
            occurred_at: command.occurred_at,
            sale_id: command.sale_id,
            dispute_id: command.dispute_id.clone(),
            initiator: Initiator::Platform,
            amount,
            accelerated: taken.accelerated,
            part: taken.part,
            reason: command.reason.clone(),
        })
    }

    /// The amount, all that is left unless a part is named, and the installments that pay for it.
    fn taken_for(&self, part: Option<Cents>) -> Result<(Cents, Taken), Refusal> {
        let left = self.left();
        let amount = part.unwrap_or(left);
        self.must_have_left(amount)?;
        let taken = if amount == left {
            Taken {
                accelerated: self.outstanding(),
                part: None,
            }
        } else {
            Taken {
                accelerated: vec![],
                part: Some(self.consumed_by(amount)),
            }
        };
        Ok((amount, taken))
    }

    /// A later notice of a dispute may name no amount, but no other one.
    fn must_be_disputed_for(&self, reported: Option<Cents>) -> Result<(), Refusal> {
        let recorded = self.disputed_or_left();
        match reported {
            Some(reported) if reported != recorded => Err(Refusal::AmountDiffers { recorded, reported }),
            Some(_) | None => Ok(()),
        }
    }

    /// The net that is the seller's once the open dispute is won.
    fn net_without_open_dispute(&self) -> Cents {
        let part = self.open_dispute().and_then(|dispute| dispute.part);
        let taken = self.taken.saturating_sub(part.unwrap_or(Cents::ZERO));
        self.net.saturating_sub(taken).max(Cents::ZERO)
    }

    /// Takes the money from the dispute that blocks it, else from open installments and the available balance. A sale
    /// whose money already went back is refused: staff must resolve it with the acquirer.
    fn charged_back_event(&self, command: &LoseDispute) -> Result<SaleChargedBack, Refusal> {
        let (amount, taken) = match self.status {
            SaleStatus::Succeeded => self.taken_for(command.amount)?,
            SaleStatus::Dispute => {
                self.must_be_disputed_for(command.amount)?;
                let blocked = Taken {
                    accelerated: vec![],
                    part: None,
                };
                (self.disputed_or_left(), blocked)
            }
            SaleStatus::New
            | SaleStatus::Created
            | SaleStatus::Pending
            | SaleStatus::Failed
            | SaleStatus::Canceled
            | SaleStatus::Refunded
            | SaleStatus::Reversed
            | SaleStatus::ChargedBack => return Err(Refusal::StatusForbids(self.status)),
        };
        Ok(SaleChargedBack {
            occurred_at: command.occurred_at,
            sale_id: command.sale_id,
            dispute_id: command.dispute_id.clone(),
            amount,
            blocked_by: self.open_dispute().map(|dispute| dispute.id.clone()),
            accelerated: taken.accelerated,
            part: taken.part,
            reason: command.reason.clone(),
        })
    }
}
