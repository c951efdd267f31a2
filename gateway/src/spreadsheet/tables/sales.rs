//! The list of sales, for the company and for staff, who see whose each is.

use std::marker::PhantomData;

use super::{Cell, Column, Table, column, text, text_or_empty, words};
use crate::wire::sale::{AdminSaleRow, SaleRow};

pub const SALES: Table<SaleRow> = Table {
    name: "vendas",
    columns: COLUMNS,
};

pub const STAFF_SALES: Table<AdminSaleRow> = Table {
    name: "vendas",
    columns: STAFF_COLUMNS,
};

/// The columns of whatever row holds a sale.
struct Of<Row>(PhantomData<Row>);

impl<Row: AsRef<SaleRow>> Of<Row> {
    const SALE: Column<Row> = column("Venda", 42, |row| text(&row.as_ref().id));
    const OCCURRED_AT: Column<Row> = column("Data", 17, |row| Cell::Instant(row.as_ref().occurred_at));
    const STATUS: Column<Row> = column("Status", 13, |row| text(words::sale_status(row.as_ref().status)));
    const SOLUTION: Column<Row> = column("Solução", 18, |row| {
        text(words::solution(row.as_ref().solution))
    });
    const PAYMENT: Column<Row> = column("Pagamento", 16, |row| {
        let sale = row.as_ref();
        text(words::payment(
            sale.payment_type,
            sale.payment_method.installments,
        ))
    });
    const BRAND: Column<Row> = column("Bandeira", 20, |row| text_or_empty(brand(row.as_ref())));
    const ORIGIN: Column<Row> = column("Terminal ou link", 18, |row| {
        let sale = row.as_ref();
        let terminal = sale.terminal.as_ref().map(|terminal| &terminal.serial_number);
        text_or_empty(terminal.or(sale.payment_link_code.as_ref()))
    });
    const CAPTURED_AT: Column<Row> = column("Capturada em", 17, |row| {
        row.as_ref().captured_at.map_or(Cell::Empty, Cell::Instant)
    });
    const GROSS: Column<Row> = column("Bruto", 15, |row| Cell::Money(row.as_ref().amount));
    const NET: Column<Row> = column("Líquido", 15, |row| {
        row.as_ref().net_amount.map_or(Cell::Empty, Cell::Money)
    });
}

const COLUMNS: &[Column<SaleRow>] = &[
    Of::SALE,
    Of::OCCURRED_AT,
    Of::STATUS,
    Of::SOLUTION,
    Of::PAYMENT,
    Of::BRAND,
    Of::ORIGIN,
    Of::CAPTURED_AT,
    Of::GROSS,
    Of::NET,
];

const STAFF_COLUMNS: &[Column<AdminSaleRow>] = &[
    column("Empresa", 34, |row| text(&row.business.name)),
    Of::SALE,
    Of::OCCURRED_AT,
    Of::STATUS,
    Of::SOLUTION,
    Of::PAYMENT,
    Of::BRAND,
    Of::ORIGIN,
    Of::CAPTURED_AT,
    Of::GROSS,
    Of::NET,
];

fn brand(sale: &SaleRow) -> Option<String> {
    let method = &sale.payment_method;
    let brand = words::brand(method.card_brand.as_deref()?);
    Some(match &method.card_last_four {
        Some(digits) => format!("{brand} •••• {digits}"),
        None => brand.to_owned(),
    })
}
