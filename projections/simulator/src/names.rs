//! The ids of a run, and their numbers in the trace: `sal_3` instead of the whole id.

use ledger_domain::sale::{PaymentName, PaymentNames};
use ledger_domain::{BusinessId, EventId, HoldId, PayoutId, PlanId, SaleId, TerminalId, TransferId, UserId};
use uuid::Uuid;

/// The first halves of ids, except those of businesses. The second half is a number.
const SALE: u64 = 0x5A1E;
const TRANSFER: u64 = 0x7245;
const PAYOUT: u64 = 0x9A70;
const HOLD: u64 = 0x401D;
const COMMAND: u64 = 0xC033;
const OTHER: u64 = 0x0123;

/// The id depends on the seed, so that the businesses of different runs can be in different shards.
pub const fn business(seed: u64, number: usize) -> BusinessId {
    BusinessId::from_uuid(Uuid::from_u64_pair(
        seed.wrapping_mul(0x9E37_79B9) | 1,
        number as u64,
    ))
}

pub const fn sale(number: usize) -> SaleId {
    SaleId::from_uuid(Uuid::from_u64_pair(SALE, number as u64))
}

pub const fn transfer(number: usize) -> TransferId {
    TransferId::from_uuid(Uuid::from_u64_pair(TRANSFER, number as u64))
}

pub const fn hold(number: usize) -> HoldId {
    HoldId::from_uuid(Uuid::from_u64_pair(HOLD, number as u64))
}

pub const fn payout(transfer: TransferId, payout: usize) -> PayoutId {
    PayoutId::from_uuid(Uuid::from_u64_pair(
        PAYOUT,
        number(transfer.uuid()) * 100 + payout as u64,
    ))
}

pub const fn terminal(number: usize) -> TerminalId {
    TerminalId::from_uuid(Uuid::from_u64_pair(OTHER, number as u64))
}

pub const fn user(number: usize) -> UserId {
    UserId::from_uuid(Uuid::from_u64_pair(OTHER, number as u64))
}

pub const fn plan() -> PlanId {
    PlanId::from_uuid(Uuid::from_u64_pair(OTHER, 0))
}

pub const fn command(ticket: usize) -> Uuid {
    Uuid::from_u64_pair(COMMAND, ticket as u64)
}

/// The id of the command's first event, as the log derives it.
pub fn first_event(ticket: usize) -> EventId {
    EventId::from_uuid(Uuid::new_v5(&command(ticket), &0_u32.to_be_bytes()))
}

/// The NSU of a payment or of a refund, by which the read models find the sale.
pub fn payment(nsu: &str) -> PaymentNames {
    PaymentNames {
        nsu: PaymentName::parse(nsu).ok(),
        ..PaymentNames::default()
    }
}

/// The number in an id of this module.
pub const fn number(id: Uuid) -> u64 {
    id.as_u64_pair().1
}

/// The text with numbers instead of ids, except those of businesses.
pub fn shortened(text: &str) -> String {
    let mut short = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("00000000-0000-") {
        let Some(id) = rest.get(at..at + 36).and_then(|id| Uuid::try_parse(id).ok()) else {
            break;
        };
        short.push_str(&rest[..at]);
        short.push_str(&number(id).to_string());
        rest = &rest[at + 36..];
    }
    short.push_str(rest);
    short
}
