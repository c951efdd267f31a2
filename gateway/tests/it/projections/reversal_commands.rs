//! Commands that reverse sales and charge rentals, recorded through the real writer.

use ledger_domain::business::{
    BusinessCommand, CancelSale, CancelTerminalRental, ChargeTerminalRental, DisputeSale, LoseDispute,
    OpenDispute, RefundSale, Refunded, ReverseSale, WinDispute,
};
use ledger_domain::calendar::{Date, Instant};
use ledger_domain::sale::{DisputeId, PaymentNames, RefundReference};
use ledger_domain::transfer::Direction;
use ledger_domain::{BusinessId, SaleId, TransferId};
use ledger_store::{Actor, Job, Outcome};

use super::ledger::{Ledger, card, cents, minute, pix, terminal};
use super::transfer_commands::{TransferCommands, later};

pub fn dispute_id(id: &str) -> DisputeId {
    DisputeId::parse(id).expect("an id")
}

/// The commands of one business.
pub struct ReversalCommands<'a> {
    pub ledger: &'a Ledger,
    pub shop: BusinessId,
}

impl ReversalCommands<'_> {
    pub async fn submit(&self, command: BusinessCommand) -> Outcome {
        let actor = Actor::Job(Job::Installation);
        self.ledger.submit_as(self.shop, command, actor).await
    }

    async fn record(&self, command: BusinessCommand) {
        match self.submit(command).await {
            Outcome::Recorded(_) => {}
            other => panic!("not recorded: {other:?}"),
        }
    }

    pub async fn cancel(&self, sale_id: SaleId, occurred_at: Instant) {
        self.record(cancel(sale_id, occurred_at)).await;
    }

    pub async fn refund(&self, sale_id: SaleId, occurred_at: Instant) {
        self.record(refund(sale_id, occurred_at)).await;
    }

    /// A refund of a part, reported by the acquirer.
    pub async fn refund_part(&self, sale_id: SaleId, amount: i64, id: &str, occurred_at: Instant) {
        self.record(refund_part(sale_id, amount, id, occurred_at)).await;
    }

    pub async fn reverse(&self, sale_id: SaleId, occurred_at: Instant) {
        self.record(BusinessCommand::ReverseSale(ReverseSale {
            names: PaymentNames::default(),
            sale_id,
            occurred_at,
            reason: None,
        }))
        .await;
    }

    /// Opened by a user, under an id of the platform.
    pub async fn dispute(&self, sale_id: SaleId, id: &str, occurred_at: Instant) {
        self.record(dispute(sale_id, id, occurred_at)).await;
    }

    /// Opened by the acquirer. For a dispute that a user opened, this is the confirmation.
    pub async fn open(&self, sale_id: SaleId, id: &str, occurred_at: Instant) {
        self.record(open(sale_id, id, occurred_at)).await;
    }

    pub async fn win(&self, sale_id: SaleId, id: &str, occurred_at: Instant) {
        self.record(win(sale_id, id, occurred_at)).await;
    }

    pub async fn lose(&self, sale_id: SaleId, id: &str, occurred_at: Instant) {
        self.record(lose(sale_id, id, occurred_at)).await;
    }

    /// A dispute of a part, reported by the acquirer.
    pub async fn open_part(&self, sale_id: SaleId, amount: i64, id: &str, occurred_at: Instant) {
        self.record(BusinessCommand::OpenDispute(OpenDispute {
            sale_id,
            dispute_id: dispute_id(id),
            amount: Some(cents(amount)),
            occurred_at,
            reason: None,
        }))
        .await;
    }

    /// Charges a month's rental of the terminal.
    pub async fn rent(&self, amount: i64, due_date: Date, occurred_at: Instant) -> TransferId {
        let transfer_id = self.ledger.new_transfer();
        self.record(BusinessCommand::ChargeTerminalRental(ChargeTerminalRental {
            transfer_id,
            terminal: terminal(1),
            due_date,
            amount: cents(amount),
            occurred_at,
        }))
        .await;
        transfer_id
    }

    pub async fn cancel_rental(&self, transfer_id: TransferId, occurred_at: Instant) {
        self.record(BusinessCommand::CancelTerminalRental(CancelTerminalRental {
            transfer_id,
            reason: Some("maquininha devolvida".to_owned()),
            occurred_at,
        }))
        .await;
    }

    /// Records sales reversed in every way, most of them after the settlement of their first installment. Records a
    /// rental that stays and one that is canceled.
    pub async fn every_way(&self) {
        let Self { ledger, shop } = *self;
        let transfer_commands = TransferCommands { ledger, shop };
        transfer_commands
            .make_manual(Direction::In, 2_000_00, "capital de giro", minute(0))
            .await;
        let mut sales = vec![];
        for number in 0..9 {
            let facts = card(ledger.new_sale());
            sales.push(facts.sale_id);
            ledger.capture(shop, facts, minute(number)).await;
        }
        let paid = pix(ledger.new_sale());
        let paid_id = paid.sale_id;
        ledger.capture(shop, paid, minute(20)).await;
        self.cancel(sales[0], minute(30)).await;
        ledger.settle_due(later(0).date_naive()).await;
        self.cancel(sales[1], later(0)).await;
        self.refund(paid_id, later(1)).await;
        self.open(sales[2], "dp-refunded", later(2)).await;
        self.reverse(sales[2], later(3)).await;
        self.dispute(sales[3], "ours", later(4)).await;
        self.open(sales[3], "dp-won", later(5)).await;
        self.win(sales[3], "dp-won", later(6)).await;
        self.open(sales[4], "dp-lost", later(7)).await;
        self.lose(sales[4], "dp-lost", later(8)).await;
        // A chargeback without a dispute before it.
        self.lose(sales[5], "dp-unknown", later(9)).await;
        self.open(sales[6], "dp-open", later(10)).await;
        self.reverse(sales[7], later(11)).await;
        self.rent(89_90, later(0).date_naive(), later(12)).await;
        let canceled_rental = self.rent(59_90, later(0).date_naive(), later(13)).await;
        self.cancel_rental(canceled_rental, later(14)).await;
    }
}

