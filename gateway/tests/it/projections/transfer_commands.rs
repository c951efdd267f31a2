//! Commands on transfers, recorded through the real writer.

use ledger_domain::business::{
    Approvals, ApproveTransfer, BusinessCommand, CompanyStatus, FailTransfer, GiveTransferApproval,
    HoldRequest, MakeManualTransfer, PayoutFailed, PayoutPaid, PlaceHold, ProcessTransfer, RefuseTransfer,
    ReleaseHold, ReopenTransfer, RequestTransfer, ReturnedFee, WithdrawalContext,
};
use ledger_domain::calendar::Instant;
use ledger_domain::transfer::{AccountType, BankAccount, Destination, Direction, PayoutNames};
use ledger_domain::{BusinessId, HoldId, PayoutId, TransferId, UserId};
use ledger_store::{Actor, Outcome};
use uuid::Uuid;

use super::ledger::{Ledger, cents, minute};

/// The receiving plan's fee for each withdrawal.
pub const FEE: i64 = 3_67;

/// The instant this many minutes after 10:00 on 16 January 2027, 54 days after `monday()`.
pub fn later(minutes: i64) -> Instant {
    minute(54 * 24 * 60 + minutes)
}

const HOLD: HoldId = HoldId::from_uuid(Uuid::from_u128(0xd000_0001));

pub fn payout(number: u128) -> PayoutId {
    PayoutId::from_uuid(Uuid::from_u128(0xb000_0000 + number))
}

pub fn pix_key() -> Destination {
    Destination::Pix {
        key: "12345678000195".to_owned(),
    }
}

pub fn bank_account() -> Destination {
    Destination::BankAccount(BankAccount {
        bank_code: "341".to_owned(),
        account_type: AccountType::Checking,
        routing_number: "0071".to_owned(),
        routing_digit: None,
        account_number: "0012345".to_owned(),
        account_digit: "X".to_owned(),
    })
}

/// The user who submits the commands.
pub fn user() -> UserId {
    UserId::from_uuid(Uuid::from_u128(77))
}

/// The commands of one business.
pub struct TransferCommands<'a> {
    pub ledger: &'a Ledger,
    pub shop: BusinessId,
}

