//! The statement, for the company and for staff. Staff also see the event of each line and when it was recorded.

use super::{Cell, Column, Table, column, text, text_or_empty, words};
use crate::wire::balance::{AdminBalanceMovement, BalanceMovement};

pub const STATEMENT: Table<BalanceMovement> = Table {
    name: "extrato",
    columns: COLUMNS,
};

pub const STAFF_STATEMENT: Table<AdminBalanceMovement> = Table {
    name: "extrato",
    columns: STAFF_COLUMNS,
};

const COLUMNS: &[Column<BalanceMovement>] = &[
    column("Data", 17, |line| Cell::Instant(line.occurred_at)),
    column("Movimentação", 30, |line| text(words::movement_kind(line))),
    column("Descrição", 44, |line| text(description(line))),
    column("Venda", 15, |line| {
        text_or_empty(line.sale_id.as_deref().map(words::short_code))
    }),
    column("Valor", 15, |line| Cell::Money(line.amount)),
    column("Saldo disponível", 15, |line| Cell::Money(line.balance)),
];

const STAFF_COLUMNS: &[Column<AdminBalanceMovement>] = &[
    column("Data", 17, |line| Cell::Instant(line.movement.occurred_at)),
    column("Movimentação", 30, |line| {
        text(words::movement_kind(&line.movement))
    }),
    column("Descrição", 44, |line| text(description(&line.movement))),
    column("Registrado em", 17, |line| {
        Cell::Instant(line.movement.recorded_at)
    }),
    column("Evento", 42, |line| text(&line.event_id)),
    column("Valor", 15, |line| Cell::Money(line.movement.amount)),
    column("Saldo disponível", 15, |line| Cell::Money(line.movement.balance)),
];

/// Adds the number of the installment, unless the text contains it.
fn description(line: &BalanceMovement) -> String {
    match line.installment.map(|number| number.to_string()) {
        Some(number) if !line.description.contains(&number) => {
            format!("{} (parcela {number})", line.description)
        }
        _ => line.description.clone(),
    }
}
