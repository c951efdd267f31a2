//! The volume's fold and its rows.
//!
//! Events name a sale only. The attributes that group its volume are read from the sale, which is folded first.

use ledger_domain::business::{BusinessEvent, SaleCanceled, SaleCaptured};
use ledger_domain::calendar::Date;
use ledger_domain::sale::{Cancellation, CardBrand, PaymentType, Solution};
use ledger_domain::{BusinessId, Cents, SaleId, TerminalId};

use crate::decoded_event::DecodedEvent;
use crate::error::Poison;
use crate::read_model::roll_up::roll_up;
use crate::sales::SaleRecords;

roll_up! {
    table "daily_sales", unique by "daily_sales_key", after SaleRecords;

    key Key {
        business_id: BusinessId,
        shard: i16,
        business_date: Date,
        solution: Solution,
        payment_type: PaymentType,
        card_brand: Option<CardBrand>,
        terminal_id: Option<TerminalId>,
        /// `None` for a sale without a payment link.
        payment_link_code: Option<String>,
    }

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
        /// The number and net of installments paid on their due date, without those that a reversal accelerates.
        settled_count,
        settled,
    }

    fold Sums = Sums::take;
}

impl Sums {
    fn take(&mut self, recorded: &DecodedEvent, sales: &SaleRecords) -> Result<(), Poison> {
        match &recorded.event {
            BusinessEvent::SaleCaptured(event) => {
                self.capture(Key::of(recorded, sales, event.sale.sale_id)?, event)
            }
            BusinessEvent::SaleCanceled(event) => {
                self.cancel(Key::of(recorded, sales, event.sale_id)?, event)
            }
            BusinessEvent::SaleDisputed(event) => {
                self.dispute(Key::of(recorded, sales, event.sale_id)?, event.amount)
            }
            BusinessEvent::DisputeWon(event) => {
                self.win(Key::of(recorded, sales, event.sale_id)?, event.amount)
            }
            BusinessEvent::SaleChargedBack(event) => {
                self.charge_back(Key::of(recorded, sales, event.sale_id)?, event.amount)
            }
            BusinessEvent::ReceivablesSettled(event) => {
                for settled in &event.settled {
                    self.settle(Key::of(recorded, sales, settled.sale_id)?, settled.net)?;
                }
                Ok(())
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
            | BusinessEvent::AmountReleased(_) => Ok(()),
        }
    }

    fn capture(&mut self, key: Key, event: &SaleCaptured) -> Result<(), Poison> {
        let fees = &event.fees;
        self.add(key, |sum| {
            sum.sales += 1;
            add(&mut sum.gross, event.sale.amount)?;
            add(&mut sum.percentage_fee, fees.percentage_fee)?;
            add(&mut sum.flat_fee, fees.flat_fee)?;
            add(&mut sum.percentage_rate, fees.percentage_rate)?;
            add(&mut sum.flat_rate, fees.flat_rate)?;
            add(&mut sum.net, event.net)
        })
    }

    fn cancel(&mut self, key: Key, event: &SaleCanceled) -> Result<(), Poison> {
        self.add(key, |sum| {
            let (count, gross, net) = match event.outcome {
                Cancellation::Canceled => (&mut sum.cancels, &mut sum.canceled_gross, &mut sum.canceled_net),
                Cancellation::Refunded => (&mut sum.refunds, &mut sum.refunded_gross, &mut sum.refunded_net),
                Cancellation::Reversed => (
                    &mut sum.acquirer_reversals,
                    &mut sum.acquirer_reversed_gross,
                    &mut sum.acquirer_reversed_net,
                ),
            };
            *count += 1;
            add(gross, event.amount)?;
            add(net, event.net)
        })
    }

    fn settle(&mut self, key: Key, net: Cents) -> Result<(), Poison> {
        self.add(key, |sum| {
            sum.settled_count += 1;
            add(&mut sum.settled, net)
        })
    }

    fn dispute(&mut self, key: Key, amount: Cents) -> Result<(), Poison> {
        self.add(key, |sum| {
            sum.disputes += 1;
            add(&mut sum.disputed, amount)
        })
    }

    fn win(&mut self, key: Key, amount: Cents) -> Result<(), Poison> {
        self.add(key, |sum| {
            sum.disputes_won += 1;
            add(&mut sum.won, amount)
        })
    }

    fn charge_back(&mut self, key: Key, amount: Cents) -> Result<(), Poison> {
        self.add(key, |sum| {
            sum.chargebacks += 1;
            add(&mut sum.charged_back, amount)
        })
    }
}

impl Key {
    /// The key under which the sale counts on the day of the event.
    fn of(recorded: &DecodedEvent, sales: &SaleRecords, sale: SaleId) -> Result<Self, Poison> {
        let row = sales.row(sale)?;
        Ok(Self {
            business_id: recorded.business_id,
            shard: i16::from(recorded.shard),
            business_date: recorded.occurred_on,
            solution: row.solution,
            payment_type: row.payment_type,
            card_brand: row.card_brand.clone(),
            terminal_id: row.terminal.as_ref().map(|terminal| terminal.id),
            payment_link_code: row.payment_link_code.clone(),
        })
    }
}

fn add(sum: &mut i64, amount: Cents) -> Option<()> {
    *sum = sum.checked_add(amount.get())?;
    Some(())
}
