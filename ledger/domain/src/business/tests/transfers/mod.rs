//! Withdrawals and manual transfers, with R$ 500,00 available and a fee of R$ 5,00.
//!
//! The builders hold the defaults: a bank account, one approval, approved by Ana.

mod adjustments;
mod answers;
mod payouts;
mod refusals;
mod requests;
mod returns;

use super::*;
use crate::transfer::{AccountType, BankAccount, Destination, DestinationKind, Direction, PayoutNames};
use crate::{PayoutId, TransferId, UserId};

pub(super) const ANA: UserId = UserId::from_uuid(Uuid::from_u128(41));
pub(super) const BIA: UserId = UserId::from_uuid(Uuid::from_u128(42));

pub(super) const fn transfer_id(number: u128) -> TransferId {
    TransferId::from_uuid(Uuid::from_u128(number))
}

pub(super) const fn payout_id(number: u128) -> PayoutId {
    PayoutId::from_uuid(Uuid::from_u128(number))
}

pub(super) fn account() -> Destination {
    Destination::BankAccount(BankAccount {
        bank_code: "341".to_owned(),
        account_type: AccountType::Checking,
        routing_number: "0123".to_owned(),
        routing_digit: Some("4".to_owned()),
        account_number: "0056789".to_owned(),
        account_digit: "X".to_owned(),
    })
}

pub(super) fn pix() -> Destination {
    Destination::Pix {
        key: "11222333000181".to_owned(),
    }
}

pub(super) fn request(cents: i64) -> RequestTransfer {
    RequestTransfer {
        transfer_id: transfer_id(1),
        amount: Cents::new(cents),
        destination: DestinationKind::BankAccount,
        confirm_duplicate: false,
        confirm_destination: false,
        occurred_at: minute(0),
        context: WithdrawalContext {
            company_status: CompanyStatus::Active,
            fee: Some(Cents::new(5_00)),
            destination: Some(account()),
        },
    }
}

pub(super) fn first_approval_by(by: UserId) -> GiveTransferApproval {
    GiveTransferApproval {
        transfer_id: transfer_id(1),
        by,
        occurred_at: minute(1),
    }
}

pub(super) fn process() -> ProcessTransfer {
    ProcessTransfer {
        transfer_id: transfer_id(1),
        payout_id: None,
        by: ANA,
        approvals: Approvals::One,
        occurred_at: minute(2),
    }
}

pub(super) fn pay_out(number: u128) -> ProcessTransfer {
    ProcessTransfer {
        payout_id: Some(payout_id(number)),
        ..process()
    }
}

pub(super) fn approve() -> ApproveTransfer {
    ApproveTransfer {
        transfer_id: transfer_id(1),
        by: ANA,
        approvals: Approvals::One,
        occurred_at: minute(3),
    }
}

pub(super) fn refuse() -> RefuseTransfer {
    RefuseTransfer {
        transfer_id: transfer_id(1),
        reason: "Conta de outro titular".to_owned(),
        occurred_at: minute(3),
    }
}

pub(super) fn fail() -> FailTransfer {
    FailTransfer {
        transfer_id: transfer_id(1),
        reason: "Conta encerrada".to_owned(),
        occurred_at: minute(3),
    }
}

pub(super) fn reopen() -> ReopenTransfer {
    ReopenTransfer {
        transfer_id: transfer_id(1),
        occurred_at: minute(4),
    }
}

pub(super) fn paid(number: u128) -> PayoutPaid {
    PayoutPaid {
        transfer_id: transfer_id(1),
        payout_id: payout_id(number),
        occurred_at: minute(5),
        names: PayoutNames::default(),
    }
}

pub(super) fn failed(number: u128) -> PayoutFailed {
    PayoutFailed {
        transfer_id: transfer_id(1),
        payout_id: payout_id(number),
        reason: Some("account_closed".to_owned()),
        occurred_at: minute(3),
        fee: ReturnedFee::Kept,
    }
}

/// A minute after `paid`.
pub(super) fn returned(number: u128) -> PayoutReturned {
    PayoutReturned {
        transfer_id: transfer_id(1),
        payout_id: payout_id(number),
        reason: Some("Conta encerrada".to_owned()),
        occurred_at: minute(6),
        fee: ReturnedFee::Kept,
        names: PayoutNames::default(),
    }
}

pub(super) fn return_by_hand() -> ReturnTransfer {
    ReturnTransfer {
        transfer_id: transfer_id(1),
        reason: "TED devolvida".to_owned(),
        occurred_at: minute(6),
        fee: ReturnedFee::Kept,
    }
}

pub(super) fn credit(cents: i64) -> MakeManualTransfer {
    MakeManualTransfer {
        transfer_id: transfer_id(99),
        direction: Direction::In,
        amount: Cents::new(cents),
        description: "Crédito promocional".to_owned(),
        allow_negative: false,
        occurred_at: minute(-60),
    }
}

pub(super) fn manual_out(cents: i64) -> MakeManualTransfer {
    MakeManualTransfer {
        transfer_id: transfer_id(98),
        direction: Direction::Out,
        description: "Ajuste de conferência".to_owned(),
        ..credit(cents)
    }
}

pub(super) fn write_off(cents: i64) -> WriteOffDebt {
    WriteOffDebt {
        amount: Cents::new(cents),
        reason: "Acordo de 20/11".to_owned(),
        occurred_at: minute(9),
    }
}

/// R$ 500,00 available, followed by the commands.
fn funded<const N: usize>(commands: [BusinessCommand; N]) -> Vec<BusinessEvent> {
    history(std::iter::once(credit(500_00).into()).chain(commands))
}

/// A withdrawal of R$ 300,00 requested, followed by the commands.
fn after_request<const N: usize>(commands: [BusinessCommand; N]) -> Vec<BusinessEvent> {
    history(
        [credit(500_00).into(), request(300_00).into()]
            .into_iter()
            .chain(commands),
    )
}

/// (available, in_transfer, platform_fees, clearing), in cents.
fn balances(events: &[BusinessEvent]) -> (i64, i64, i64, i64) {
    let accounts = replay(events).accounts;
    (
        accounts.available.get(),
        accounts.in_transfer.get(),
        accounts.platform_fees.get(),
        accounts.clearing.get(),
    )
}

/// The account changes of the last event, in cents.
pub(super) fn last_posted(events: &[BusinessEvent]) -> Vec<(&'static str, i64)> {
    let last = events.last().expect("a history");
    last.balance_changes()
        .into_iter()
        .map(|(account, amount)| (account.as_str(), amount.get()))
        .collect()
}
