//! The company's balance: its totals, and the balance by day.

use std::collections::BTreeMap;

use chrono::NaiveDate;
use ledger_domain::business::Accounts;
use projections::balance::Balance;
use projections::balance::statement::{KindSum, MovementKind};
use serde::Serialize;
use utoipa::ToSchema;

use crate::shared::cents;

/// A company's balances, in cents.
#[derive(Debug, Serialize, ToSchema)]
pub struct BalanceTotals {
    /// The amount from which withdrawals are paid.
    #[schema(example = 125_040)]
    pub available: i64,
    /// Net value of captured sales that is not settled yet.
    #[schema(example = 880_000)]
    pub receivable: i64,
    /// Withdrawals that are not final yet.
    #[schema(example = 0)]
    pub in_transfer: i64,
    /// `held_by_staff` plus `in_dispute`.
    #[schema(example = 0)]
    pub blocked: i64,
    /// Blocked by staff, or until the company is approved.
    #[schema(example = 0)]
    pub held_by_staff: i64,
    /// Blocked by open disputes.
    #[schema(example = 0)]
    pub in_dispute: i64,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct BalanceByKind {
    #[serde(flatten)]
    pub totals: BalanceTotals,
    /// The sum of each kind of movement (0 to 4), in cents. A period or `as_of` limits the movements.
    #[schema(example = json!({ "0": 125_040, "1": 0, "2": 0, "3": 0, "4": 0 }))]
    pub by_kind: BTreeMap<String, i64>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct BalanceSummary {
    pub totals: BalanceByKind,
}

/// The balances at the end of a business date, in cents.
#[derive(Debug, Serialize, ToSchema)]
pub struct BalanceDay {
    /// Business date in Brasília.
    #[schema(example = "2026-11-21")]
    pub date: NaiveDate,
    #[schema(example = 125_040)]
    pub available: i64,
    #[schema(example = 880_000)]
    pub receivable: i64,
    /// Withdrawals that are not final yet.
    #[schema(example = 0)]
    pub in_transfer: i64,
    #[schema(example = 0)]
    pub blocked: i64,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct BalanceDays {
    /// Every day of the period, oldest first.
    pub data: Vec<BalanceDay>,
}

impl From<Balance> for BalanceTotals {
    fn from(balance: Balance) -> Self {
        Self {
            available: cents(balance.available),
            receivable: cents(balance.receivable),
            in_transfer: cents(balance.in_transfer),
            blocked: cents(balance.blocked),
            held_by_staff: cents(balance.held_by_staff),
            in_dispute: cents(balance.in_dispute),
        }
    }
}

impl From<Accounts> for BalanceTotals {
    fn from(accounts: Accounts) -> Self {
        Self {
            available: cents(accounts.available),
            receivable: cents(accounts.receivable),
            in_transfer: cents(accounts.in_transfer),
            blocked: cents(accounts.held_by_staff) + cents(accounts.in_dispute),
            held_by_staff: cents(accounts.held_by_staff),
            in_dispute: cents(accounts.in_dispute),
        }
    }
}

impl BalanceByKind {
    pub fn of(totals: BalanceTotals, sums: &[KindSum]) -> Self {
        // `sums` has no entry for a kind without movements. The answer has all kinds.
        let zeros = MovementKind::ALL
            .iter()
            .map(|kind| (kind.number().to_string(), 0));
        let mut by_kind: BTreeMap<String, i64> = zeros.collect();
        by_kind.extend(
            sums.iter()
                .map(|sum| (sum.kind.number().to_string(), cents(sum.amount))),
        );
        Self { totals, by_kind }
    }
}

impl From<projections::balance::days::BalanceDay> for BalanceDay {
    fn from(day: projections::balance::days::BalanceDay) -> Self {
        Self {
            date: day.date,
            available: cents(day.available),
            receivable: cents(day.receivable),
            in_transfer: cents(day.in_transfer),
            blocked: cents(day.blocked),
        }
    }
}
