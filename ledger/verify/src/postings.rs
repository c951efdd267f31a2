//! What each event takes from one account and adds to another, by its recorded text alone.
//!
//! This repeats the ledger's rules on purpose: an outsider checks our sums with a second statement of them.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use thiserror::Error;

use crate::proof::Event;
use crate::values::{exact, is_exact};

#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum PostingError {
    #[error("unknown event {event_type} {version}")]
    Unknown { event_type: String, version: String },
    #[error("the payload is not an object of its event's type")]
    Payload,
    #[error("{0} is not an amount")]
    Amount(&'static str),
    #[error("a balance is out of range")]
    Range,
}

/// The balances of a company, in cents. They sum to zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Accounts {
    #[serde(deserialize_with = "exact")]
    pub receivable: i64,
    #[serde(deserialize_with = "exact")]
    pub available: i64,
    #[serde(deserialize_with = "exact")]
    pub in_transfer: i64,
    #[serde(deserialize_with = "exact")]
    pub held_by_staff: i64,
    #[serde(deserialize_with = "exact")]
    pub in_dispute: i64,
    #[serde(deserialize_with = "exact")]
    pub platform_fees: i64,
    #[serde(deserialize_with = "exact")]
    pub clearing: i64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Account {
    Receivable,
    Available,
    InTransfer,
    HeldByStaff,
    InDispute,
    PlatformFees,
    Clearing,
}

/// From, to, cents.
pub type Posting = (Account, Account, i64);

impl Accounts {
    /// Adds the postings of an event.
    pub fn post(&mut self, postings: &[Posting]) -> Result<(), PostingError> {
        for (from, to, amount) in postings {
            let change = |balance: &mut i64, by: Option<i64>| {
                let sum = by.and_then(|by| balance.checked_add(by));
                *balance = sum.filter(|sum| is_exact(*sum)).ok_or(PostingError::Range)?;
                Ok(())
            };
            change(self.balance(*from), amount.checked_neg())?;
            change(self.balance(*to), Some(*amount))?;
        }
        Ok(())
    }

    const fn balance(&mut self, account: Account) -> &mut i64 {
        match account {
            Account::Receivable => &mut self.receivable,
            Account::Available => &mut self.available,
            Account::InTransfer => &mut self.in_transfer,
            Account::HeldByStaff => &mut self.held_by_staff,
            Account::InDispute => &mut self.in_dispute,
            Account::PlatformFees => &mut self.platform_fees,
            Account::Clearing => &mut self.clearing,
        }
    }
}

/// The value of the payload's only member, which has the name of the event's type.
struct Payload<'a>(&'a Value);

impl Payload<'_> {
    fn has(&self, member: &str) -> bool {
        self.0.get(member).is_some_and(|value| !value.is_null())
    }

    /// An absent number is 0.
    fn amount(&self, member: &'static str) -> Result<i64, PostingError> {
        amount(self.0.get(member), member)
    }

    /// The net of all installments in a list; 0 if there is no list.
    fn net_of(&self, list: &'static str) -> Result<i64, PostingError> {
        let installments = match self.0.get(list) {
            None | Some(Value::Null) => return Ok(0),
            Some(value) => value.as_array().ok_or(PostingError::Amount(list))?,
        };
        installments.iter().try_fold(0, |total: i64, installment| {
            let net = amount(installment.get("net"), list)?;
            exact_sum(total, net)
        })
    }
}

fn amount(value: Option<&Value>, name: &'static str) -> Result<i64, PostingError> {
    match value {
        None | Some(Value::Null) => Ok(0),
        Some(value) => {
            let number = value.as_i64().filter(|number| is_exact(*number));
            number.ok_or(PostingError::Amount(name))
        }
    }
}

fn exact_sum(one: i64, other: i64) -> Result<i64, PostingError> {
    let sum = one.checked_add(other).filter(|sum| is_exact(*sum));
    sum.ok_or(PostingError::Range)
}

fn less(whole: i64, part: i64) -> Result<i64, PostingError> {
    exact_sum(whole, -part)
}

