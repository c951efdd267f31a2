//! Bodies: debts, their causes, and how they are recovered. Amounts are in cents.

use chrono::{DateTime, NaiveDate, Utc};
use ledger_domain::Cents;
use projections::balance::statement::StatementLine;
use projections::balance::statement::composition::{AmountPart, Debt};
use serde::Serialize;
use utoipa::ToSchema;

use crate::shared::cents;
use crate::shared::form::{REASON_MAX, cents_from_one, form, line, password, required};

form! {
    /// A debt that the platform gives up.
    pub struct WriteOffForm {
        /// The amount in cents; at most what the company owes.
        #[example = 5_000]
        amount: Cents = required(cents_from_one(), "requerido"),
        /// What was agreed. Up to 500 characters.
        #[example = "Acordo de 20/11: a empresa pagou metade por PIX"]
        reason: String = required(line(REASON_MAX), "Informe o que foi combinado."),
        /// The password of the signed-in user.
        #[example = "demonstracao-1"]
        password: String = required(password(), "A senha é requerida."),
    }
}

/// What a company owes.
#[derive(Debug, Serialize, ToSchema)]
pub struct Debts {
    /// Zero if the balance is not below zero.
    #[schema(example = 12_000)]
    pub debt: i64,
    /// The debits that took the balance below zero and are not covered, the oldest first; at most 100. Their open parts add
    /// up to the debt, if all are listed.
    pub causes: Vec<DebtCause>,
    /// What the causes beyond the listed ones leave open.
    #[schema(example = 0)]
    pub unlisted: i64,
    /// The coming receivables that will be taken for the debt, by day.
    pub recovery: Vec<DebtRecovery>,
    /// The business date on which the coming receivables have covered the debt. Null if there is none, or if they are not
    /// enough.
    #[schema(required = true, example = "2026-12-22")]
    pub ends_on: Option<NaiveDate>,
    /// What the coming receivables do not cover.
    #[schema(example = 0)]
    pub uncovered: i64,
}

/// A debit that took the balance below zero.
#[derive(Debug, Serialize, ToSchema)]
pub struct DebtCause {
    #[schema(example = "Contestação perdida")]
    pub description: String,
    /// UTC instant.
    pub occurred_at: DateTime<Utc>,
    /// The whole debit.
    #[schema(example = 30_000)]
    pub amount: i64,
    /// What it took below zero.
    #[schema(example = 18_000)]
    pub owed: i64,
    /// What is not recovered yet.
    #[schema(example = 12_000)]
    pub open: i64,
    #[schema(required = true, example = json!(null))]
    pub sale_id: Option<String>,
    #[schema(required = true, example = json!(null))]
    pub transfer_id: Option<String>,
    /// The later credits that recovered the rest, in the order of recording; at most 100.
    pub recovered: Vec<DebtCredit>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct DebtCredit {
    #[schema(example = "Parcela 2 de venda")]
    pub description: String,
    /// UTC instant.
    pub occurred_at: DateTime<Utc>,
    /// The part of the credit.
    #[schema(example = 6_000)]
    pub amount: i64,
    #[schema(required = true, example = json!(null))]
    pub sale_id: Option<String>,
}

/// What will be taken from the receivables of a day.
#[derive(Debug, Serialize, ToSchema)]
pub struct DebtRecovery {
    #[schema(example = "2026-12-22")]
    pub date: NaiveDate,
    /// What is due on the day.
    #[schema(example = 15_000)]
    pub expected: i64,
    /// What of it covers the debt.
    #[schema(example = 12_000)]
    pub taken: i64,
}

impl Debts {
    pub const NONE: Self = Self {
        debt: 0,
        causes: vec![],
        unlisted: 0,
        recovery: vec![],
        ends_on: None,
        uncovered: 0,
    };

    /// `coming` are the days with open receivables, the earliest first.
    pub fn of(available: Cents, causes: Vec<Debt>, coming: Vec<(NaiveDate, Cents)>) -> Self {
        let debt = -available.get();
        let listed: i64 = causes.iter().map(|cause| cause.open.get()).sum();
        let mut uncovered = debt;
        let mut recovery = vec![];
        for (date, expected) in coming {
            let taken = uncovered.min(expected.get());
            if taken > 0 {
                uncovered -= taken;
                recovery.push(DebtRecovery {
                    date,
                    expected: expected.get(),
                    taken,
                });
            }
        }
        Self {
            debt,
            causes: causes.into_iter().map(DebtCause::from).collect(),
            unlisted: debt - listed,
            ends_on: recovery.last().map(|last| last.date).filter(|_| uncovered == 0),
            recovery,
            uncovered,
        }
    }
}

impl From<Debt> for DebtCause {
    fn from(debt: Debt) -> Self {
        Self {
            description: debt.line.description(),
            occurred_at: debt.line.occurred_at,
            amount: -debt.line.amount.get(),
            owed: cents(debt.owed),
            open: cents(debt.open),
            sale_id: debt.line.sale_id.map(|id| id.to_string()),
            transfer_id: debt.line.transfer_id.map(|id| id.to_string()),
            recovered: debt.recovered.into_iter().filter_map(DebtCredit::of).collect(),
        }
    }
}

impl DebtCredit {
    /// `None` for a part that no credit has covered.
    fn of(part: AmountPart) -> Option<Self> {
        let line: StatementLine = part.line?;
        Some(Self {
            description: line.description(),
            occurred_at: line.occurred_at,
            amount: cents(part.amount),
            sale_id: line.sale_id.map(|id| id.to_string()),
        })
    }
}
