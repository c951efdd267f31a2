//! The journal: a row for each posting.

use super::{Cell, Column, Table, column, text, words};
use crate::wire::as_of::JournalEntry;

pub const JOURNAL: Table<JournalEntry> = Table {
    name: "razao",
    columns: COLUMNS,
};

const COLUMNS: &[Column<JournalEntry>] = &[
    column("Data", 17, |entry| Cell::Instant(entry.occurred_at)),
    column("Sequência", 11, |entry| {
        Cell::Count(entry.sequence.unsigned_abs())
    }),
    column("Evento", 32, |entry| text(words::event(&entry.r#type))),
    column("Registrado em", 17, |entry| Cell::Instant(entry.recorded_at)),
    column("Conta", 30, |entry| text(words::account(entry.account))),
    column("Valor", 15, |entry| Cell::Money(entry.amount)),
    column("Saldo da conta", 17, |entry| Cell::Money(entry.balance)),
    column("Identificador", 42, |entry| text(&entry.event_id)),
];
