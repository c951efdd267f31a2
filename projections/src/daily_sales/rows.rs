//! The volume's fold and its rows.
//!
//! The events of reversals and settlements have only the ids of their sales. So the attributes that group the volume
//! are read from the sale, which is folded first.

use ledger_domain::business::{BusinessEvent, SaleCanceled, SaleCaptured};
use ledger_domain::calendar::Date;
use ledger_domain::sale::{Cancellation, CardBrand, PaymentType, Solution};
use ledger_domain::{BusinessId, TerminalId};

use super::of_platform;
use crate::decoded_event::DecodedEvent;
use crate::error::Poison;
use crate::read_model::roll_up::roll_up;
use crate::sales::{SaleRecords, SaleRow};

roll_up! {
    table "daily_sales", unique by "daily_sales_key", after SaleRecords;

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
        percentage_fee,
        flat_fee,
        percentage_rate,
        flat_rate,
        net,
        cancels,
        canceled_gross,
        canceled_net,
        /// Refunded by the acquirer at the buyer's request.
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
    let one = |sale, change| Ok(vec![(sales.row(sale)?, change)]);
    match &*recorded.event {
        BusinessEvent::SaleCaptured(event) => one(event.sale.sale_id, captured(event)),
        BusinessEvent::SaleCanceled(event) => one(event.sale_id, canceled(event)),
        BusinessEvent::SaleDisputed(event) => {
            let change = Sum {
                disputes: 1,
                disputed: event.amount.get(),
                ..Sum::default()
            };
            one(event.sale_id, change)
        }
        BusinessEvent::DisputeWon(event) => {
            let change = Sum {
                disputes_won: 1,
                won: event.amount.get(),
                ..Sum::default()
            };
            one(event.sale_id, change)
        }
        BusinessEvent::SaleChargedBack(event) => {
            let change = Sum {
                chargebacks: 1,
                charged_back: event.amount.get(),
                ..Sum::default()
            };
            one(event.sale_id, change)
        }
        BusinessEvent::ReceivablesSettled(event) => {
            let settled = event.settled.iter().map(|settled| {
                let change = Sum {
                    settled_count: 1,
                    settled_gross: sales.installment(settled.sale_id, settled.number)?.gross.get(),
                    settled: settled.net.get(),
                    ..Sum::default()
                };
                Ok((sales.row(settled.sale_id)?, change))
            });
            settled.collect()
        }
        BusinessEvent::SaleCreated(_)
        | BusinessEvent::SaleFailed(_)
        | BusinessEvent::SaleVoided(_)
        | BusinessEvent::DisputeConfirmed(_)
        | BusinessEvent::TransferRequested(_)
        | BusinessEvent::TransferApprovalGiven(_)
        | BusinessEvent::TransferProcessing(_)
        | BusinessEvent::TransferApproved(_)
        | BusinessEvent::TransferRefused(_)
        | BusinessEvent::TransferFailed(_)
        | BusinessEvent::TransferReopened(_)
        | BusinessEvent::ManualTransferMade(_)
        | BusinessEvent::TerminalRentalCharged(_)
        | BusinessEvent::TerminalRentalCanceled(_)
        | BusinessEvent::AmountHeld(_)
        | BusinessEvent::AmountReleased(_) => Ok(vec![]),
    }
}

fn captured(event: &SaleCaptured) -> Sum {
    let fees = &event.fees;
    Sum {
        sales: 1,
        gross: event.sale.amount.get(),
        percentage_fee: fees.percentage_fee.get(),
        flat_fee: fees.flat_fee.get(),
        percentage_rate: fees.percentage_rate.get(),
        flat_rate: fees.flat_rate.get(),
        net: event.net.get(),
        ..Sum::default()
    }
}

fn canceled(event: &SaleCanceled) -> Sum {
    let (gross, net) = (event.amount.get(), event.net.get());
    match event.outcome {
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
