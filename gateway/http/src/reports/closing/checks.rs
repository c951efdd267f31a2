//! The checks of a closing: sums that must be equal.

use gateway_platform::closing::{Closing, balance_of};
use ledger_domain::business::{Account, ReceivablesSettled, TransferRequested};
use ledger_domain::sale::SaleStatus;
use projections::balance::statement::Movement;

use super::sheets::{self, ListTotals};
use crate::balance::spreadsheets::account_label;
use crate::problem::Result;
use crate::spreadsheet::Filled;

/// Two sums that must be equal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Check {
    pub name: String,
    /// The sum from the sheets.
    pub actual: i64,
    /// A formula that computes `actual` from the cells of the sheets.
    pub formula: Option<String>,
    /// The sum from the roll-ups or the ledger. Zero for the sum of all accounts.
    pub expected: i64,
    /// Where `expected` is from.
    pub source: &'static str,
}

impl Check {
    pub const fn holds(&self) -> bool {
        self.actual == self.expected
    }

    pub fn is_count(&self) -> bool {
        self.name == SALES_COUNT
    }
}

/// The only check of a number of rows. All others are of cents.
const SALES_COUNT: &str = "Vendas: quantidade";
const ROLL_UPS: &str = "Relatório do mês";
const LEDGER: &str = "Razão";

/// The sheets of lists that were written, and the totals of their rows.
pub struct Written {
    pub sales: Filled,
    pub returns: Filled,
    pub fees: Filled,
    pub statement: Filled,
    pub open: Filled,
    pub transfers: Filled,
    pub totals: ListTotals,
}

pub fn checks(closing: &Closing, written: &Written) -> Result<Vec<Check>> {
    let mut checks = account_checks(closing);
    checks.extend(sale_checks(closing, written)?);
    checks.extend(return_checks(closing, written)?);
    checks.extend(list_checks(closing, written)?);
    Ok(checks)
}

/// Balances and postings come from two tables.
fn account_checks(closing: &Closing) -> Vec<Check> {
    let mut checks: Vec<Check> = Account::ALL
        .iter()
        .map(|account| {
            let (credits, debits) = closing.credits_and_debits(*account);
            Check {
                name: format!(
                    "{}: saldo inicial + movimentos = saldo final",
                    account_label((*account).into())
                ),
                actual: balance_of(&closing.opening_accounts, *account) + credits + debits,
                formula: None,
                expected: balance_of(&closing.closing_accounts, *account),
                source: LEDGER,
            }
        })
        .collect();
    checks.push(Check {
        name: "Soma dos saldos finais de todas as contas".to_owned(),
        actual: Account::ALL
            .iter()
            .map(|account| balance_of(&closing.closing_accounts, *account))
            .sum(),
        formula: None,
        expected: 0,
        source: LEDGER,
    });
    checks
}

fn sale_checks(closing: &Closing, written: &Written) -> Result<Vec<Check>> {
    let figures = closing.figures()?;
    let totals = &written.totals;
    let sheet = |name: &str, column: usize, actual: i64, expected: i64| Check {
        name: format!("Vendas: {name}"),
        actual,
        formula: Some(written.sales.sum(column)),
        expected,
        source: ROLL_UPS,
    };
    Ok(vec![
        Check {
            name: SALES_COUNT.to_owned(),
            actual: totals.sales,
            formula: None,
            expected: figures.sales,
            source: ROLL_UPS,
        },
        sheet("valor bruto", sheets::SALES_GROSS, totals.gross, figures.gross),
        sheet(
            "taxa da forma de pagamento",
            sheets::SALES_GROSS + 1,
            totals.percentage_fee,
            figures.percentage_fee,
        ),
        sheet(
            "tarifa da forma de pagamento",
            sheets::SALES_GROSS + 2,
            totals.flat_fee,
            figures.flat_fee,
        ),
        sheet(
            "taxa do plano",
            sheets::SALES_GROSS + 3,
            totals.percentage_rate,
            figures.percentage_rate,
        ),
        sheet(
            "tarifa do plano",
            sheets::SALES_GROSS + 4,
            totals.flat_rate,
            figures.flat_rate,
        ),
        sheet("valor líquido", sheets::SALES_NET, totals.net, figures.net),
    ])
}

fn return_checks(closing: &Closing, written: &Written) -> Result<Vec<Check>> {
    let figures = closing.figures()?;
    let kinds = [
        (SaleStatus::Canceled, figures.canceled_gross),
        (SaleStatus::Refunded, figures.refunded_gross),
        (SaleStatus::Reversed, figures.acquirer_reversed_gross),
        (SaleStatus::Dispute, figures.disputed),
        (SaleStatus::Succeeded, figures.won),
        (SaleStatus::ChargedBack, figures.charged_back),
    ];
    let check = |(status, expected): (SaleStatus, i64)| {
        let label = sheets::return_label(status);
        let actual = written.totals.returned.get(label).copied().unwrap_or_default();
        let of_kind = (sheets::RETURNS_KIND, label);
        Check {
            name: format!("Devoluções: {label}, valor bruto"),
            actual,
            formula: Some(written.returns.sum_if(sheets::RETURNS_GROSS, of_kind)),
            expected,
            source: ROLL_UPS,
        }
    };
    Ok(kinds.into_iter().map(check).collect())
}

fn list_checks(closing: &Closing, written: &Written) -> Result<Vec<Check>> {
    let totals = &written.totals;
    let (credits, debits) = closing.credits_and_debits(Account::Available);
    let (fee_credits, fee_debits) = closing.credits_and_debits(Account::PlatformFees);
    let withdrawal = sheets::WITHDRAWAL;
    let settlement = Movement::Settlement.label();
    let reserved = closing.posted(Account::HeldByStaff, ReceivablesSettled::TYPE);
    Ok(vec![
        Check {
            name: "Taxas: total cobrado".to_owned(),
            actual: totals.charged,
            formula: Some(written.fees.sum(sheets::FEES_TOTAL)),
            expected: fee_credits + fee_debits,
            source: LEDGER,
        },
        Check {
            name: "Extrato: soma dos movimentos".to_owned(),
            actual: totals.statement,
            formula: Some(written.statement.sum(sheets::STATEMENT_AMOUNT)),
            expected: credits + debits,
            source: LEDGER,
        },
        Check {
            name: "Extrato: saldo disponível na última linha".to_owned(),
            actual: totals
                .last_balance
                .unwrap_or_else(|| balance_of(&closing.opening_accounts, Account::Available)),
            formula: None,
            expected: balance_of(&closing.closing_accounts, Account::Available),
            source: LEDGER,
        },
        Check {
            name: "Extrato: parcelas liquidadas".to_owned(),
            actual: totals.settled,
            formula: Some(
                written
                    .statement
                    .sum_if(sheets::STATEMENT_AMOUNT, (sheets::STATEMENT_KIND, settlement)),
            ),
            expected: closing.figures()?.settled - reserved,
            source: ROLL_UPS,
        },
        Check {
            name: "A receber: soma das parcelas em aberto".to_owned(),
            actual: closing.open_net(),
            formula: Some(written.open.sum(sheets::OPEN_NET)),
            expected: balance_of(&closing.closing_accounts, Account::Receivable),
            source: LEDGER,
        },
        Check {
            name: "Saques: solicitados no mês".to_owned(),
            actual: totals.withdrawn,
            formula: Some(
                written
                    .transfers
                    .sum_if(sheets::TRANSFERS_AMOUNT, (sheets::TRANSFERS_KIND, withdrawal)),
            ),
            expected: -closing.posted(Account::Available, TransferRequested::TYPE),
            source: LEDGER,
        },
    ])
}
