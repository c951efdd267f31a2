//! The checks of a closing. Each compares a total of its sheets with the roll-ups or with the ledger.

use ledger_domain::business::Account;
use ledger_domain::sale::SaleStatus;
use projections::balance::statement::Movement;

use super::read::{Closing, of};
use super::sheets::{self, Counts};
use crate::balance::spreadsheets::account_label;
use crate::problem::Result;
use crate::spreadsheet::Filled;

/// Two sums that must be equal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Check {
    pub name: String,
    /// The first sum: a total of the sheets, or for an account its opening balance and postings.
    pub found: i64,
    /// A formula that computes it from the cells of the sheets.
    pub formula: Option<String>,
    /// The second sum, from the roll-ups or the ledger.
    pub expected: i64,
    /// Where `expected` is from.
    pub source: &'static str,
}

impl Check {
    pub const fn holds(&self) -> bool {
        self.found == self.expected
    }
}

const ROLL_UPS: &str = "Relatório do mês";
const LEDGER: &str = "Razão";

/// What was written to the sheets of lists.
pub struct Written {
    pub sales: Filled,
    pub returns: Filled,
    pub fees: Filled,
    pub statement: Filled,
    pub open: Filled,
    pub transfers: Filled,
    pub counts: Counts,
}

pub fn checks(closing: &Closing, written: &Written) -> Result<Vec<Check>> {
    let mut checks = of_accounts(closing);
    checks.extend(of_sales(closing, written)?);
    checks.extend(of_returns(closing, written)?);
    checks.extend(of_lists(closing, written)?);
    Ok(checks)
}

/// Opening, postings and closing come from two tables.
fn of_accounts(closing: &Closing) -> Vec<Check> {
    let mut checks: Vec<Check> = Account::ALL
        .iter()
        .map(|account| {
            let (credits, debits) = closing.moved(*account);
            Check {
                name: format!(
                    "{}: saldo inicial + movimentos = saldo final",
                    account_label((*account).into())
                ),
                found: of(&closing.opening, *account) + credits + debits,
                formula: None,
                expected: of(&closing.closing, *account),
                source: LEDGER,
            }
        })
        .collect();
    checks.push(Check {
        name: "Soma dos saldos finais de todas as contas".to_owned(),
        found: Account::ALL
            .iter()
            .map(|account| of(&closing.closing, *account))
            .sum(),
        formula: None,
        expected: 0,
        source: LEDGER,
    });
    checks
}

fn of_sales(closing: &Closing, written: &Written) -> Result<Vec<Check>> {
    let figures = closing.figures()?;
    let counts = &written.counts;
    let sheet = |name: &str, column: usize, found: i64, expected: i64| Check {
        name: format!("Vendas: {name}"),
        found,
        formula: Some(written.sales.sum(column)),
        expected,
        source: ROLL_UPS,
    };
    Ok(vec![
        Check {
            name: "Vendas: quantidade".to_owned(),
            found: counts.sales,
            formula: None,
            expected: figures.sales,
            source: ROLL_UPS,
        },
        sheet("valor bruto", sheets::SALES_GROSS, counts.gross, figures.gross),
        sheet(
            "taxa da forma de pagamento",
            sheets::SALES_GROSS + 1,
            counts.percentage_fee,
            figures.percentage_fee,
        ),
        sheet(
            "tarifa da forma de pagamento",
            sheets::SALES_GROSS + 2,
            counts.flat_fee,
            figures.flat_fee,
        ),
        sheet(
            "taxa do plano",
            sheets::SALES_GROSS + 3,
            counts.percentage_rate,
            figures.percentage_rate,
        ),
        sheet(
            "tarifa do plano",
            sheets::SALES_GROSS + 4,
            counts.flat_rate,
            figures.flat_rate,
        ),
        sheet("valor líquido", sheets::SALES_NET, counts.net, figures.net),
    ])
}

fn of_returns(closing: &Closing, written: &Written) -> Result<Vec<Check>> {
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
        let found = written.counts.returned.get(label).copied().unwrap_or_default();
        let of_kind = (sheets::RETURNS_KIND, label);
        Check {
            name: format!("Devoluções: {label}, valor bruto"),
            found,
            formula: Some(written.returns.sum_if(sheets::RETURNS_GROSS, of_kind)),
            expected,
            source: ROLL_UPS,
        }
    };
    Ok(kinds.into_iter().map(check).collect())
}

fn of_lists(closing: &Closing, written: &Written) -> Result<Vec<Check>> {
    let counts = &written.counts;
    let (credits, debits) = closing.moved(Account::Available);
    let fees = closing.moved(Account::PlatformFees);
    let withdrawal = sheets::WITHDRAWAL;
    let settlement = Movement::Settlement.label();
    Ok(vec![
        Check {
            name: "Taxas: total cobrado".to_owned(),
            found: counts.charged,
            formula: Some(written.fees.sum(sheets::FEES_TOTAL)),
            expected: fees.0 + fees.1,
            source: LEDGER,
        },
        Check {
            name: "Extrato: soma dos movimentos".to_owned(),
            found: counts.statement,
            formula: Some(written.statement.sum(sheets::STATEMENT_AMOUNT)),
            expected: credits + debits,
            source: LEDGER,
        },
        Check {
            name: "Extrato: saldo disponível na última linha".to_owned(),
            found: counts
                .last_balance
                .unwrap_or_else(|| of(&closing.opening, Account::Available)),
            formula: None,
            expected: of(&closing.closing, Account::Available),
            source: LEDGER,
        },
        Check {
            name: "Extrato: parcelas liquidadas".to_owned(),
            found: counts.settled,
            formula: Some(
                written
                    .statement
                    .sum_if(sheets::STATEMENT_AMOUNT, (sheets::STATEMENT_KIND, settlement)),
            ),
            expected: closing.figures()?.settled,
            source: ROLL_UPS,
        },
        Check {
            name: "A receber: soma das parcelas em aberto".to_owned(),
            found: closing.open_net(),
            formula: Some(written.open.sum(sheets::OPEN_NET)),
            expected: of(&closing.closing, Account::Receivable),
            source: LEDGER,
        },
        Check {
            name: "Saques: solicitados no mês".to_owned(),
            found: counts.withdrawn,
            formula: Some(
                written
                    .transfers
                    .sum_if(sheets::TRANSFERS_AMOUNT, (sheets::TRANSFERS_KIND, withdrawal)),
            ),
            expected: -closing.posted(Account::Available, "TransferRequested"),
            source: LEDGER,
        },
    ])
}
