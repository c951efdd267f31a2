//! The columns of exported lists of payment links.

use super::bodies::{AdminPaymentLink, PaymentLink};
use crate::spreadsheet::{Cell, Column, Table, labels, list_column, text};

pub const LINKS: Table<PaymentLink> = Table {
    name: "links-de-pagamento",
    columns: COLUMNS,
};

pub const ADMIN_LINKS: Table<AdminPaymentLink> = Table {
    name: "links-de-pagamento",
    columns: ADMIN_COLUMNS,
};

const COLUMNS: &[Column<PaymentLink>] = &[
    list_column("description", "Descrição", 40, |link| text(&link.description)),
    list_column("code", "Código", 16, |link| text(&link.code)),
    list_column("status", "Status", 12, |link| text(link.status.label())),
    list_column("amount", "Valor", 14, |link| money(link.amount)),
    list_column("amountMin", "Valor mínimo", 14, |link| money(link.amount_min)),
    list_column("amountMax", "Valor máximo", 14, |link| money(link.amount_max)),
    list_column("paymentTypes", "Pagamento", 24, |link| text(payment_types(link))),
    list_column("installmentsMax", "Parcelas", 10, |link| {
        Cell::Count(link.installments_max.into())
    }),
    list_column("payer", "Quem paga as taxas", 18, |link| text(link.payer.label())),
    list_column("expiresOn", "Validade", 12, |link| {
        link.expires_on.map_or(Cell::Empty, Cell::Date)
    }),
    list_column("uses", "Usos", 10, |link| count(Some(link.uses))),
    list_column("useLimit", "Limite de usos", 14, |link| count(link.use_limit)),
    list_column("sales", "Vendas", 10, |link| Cell::Count(link.sales)),
    list_column("sold", "Total vendido", 16, |link| Cell::Money(link.sold)),
    list_column("createdAt", "Criado em", 17, |link| {
        Cell::Instant(link.created_at)
    }),
];

const ADMIN_COLUMNS: &[Column<AdminPaymentLink>] = &[
    list_column("business", "Empresa", 40, |row| text(&row.business.name)),
    list_column("document", "CPF ou CNPJ", 20, |row| {
        text(labels::document(&row.business.document))
    }),
    list_column("description", "Descrição", 40, |row| {
        text(&row.link.description)
    }),
    list_column("code", "Código", 16, |row| text(&row.link.code)),
    list_column("status", "Status", 12, |row| text(row.link.status.label())),
    list_column("amount", "Valor", 14, |row| money(row.link.amount)),
    list_column("amountMin", "Valor mínimo", 14, |row| money(row.link.amount_min)),
    list_column("amountMax", "Valor máximo", 14, |row| money(row.link.amount_max)),
    list_column("paymentTypes", "Pagamento", 24, |row| {
        text(payment_types(&row.link))
    }),
    list_column("installmentsMax", "Parcelas", 10, |row| {
        Cell::Count(row.link.installments_max.into())
    }),
    list_column("payer", "Quem paga as taxas", 18, |row| {
        text(row.link.payer.label())
    }),
    list_column("expiresOn", "Validade", 12, |row| {
        row.link.expires_on.map_or(Cell::Empty, Cell::Date)
    }),
    list_column("uses", "Usos", 10, |row| count(Some(row.link.uses))),
    list_column("useLimit", "Limite de usos", 14, |row| count(row.link.use_limit)),
    list_column("sales", "Vendas", 10, |row| Cell::Count(row.link.sales)),
    list_column("sold", "Total vendido", 16, |row| Cell::Money(row.link.sold)),
    list_column("createdAt", "Criado em", 17, |row| {
        Cell::Instant(row.link.created_at)
    }),
];

fn payment_types(link: &PaymentLink) -> String {
    let names = link.payment_types.iter().map(|kind| match *kind {
        "credit" => "Cartão",
        "pix" => "PIX",
        _ => "Boleto",
    });
    names.collect::<Vec<_>>().join(", ")
}

fn money(amount: Option<i64>) -> Cell {
    amount.map_or(Cell::Empty, Cell::Money)
}

fn count(number: Option<i32>) -> Cell {
    number
        .and_then(|number| u64::try_from(number).ok())
        .map_or(Cell::Empty, Cell::Count)
}
