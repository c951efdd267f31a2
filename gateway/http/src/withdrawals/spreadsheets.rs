//! The lists of transfers: a company's own, and all transfers for staff, with more columns.

use ledger_domain::transfer::{DestinationKind, Direction, TransferKind, TransferStatus};

use super::bodies::composition::TransferCredit;
use super::bodies::destination::DestinationDetails;
use super::bodies::transfer::{PayoutNames, Transfer};

use crate::balance::spreadsheets as statement;
use crate::sales::labels as sale_labels;
use crate::shared::schemas::{Number, Word};
use crate::spreadsheet::{Cell, Column, Table, column, labels, list_column, text, text_or_empty};

pub const TRANSFERS: Table<Transfer> = Table {
    name: "saques",
    columns: COLUMNS,
};

pub const STAFF_TRANSFERS: Table<Transfer> = Table {
    name: "saques",
    columns: STAFF_COLUMNS,
};

const REQUESTED_AT: Column<Transfer> = list_column("requestedAt", "Solicitado em", 17, |transfer| {
    Cell::Instant(transfer.requested_at)
});
const KIND: Column<Transfer> = list_column("kind", "Tipo", 16, |transfer| text(transfer.kind.label()));
const STATUS: Column<Transfer> = list_column("status", "Status", 17, |transfer| text(status_label(transfer)));
const DESTINATION: Column<Transfer> = list_column("destination", "Destino", 44, |transfer| {
    text(destination_label(transfer))
});
const REASON: Column<Transfer> = list_column("reason", "Motivo", 32, |transfer| {
    text_or_empty(transfer.reason.as_ref().or(transfer.description.as_ref()))
});
const UPDATED_AT: Column<Transfer> = list_column("updatedAt", "Atualizado em", 17, |transfer| {
    Cell::Instant(transfer.updated_at)
});
const REQUESTED_BY: Column<Transfer> = list_column("requestedBy", "Solicitado por", 22, |transfer| {
    text(labels::author(&transfer.author))
});
const AMOUNT: Column<Transfer> = list_column("amount", "Valor", 15, |transfer| Cell::Money(transfer.amount));
const FEE: Column<Transfer> = list_column("fee", "Tarifa", 12, |transfer| Cell::Money(transfer.fee));
const NET: Column<Transfer> = list_column("net", "Valor líquido", 15, |transfer| {
    Cell::Money(transfer.net_amount)
});

const BANK_NAME: Column<Transfer> = list_column("bankName", "Identificador no banco", 36, |transfer| {
    text_or_empty(transfer.names.as_ref().and_then(PayoutNames::text))
});
const RETURN_NAME: Column<Transfer> =
    list_column("returnName", "Identificador da devolução", 36, |transfer| {
        text_or_empty(transfer.return_names.as_ref().and_then(PayoutNames::text))
    });

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
    BANK_NAME,
    RETURN_NAME,
];

const STAFF_COLUMNS: &[Column<Transfer>] = &[
    list_column("business", "Empresa", 44, |transfer| {
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
    list_column("signals", "Sinais", 30, |transfer| {
        let signals = transfer.signals.iter().flatten();
        let labels: Vec<_> = signals.map(|signal| signal.label()).collect();
        text(labels.join(", "))
    }),
    FEE,
    NET,
    BANK_NAME,
    RETURN_NAME,
    list_column("available", "Disponível agora", 16, |transfer| {
        transfer.available_now.map_or(Cell::Empty, Cell::Money)
    }),
    list_column("destinationChangedAt", "Conta alterada em", 17, |transfer| {
        transfer.destination_changed_at.map_or(Cell::Empty, Cell::Instant)
    }),
    list_column("requesterAccessAt", "Acesso de quem pediu", 20, |transfer| {
        transfer.requester_access_at.map_or(Cell::Empty, Cell::Instant)
    }),
];

/// The credits that a transfer consists of.
pub const COMPOSITION: Table<TransferCredit> = Table {
    name: "composicao-do-saque",
    columns: COMPOSITION_COLUMNS,
};

const COMPOSITION_COLUMNS: &[Column<TransferCredit>] = &[
    column("Entrou em", 17, |credit| {
        let movement = credit.movement.as_ref();
        movement.map_or(Cell::Empty, |movement| Cell::Instant(movement.occurred_at))
    }),
    column("Movimentação", 44, |credit| match &credit.movement {
        Some(movement) => text(statement::description(movement)),
        None => text("Ainda não coberto"),
    }),
    column("Venda", 15, |credit| {
        let sale = credit
            .movement
            .as_ref()
            .and_then(|movement| movement.sale_id.as_deref());
        text_or_empty(sale.map(sale_labels::short_code))
    }),
    column("Valor bruto", 15, |credit| {
        credit
            .installment
            .as_ref()
            .map_or(Cell::Empty, |of| Cell::Money(of.gross))
    }),
    column("Taxas", 15, |credit| {
        credit
            .installment
            .as_ref()
            .map_or(Cell::Empty, |of| Cell::Money(of.fees))
    }),
    column("Estornado", 15, |credit| {
        credit
            .installment
            .as_ref()
            .map_or(Cell::Empty, |of| Cell::Money(of.refunded))
    }),
    column("Valor que entrou", 16, |credit| {
        let movement = credit.movement.as_ref();
        movement.map_or(Cell::Empty, |movement| Cell::Money(movement.amount))
    }),
    column("Neste saque", 15, |credit| Cell::Money(credit.amount)),
];

/// A transfer's status. For staff, a partly approved transfer also shows the number of approvals. The panels show the
/// same.
fn status_label(transfer: &Transfer) -> String {
    let label = transfer.status.label();
    match (
        *transfer.status,
        transfer.approvals.zip(transfer.approvals_needed),
    ) {
        (TransferStatus::Pending, Some((given @ 1.., needed))) => {
            format!("{label} ({given} de {needed} aprovações)")
        }
        _ if transfer.fee_given_back.is_some() => format!("{label} (devolvido pelo banco)"),
        _ => label.to_owned(),
    }
}

/// The destination of a withdrawal, or the kind of another transfer.
fn destination_label(transfer: &Transfer) -> String {
    match (
        *transfer.kind,
        transfer.direction.map(|Word(direction)| direction),
    ) {
        (TransferKind::Withdrawal, _) => withdrawal_destination_label(transfer),
        (_, Some(Direction::Out)) => "Ajuste manual: débito".to_owned(),
        (_, Some(Direction::In)) => "Ajuste manual: crédito".to_owned(),
        (kind, None) => kind.label().to_owned(),
    }
}

fn withdrawal_destination_label(transfer: &Transfer) -> String {
    match (
        &transfer.destination_details,
        transfer.destination.map(|Number(kind)| kind),
    ) {
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
