//! The aggregate: one business and its money.
//!
//! A decision reads only the state and the command, and returns events or a refusal. Only applying an event changes the
//! state.

mod accounts;
mod adjustments;
mod cancellation;
mod command;
mod decode;
mod disputes;
mod event;
mod held;
mod holds;
mod naming;
mod payouts;
mod preview;
mod refunds;
mod refusal;
mod rentals;
mod reserve;
mod sales;
mod settlement;
mod state;
mod subject;
#[cfg(test)]
mod tests;
mod withdrawals;

pub use accounts::{Account, Accounts, Posting};
pub use adjustments::MANUAL_REMOVAL_MIN;
pub use command::{
    AnswerRefund, Approvals, ApproveTransfer, BusinessCommand, CancelSale, CancelTerminalRental, CaptureSale,
    ChangeHold, ChargeTerminalRental, CompanyStatus, ContextRequest, CreateSale, DisputeSale, FailSale,
    FailTransfer, GiveTransferApproval, HoldRequest, LoseDispute, MakeManualTransfer, NameSale, OpenDispute,
    PayCourt, PayoutFailed, PayoutPaid, PayoutReturned, PlaceHold, ProcessTransfer, RefundPart, RefundSale,
    Refunded, RefuseTransfer, ReleaseHold, ReleaseReserve, ReleaseSales, ReopenTransfer, RequestTransfer,
    ReturnTransfer, ReturnedFee, ReverseSale, SaleContext, SettleReceivables, VoidSale, WinDispute,
    WithdrawalContext, WriteOffDebt,
};
pub use decode::{DecodeError, decode, upcasters};
pub use event::{
    AcceleratedReceivable, AmountHeld, AmountReleased, BalanceEvent, BusinessEvent, ConsumedReceivable,
    CourtPaid, DebtWrittenOff, DisputeConfirmed, DisputeWon, HoldChanged, HoldPlaced, HoldRaised,
    HoldReleased, ManualTransferMade, ReceivablesSettled, RefundAnswered, ReleasedReserve, ReserveReleased,
    SaleCanceled, SaleCaptured, SaleChargedBack, SaleCreated, SaleDisputed, SaleEvent, SaleFailed, SaleNamed,
    SalePartRefunded, SaleVoided, SettledReceivable, TerminalRentalCanceled, TerminalRentalCharged,
    TransferApprovalGiven, TransferApproved, TransferEvent, TransferFailed, TransferProcessing,
    TransferRefused, TransferReopened, TransferRequested, TransferReturned,
};
pub use held::{APPROVAL_REASON, HOLD_REASON, RELEASE_REASON, SALES_PER_RELEASE};
pub use holds::OPEN_HOLDS_MAX;
pub use preview::{Balances, Preview, covered_on};
pub use refusal::{HoldRefusal, Refusal, TransferRefusal};
pub use settlement::INSTALLMENTS_PER_EVENT;
pub use state::{
    Business, DUPLICATE_WINDOW, Dispute, DisputeStage, Hold, OpenReceivable, PartRefund, RecentWithdrawal,
    Reserved, Sale, Transfer,
};

use cqrs_es::Aggregate;
use cqrs_es::event_sink::EventSink;

impl Business {
    /// Decides the command: its events, or a refusal. No events if there is nothing to change.
    pub fn decide(&self, command: &BusinessCommand) -> Result<Vec<BusinessEvent>, Refusal> {
        let events = match command {
            BusinessCommand::CreateSale(command) => self.create_sale(command),
            BusinessCommand::CaptureSale(command) => self.capture_sale(command),
            BusinessCommand::FailSale(command) => self.fail_sale(command),
            BusinessCommand::VoidSale(command) => self.void_sale(command),
            BusinessCommand::NameSale(command) => self.name_sale(command),
            BusinessCommand::CancelSale(command) => self.cancel_sale(command),
            BusinessCommand::RefundPart(command) => self.refund_part(command),
            BusinessCommand::AnswerRefund(command) => self.answer_refund(command),
            BusinessCommand::RefundSale(command) => self.refund_sale(command),
            BusinessCommand::ReverseSale(command) => self.reverse_sale(command),
            BusinessCommand::DisputeSale(command) => self.dispute_sale(command),
            BusinessCommand::OpenDispute(command) => self.open_dispute(command),
            BusinessCommand::WinDispute(command) => self.win_dispute(command),
            BusinessCommand::LoseDispute(command) => self.lose_dispute(command),
            BusinessCommand::SettleReceivables(command) => self.settle_receivables(command),
            BusinessCommand::ReleaseReserve(command) => self.release_reserve(command),
            BusinessCommand::RequestTransfer(command) => self.request_transfer(command),
            BusinessCommand::GiveTransferApproval(command) => self.give_transfer_approval(command),
            BusinessCommand::ProcessTransfer(command) => self.process_transfer(command),
            BusinessCommand::ApproveTransfer(command) => self.approve_transfer(command),
            BusinessCommand::RefuseTransfer(command) => self.refuse_transfer(command),
            BusinessCommand::FailTransfer(command) => self.fail_transfer(command),
            BusinessCommand::ReopenTransfer(command) => self.reopen_transfer(command),
            BusinessCommand::PayoutPaid(command) => self.payout_paid(command),
            BusinessCommand::PayoutFailed(command) => self.payout_failed(command),
            BusinessCommand::PayoutReturned(command) => self.payout_returned(command),
            BusinessCommand::ReturnTransfer(command) => self.return_transfer(command),
            BusinessCommand::MakeManualTransfer(command) => self.make_manual_transfer(command),
            BusinessCommand::ChargeTerminalRental(command) => self.charge_terminal_rental(command),
            BusinessCommand::CancelTerminalRental(command) => self.cancel_terminal_rental(command),
            BusinessCommand::PlaceHold(command) => self.place_hold(command),
            BusinessCommand::ChangeHold(command) => self.change_hold(command),
            BusinessCommand::ReleaseHold(command) => self.release_hold(command),
            BusinessCommand::PayCourt(command) => self.pay_court(command),
            BusinessCommand::WriteOffDebt(command) => self.write_off_debt(command),
            BusinessCommand::ReleaseSales(command) => self.release_sales(command),
        }?;
        self.must_fit_accounts(&events)?;
        let taken = self.taken_by_courts(&events);
        if taken.is_empty() {
            return Ok(events);
        }
        let events = [events, taken].concat();
        self.must_fit_accounts(&events)?;
        Ok(events)
    }

    /// `apply` cannot refuse, so this checks that every account can hold its new balance.
    fn must_fit_accounts(&self, events: &[BusinessEvent]) -> Result<(), Refusal> {
        let mut accounts = self.accounts;
        for event in events {
            accounts = accounts
                .posted(&event.postings())
                .ok_or(Refusal::AmountOutOfRange)?;
        }
        Ok(())
    }
}

impl Aggregate for Business {
    const TYPE: &'static str = "business";
    type Command = BusinessCommand;
    type Event = BusinessEvent;
    type Error = Refusal;
    type Services = ();

    /// Decides everything before the first write. A refusal after a write would leave half a decision applied.
    async fn handle(
        &mut self,
        command: Self::Command,
        _services: &Self::Services,
        sink: &EventSink<Self>,
    ) -> Result<(), Self::Error> {
        for event in self.decide(&command)? {
            sink.write(event, self).await;
        }
        Ok(())
    }

    fn apply(&mut self, event: Self::Event) {
        Business::apply(self, &event);
    }
}
