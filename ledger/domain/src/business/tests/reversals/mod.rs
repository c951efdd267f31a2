//! Builders for the tests of reversals and rentals. `at` is in minutes, as in `minute`.

mod cancellation;
mod disputes;
mod every_order;
mod parts;
mod postings;
mod previews;
mod refusals;
mod rentals;

use super::*;
use crate::TransferId;
use crate::sale::{DisputeId, RefundReference};

pub(super) const D1: &str = "dp_1";
pub(super) const D2: &str = "dp_2";
pub(super) const R1: &str = "rf_1";
pub(super) const R2: &str = "rf_2";
/// The platform's id for a dispute that a user opens.
pub(super) const OURS: &str = "panel_1";

pub(super) fn dispute_id(text: &str) -> DisputeId {
    DisputeId::parse(text).expect("a dispute's id")
}

pub(super) fn refund_id(text: &str) -> RefundReference {
    RefundReference::parse(text).expect("a refund's id")
}

pub(super) fn cancel(at: i64) -> CancelSale {
    CancelSale {
        sale_id: sale_facts().sale_id,
        occurred_at: minute(at),
        reason: None,
    }
}

pub(super) fn void_by_platform(at: i64) -> VoidSale {
    VoidSale {
        initiator: Initiator::Platform,
        ..void_at(at)
    }
}

pub(super) fn refund(at: i64) -> RefundSale {
    RefundSale {
        sale_id: sale_facts().sale_id,
        refunded: Refunded::Rest { refund: None },
        occurred_at: minute(at),
        reason: Some("requested_by_buyer".to_owned()),
        names: PaymentNames::default(),
    }
}

/// A refund of a part, reported by the acquirer under an id.
pub(super) fn refund_of(cents: i64, id: &str, at: i64) -> RefundSale {
    RefundSale {
        refunded: Refunded::Amount {
            amount: Cents::new(cents),
            refund: Some(refund_id(id)),
        },
        ..refund(at)
    }
}

/// The acquirer's sum of all refunds.
pub(super) fn refund_total(cents: i64, at: i64) -> RefundSale {
    RefundSale {
        refunded: Refunded::Total(Cents::new(cents)),
        ..refund(at)
    }
}

/// A refund of a part that a user asks for.
pub(super) fn part(cents: i64, id: &str, at: i64) -> RefundPart {
    RefundPart {
        sale_id: sale_facts().sale_id,
        refund: refund_id(id),
        amount: Cents::new(cents),
        occurred_at: minute(at),
        reason: None,
    }
}

pub(super) fn answer_refund(id: &str, known_as: Option<&str>, at: i64) -> AnswerRefund {
    AnswerRefund {
        sale_id: sale_facts().sale_id,
        refund: refund_id(id),
        known_as: known_as.map(refund_id),
        occurred_at: minute(at),
        names: PaymentNames::default(),
    }
}

pub(super) fn reverse(at: i64) -> ReverseSale {
    ReverseSale {
        names: PaymentNames::default(),
        sale_id: sale_facts().sale_id,
        occurred_at: minute(at),
        reason: None,
    }
}

pub(super) fn dispute(at: i64) -> DisputeSale {
    DisputeSale {
        sale_id: sale_facts().sale_id,
        dispute_id: dispute_id(OURS),
        amount: None,
        occurred_at: minute(at),
        reason: None,
    }
}

pub(super) fn open(id: &str, at: i64) -> OpenDispute {
    OpenDispute {
        sale_id: sale_facts().sale_id,
        dispute_id: dispute_id(id),
        amount: None,
        occurred_at: minute(at),
        reason: Some("fraud".to_owned()),
    }
}

pub(super) fn win(id: &str, at: i64) -> WinDispute {
    WinDispute {
        sale_id: sale_facts().sale_id,
        dispute_id: dispute_id(id),
        occurred_at: minute(at),
    }
}

pub(super) fn lose(id: &str, at: i64) -> LoseDispute {
    LoseDispute {
        sale_id: sale_facts().sale_id,
        dispute_id: dispute_id(id),
        amount: None,
        occurred_at: minute(at),
        reason: Some("fraud".to_owned()),
    }
}

pub(super) fn rental(cents: i64) -> ChargeTerminalRental {
    ChargeTerminalRental {
        transfer_id: TransferId::from_uuid(Uuid::from_u128(70)),
        terminal: sale_facts().terminal.expect("the sale's terminal"),
        due_date: date("2026-12-01"),
        amount: Cents::new(cents),
        occurred_at: minute(20),
    }
}

pub(super) fn cancel_rental() -> CancelTerminalRental {
    CancelTerminalRental {
        transfer_id: rental(1).transfer_id,
        reason: Some("Terminal devolvido".to_owned()),
        occurred_at: minute(30),
    }
}

/// The captured sale and R$ 1.000,00 of other money, followed by the commands.
fn captured<const N: usize>(commands: [BusinessCommand; N]) -> Vec<BusinessEvent> {
    let before = [super::transfers::credit(1_000_00).into(), capture_at(5).into()];
    history(before.into_iter().chain(commands))
}

/// The captured sale's three installments, as a reversal before the first settlement accelerates them.
fn accelerated_installments() -> Vec<AcceleratedReceivable> {
    [(1, "2026-12-23"), (2, "2027-01-22"), (3, "2027-02-22")]
        .map(|(number, due_date)| AcceleratedReceivable {
            number,
            net: Cents::new(97_00),
            due_date: date(due_date),
        })
        .to_vec()
}

fn sale_after(events: &[BusinessEvent]) -> Sale {
    replay(events).sales[&sale_facts().sale_id].clone()
}

fn adds_nothing(given: Vec<BusinessEvent>, command: impl Into<BusinessCommand>) {
    super::given(given)
        .when(command.into())
        .then_expect_events(vec![]);
}

fn refused(given: Vec<BusinessEvent>, command: impl Into<BusinessCommand>, refusal: Refusal) {
    super::given(given)
        .when(command.into())
        .then_expect_error(refusal);
}

/// The account changes of the last event, in cents.
fn last_posted(events: &[BusinessEvent]) -> Vec<(&'static str, i64)> {
    let last = events.last().expect("a history");
    last.balance_changes()
        .into_iter()
        .map(|(account, amount)| (account.as_str(), amount.get()))
        .collect()
}
