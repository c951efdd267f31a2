//! The user's reports by e-mail as a file, with the columns of the screen.

use super::bodies::{ReportEmail, Rhythm, StopReason};
use crate::spreadsheet::{Cell, Column, Table, column, text, text_or_empty};

pub const REPORT_EMAILS: Table<ReportEmail> = Table {
    name: "relatorios-por-email",
    columns: COLUMNS,
};

const COLUMNS: &[Column<ReportEmail>] = &[
    column("Relatório", 40, |email| text(email.title)),
    column("Frequência", 14, |email| {
        text(match email.every {
            Rhythm::Week => "Toda semana",
            Rhythm::Month => "Todo mês",
        })
    }),
    column("Filtros", 44, |email| {
        let filters = email
            .filters
            .iter()
            .map(|(name, value)| format!("{name}={value}"));
        let filters = filters.collect::<Vec<_>>().join(", ");
        text_or_empty((!filters.is_empty()).then_some(filters))
    }),
    column("Pedido em", 17, |email| Cell::Instant(email.created_at)),
    column("Último enviado até", 18, |email| {
        email.last_sent.map_or(Cell::Empty, Cell::Date)
    }),
    column("Próximo até", 14, |email| {
        email.next_end.map_or(Cell::Empty, Cell::Date)
    }),
    column("Status", 24, |email| {
        text(match email.stopped {
            None => "Ativo",
            Some(StopReason::Access) => "Parado: sem acesso",
            Some(StopReason::Filters) => "Parado: filtros inválidos",
        })
    }),
];
