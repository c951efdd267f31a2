//! The accounts of a business, and how events post to them.
//!
//! Every posting takes an amount from one account and adds it to another, so the accounts always sum to zero. Which
//! postings are allowed is decided in the other modules of `business`.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::event::BusinessEvent;
use crate::Cents;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Account {
    /// Net value of the installments that are neither settled nor accelerated.
    Receivable,
    /// The balance that withdrawals are taken from. May be below zero.
    Available,
    /// Withdrawals that are pending or in processing.
    InTransfer,
    /// Blocked by staff, or because the company of a sale was not active at its capture. Separate from disputes, so
    /// that a release can never free disputed money.
    HeldByStaff,
    /// Blocked by open disputes.
    InDispute,
    /// The platform's revenue.
    PlatformFees,
    /// The outside world: acquirers that owe the platform, and banks that it paid.
    Clearing,
}

impl Account {
    pub const ALL: [Self; 7] = [
        Self::Receivable,
        Self::Available,
        Self::InTransfer,
        Self::HeldByStaff,
        Self::InDispute,
        Self::PlatformFees,
        Self::Clearing,
    ];

    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Receivable => "receivable",
            Self::Available => "available",
            Self::InTransfer => "in_transfer",
            Self::HeldByStaff => "held_by_staff",
            Self::InDispute => "in_dispute",
            Self::PlatformFees => "platform_fees",
            Self::Clearing => "clearing",
        }
    }
}

impl fmt::Display for Account {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Double entry: `amount` leaves one account and enters another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Posting {
    pub from: Account,
    pub to: Account,
    pub amount: Cents,
}

impl Posting {
    pub(super) const fn new(from: Account, to: Account, amount: Cents) -> Self {
        Self { from, to, amount }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Accounts {
    pub receivable: Cents,
    pub available: Cents,
    pub in_transfer: Cents,
    pub held_by_staff: Cents,
    pub in_dispute: Cents,
    pub platform_fees: Cents,
    pub clearing: Cents,
}

impl Accounts {
    pub const fn get(&self, account: Account) -> Cents {
        match account {
            Account::Receivable => self.receivable,
            Account::Available => self.available,
            Account::InTransfer => self.in_transfer,
            Account::HeldByStaff => self.held_by_staff,
            Account::InDispute => self.in_dispute,
            Account::PlatformFees => self.platform_fees,
            Account::Clearing => self.clearing,
        }
    }

    /// The total that the panels show as blocked, for either reason.
    pub fn blocked(&self) -> Option<Cents> {
        self.held_by_staff.checked_add(self.in_dispute)
    }

    /// The accounts after these postings; `None` if a balance overflows.
    #[must_use]
    pub fn posted(mut self, postings: &[Posting]) -> Option<Self> {
        for Posting { from, to, amount } in postings {
            let paying = self.get_mut(*from);
            *paying = paying.checked_sub(*amount)?;
            let receiving = self.get_mut(*to);
            *receiving = receiving.checked_add(*amount)?;
        }
        Some(self)
    }

    const fn get_mut(&mut self, account: Account) -> &mut Cents {
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

impl BusinessEvent {
    /// The postings of the event, without those of zero.
    pub fn postings(&self) -> Vec<Posting> {
        let mut postings = match self {
            Self::Sale(event) => event.postings(),
            Self::Transfer(event) => event.postings(),
            Self::Balance(event) => event.postings(),
        };
        postings.retain(|posting| posting.amount != Cents::ZERO);
        postings
    }

    /// The net change of each account, without those of zero. The changes sum to zero.
    pub fn balance_changes(&self) -> Vec<(Account, Cents)> {
        let totals = Accounts::default()
            .posted(&self.postings())
            .expect("the postings of one event fit into empty accounts");
        Account::ALL
            .into_iter()
            .map(|account| (account, totals.get(account)))
            .filter(|(_, amount)| *amount != Cents::ZERO)
            .collect()
    }
}
