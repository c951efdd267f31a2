//! What went back to the buyer of a sale, or is disputed, in parts.

use ledger_domain::Cents;
use ledger_domain::sale::SaleStatus;

use super::SaleRow;

/// The parts of a sale. The end of a sale is no part, except for a refund of the rest after a chargeback of a part: then
/// the sale ends as charged back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SaleParts {
    /// The number of refunds of a part.
    pub refunds: i32,
    /// The gross that their buyer got.
    pub refunded: Cents,
    /// The seller's share of it.
    pub refunded_net: Cents,
    /// The number of chargebacks of a part.
    pub chargebacks: i32,
    pub charged_back: Cents,
    /// The amount of the open dispute, if it is of a part.
    pub disputed: Option<Cents>,
}

/// What a part took from an installment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Consumption {
    /// The sequence of the event.
    pub sequence: i64,
    /// The installment, from 1.
    pub number: u8,
    pub net: Cents,
}

/// An amount that returns of a sale took, by the status under which figures count them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Returned {
    pub status: SaleStatus,
    pub count: i64,
    pub gross: i64,
    /// What it cost the seller.
    pub net: i64,
}

impl SaleRow {
    /// The gross that was neither refunded nor charged back in parts.
    pub const fn left(&self) -> Cents {
        let parts = &self.parts;
        Cents::new(self.amount.get() - parts.refunded.get() - parts.charged_back.get())
    }

    /// What the open dispute blocks.
    pub fn disputed(&self) -> Cents {
        match self.status {
            SaleStatus::Dispute => self.parts.disputed.unwrap_or(self.left()),
            _ => Cents::ZERO,
        }
    }

    /// All returns of a captured sale: of parts, and the one that ended the sale.
    pub(crate) fn returned(&self) -> Vec<Returned> {
        let parts = &self.parts;
        let of_parts = [
            Returned {
                status: SaleStatus::Refunded,
                count: i64::from(parts.refunds),
                gross: parts.refunded.get(),
                net: parts.refunded_net.get(),
            },
            Returned {
                status: SaleStatus::ChargedBack,
                count: i64::from(parts.chargebacks),
                gross: parts.charged_back.get(),
                net: parts.charged_back.get(),
            },
        ];
        let left = self.left().get();
        let of_rest = |net| Returned {
            status: self.status,
            count: 1,
            gross: left,
            net,
        };
        let rest = match self.status {
            SaleStatus::Canceled | SaleStatus::Refunded | SaleStatus::Reversed => {
                self.net.map(|net| of_rest(net.get() - parts.refunded_net.get()))
            }
            SaleStatus::ChargedBack if left > 0 => Some(of_rest(left)),
            SaleStatus::ChargedBack
            | SaleStatus::New
            | SaleStatus::Created
            | SaleStatus::Pending
            | SaleStatus::Succeeded
            | SaleStatus::Failed
            | SaleStatus::Dispute => None,
        };
        of_parts
            .into_iter()
            .filter(|part| part.count > 0)
            .chain(rest)
            .collect()
    }
}
