//! The lists of terminals.

use super::bodies::{OwnTerminal, Terminal, TerminalBilling};
use crate::spreadsheet::{Cell, Column, Table, column, labels, text, text_or_empty};

pub const TERMINALS: Table<Terminal> = Table {
    name: "maquininhas",
    columns: COLUMNS,
};

pub const OWN_TERMINALS: Table<OwnTerminal> = Table {
    name: "maquininhas",
    columns: OWN_COLUMNS,
};

const COLUMNS: &[Column<Terminal>] = &[
    column("Número de série", 22, |terminal| text(&terminal.serial_number)),
    column("Nome", 30, |terminal| text_or_empty(terminal.name.clone())),
    column("Empresa", 40, |terminal| {
        text_or_empty(terminal.business.as_ref().map(|company| &company.name))
    }),
    column("CPF ou CNPJ", 20, |terminal| {
        let document = terminal.business.as_ref().map(|company| &company.document);
        text_or_empty(document.map(|document| labels::document(document)))
    }),
    column("Status", 12, |terminal| {
        text(if terminal.business.is_some() {
            "Em uso"
        } else {
            "Em estoque"
        })
    }),
    column("Desde", 17, |terminal| {
        terminal.owned_since.map_or(Cell::Empty, Cell::Instant)
    }),
    column("Cobrança", 12, |terminal| billing_type(&terminal.billing)),
    column("Aquisição", 12, |terminal| acquisition(&terminal.billing)),
    column("Mensalidade", 14, |terminal| monthly_price(&terminal.billing)),
    column("Cadastrada em", 17, |terminal| Cell::Instant(terminal.created_at)),
];

const OWN_COLUMNS: &[Column<OwnTerminal>] = &[
    column("Nome", 30, |terminal| text_or_empty(terminal.name.clone())),
    column("Número de série", 22, |terminal| text(&terminal.serial_number)),
    column("Cobrança", 12, |terminal| billing_type(&terminal.billing)),
    column("Mensalidade", 14, |terminal| monthly_price(&terminal.billing)),
    column("Desde", 17, |terminal| {
        terminal.owned_since.map_or(Cell::Empty, Cell::Instant)
    }),
    column("Última venda", 17, |terminal| {
        let sale = terminal.last_sale.as_ref();
        sale.map_or(Cell::Empty, |sale| Cell::Instant(sale.occurred_at))
    }),
    column("Valor da última venda", 20, |terminal| {
        let sale = terminal.last_sale.as_ref();
        sale.map_or(Cell::Empty, |sale| Cell::Money(sale.amount))
    }),
];

fn billing_type(billing: &TerminalBilling) -> Cell {
    text_or_empty(billing.billing_type.map(|kind| match kind {
        1 => "Aluguel",
        _ => "Adesão",
    }))
}

fn acquisition(billing: &TerminalBilling) -> Cell {
    text_or_empty(billing.acquisition.map(|acquisition| match acquisition {
        1 => "Alugada",
        _ => "Comprada",
    }))
}

fn monthly_price(billing: &TerminalBilling) -> Cell {
    billing.monthly_price.map_or(Cell::Empty, Cell::Money)
}
