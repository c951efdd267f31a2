//! The agenda of receivables, by day.

use super::{Cell, Column, Table, column};
use crate::wire::balance::ReceivablesDay;

pub const RECEIVABLES: Table<ReceivablesDay> = Table {
    name: "recebimentos",
    columns: COLUMNS,
};

const COLUMNS: &[Column<ReceivablesDay>] = &[
    column("Vencimento", 13, |day| Cell::Date(day.due_date)),
    column("Previsto", 15, |day| Cell::Money(day.expected)),
    column("Liquidado", 15, |day| Cell::Money(day.settled)),
    column("Parcelas", 10, |day| Cell::Count(day.count)),
];
