//! The tables of receivables: by day, by unit, and the installments of one day.

use super::bodies::{DueInstallment, ReceivablesDay, ReceivablesUnit};
use crate::sales::labels as sale_labels;
use crate::spreadsheet::{Cell, Column, Table, labels, list_column, text, text_or_empty};

pub const RECEIVABLES: Table<ReceivablesDay> = Table {
    name: "recebimentos",
    columns: COLUMNS,
};

pub const RECEIVABLE_UNITS: Table<ReceivablesUnit> = Table {
    name: "unidades-de-recebiveis",
    columns: UNIT_COLUMNS,
};

pub const DUE_INSTALLMENTS: Table<DueInstallment> = Table {
    name: "parcelas",
    columns: INSTALLMENT_COLUMNS,
};

const COLUMNS: &[Column<ReceivablesDay>] = &[
    list_column("dueDate", "Data prevista", 13, |day| Cell::Date(day.due_date)),
    list_column("weekday", "Dia", 15, |day| text(labels::weekday(day.due_date))),
    list_column("count", "Parcelas", 10, |day| Cell::Count(day.count)),
    list_column("expected", "Total", 15, |day| Cell::Money(day.expected)),
    list_column("settled", "Liquidado", 15, |day| Cell::Money(day.settled)),
    list_column("accelerated", "Antecipado por cancelamento", 26, |day| {
        Cell::Money(day.accelerated)
    }),
    list_column("scheduled", "Agendado", 15, |day| {
        Cell::Money(day.expected - day.settled - day.accelerated)
    }),
];

const UNIT_COLUMNS: &[Column<ReceivablesUnit>] = &[
    list_column("dueDate", "Data prevista", 13, |unit| Cell::Date(unit.due_date)),
    list_column("holder", "Titular", 44, |unit| {
        text(format!(
            "{} · {}",
            unit.holder.name,
            labels::document(&unit.holder.document)
        ))
    }),
    list_column("acquirer", "Adquirente", 14, |unit| {
        text(sale_labels::provider(unit.acquirer))
    }),
    list_column("brand", "Bandeira", 16, |unit| brand(unit.card_brand.as_deref())),
    list_column("payment", "Pagamento", 12, |unit| {
        // A unit mixes sales of different numbers of installments, so "Crédito 3x" would be wrong.
        text(unit.payment_type.label())
    }),
    list_column("count", "Parcelas", 10, |unit| Cell::Count(unit.installments)),
    list_column("expected", "Total", 15, |unit| Cell::Money(unit.expected)),
    list_column("settled", "Liquidado", 15, |unit| Cell::Money(unit.settled)),
    list_column("accelerated", "Antecipado por cancelamento", 26, |unit| {
        Cell::Money(unit.accelerated)
    }),
    list_column("scheduled", "Agendado", 15, |unit| {
        Cell::Money(unit.expected - unit.settled - unit.accelerated)
    }),
];

const INSTALLMENT_COLUMNS: &[Column<DueInstallment>] = &[
    list_column("sale", "Venda", 15, |installment| {
        text(sale_labels::short_code(&installment.sale_id))
    }),
    list_column("number", "Parcela", 9, |installment| {
        text(format!("{} de {}", installment.number, installment.installments))
    }),
    list_column("soldAt", "Data da venda", 17, |installment| {
        Cell::Instant(installment.sold_at)
    }),
    list_column("acquirer", "Adquirente", 14, |installment| {
        text(sale_labels::provider(installment.provider))
    }),
    list_column("payment", "Pagamento", 16, |installment| {
        text(installment.payment_type.label_with(installment.installments))
    }),
    list_column("brand", "Bandeira", 16, |installment| {
        brand(installment.card_brand.as_deref())
    }),
    list_column("status", "Status", 13, |installment| {
        text(installment.status.label())
    }),
    list_column("settledOn", "Liquidado em", 13, |installment| {
        installment.paid_on.map_or(Cell::Empty, Cell::Date)
    }),
    list_column("gross", "Valor bruto", 15, |installment| {
        Cell::Money(installment.gross)
    }),
    list_column("net", "Valor líquido", 15, |installment| {
        Cell::Money(installment.net)
    }),
];

fn brand(code: Option<&str>) -> Cell {
    text_or_empty(code.map(sale_labels::brand))
}
