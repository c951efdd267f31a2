//! The volume's fold and its rows.
//!
//! The events of reversals and settlements have only the ids of their sales. So the attributes that group the volume
//! are read from the sale, which is folded first.

use ledger_domain::business::{BusinessEvent, SaleCanceled, SaleCaptured, SaleEvent};
use ledger_domain::calendar::Date;
use ledger_domain::sale::{Cancellation, CardBrand, PaymentType, SaleStatus, Solution};
use ledger_domain::{BusinessId, TerminalId};

use super::of_platform;
use crate::decoded_event::DecodedEvent;
use crate::error::Poison;
use crate::read_model::roll_up::roll_up;
use crate::sales::{SaleRecords, SaleRow};

roll_up! {
    table "daily_sales", after SaleRecords;

    key DayKey {
        business_id: BusinessId,
        shard: i16,
        business_date: Date,
        solution: Solution,
        payment_type: PaymentType,
        card_brand: Option<CardBrand>,
        installments: i16,
        terminal_id: Option<TerminalId>,
        /// `None` for a sale without a payment link.
        payment_link_code: Option<String>,
    }

    /// Numbers of events or installments, and amounts in cents. `disputed`, `won` and `charged_back` are gross amounts.
    sums Sum {
        sales,
        gross,
        /// The gross of sales in more than one installment.
        installment_gross,
        percentage_fee,
        flat_fee,
        percentage_rate,
        flat_rate,
        net,
        cancels,
        canceled_gross,
        canceled_net,
        /// Refunded by the acquirer at the buyer's request, or in part.
        refunds,
        refunded_gross,
        refunded_net,
        /// Reversed by the acquirer itself.
        acquirer_reversals,
        acquirer_reversed_gross,
        acquirer_reversed_net,
        disputes,
        disputed,
        disputes_won,
        won,
        chargebacks,
        charged_back,
        /// The number, gross and net of installments paid by settlements, without those that a reversal accelerated.
        settled_count,
        settled_gross,
        settled,
    }

    fold Sums = Sums::add_event;
    shared of_platform::write_days, in of_platform::DAYS;
}

impl Sums {
    fn add_event(&mut self, recorded: &DecodedEvent, sales: &SaleRecords) -> Result<(), Poison> {
        for (sale, change) in changes(recorded, sales)? {
            self.add(DayKey::of(recorded, sale), |sum| add(sum, change))?;
        }
        Ok(())
    }
}

impl DayKey {
    /// The key under which the sale counts on the day of the event.
    fn of(recorded: &DecodedEvent, sale: &SaleRow) -> Self {
        Self {
            business_id: recorded.business_id,
            shard: recorded.shard.sql(),
            business_date: recorded.occurred_on,
            solution: sale.solution,
            payment_type: sale.payment_type,
            card_brand: sale.card_brand.clone(),
            installments: i16::from(sale.installments),
            terminal_id: sale.terminal.as_ref().map(|terminal| terminal.id),
            payment_link_code: sale.payment_link_code.clone(),
        }
    }
}

/// Adds a change to a row. `None` if a sum overflows.
pub(super) fn add(sum: &mut Sum, change: Sum) -> Option<()> {
    *sum = sum.plus(change)?;
    Some(())
}

/// The amounts that the event adds to the volume, each with its sale. The roll-ups by day, hour and month add the same
/// amounts under different keys.
pub(super) fn changes<'a>(
    recorded: &DecodedEvent,
    sales: &'a SaleRecords,
) -> Result<Vec<(&'a SaleRow, Sum)>, Poison> {
    match &*recorded.event {
        BusinessEvent::Sale(event) => changes_of_sales(event, sales),
        BusinessEvent::Transfer(_) | BusinessEvent::Balance(_) => Ok(vec![]),
    }
}

fn changes_of_sales<'a>(
    event: &SaleEvent,
    sales: &'a SaleRecords,
) -> Result<Vec<(&'a SaleRow, Sum)>, Poison> {
    let one = |sale, change| Ok(vec![(sales.row(sale)?, change)]);
    match event {
        SaleEvent::SaleCaptured(event) => one(event.sale.sale_id, captured(event)),
        SaleEvent::SaleCanceled(event) => one(event.sale_id, canceled(event, sales.row(event.sale_id)?)),
        SaleEvent::SalePartRefunded(event) => {
            let change = Sum {
                refunds: 1,
                refunded_gross: event.amount.get(),
                refunded_net: event.net.get(),
                ..Sum::default()
            };
            one(event.sale_id, change)
        }
        SaleEvent::SaleDisputed(event) => {
            let change = Sum {
                disputes: 1,
                disputed: event.amount.get(),
                ..Sum::default()
            };
            one(event.sale_id, change)
        }
        SaleEvent::DisputeWon(event) => {
            let change = Sum {
                disputes_won: 1,
                won: event.amount.get(),
                ..Sum::default()
            };
            one(event.sale_id, change)
        }
        SaleEvent::SaleChargedBack(event) => {
            let change = Sum {
                chargebacks: 1,
                charged_back: event.amount.get(),
                ..Sum::default()
            };
            one(event.sale_id, change)
        }
        SaleEvent::ReceivablesSettled(event) => {
            let settled = event.settled.iter().map(|settled| {
                let change = Sum {
                    settled_count: 1,
                    settled_gross: sales.installment_gross(settled.sale_id, settled.number)?.get(),
                    settled: settled.net.get(),
                    ..Sum::default()
                };
                Ok((sales.row(settled.sale_id)?, change))
            });
            settled.collect()
        }
        SaleEvent::SaleCreated(_)
        | SaleEvent::SaleFailed(_)
        | SaleEvent::SaleVoided(_)
        | SaleEvent::SaleNamed(_)
        | SaleEvent::RefundAnswered(_)
        | SaleEvent::DisputeConfirmed(_) => Ok(vec![]),
    }
}

fn captured(event: &SaleCaptured) -> Sum {
    let fees = &event.fees;
    let gross = event.sale.amount.get();
    Sum {
        sales: 1,
        gross,
        installment_gross: if event.sale.installments > 1 { gross } else { 0 },
        percentage_fee: fees.percentage_fee.get(),
        flat_fee: fees.flat_fee.get(),
        percentage_rate: fees.percentage_rate.get(),
        flat_rate: fees.flat_rate.get(),
        net: event.net.get(),
        ..Sum::default()
    }
}

/// After a chargeback of a part, what goes back is a refund of a part, whoever asked for it.
fn canceled(event: &SaleCanceled, sale: &SaleRow) -> Sum {
    let (gross, net) = (event.amount.get(), event.net.get());
    let outcome = match sale.status {
        SaleStatus::ChargedBack => Cancellation::Refunded,
        _ => event.outcome,
    };
    match outcome {
        Cancellation::Canceled => Sum {
            cancels: 1,
            canceled_gross: gross,
            canceled_net: net,
            ..Sum::default()
        },
        Cancellation::Refunded => Sum {
            refunds: 1,
            refunded_gross: gross,
            refunded_net: net,
            ..Sum::default()
        },
        Cancellation::Reversed => Sum {
            acquirer_reversals: 1,
            acquirer_reversed_gross: gross,
            acquirer_reversed_net: net,
            ..Sum::default()
        },
    }
}
