//! The statement and the journal as spreadsheets. For each line of the statement, sellers see the sale. Staff see the
//! event and when it was recorded.

use ledger_domain::business::BusinessEvent;

use super::bodies::journal::{AccountName, JournalEntry};
use super::bodies::statement::{AdminBalanceMovement, BalanceMovement};
use crate::sales::labels as sale_labels;
use crate::spreadsheet::{Cell, Column, Table, list_column, text, text_or_empty};

pub const STATEMENT: Table<BalanceMovement> = Table {
    name: "extrato",
    columns: COLUMNS,
};

pub const STAFF_STATEMENT: Table<AdminBalanceMovement> = Table {
    name: "extrato",
    columns: STAFF_COLUMNS,
};

const COLUMNS: &[Column<BalanceMovement>] = &[
    list_column("occurredAt", "Data", 17, |line| Cell::Instant(line.occurred_at)),
    list_column("kind", "Movimentação", 30, |line| text(movement_label(line))),
    list_column("description", "Descrição", 44, |line| text(description(line))),
    list_column("sale", "Venda", 15, |line| {
        text_or_empty(line.sale_id.as_deref().map(sale_labels::short_code))
    }),
    list_column("amount", "Valor", 15, |line| Cell::Money(line.amount)),
    list_column("balance", "Saldo disponível", 15, |line| {
        Cell::Money(line.balance)
    }),
];

const STAFF_COLUMNS: &[Column<AdminBalanceMovement>] = &[
    list_column("occurredAt", "Data", 17, |line| {
        Cell::Instant(line.movement.occurred_at)
    }),
    list_column("kind", "Movimentação", 30, |line| {
        text(movement_label(&line.movement))
    }),
    list_column("description", "Descrição", 44, |line| {
        text(description(&line.movement))
    }),
    list_column("recordedAt", "Registrado em", 17, |line| {
        Cell::Instant(line.movement.recorded_at)
    }),
    list_column("event", "Evento", 42, |line| text(&line.event_id)),
    list_column("amount", "Valor", 15, |line| Cell::Money(line.movement.amount)),
    list_column("balance", "Saldo disponível", 15, |line| {
        Cell::Money(line.movement.balance)
    }),
];

/// Adds the number of the installment, unless the text contains it.
pub fn description(line: &BalanceMovement) -> String {
    match line.installment.map(|number| number.to_string()) {
        Some(number) if !line.description.contains(&number) => {
            format!("{} (parcela {number})", line.description)
        }
        _ => line.description.clone(),
    }
}

pub const JOURNAL: Table<JournalEntry> = Table {
    name: "razao",
    columns: JOURNAL_COLUMNS,
};

const JOURNAL_COLUMNS: &[Column<JournalEntry>] = &[
    list_column("occurredAt", "Data", 17, |entry| Cell::Instant(entry.occurred_at)),
    list_column("sequence", "Sequência", 11, |entry| {
        Cell::Count(entry.sequence.unsigned_abs())
    }),
    list_column("event", "Evento", 32, |entry| {
        text(BusinessEvent::label_of(&entry.r#type))
    }),
    list_column("recordedAt", "Registrado em", 17, |entry| {
        Cell::Instant(entry.recorded_at)
    }),
    list_column("account", "Conta", 30, |entry| text(entry.account.label())),
    list_column("amount", "Valor", 15, |entry| Cell::Money(entry.amount)),
    list_column("balance", "Saldo da conta", 17, |entry| {
        Cell::Money(entry.balance)
    }),
    list_column("eventId", "Identificador", 42, |entry| text(&entry.event_id)),
];

pub const fn account_label(account: AccountName) -> &'static str {
    account.label()
}

/// The name of a statement line's kind. Within kinds 2, 3 and 4 the name also depends on the movement.
fn movement_label(line: &BalanceMovement) -> String {
    let name = match (line.kind, line.movement.as_str()) {
        (0, _) => "Venda",
        (1, _) => "Cancelamento ou contestação",
        (2, "rental") => "Aluguel",
        (2, _) => "Saque",
        (3, "hold") => "Bloqueio",
        (3, "release") => "Liberação",
        (3, _) => "Ajuste manual",
        (4, "rental_canceled") => "Devolução de aluguel",
        (4, _) => "Devolução de saque",
        (other, _) => return format!("#{other}"),
    };
    name.to_owned()
}
