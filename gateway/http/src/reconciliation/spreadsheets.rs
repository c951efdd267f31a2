//! The columns of differences and of what acquirers report.

use chrono::NaiveDate;
use ledger_domain::Cents;

use super::bodies::{
    AcquirerReceivableRow, DifferenceKindName, DifferenceRow, DifferenceStateName, EntryName,
};
use crate::spreadsheet::{Cell, Column, Table, column, text, text_or_empty};

pub const DIFFERENCES: Table<DifferenceRow> = Table {
    name: "diferencas",
    columns: DIFFERENCE_COLUMNS,
};

pub const RECEIVABLES: Table<AcquirerReceivableRow> = Table {
    name: "informado-pelas-adquirentes",
    columns: RECEIVABLE_COLUMNS,
};

const DIFFERENCE_COLUMNS: &[Column<DifferenceRow>] = &[
    column("Dia", 12, |row| Cell::Date(row.day)),
    column("Diferença", 20, |row| text(kind_label(row.kind))),
    column("Adquirente", 14, |row| text(row.provider.label())),
    column("Empresa", 40, |row| text_or_empty(row.business_name.as_deref())),
    column("Venda", 42, |row| {
        text_or_empty(row.sale_id.map(|id| id.to_string()))
    }),
    column("Parcela", 8, |row| Cell::Count(row.installment.into())),
    column("Referência", 24, |row| text_or_empty(row.reference.as_deref())),
    column("Esperado", 14, |row| money(row.expected)),
    column("Informado", 14, |row| money(row.reported)),
    column("Diferença no bruto", 18, |row| Cell::Money(row.delta.get())),
    column("Data esperada", 14, |row| date(row.expected_on)),
    column("Data informada", 14, |row| date(row.reported_on)),
    column("Arquivo", 30, |row| text_or_empty(row.file_name.as_deref())),
    column("Linha", 10, |row| row.line.map_or(Cell::Empty, Cell::Count)),
    column("Status", 14, |row| text(state_label(row.state))),
    column("Motivo", 40, |row| text_or_empty(row.reason.as_deref())),
    column("Resolvida por", 24, |row| {
        text_or_empty(row.resolved_by.as_deref())
    }),
    column("Resolvida em", 17, |row| {
        row.resolved_at.map_or(Cell::Empty, Cell::Instant)
    }),
];

const RECEIVABLE_COLUMNS: &[Column<AcquirerReceivableRow>] = &[
    column("Dia", 12, |row| Cell::Date(row.day)),
    column("Adquirente", 14, |row| text(row.provider.label())),
    column("Referência", 24, |row| text(&row.reference)),
    column("Parcela", 8, |row| Cell::Count(row.installment.into())),
    column("Lançamento", 16, |row| text(entry_label(row))),
    column("Venda", 42, |row| {
        text_or_empty(row.sale_id.map(|id| id.to_string()))
    }),
    column("Valor bruto", 14, |row| Cell::Money(row.gross.get())),
    column("Custo", 14, |row| Cell::Money(row.cost.get())),
    column("Valor líquido", 14, |row| Cell::Money(row.net.get())),
    column("Vezes", 8, |row| Cell::Count(row.times.into())),
    column("Previsto para", 14, |row| date(row.expected_on)),
    column("Pago em", 14, |row| date(row.paid_on)),
    column("Arquivo", 30, |row| text_or_empty(row.file_name.as_deref())),
    column("Linha", 10, |row| row.line.map_or(Cell::Empty, Cell::Count)),
];

fn money(amount: Option<Cents>) -> Cell {
    amount.map_or(Cell::Empty, |amount| Cell::Money(amount.get()))
}

fn date(date: Option<NaiveDate>) -> Cell {
    date.map_or(Cell::Empty, Cell::Date)
}

const fn kind_label(kind: DifferenceKindName) -> &'static str {
    match kind {
        DifferenceKindName::Missing => "Não informada",
        DifferenceKindName::Unknown => "Desconhecida",
        DifferenceKindName::Amount => "Valor diferente",
        DifferenceKindName::Date => "Data diferente",
        DifferenceKindName::Fee => "Custo inesperado",
        DifferenceKindName::Double => "Em dobro",
    }
}

const fn state_label(state: DifferenceStateName) -> &'static str {
    match state {
        DifferenceStateName::Open => "Em aberto",
        DifferenceStateName::Resolved => "Resolvida",
        DifferenceStateName::Gone => "Não existe mais",
    }
}

const fn entry_label(row: &AcquirerReceivableRow) -> &'static str {
    match row.entry {
        _ if row.canceled => "Cancelado",
        EntryName::Payment => "Pagamento",
        EntryName::Cancellation => "Cancelamento",
        EntryName::Chargeback => "Chargeback",
    }
}
