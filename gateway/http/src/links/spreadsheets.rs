//! The columns of exported lists of payment links.

use super::bodies::{AdminPaymentLink, FeePayer, PaymentLink, PaymentLinkStatus};
use crate::spreadsheet::{Cell, Column, Table, column, labels, text};

pub const LINKS: Table<PaymentLink> = Table {
    name: "links-de-pagamento",
    columns: COLUMNS,
};

pub const ADMIN_LINKS: Table<AdminPaymentLink> = Table {
    name: "links-de-pagamento",
    columns: ADMIN_COLUMNS,
};

const COLUMNS: &[Column<PaymentLink>] = &[
    column("Descrição", 40, |link| text(&link.description)),
    column("Código", 16, |link| text(&link.code)),
    column("Status", 12, |link| text(status(link))),
    column("Valor", 14, |link| money(link.amount)),
    column("Valor mínimo", 14, |link| money(link.amount_min)),
    column("Valor máximo", 14, |link| money(link.amount_max)),
    column("Pagamento", 24, |link| text(payment_types(link))),
    column("Parcelas", 10, |link| Cell::Count(link.installments_max.into())),
    column("Quem paga as taxas", 18, |link| text(payer(link))),
    column("Validade", 12, |link| {
        link.expires_on.map_or(Cell::Empty, Cell::Date)
    }),
    column("Usos", 10, |link| count(Some(link.uses))),
    column("Limite de usos", 14, |link| count(link.use_limit)),
    column("Vendas", 10, |link| Cell::Count(link.sales)),
    column("Total vendido", 16, |link| Cell::Money(link.sold)),
    column("Criado em", 17, |link| Cell::Instant(link.created_at)),
];

const ADMIN_COLUMNS: &[Column<AdminPaymentLink>] = &[
    column("Empresa", 40, |row| text(&row.business.name)),
    column("CPF ou CNPJ", 20, |row| {
        text(labels::document(&row.business.document))
    }),
    column("Descrição", 40, |row| text(&row.link.description)),
    column("Código", 16, |row| text(&row.link.code)),
    column("Status", 12, |row| text(status(&row.link))),
    column("Valor", 14, |row| money(row.link.amount)),
    column("Valor mínimo", 14, |row| money(row.link.amount_min)),
    column("Valor máximo", 14, |row| money(row.link.amount_max)),
    column("Pagamento", 24, |row| text(payment_types(&row.link))),
    column("Parcelas", 10, |row| {
        Cell::Count(row.link.installments_max.into())
    }),
    column("Quem paga as taxas", 18, |row| text(payer(&row.link))),
    column("Validade", 12, |row| {
        row.link.expires_on.map_or(Cell::Empty, Cell::Date)
    }),
    column("Usos", 10, |row| count(Some(row.link.uses))),
    column("Limite de usos", 14, |row| count(row.link.use_limit)),
    column("Vendas", 10, |row| Cell::Count(row.link.sales)),
    column("Total vendido", 16, |row| Cell::Money(row.link.sold)),
    column("Criado em", 17, |row| Cell::Instant(row.link.created_at)),
];

const fn status(link: &PaymentLink) -> &'static str {
    match link.status {
        PaymentLinkStatus::Active => "Ativo",
        PaymentLinkStatus::Inactive => "Inativo",
        PaymentLinkStatus::Expired => "Expirado",
        PaymentLinkStatus::Exhausted => "Esgotado",
    }
}

const fn payer(link: &PaymentLink) -> &'static str {
    match link.payer {
        FeePayer::Seller => "Vendedor",
        FeePayer::Buyer => "Comprador",
    }
}

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
