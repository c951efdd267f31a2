//! The tables of receivables: by day, by unit, and the installments of one day.

use super::bodies::{DueInstallment, ReceivablesDay, ReceivablesUnit};
use crate::sales::bodies::detail::ReceivableStatus;
use crate::sales::bodies::list::PaymentType;
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
        text(payment_type_label(unit.payment_type))
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
    column("Venda", 15, |part| text(sale_labels::short_code(&part.sale_id))),
    column("Parcela", 9, |part| {
        text(format!("{} de {}", part.number, part.installments))
    }),
    column("Data da venda", 17, |part| Cell::Instant(part.sold_at)),
    column("Adquirente", 14, |part| {
        text(sale_labels::provider(part.provider))
    }),
    column("Pagamento", 16, |part| {
        text(sale_labels::payment(part.payment_type, part.installments))
    }),
    column("Bandeira", 16, |part| brand(part.card_brand.as_deref())),
    column("Status", 13, |part| text(receivable_status_label(part.status))),
    column("Liquidado em", 13, |part| {
        part.paid_on.map_or(Cell::Empty, Cell::Date)
    }),
    column("Valor bruto", 15, |part| Cell::Money(part.gross)),
    column("Valor líquido", 15, |part| Cell::Money(part.net)),
];

fn brand(code: Option<&str>) -> Cell {
    text_or_empty(code.map(sale_labels::brand))
}

/// The payment type alone, because a unit has no number of installments.
const fn payment_type_label(payment_type: PaymentType) -> &'static str {
    match payment_type {
        PaymentType::Credit => "Crédito",
        PaymentType::Debit => "Débito",
        PaymentType::Boleto => "Boleto",
        PaymentType::Pix => "PIX",
    }
}

const fn receivable_status_label(status: ReceivableStatus) -> &'static str {
    match status {
        ReceivableStatus::Scheduled => "Agendado",
        ReceivableStatus::Settled => "Liquidado",
        ReceivableStatus::Accelerated => "Antecipado por cancelamento",
    }
}
