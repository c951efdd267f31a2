//! The company's money on the wire: totals, the statement's lines, the balance by day.

use std::collections::BTreeMap;

use chrono::{DateTime, NaiveDate, Utc};
use ledger_domain::business::Accounts;
use projections::balance::Balance;
use projections::statement::{Kind, KindSum, StatementLine};
use serde::Serialize;
use utoipa::ToSchema;

use super::cents;
use super::page::PageMeta;

#[derive(Debug, Serialize, ToSchema)]
pub struct BalanceTotals {
    /// Can be withdrawn.
    #[schema(example = 125_040)]
    pub available: i64,
    /// Promised by sales, not due yet.
    #[schema(example = 880_000)]
    pub receivable: i64,
    #[schema(example = 0)]
    pub in_transfer: i64,
    /// Held by the platform and in dispute, together.
    #[schema(example = 0)]
    pub blocked: i64,
    #[schema(example = 0)]
    pub held_by_staff: i64,
    #[schema(example = 0)]
    pub in_dispute: i64,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct BalanceByKind {
    #[serde(flatten)]
    pub totals: BalanceTotals,
    /// What each kind of movement (0 to 4) came to in the period, all time where there is none.
    #[schema(example = json!({ "0": 125_040, "1": 0, "2": 0, "3": 0, "4": 0 }))]
    pub by_kind: BTreeMap<String, i64>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct BalanceSummary {
    pub totals: BalanceByKind,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct BalanceMovement {
    /// From 1, in the order of recording; of this company alone.
    #[schema(example = 17)]
    pub id: i64,
    /// 0 transaction, 1 returned transaction, 2 transfer, 3 manual transfer, 4 returned transfer.
    #[schema(example = 0)]
    pub kind: i16,
    /// What moved, within its kind: settlement, withdrawal, rental, manual_credit, hold and so on.
    #[schema(example = "settlement")]
    pub movement: String,
    /// Signed.
    #[schema(example = 9_601)]
    pub amount: i64,
    /// What was available after it.
    #[schema(example = 125_040)]
    pub balance: i64,
    pub occurred_at: DateTime<Utc>,
    pub recorded_at: DateTime<Utc>,
    #[schema(required = true)]
    pub sale_id: Option<String>,
    #[schema(required = true, example = 1)]
    pub installment: Option<u8>,
    /// The brand of the sale's card; null where there is no sale or no card.
    #[schema(required = true, example = "visa")]
    pub card_brand: Option<String>,
    /// The withdrawal or the manual transfer that it is of.
    #[schema(required = true)]
    pub transfer_id: Option<String>,
    #[schema(example = "Parcela 1 de venda")]
    pub description: String,
}

/// A movement as staff see it.
#[derive(Debug, Serialize, ToSchema)]
pub struct AdminBalanceMovement {
    #[serde(flatten)]
    pub movement: BalanceMovement,
    /// The event that made it; several movements may have one.
    #[schema(example = "evt_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b07")]
    pub event_id: String,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct BalancePage {
    pub data: Vec<BalanceMovement>,
    pub meta: PageMeta,
}

/// The call's two answers: totals where `totals=1`, else a page of movements.
#[derive(Debug, Serialize, ToSchema)]
#[serde(untagged)]
pub enum BalanceHistory {
    Totals(BalanceSummary),
    Movements(BalancePage),
}

#[derive(Debug, Serialize, ToSchema)]
pub struct AdminBalancePage {
    pub data: Vec<AdminBalanceMovement>,
    pub meta: PageMeta,
}

/// As BalanceHistory, with the event of each movement.
#[derive(Debug, Serialize, ToSchema)]
#[serde(untagged)]
pub enum AdminBalanceHistory {
    Totals(BalanceSummary),
    Movements(AdminBalancePage),
}

/// The balance at the end of a day.
#[derive(Debug, Serialize, ToSchema)]
pub struct BalanceDay {
    #[schema(example = "2026-11-21")]
    pub date: NaiveDate,
    #[schema(example = 125_040)]
    pub available: i64,
    #[schema(example = 880_000)]
    pub receivable: i64,
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
        let nothing = Kind::ALL.iter().map(|kind| (kind.number().to_string(), 0));
        let mut by_kind: BTreeMap<String, i64> = nothing.collect();
        by_kind.extend(
            sums.iter()
                .map(|sum| (sum.kind.number().to_string(), cents(sum.amount))),
        );
        Self { totals, by_kind }
    }
}

impl From<StatementLine> for BalanceMovement {
    fn from(line: StatementLine) -> Self {
        Self {
            id: line.number,
            kind: line.kind.number(),
            movement: line.movement.as_str().to_owned(),
            amount: cents(line.amount),
            balance: cents(line.balance),
            occurred_at: line.occurred_at,
            recorded_at: line.recorded_at,
            sale_id: line.sale_id.map(|id| id.to_string()),
            installment: line.installment,
            card_brand: line.card_brand.as_ref().map(|brand| brand.as_str().to_owned()),
            transfer_id: line.transfer_id.map(|id| id.to_string()),
            description: line.description(),
        }
    }
}

impl From<StatementLine> for AdminBalanceMovement {
    fn from(line: StatementLine) -> Self {
        Self {
            event_id: line.event_id.to_string(),
            movement: line.into(),
        }
    }
}

impl From<projections::balance_day::BalanceDay> for BalanceDay {
    fn from(day: projections::balance_day::BalanceDay) -> Self {
        Self {
            date: day.date,
            available: cents(day.available),
            receivable: cents(day.receivable),
            in_transfer: cents(day.in_transfer),
            blocked: cents(day.blocked),
        }
    }
}
