//! The tables of receivables: by day, by unit, and the installments of one day.

use super::bodies::{DueInstallment, ReceivablesDay, ReceivablesUnit};
use crate::sales::bodies::detail::ReceivableStatus;
use crate::sales::labels as sale_labels;
use crate::spreadsheet::{Cell, Column, Table, column, labels, text, text_or_empty};

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
    column("Data prevista", 13, |day| Cell::Date(day.due_date)),
    column("Dia", 15, |day| text(labels::weekday(day.due_date))),
    column("Parcelas", 10, |day| Cell::Count(day.count)),
    column("Total", 15, |day| Cell::Money(day.expected)),
    column("Liquidado", 15, |day| Cell::Money(day.settled)),
    column("Antecipado por cancelamento", 26, |day| {
        Cell::Money(day.accelerated)
    }),
    column("Agendado", 15, |day| {
        Cell::Money(day.expected - day.settled - day.accelerated)
    }),
];

const UNIT_COLUMNS: &[Column<ReceivablesUnit>] = &[
    column("Data prevista", 13, |unit| Cell::Date(unit.due_date)),
    column("Titular", 44, |unit| {
        text(format!(
            "{} · {}",
            unit.holder.name,
            labels::document(&unit.holder.document)
        ))
    }),
    column("Adquirente", 14, |unit| {
        text(sale_labels::provider(unit.acquirer))
    }),
    column("Bandeira", 16, |unit| brand(unit.card_brand.as_deref())),
    column("Pagamento", 12, |unit| {
        // A unit mixes sales of different numbers of installments, so "Crédito 3x" would be wrong.
        text(sale_labels::payment_type(unit.payment_type))
    }),
    column("Parcelas", 10, |unit| Cell::Count(unit.installments)),
    column("Total", 15, |unit| Cell::Money(unit.expected)),
    column("Liquidado", 15, |unit| Cell::Money(unit.settled)),
    column("Antecipado por cancelamento", 26, |unit| {
        Cell::Money(unit.accelerated)
    }),
    column("Agendado", 15, |unit| {
        Cell::Money(unit.expected - unit.settled - unit.accelerated)
    }),
];

const INSTALLMENT_COLUMNS: &[Column<DueInstallment>] = &[
    column("Venda", 15, |installment| {
        text(sale_labels::short_code(&installment.sale_id))
    }),
    column("Parcela", 9, |installment| {
        text(format!("{} de {}", installment.number, installment.installments))
    }),
    column("Data da venda", 17, |installment| {
        Cell::Instant(installment.sold_at)
    }),
    column("Adquirente", 14, |installment| {
        text(sale_labels::provider(installment.provider))
    }),
    column("Pagamento", 16, |installment| {
        text(sale_labels::payment(
            installment.payment_type,
            installment.installments,
        ))
    }),
    column("Bandeira", 16, |installment| {
        brand(installment.card_brand.as_deref())
    }),
    column("Status", 13, |installment| {
        text(receivable_status_label(installment.status))
    }),
    column("Liquidado em", 13, |installment| {
        installment.paid_on.map_or(Cell::Empty, Cell::Date)
    }),
    column("Valor bruto", 15, |installment| Cell::Money(installment.gross)),
    column("Valor líquido", 15, |installment| Cell::Money(installment.net)),
];

fn brand(code: Option<&str>) -> Cell {
    text_or_empty(code.map(sale_labels::brand))
}

const fn receivable_status_label(status: ReceivableStatus) -> &'static str {
    match status {
        ReceivableStatus::Scheduled => "Agendado",
        ReceivableStatus::Settled => "Liquidado",
        ReceivableStatus::Accelerated => "Antecipado por cancelamento",
    }
}
