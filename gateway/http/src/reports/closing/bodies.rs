//! The bodies of answers about a closing. They hold its totals; the file also has its lists and checks.

use chrono::NaiveDate;
use gateway_platform::closing::{Closing, balance_of};
use ledger_domain::business::Account;
use projections::balance::closing::OverdueReason;
use serde::Serialize;
use utoipa::ToSchema;

use crate::balance::bodies::journal::AccountWord;
use crate::problem::Result;
use crate::reports::bodies::{Figures, PlatformFees, ReportCompany};
use crate::shared::schemas::Word;

/// The totals of a company's month. Amounts are in cents.
#[derive(Debug, Serialize, ToSchema)]
pub struct MonthClosing {
    pub business: ReportCompany,
    /// The first day of the month.
    #[schema(example = "2026-10-01")]
    pub start: NaiveDate,
    /// The last day of the month.
    #[schema(example = "2026-10-31")]
    pub end: NaiveDate,
    /// All accounts. Their opening balances sum to zero, like their closing balances.
    pub accounts: Vec<ClosingAccount>,
    pub figures: Figures,
    pub platform_fees: PlatformFees,
    /// The net of the installments that were not paid at the end of the month.
    #[schema(example = 880_000)]
    pub open_receivables: i64,
    /// The open receivables whose due date had passed at the end of the month, by reason. None in an ordinary month.
    pub overdue_receivables: Vec<OverdueReceivables>,
    /// Whether each account's opening balance and movements add up to its closing balance, and the open receivables to
    /// the closing balance of the account receivable.
    #[schema(example = true)]
    pub balanced: bool,
}

/// Installments that were open after their due date, for one reason.
#[derive(Debug, Serialize, ToSchema)]
pub struct OverdueReceivables {
    /// recorded_late: the sale was recorded after the due date. not_settled: it was known, and not settled yet.
    #[schema(example = "recorded_late")]
    pub reason: &'static str,
    /// The reason in Portuguese.
    #[schema(example = "Vencida: a venda foi registrada com atraso")]
    pub label: &'static str,
    #[schema(example = 3)]
    pub installments: u64,
    /// In cents.
    #[schema(example = 29_100)]
    pub net: i64,
}

impl OverdueReceivables {
    fn of(closing: &Closing) -> Vec<Self> {
        let of_reason = |reason: OverdueReason| {
            let units = || {
                closing
                    .open
                    .iter()
                    .filter(move |unit| unit.overdue == Some(reason))
            };
            (units().count() > 0).then(|| Self {
                reason: reason.as_str(),
                label: reason.label(),
                installments: units().map(|unit| unit.installments).sum(),
                net: units().map(|unit| unit.net.get()).sum(),
            })
        };
        OverdueReason::ALL.into_iter().filter_map(of_reason).collect()
    }
}

#[derive(Debug, Serialize, ToSchema)]
pub struct ClosingAccount {
    pub account: AccountWord,
    /// At the end of the day before the month.
    #[schema(example = 120_000)]
    pub opening: i64,
    /// The sum of the amounts that the account received in the month.
    #[schema(example = 98_000)]
    pub credits: i64,
    /// The sum of the amounts that left the account in the month: zero or negative.
    #[schema(example = -92_960)]
    pub debits: i64,
    /// At the end of the month's last day.
    #[schema(example = 125_040)]
    pub closing: i64,
}

impl MonthClosing {
    pub fn of(closing: &Closing) -> Result<Self> {
        let accounts: Vec<_> = Account::ALL
            .iter()
            .map(|account| {
                let (credits, debits) = closing.credits_and_debits(*account);
                ClosingAccount {
                    account: Word((*account).into()),
                    opening: balance_of(&closing.opening_accounts, *account),
                    credits,
                    debits,
                    closing: balance_of(&closing.closing_accounts, *account),
                }
            })
            .collect();
        Ok(Self {
            business: ReportCompany::of(closing.company.id, Some(&closing.company)),
            start: closing.month.first(),
            end: closing.month.last(),
            balanced: closing.is_balanced(),
            accounts,
            figures: closing.figures()?.into(),
            platform_fees: closing.platform_fees()?.into(),
            open_receivables: closing.open_net(),
            overdue_receivables: OverdueReceivables::of(closing),
        })
    }
}
