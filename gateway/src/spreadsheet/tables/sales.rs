//! The list of sales.

use super::{Cell, Column, Table, column, text, text_or_empty, words};
use crate::wire::sale::SaleRow;

pub const SALES: Table<SaleRow> = Table {
    name: "vendas",
    columns: COLUMNS,
};

const COLUMNS: &[Column<SaleRow>] = &[
    column("Venda", 42, |sale| text(&sale.id)),
    column("Data", 17, |sale| Cell::Instant(sale.occurred_at)),
    column("Status", 13, |sale| text(words::sale_status(sale.status))),
    column("Solução", 18, |sale| text(words::solution(sale.solution))),
    column("Pagamento", 16, |sale| {
        text(words::payment(
            sale.payment_type,
            sale.payment_method.installments,
        ))
    }),
    column("Bandeira", 20, |sale| text_or_empty(brand(sale))),
    column("Terminal ou link", 18, |sale| {
        let terminal = sale.terminal.as_ref().map(|terminal| &terminal.serial_number);
        text_or_empty(terminal.or(sale.payment_link_code.as_ref()))
    }),
    column("Capturada em", 17, |sale| {
        sale.captured_at.map_or(Cell::Empty, Cell::Instant)
    }),
    column("Bruto", 15, |sale| Cell::Money(sale.amount)),
    column("Líquido", 15, |sale| {
        sale.net_amount.map_or(Cell::Empty, Cell::Money)
    }),
];

fn brand(sale: &SaleRow) -> Option<String> {
    let method = &sale.payment_method;
    let brand = words::brand(method.card_brand.as_deref()?);
    Some(match &method.card_last_four {
        Some(digits) => format!("{brand} •••• {digits}"),
        None => brand.to_owned(),
    })
}
