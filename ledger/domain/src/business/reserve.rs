//! Decisions on the reserve: the shares of a settlement that are held, and their release.
//!
//! A share is held in the event of the settlement. It becomes available on its day, or before, when its sale is
//! reversed: then it pays for the reversal. A dispute that is won does not hold it again.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use super::command::ReleaseReserve;
use super::event::{BusinessEvent, ReleasedReserve, ReserveReleased, SettledReceivable};
use super::refusal::Refusal;
use super::settlement::INSTALLMENTS_PER_EVENT;
use super::state::{Business, Sale};
use crate::calendar::{Date, start_of};
use crate::reserve::{ReserveReleaseCause, ReserveTerms, SettlementReserve};
use crate::{Cents, HoldId, SaleId};

/// What a decision on settlements holds: the terms, and what they hold so far.
pub(super) struct Reserving<'a> {
    pub terms: Option<&'a ReserveTerms>,
    pub held: Cents,
}

impl Reserving<'_> {
    /// Sets the shares of the installments, except of held sales: all of theirs is held already.
    pub fn reserve(
        &mut self,
        settled: &mut [SettledReceivable],
        is_held: impl Fn(SaleId) -> bool,
    ) -> Option<SettlementReserve> {
        let terms = self.terms?;
        let before = self.held;
        for receivable in settled {
            if is_held(receivable.sale_id) {
                continue;
            }
            receivable.reserved = terms.of(receivable.net, self.held);
            self.held = self.held.saturating_add(receivable.reserved);
        }
        let total = self.held.saturating_sub(before);
        (total != Cents::ZERO).then_some(SettlementReserve {
            percentage: terms.percentage,
            release_on: terms.release_on,
            total,
        })
    }
}

impl Business {
    pub(super) fn release_reserve(&self, command: &ReleaseReserve) -> Result<Vec<BusinessEvent>, Refusal> {
        let ReleaseReserve {
            release_on,
            today,
            installments,
        } = command;
        if release_on > today {
            return Err(Refusal::NotDueYet(*release_on));
        }
        let suggested: BTreeSet<_> = installments.iter().copied().collect();
        let due: Vec<_> = suggested
            .into_iter()
            .filter_map(|(sale_id, number)| self.reserved_until(sale_id, number, *release_on))
            .collect();
        let event = |released: &[ReleasedReserve]| {
            let total = Cents::total(released.iter().map(|released| released.amount))
                .ok_or(Refusal::AmountOutOfRange)?;
            Ok(BusinessEvent::from(ReserveReleased {
                occurred_at: start_of(*release_on),
                cause: ReserveReleaseCause::Due,
                released: released.to_vec(),
                total,
            }))
        };
        due.chunks(INSTALLMENTS_PER_EVENT).map(event).collect()
    }

    /// What the reserve of the business holds.
    pub(super) fn reserve_held(&self) -> Cents {
        self.hold(HoldId::RESERVE).map_or(Cents::ZERO, |hold| hold.amount)
    }

    fn reserved_until(&self, sale_id: SaleId, number: u8, release_on: Date) -> Option<ReleasedReserve> {
        let sale = self.sales.get(&sale_id)?;
        let reserved = sale
            .reserved
            .iter()
            .find(|reserved| reserved.number == number && reserved.release_on == release_on)?;
        Some(ReleasedReserve {
            sale_id,
            number,
            amount: reserved.amount,
            release_on,
        })
    }
}

impl Sale {
    /// What the reserve holds of the sale.
    pub(super) fn reserved_amount(&self) -> Cents {
        self.reserved
            .iter()
            .fold(Cents::ZERO, |sum, reserved| sum.saturating_add(reserved.amount))
    }

    /// The release of this amount of the sale's reserve, before the event that uses it: what is held longest first, like
    /// the open installments, so that the next releases stay as the seller was told.
    pub(super) fn reserve_used(&self, sale_id: SaleId, amount: Cents, by: &BusinessEvent) -> BusinessEvent {
        let mut reserved = self.reserved.clone();
        reserved.sort_by_key(|reserved| Reverse((reserved.release_on, reserved.number)));
        let mut missing = amount;
        let mut released = vec![];
        for piece in reserved {
            let amount = piece.amount.min(missing);
            if amount == Cents::ZERO {
                continue;
            }
            missing = missing.saturating_sub(amount);
            released.push(ReleasedReserve {
                sale_id,
                number: piece.number,
                amount,
                release_on: piece.release_on,
            });
        }
        BusinessEvent::from(ReserveReleased {
            occurred_at: by.occurred_at(),
            cause: ReserveReleaseCause::Reversal,
            released,
            total: amount,
        })
    }
}
