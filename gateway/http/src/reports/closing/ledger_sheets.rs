//! Two sheets of a closing: the ledger's accounts, and the checks of the whole spreadsheet.

use gateway_platform::closing::{Closing, balance_of};
use ledger_domain::business::{Account, BusinessEvent};

use super::checks::Check;
use super::sheets::count;
use crate::balance::spreadsheets::account_label;
use crate::spreadsheet::{Cell, Column, column, text};

/// A line of the accounts: a balance, or the postings of one type of event.
pub struct AccountLine {
    account: Account,
    item: String,
    events: Option<u64>,
    credits: Option<i64>,
    debits: Option<i64>,
    balance: Option<i64>,
}

pub const ACCOUNTS_SHEET: &str = "Contas";
pub const ACCOUNTS: &[Column<AccountLine>] = &[
    column("Conta", 30, |line| text(account_label(line.account.into()))),
    column("Item", 32, |line| text(&line.item)),
    column("Eventos", 10, |line| line.events.map_or(Cell::Empty, Cell::Count)),
    column("Entradas", 17, |line| {
        line.credits.map_or(Cell::Empty, Cell::Money)
    }),
    column("Saídas", 17, |line| line.debits.map_or(Cell::Empty, Cell::Money)),
    column("Saldo", 17, |line| line.balance.map_or(Cell::Empty, Cell::Money)),
];

pub fn account_lines(closing: &Closing) -> Vec<AccountLine> {
    let balance = |account, item: &str, balance| AccountLine {
        account,
        item: item.to_owned(),
        events: None,
        credits: None,
        debits: None,
        balance: Some(balance),
    };
    let mut lines = vec![];
    for account in Account::ALL.iter().copied() {
        lines.push(balance(
            account,
            "Saldo inicial",
            balance_of(&closing.opening_accounts, account),
        ));
        let postings = closing.postings.iter().filter(|sum| sum.account == account);
        lines.extend(postings.map(|sum| AccountLine {
            account,
            item: BusinessEvent::label_of(&sum.event_type).to_owned(),
            events: Some(sum.postings),
            credits: Some(sum.credits.get()),
            debits: Some(sum.debits.get()),
            balance: None,
        }));
        lines.push(balance(
            account,
            "Saldo final",
            balance_of(&closing.closing_accounts, account),
        ));
    }
    lines
}

pub const CHECKS_SHEET: &str = "Conferência";
pub const CHECKS: &[Column<Check>] = &[
    column("Conferência", 60, |check| text(&check.name)),
    column("Nesta planilha", 18, |check| match &check.formula {
        Some(formula) => Cell::Sum {
            formula: formula.clone(),
            cents: check.actual,
        },
        None if check.is_count() => count(check.actual),
        None => Cell::Money(check.actual),
    }),
    column("Comparado com", 18, |check| {
        if check.is_count() {
            count(check.expected)
        } else {
            Cell::Money(check.expected)
        }
    }),
    column("Fonte", 20, |check| text(check.source)),
    column("Resultado", 14, |check| {
        text(if check.holds() { "Confere" } else { "Diferença" })
    }),
];