/// The postings of an event.
pub fn postings(event: &Event) -> Result<Vec<Posting>, PostingError> {
    use Account::{Available, Clearing, HeldByStaff, InDispute, InTransfer, PlatformFees, Receivable};
    let Event {
        event_type,
        event_version,
        ..
    } = event;
    let unknown = || PostingError::Unknown {
        event_type: event_type.clone(),
        version: event_version.clone(),
    };
    match (event_type.as_str(), event_version.as_str()) {
        (_, "1.0") | ("SaleVoided", "1.1") => {}
        _ => return Err(unknown()),
    }
    let payload: Value = serde_json::from_str(&event.payload).map_err(|_| PostingError::Payload)?;
    let body = match payload.as_object() {
        Some(members) if members.len() == 1 => members.get(event_type),
        _ => None,
    };
    let e = Payload(
        body.filter(|body| body.is_object())
            .ok_or(PostingError::Payload)?,
    );
    // A part of a sale takes its money from open installments first.
    let part_to = |list: &'static str, whole: i64, to: Account| {
        let from_installments = e.net_of(list)?;
        Ok(vec![
            (Receivable, to, from_installments),
            (Available, to, less(whole, from_installments)?),
        ])
    };
    // A whole sale's open installments become available at once.
    let accelerated = || Ok((Receivable, Available, e.net_of("brought_forward")?));
    let one = |from, to, name| Ok(vec![(from, to, e.amount(name)?)]);
    match event_type.as_str() {
        "SaleCaptured" => {
            let fees =
                e.0.get("fees")
                    .and_then(Value::as_object)
                    .ok_or(PostingError::Amount("fees"))?;
            let names = ["percentage_fee", "flat_fee", "percentage_rate", "flat_rate"];
            let fees = names
                .iter()
                .try_fold(0, |sum, name| exact_sum(sum, amount(fees.get(*name), name)?))?;
            Ok(vec![
                (Clearing, Receivable, e.amount("net")?),
                (Clearing, PlatformFees, fees),
            ])
        }
        "ReceivablesSettled" => {
            let reserved = match e.0.get("reserve") {
                Some(reserve) => amount(reserve.get("total"), "reserve")?,
                None => 0,
            };
            Ok(vec![
                (Receivable, Available, less(e.amount("total")?, reserved)?),
                (Receivable, HeldByStaff, reserved),
            ])
        }
        "SaleCanceled" if e.has("blocked_by") => Ok(vec![
            accelerated()?,
            (InDispute, Clearing, e.amount("amount")?),
            (PlatformFees, Available, e.amount("fees")?),
        ]),
        "SaleCanceled" => Ok(vec![
            accelerated()?,
            (Available, Clearing, e.amount("net")?),
            (PlatformFees, Clearing, e.amount("fees")?),
        ]),
        "SalePartRefunded" => {
            let net = e.amount("net")?;
            let mut postings = part_to("consumed", net, Clearing)?;
            postings.push((PlatformFees, Clearing, less(e.amount("amount")?, net)?));
            Ok(postings)
        }
        "SaleDisputed" if e.has("part") => part_to("part", e.amount("amount")?, InDispute),
        "SaleDisputed" => Ok(vec![accelerated()?, (Available, InDispute, e.amount("amount")?)]),
        "DisputeWon" => one(InDispute, Available, "amount"),
        "SaleChargedBack" if e.has("part") => part_to("part", e.amount("amount")?, Clearing),
        "SaleChargedBack" => {
            let from = if e.has("blocked_by") { InDispute } else { Available };
            Ok(vec![accelerated()?, (from, Clearing, e.amount("amount")?)])
        }
        "TransferRequested" => one(Available, InTransfer, "amount"),
        "TransferApproved" => {
            let fee = e.amount("fee")?;
            Ok(vec![
                (InTransfer, Clearing, less(e.amount("amount")?, fee)?),
                (InTransfer, PlatformFees, fee),
            ])
        }
        "TransferRefused" | "TransferFailed" => one(InTransfer, Available, "amount"),
        "TransferReopened" => one(Available, InTransfer, "taken"),
        "TransferReturned" => Ok(vec![
            (Clearing, Available, e.amount("paid")?),
            (PlatformFees, Available, e.amount("fee")?),
        ]),
        "ManualTransferMade" => match e.0.get("direction").and_then(Value::as_str) {
            Some("out") => one(Available, Clearing, "amount"),
            Some("in") => one(Clearing, Available, "amount"),
            _ => Err(PostingError::Payload),
        },
        "TerminalRentalCharged" => one(Available, PlatformFees, "amount"),
        "TerminalRentalCanceled" => one(PlatformFees, Available, "amount"),
        "AmountHeld" | "HoldPlaced" | "HoldRaised" => one(Available, HeldByStaff, "amount"),
        "AmountReleased" | "HoldReleased" => one(HeldByStaff, Available, "amount"),
        "ReserveReleased" => one(HeldByStaff, Available, "total"),
        "CourtPaid" => one(HeldByStaff, Clearing, "amount"),
        "DebtWrittenOff" => one(PlatformFees, Available, "amount"),
        "SaleCreated"
        | "SaleFailed"
        | "SaleVoided"
        | "SaleNamed"
        | "RefundAnswered"
        | "DisputeConfirmed"
        | "TransferApprovalGiven"
        | "TransferProcessing"
        | "HoldChanged" => Ok(vec![]),
        _ => Err(unknown()),
    }
}
