//! The lists of transfers: a company's own, and all transfers for staff. Staff also see the company and its available
//! balance.

use super::{Cell, Column, Table, column, text, text_or_empty, words};
use crate::wire::transfer::Transfer;

pub const TRANSFERS: Table<Transfer> = Table {
    name: "saques",
    columns: COLUMNS,
};

pub const STAFF_TRANSFERS: Table<Transfer> = Table {
    name: "saques",
    columns: STAFF_COLUMNS,
};

const REQUESTED_AT: Column<Transfer> = column("Solicitado em", 17, |transfer| {
    Cell::Instant(transfer.requested_at)
});
const KIND: Column<Transfer> = column("Tipo", 16, |transfer| text(transfer.kind.label()));
const STATUS: Column<Transfer> = column("Status", 17, |transfer| text(words::transfer_status(transfer)));
const DESTINATION: Column<Transfer> = column("Destino", 44, |transfer| text(words::destination(transfer)));
const REASON: Column<Transfer> = column("Motivo", 32, |transfer| {
    text_or_empty(transfer.reason.as_ref().or(transfer.description.as_ref()))
});
const UPDATED_AT: Column<Transfer> =
    column("Atualizado em", 17, |transfer| Cell::Instant(transfer.updated_at));
const REQUESTED_BY: Column<Transfer> = column("Solicitado por", 22, |transfer| {
    text(words::author(&transfer.author))
});
const AMOUNT: Column<Transfer> = column("Valor", 15, |transfer| Cell::Money(transfer.amount));
const FEE: Column<Transfer> = column("Tarifa", 12, |transfer| Cell::Money(transfer.fee));
const NET: Column<Transfer> = column("Valor líquido", 15, |transfer| Cell::Money(transfer.net_amount));

const COLUMNS: &[Column<Transfer>] = &[
    REQUESTED_AT,
    KIND,
    STATUS,
    DESTINATION,
    REASON,
    UPDATED_AT,
    REQUESTED_BY,
    AMOUNT,
    FEE,
    NET,
];

const STAFF_COLUMNS: &[Column<Transfer>] = &[
    column("Empresa", 44, |transfer| {
        let company = &transfer.business;
        text(format!(
            "{} · {}",
            company.name,
            words::document(&company.document)
        ))
    }),
    REQUESTED_AT,
    KIND,
    STATUS,
    DESTINATION,
    REASON,
    UPDATED_AT,
    REQUESTED_BY,
    AMOUNT,
    FEE,
    NET,
    column("Disponível agora", 16, |transfer| {
        transfer.available_now.map_or(Cell::Empty, Cell::Money)
    }),
];