impl ReversalCommands<'_> {
    /// Records sales of which a part was refunded, disputed or charged back, before and after the settlement of their
    /// first installment.
    pub async fn every_way_in_parts(&self) {
        let Self { ledger, shop } = *self;
        let mut sales = vec![];
        for number in 40..46 {
            let facts = card(ledger.new_sale());
            sales.push(facts.sale_id);
            ledger.capture(shop, facts, minute(number)).await;
        }
        // Takes the last installment and a part of the one before.
        self.refund_part(sales[0], 130_00, "rf-1", minute(50)).await;
        self.refund_part(sales[1], 10_01, "rf-2", minute(51)).await;
        ledger.settle_due(later(0).date_naive()).await;
        // Takes all open installments and a part of the balance.
        self.refund_part(sales[1], 230_00, "rf-3", later(20)).await;
        self.refund_part(sales[2], 100_00, "rf-4", later(21)).await;
        self.refund_part(sales[2], 200_00, "rf-5", later(22)).await;
        self.open_part(sales[3], 100_00, "dp-part-lost", later(23)).await;
        self.lose(sales[3], "dp-part-lost", later(24)).await;
        self.refund(sales[3], later(25)).await;
        self.open_part(sales[4], 60_00, "dp-part-won", later(26)).await;
        self.win(sales[4], "dp-part-won", later(27)).await;
        self.cancel(sales[4], later(28)).await;
        self.open_part(sales[5], 250_00, "dp-part-open", later(29)).await;
    }
}

pub fn cancel(sale_id: SaleId, occurred_at: Instant) -> BusinessCommand {
    BusinessCommand::CancelSale(CancelSale {
        sale_id,
        occurred_at,
        reason: Some("cliente desistiu".to_owned()),
    })
}

pub fn refund(sale_id: SaleId, occurred_at: Instant) -> BusinessCommand {
    BusinessCommand::RefundSale(RefundSale {
        sale_id,
        refunded: Refunded::Rest { refund: None },
        occurred_at,
        reason: None,
        names: PaymentNames::default(),
    })
}

pub fn refund_part(sale_id: SaleId, amount: i64, id: &str, occurred_at: Instant) -> BusinessCommand {
    BusinessCommand::RefundSale(RefundSale {
        sale_id,
        refunded: Refunded::Amount {
            amount: cents(amount),
            refund: RefundReference::parse(id).ok(),
        },
        occurred_at,
        reason: None,
        names: PaymentNames::default(),
    })
}

pub fn dispute(sale_id: SaleId, id: &str, occurred_at: Instant) -> BusinessCommand {
    BusinessCommand::DisputeSale(DisputeSale {
        sale_id,
        dispute_id: dispute_id(id),
        amount: None,
        occurred_at,
        reason: Some("não reconhece a compra".to_owned()),
    })
}

pub fn open(sale_id: SaleId, id: &str, occurred_at: Instant) -> BusinessCommand {
    BusinessCommand::OpenDispute(OpenDispute {
        sale_id,
        dispute_id: dispute_id(id),
        amount: None,
        occurred_at,
        reason: None,
    })
}

pub fn win(sale_id: SaleId, id: &str, occurred_at: Instant) -> BusinessCommand {
    BusinessCommand::WinDispute(WinDispute {
        sale_id,
        dispute_id: dispute_id(id),
        occurred_at,
    })
}

pub fn lose(sale_id: SaleId, id: &str, occurred_at: Instant) -> BusinessCommand {
    BusinessCommand::LoseDispute(LoseDispute {
        sale_id,
        dispute_id: dispute_id(id),
        amount: None,
        occurred_at,
        reason: None,
    })
}