impl TransferCommands<'_> {
    pub async fn submit(&self, command: BusinessCommand) -> Outcome {
        self.ledger
            .submit_as(self.shop, command, Actor::Seller(user()))
            .await
    }

    async fn record(&self, command: BusinessCommand) {
        match self.submit(command).await {
            Outcome::Recorded(_) => {}
            other => panic!("not recorded: {other:?}"),
        }
    }

    pub async fn request(&self, amount: i64, destination: Destination, occurred_at: Instant) -> TransferId {
        let transfer_id = self.ledger.new_transfer();
        self.record(BusinessCommand::RequestTransfer(RequestTransfer {
            transfer_id,
            amount: cents(amount),
            destination: destination.kind(),
            confirm_duplicate: false,
            confirm_destination: false,
            occurred_at,
            context: WithdrawalContext {
                company_status: CompanyStatus::Active,
                fee: Some(cents(FEE)),
                destination: Some(destination),
            },
        }))
        .await;
        transfer_id
    }

    pub async fn give_approval(&self, transfer_id: TransferId, occurred_at: Instant) {
        let by = UserId::from_uuid(Uuid::from_u128(78));
        self.record(BusinessCommand::GiveTransferApproval(GiveTransferApproval {
            transfer_id,
            by,
            occurred_at,
        }))
        .await;
    }

    pub async fn process(
        &self,
        transfer_id: TransferId,
        payout_id: Option<PayoutId>,
        approvals: Approvals,
        occurred_at: Instant,
    ) {
        self.record(BusinessCommand::ProcessTransfer(ProcessTransfer {
            transfer_id,
            payout_id,
            by: user(),
            approvals,
            occurred_at,
        }))
        .await;
    }

    pub async fn approve(&self, transfer_id: TransferId, occurred_at: Instant) {
        self.record(BusinessCommand::ApproveTransfer(ApproveTransfer {
            transfer_id,
            by: user(),
            approvals: Approvals::One,
            occurred_at,
        }))
        .await;
    }

    pub async fn refuse(&self, transfer_id: TransferId, reason: &str, occurred_at: Instant) {
        self.record(BusinessCommand::RefuseTransfer(RefuseTransfer {
            transfer_id,
            reason: reason.to_owned(),
            occurred_at,
        }))
        .await;
    }

    pub async fn fail(&self, transfer_id: TransferId, reason: &str, occurred_at: Instant) {
        self.record(BusinessCommand::FailTransfer(FailTransfer {
            transfer_id,
            reason: reason.to_owned(),
            occurred_at,
        }))
        .await;
    }

    pub async fn reopen(&self, transfer_id: TransferId, occurred_at: Instant) {
        self.record(BusinessCommand::ReopenTransfer(ReopenTransfer {
            transfer_id,
            occurred_at,
        }))
        .await;
    }

    /// The bank's report may add nothing, so this returns the outcome.
    pub async fn report_paid(
        &self,
        transfer_id: TransferId,
        payout_id: PayoutId,
        occurred_at: Instant,
    ) -> Outcome {
        self.submit(BusinessCommand::PayoutPaid(PayoutPaid {
            transfer_id,
            payout_id,
            names: PayoutNames::default(),
            occurred_at,
        }))
        .await
    }

    /// The bank's report may add nothing, so this returns the outcome.
    pub async fn report_failed(
        &self,
        transfer_id: TransferId,
        payout_id: PayoutId,
        occurred_at: Instant,
    ) -> Outcome {
        self.submit(BusinessCommand::PayoutFailed(PayoutFailed {
            transfer_id,
            payout_id,
            reason: Some("conta encerrada".to_owned()),
            occurred_at,
            fee: ReturnedFee::Kept,
        }))
        .await
    }

    /// A manual transfer: in adds to the available balance, out takes from it.
    pub async fn make_manual(
        &self,
        direction: Direction,
        amount: i64,
        description: &str,
        occurred_at: Instant,
    ) -> TransferId {
        let transfer_id = self.ledger.new_transfer();
        self.record(BusinessCommand::MakeManualTransfer(MakeManualTransfer {
            transfer_id,
            direction,
            amount: cents(amount),
            description: description.to_owned(),
            allow_negative: false,
            occurred_at,
        }))
        .await;
        transfer_id
    }

    pub async fn hold(&self, amount: i64, occurred_at: Instant) {
        self.record(BusinessCommand::PlaceHold(PlaceHold {
            hold_id: HOLD,
            reason: "em análise".to_owned(),
            until: None,
            documents: vec![],
            sale_id: None,
            what: HoldRequest::Analysis(cents(amount)),
            occurred_at,
        }))
        .await;
    }

    pub async fn release(&self, amount: i64, occurred_at: Instant) {
        self.record(BusinessCommand::ReleaseHold(ReleaseHold {
            hold_id: HOLD,
            amount: cents(amount),
            reason: "análise concluída".to_owned(),
            occurred_at,
        }))
        .await;
    }

    /// Nine transfers, one or more of each status, and a hold of R$ 40,00 of which R$ 15,00 are released.
    pub async fn every_way(&self) {
        self.make_manual(Direction::In, 500_00, "bônus de boas-vindas", later(0))
            .await;
        self.make_manual(Direction::Out, 20_00, "bobinas", later(1)).await;
        let by_hand = self.request(100_00, bank_account(), later(2)).await;
        self.approve(by_hand, later(3)).await;
        let overruled = self.request(50_00, pix_key(), later(4)).await;
        self.refuse(overruled, "dados divergentes", later(5)).await;
        self.report_paid(overruled, payout(1), later(6)).await;
        let second_try = self.request(60_00, pix_key(), later(7)).await;
        self.give_approval(second_try, later(8)).await;
        self.process(second_try, Some(payout(2)), Approvals::Two, later(9))
            .await;
        self.report_failed(second_try, payout(2), later(10)).await;
        self.reopen(second_try, later(11)).await;
        self.process(second_try, None, Approvals::One, later(12)).await;
        let by_payout = self.request(70_00, pix_key(), later(13)).await;
        self.process(by_payout, Some(payout(3)), Approvals::One, later(14))
            .await;
        self.report_paid(by_payout, payout(3), later(15)).await;
        let failed = self.request(30_00, bank_account(), later(16)).await;
        self.process(failed, None, Approvals::One, later(17)).await;
        self.fail(failed, "banco fora do ar", later(18)).await;
        let refused = self.request(31_00, bank_account(), later(19)).await;
        self.refuse(refused, "fora do horário", later(20)).await;
        self.request(80_00, pix_key(), later(21)).await;
        self.hold(40_00, later(22)).await;
        self.release(15_00, later(23)).await;
    }
}
