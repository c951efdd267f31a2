//! The columns of staff's exported list of contact messages.

use super::bodies::{ContactMessageRow, ContactStateName};
use crate::spreadsheet::{Cell, Column, Table, column, labels, text};

pub const CONTACT_MESSAGES: Table<ContactMessageRow> = Table {
    name: "mensagens",
    columns: COLUMNS,
};

const COLUMNS: &[Column<ContactMessageRow>] = &[
    column("Recebida em", 17, |row| Cell::Instant(row.created_at)),
    column("Número", 10, |row| text(row.number.to_string())),
    column("Assunto", 40, |row| text(&row.subject)),
    column("Mensagem", 60, |row| text(&row.message)),
    column("Empresa", 40, |row| text(&row.business.name)),
    column("CPF ou CNPJ", 20, |row| {
        text(labels::document(&row.business.document))
    }),
    column("Usuário", 30, |row| text(&row.seller.name)),
    column("E-mail", 30, |row| text(&row.seller.email)),
    column("Status", 12, |row| text(state_label(row.state))),
    column("Atualizada em", 17, |row| Cell::Instant(row.updated_at)),
];

const fn state_label(state: ContactStateName) -> &'static str {
    match state {
        ContactStateName::New => "Nova",
        ContactStateName::Answered => "Respondida",
        ContactStateName::Closed => "Encerrada",
    }
}
