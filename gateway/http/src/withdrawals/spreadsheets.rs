//! The lists of transfers: a company's own, and all transfers for staff, with more columns.

use ledger_domain::transfer::{DestinationKind, Direction, TransferKind, TransferStatus};

use super::bodies::destination::DestinationDetails;
use super::bodies::transfer::Transfer;

use crate::spreadsheet::{Cell, Column, Table, column, labels, text, text_or_empty};

pub const TRANSFERS: Table<Transfer> = Table {
    name: "saques",
    columns: COLUMNS,
};

pub const STAFF_TRANSFERS: Table<Transfer> = Table {
    name: "saques",
    columns: STAFF_COLUMNS,
};

const REQUESTED_AT: Column<Transfer> = column("Solicitado em", 17, |transfer| {
    Cell::Instant(transfer.requested_at)
});
const KIND: Column<Transfer> = column("Tipo", 16, |transfer| text(transfer.kind.label()));
const STATUS: Column<Transfer> = column("Status", 17, |transfer| text(status_label(transfer)));
const DESTINATION: Column<Transfer> = column("Destino", 44, |transfer| text(destination_label(transfer)));
const REASON: Column<Transfer> = column("Motivo", 32, |transfer| {
    text_or_empty(transfer.reason.as_ref().or(transfer.description.as_ref()))
});
const UPDATED_AT: Column<Transfer> =
    column("Atualizado em", 17, |transfer| Cell::Instant(transfer.updated_at));
const REQUESTED_BY: Column<Transfer> = column("Solicitado por", 22, |transfer| {
    text(labels::author(&transfer.author))
});
const AMOUNT: Column<Transfer> = column("Valor", 15, |transfer| Cell::Money(transfer.amount));
const FEE: Column<Transfer> = column("Tarifa", 12, |transfer| Cell::Money(transfer.fee));
const NET: Column<Transfer> = column("Valor líquido", 15, |transfer| Cell::Money(transfer.net_amount));

const COLUMNS: &[Column<Transfer>] = &[
    REQUESTED_AT,
    KIND,
    STATUS,
    DESTINATION,
    REASON,
    UPDATED_AT,
    REQUESTED_BY,
    AMOUNT,
    FEE,
    NET,
];

const STAFF_COLUMNS: &[Column<Transfer>] = &[
    column("Empresa", 44, |transfer| {
        let company = &transfer.business;
        text(format!(
            "{} · {}",
            company.name,
            labels::document(&company.document)
        ))
    }),
    REQUESTED_AT,
    KIND,
    STATUS,
    DESTINATION,
    REASON,
    UPDATED_AT,
    REQUESTED_BY,
    AMOUNT,
    FEE,
    NET,
    column("Disponível agora", 16, |transfer| {
        transfer.available_now.map_or(Cell::Empty, Cell::Money)
    }),
    column("Conta alterada em", 17, |transfer| {
        transfer.destination_changed_at.map_or(Cell::Empty, Cell::Instant)
    }),
];

/// A transfer's status. For staff, a partly approved transfer also shows the number of approvals.
fn status_label(transfer: &Transfer) -> String {
    let label = transfer.status.label();
    match (transfer.status, transfer.approvals.zip(transfer.approvals_needed)) {
        (TransferStatus::Pending, Some((given @ 1.., needed))) => {
            format!("{label} ({given} de {needed} aprovações)")
        }
        _ => label.to_owned(),
    }
}

/// The destination of a withdrawal, or the kind of another transfer.
fn destination_label(transfer: &Transfer) -> String {
    match (transfer.kind, transfer.direction) {
        (TransferKind::Withdrawal, _) => withdrawal_destination_label(transfer),
        (_, Some(Direction::Out)) => "Ajuste manual: débito".to_owned(),
        (_, Some(Direction::In)) => "Ajuste manual: crédito".to_owned(),
        (kind, None) => kind.label().to_owned(),
    }
}

fn withdrawal_destination_label(transfer: &Transfer) -> String {
    match (&transfer.destination_details, transfer.destination) {
        (Some(DestinationDetails::Pix(pix)), _) => format!("PIX {}", labels::document(&pix.key)),
        (Some(DestinationDetails::BankAccount(account)), _) => format!(
            "{} · ag. {} · conta {}",
            account.bank_name,
            with_digit(&account.routing_number, account.routing_digit.as_deref()),
            with_digit(&account.account_number, Some(&account.account_digit)),
        ),
        (None, Some(DestinationKind::BankAccount)) => "Conta bancária".to_owned(),
        (None, Some(DestinationKind::Pix)) => "Chave PIX".to_owned(),
        (None, None) => "Sem destino".to_owned(),
    }
}

fn with_digit(number: &str, digit: Option<&str>) -> String {
    match digit.filter(|digit| !digit.is_empty()) {
        Some(digit) => format!("{number}-{digit}"),
        None => number.to_owned(),
    }
}
