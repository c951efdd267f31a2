//! The reversals of sales, and the disputes that were won, by their instants. For the lists behind figures.

use ledger_domain::business::{BusinessEvent, SaleEvent};
use ledger_domain::calendar::Instant;
use ledger_domain::sale::SaleStatus;
use ledger_domain::{BusinessId, Cents, SaleId};

use super::SaleRecords;
use crate::decoded_event::DecodedEvent;
use crate::error::Poison;
use crate::read_model::roll_up::roll_up;

roll_up! {
    table "sale_return", after SaleRecords;

    key ReturnKey {
        business_id: BusinessId,
        occurred_at: Instant,
        sale_id: SaleId,
        /// The status that the sale has after the event, as if it were of the whole sale. After a dispute that was won
        /// it is `succeeded`.
        status: SaleStatus,
    }

    sums ReturnSum {
        returns,
        gross,
        /// What the reversal costs the company: the sale's net if the platform returns its fees, else the gross. A
        /// dispute and its end have a row each. A dispute that was won gives the gross back.
        net,
    }

    fold Returns = Returns::add_event;
}

impl Returns {
    fn add_event(&mut self, recorded: &DecodedEvent, sales: &SaleRecords) -> Result<(), Poison> {
        let (sale_id, status, gross, net) = match &*recorded.event {
            BusinessEvent::Sale(event) => match returned(event, sales)? {
                Some(returned) => returned,
                None => return Ok(()),
            },
            BusinessEvent::Transfer(_) | BusinessEvent::Balance(_) => return Ok(()),
        };
        let key = ReturnKey {
            business_id: recorded.business_id,
            occurred_at: recorded.occurred_at,
            sale_id,
            status,
        };
        let change = ReturnSum {
            returns: 1,
            gross: gross.get(),
            net: net.get(),
        };
        self.add(key, |sum| {
            *sum = sum.plus(change)?;
            Some(())
        })
    }
}

/// The sale, its status after the event, and the gross and net of the row. `None` if the event returns nothing.
fn returned(
    event: &SaleEvent,
    sales: &SaleRecords,
) -> Result<Option<(SaleId, SaleStatus, Cents, Cents)>, Poison> {
    Ok(match event {
        SaleEvent::SaleCanceled(event) => {
            // After a chargeback of a part, what goes back is a refund of a part, as in the volume.
            let status = match sales.row(event.sale_id)?.status {
                SaleStatus::ChargedBack => SaleStatus::Refunded,
                _ => event.outcome.status(),
            };
            Some((event.sale_id, status, event.amount, event.net))
        }
        SaleEvent::SalePartRefunded(event) => {
            Some((event.sale_id, SaleStatus::Refunded, event.amount, event.net))
        }
        SaleEvent::SaleDisputed(event) => {
            Some((event.sale_id, SaleStatus::Dispute, event.amount, event.amount))
        }
        SaleEvent::DisputeWon(event) => {
            Some((event.sale_id, SaleStatus::Succeeded, event.amount, event.amount))
        }
        SaleEvent::SaleChargedBack(event) => {
            Some((event.sale_id, SaleStatus::ChargedBack, event.amount, event.amount))
        }
        SaleEvent::SaleCaptured(_)
        | SaleEvent::ReceivablesSettled(_)
        | SaleEvent::SaleCreated(_)
        | SaleEvent::SaleFailed(_)
        | SaleEvent::SaleVoided(_)
        | SaleEvent::SaleNamed(_)
        | SaleEvent::RefundAnswered(_)
        | SaleEvent::DisputeConfirmed(_) => None,
    })
}
