//! The columns of differences and of what acquirers report.

use chrono::NaiveDate;
use ledger_domain::Cents;

use super::bodies::{AcquirerReceivableRow, DifferenceRow};
use crate::spreadsheet::{Cell, Column, Table, list_column, text, text_or_empty};

pub const DIFFERENCES: Table<DifferenceRow> = Table {
    name: "diferencas",
    columns: DIFFERENCE_COLUMNS,
};

pub const RECEIVABLES: Table<AcquirerReceivableRow> = Table {
    name: "informado-pelas-adquirentes",
    columns: RECEIVABLE_COLUMNS,
};

const DIFFERENCE_COLUMNS: &[Column<DifferenceRow>] = &[
    list_column("day", "Dia", 12, |row| Cell::Date(row.day)),
    list_column("kind", "Diferença", 20, |row| text(row.kind.label())),
    list_column("provider", "Adquirente", 14, |row| text(row.provider.label())),
    list_column("business", "Empresa", 40, |row| {
        text_or_empty(row.business_name.as_deref())
    }),
    list_column("sale", "Venda", 42, |row| {
        text_or_empty(row.sale_id.map(|id| id.to_string()))
    }),
    list_column("installment", "Parcela", 8, |row| {
        Cell::Count(row.installment.into())
    }),
    list_column("reference", "Referência", 24, |row| {
        text_or_empty(row.reference.as_deref())
    }),
    list_column("expected", "Esperado", 14, |row| money(row.expected)),
    list_column("reported", "Informado", 14, |row| money(row.reported)),
    list_column("delta", "Diferença no bruto", 18, |row| {
        Cell::Money(row.delta.get())
    }),
    list_column("expectedOn", "Data esperada", 14, |row| date(row.expected_on)),
    list_column("reportedOn", "Data informada", 14, |row| date(row.reported_on)),
    list_column("file", "Arquivo", 30, |row| {
        text_or_empty(row.file_name.as_deref())
    }),
    list_column("line", "Linha", 10, |row| {
        row.line.map_or(Cell::Empty, Cell::Count)
    }),
    list_column("state", "Status", 14, |row| text(row.state.label())),
    list_column("reason", "Motivo", 40, |row| text_or_empty(row.reason.as_deref())),
    list_column("resolvedBy", "Resolvida por", 24, |row| {
        text_or_empty(row.resolved_by.as_deref())
    }),
    list_column("resolvedAt", "Resolvida em", 17, |row| {
        row.resolved_at.map_or(Cell::Empty, Cell::Instant)
    }),
];

const RECEIVABLE_COLUMNS: &[Column<AcquirerReceivableRow>] = &[
    list_column("day", "Dia", 12, |row| Cell::Date(row.day)),
    list_column("provider", "Adquirente", 14, |row| text(row.provider.label())),
    list_column("reference", "Referência", 24, |row| text(&row.reference)),
    list_column("names", "Identificadores", 36, |row| text_or_empty(names(row))),
    list_column("authorization", "Código de autorização", 22, |row| {
        text_or_empty(row.authorization_code.as_deref())
    }),
    list_column("installment", "Parcela", 8, |row| {
        Cell::Count(row.installment.into())
    }),
    list_column("entry", "Lançamento", 16, |row| text(entry_label(row))),
    list_column("sale", "Venda", 42, |row| {
        text_or_empty(row.sale_id.map(|id| id.to_string()))
    }),
    list_column("gross", "Valor bruto", 14, |row| Cell::Money(row.gross.get())),
    list_column("cost", "Custo", 14, |row| money(row.cost)),
    list_column("net", "Valor líquido", 14, |row| Cell::Money(row.net.get())),
    list_column("times", "Vezes", 8, |row| Cell::Count(row.times.into())),
    list_column("expectedOn", "Previsto para", 14, |row| date(row.expected_on)),
    list_column("paidOn", "Pago em", 14, |row| date(row.paid_on)),
    list_column("file", "Arquivo", 30, |row| {
        text_or_empty(row.file_name.as_deref())
    }),
    list_column("line", "Linha", 10, |row| {
        row.line.map_or(Cell::Empty, Cell::Count)
    }),
];

fn money(amount: Option<Cents>) -> Cell {
    amount.map_or(Cell::Empty, |amount| Cell::Money(amount.get()))
}

fn date(date: Option<NaiveDate>) -> Cell {
    date.map_or(Cell::Empty, Cell::Date)
}

/// The names that the reference does not repeat.
fn names(row: &AcquirerReceivableRow) -> Option<String> {
    let others = row.names.iter().filter(|name| **name != row.reference);
    let names = others.map(String::as_str).collect::<Vec<_>>().join(", ");
    Some(names).filter(|names| !names.is_empty())
}

fn entry_label(row: &AcquirerReceivableRow) -> &'static str {
    if row.canceled {
        "Cancelado"
    } else {
        row.entry.label()
    }
}
