//! The final requests of a run. Everything is idle and the model knows every balance, so each answer can be predicted
//! to the cent. This catches a ledger that refuses everything.

use ledger_domain::BusinessId;
use ledger_domain::Cents;
use ledger_domain::business::{
    BusinessCommand, CancelSale, DisputeSale, Refusal, RequestTransfer, TransferRefusal,
};
use ledger_domain::sale::{DisputeId, SaleStatus};
use ledger_domain::transfer::DestinationKind;
use ledger_store::Idempotency;

use crate::Checked;
use crate::acquirer::OutsideSale;
use crate::delivery::{Delivery, Sender, Stage};
use crate::model::calendar::day_of;
use crate::model::{Balances, SaleOutcome};
use crate::names;
use crate::watch::ensure;
use crate::world::{World, command_text};

impl World {
    pub fn last_questions(&mut self) -> Checked {
        let businesses: Vec<_> = self
            .companies
            .businesses
            .iter()
            .map(|company| company.id)
            .collect();
        for business in businesses {
            self.withdraw(business, 1)?;
            self.cancel(business, SaleOutcome::Kept)?;
            self.cancel(business, SaleOutcome::Disputed)?;
            self.dispute(business)?;
            self.withdraw(business, 0)?;
        }
        Ok(())
    }

    /// A user requests a withdrawal of the available balance plus `excess`. It must be refused if `excess` is above
    /// zero or if the amount is below the minimum.
    fn withdraw(&mut self, business: BusinessId, excess: i64) -> Checked {
        let available = self.expected(business).available;
        let company = self.companies.company(business);
        let (amount, minimum) = (available + excess, company.withdrawal_fee.max(1));
        let command = BusinessCommand::RequestTransfer(RequestTransfer {
            transfer_id: names::transfer(0),
            amount: Cents::new(amount),
            destination: DestinationKind::Pix,
            confirm_duplicate: true,
            confirm_destination: true,
            occurred_at: self.now,
            context: company.withdrawal(),
        });
        let expected = if amount < minimum {
            Stage::Refused(TransferRefusal::BelowMinimum(Cents::new(minimum)).into())
        } else if excess > 0 {
            Stage::Refused(TransferRefusal::AboveAvailable.into())
        } else {
            Stage::Accepted
        };
        self.predict(business, command, &expected)
    }

    /// A user cancels the first sale with that outcome. Only a sale that the seller keeps can be canceled.
    fn cancel(&mut self, business: BusinessId, sale_outcome: SaleOutcome) -> Checked {
        let Some(sale) = self.first(business, sale_outcome) else {
            return Ok(());
        };
        let command = BusinessCommand::CancelSale(CancelSale {
            sale_id: sale.facts.sale_id,
            occurred_at: self.now,
            reason: None,
        });
        let expected = match (sale_outcome, sale.captured_at()) {
            (SaleOutcome::Kept, Some(captured_at)) => {
                let price = self.model().price(&sale, captured_at);
                let left = price.net - price.net_of_parts(self.model().refunded_in_parts(&sale));
                self.answer_to_reversal(business, &sale, left)
            }
            _ => Stage::Refused(Refusal::StatusForbids(SaleStatus::Dispute)),
        };
        self.predict(business, command, &expected)
    }

    /// A user disputes the first sale that the seller keeps.
    fn dispute(&mut self, business: BusinessId) -> Checked {
        let kept = self.first(business, SaleOutcome::Kept);
        let Some(sale) = kept.filter(|sale| self.model().refunded_in_parts(sale) == 0) else {
            return Ok(());
        };
        let command = BusinessCommand::DisputeSale(DisputeSale {
            sale_id: sale.facts.sale_id,
            dispute_id: DisputeId::parse("last").expect("a short name"),
            amount: None,
            occurred_at: self.now,
            reason: None,
        });
        let expected = self.answer_to_reversal(business, &sale, sale.facts.amount.get());
        self.predict(business, command, &expected)?;
        if expected == Stage::Accepted {
            // Runs until the acquirer has ended the dispute, so that the model and the ledger agree again.
            self.stop_faults()?;
        }
        Ok(())
    }

    /// The expected answer to a user's reversal of a sale. The available balance must cover `needed`, with what is held of
    /// the sale: for the reserve, or all that is settled in a denied company.
    fn answer_to_reversal(&self, business: BusinessId, sale: &OutsideSale, needed: i64) -> Stage {
        let reserved = self.watcher.holds.reserve.of_sale(sale.facts.sale_id);
        let mut available = self.expected(business).available + reserved;
        if let (true, Some(captured_at)) = (self.companies.company(business).is_denied, sale.captured_at()) {
            let model = self.model();
            let price = model.price(sale, captured_at);
            let settled = price.net - price.net_of_parts(model.refunded_in_parts(sale));
            available += settled - model.outstanding(sale, &price, day_of(self.now));
        }
        if available >= needed {
            return Stage::Accepted;
        }
        let (needed, available) = (Cents::new(needed), Cents::new(available));
        Stage::Refused(Refusal::BalanceTooShort { needed, available })
    }

    fn expected(&self, business: BusinessId) -> Balances {
        self.model().balances(business, day_of(self.now))
    }

    /// The first sale of the business with that outcome.
    fn first(&self, business: BusinessId, sale_outcome: SaleOutcome) -> Option<OutsideSale> {
        let model = self.model();
        let mut sales = self.sales.iter().filter(|sale| sale.business == business);
        sales
            .find(|sale| model.sale_outcome(sale) == sale_outcome)
            .cloned()
    }

    /// Sends the command of a user and compares the answer with the expected one.
    fn predict(&mut self, business: BusinessId, command: BusinessCommand, expected: &Stage) -> Checked {
        let key = Idempotency::new("last", &self.deliveries.len().to_string(), b"last");
        let question = command_text(&command);
        let answer = self.ask(Delivery {
            sender: Sender::User,
            business,
            sent_to: business,
            command,
            key: Some(key),
            due_at: self.now,
            stage: Stage::Unanswered,
            repeats: 0,
            will_be_retried: false,
            contradicts_log: false,
            recorded: vec![],
        })?;
        ensure(answer == *expected, || {
            format!("{question}: expected {expected:?}, but the answer is {answer:?}")
        })
    }
}
