//! The statement and the journal as spreadsheets. For each line of the statement, sellers see the sale. Staff see the
//! event and when it was recorded.

use super::bodies::journal::{AccountName, JournalEntry};
use super::bodies::statement::{AdminBalanceMovement, BalanceMovement};
use crate::sales::labels as sale_labels;
use crate::spreadsheet::{Cell, Column, Table, column, text, text_or_empty};

pub const STATEMENT: Table<BalanceMovement> = Table {
    name: "extrato",
    columns: COLUMNS,
};

pub const STAFF_STATEMENT: Table<AdminBalanceMovement> = Table {
    name: "extrato",
    columns: STAFF_COLUMNS,
};

const COLUMNS: &[Column<BalanceMovement>] = &[
    column("Data", 17, |line| Cell::Instant(line.occurred_at)),
    column("Movimentação", 30, |line| text(movement_label(line))),
    column("Descrição", 44, |line| text(description(line))),
    column("Venda", 15, |line| {
        text_or_empty(line.sale_id.as_deref().map(sale_labels::short_code))
    }),
    column("Valor", 15, |line| Cell::Money(line.amount)),
    column("Saldo disponível", 15, |line| Cell::Money(line.balance)),
];

const STAFF_COLUMNS: &[Column<AdminBalanceMovement>] = &[
    column("Data", 17, |line| Cell::Instant(line.movement.occurred_at)),
    column("Movimentação", 30, |line| text(movement_label(&line.movement))),
    column("Descrição", 44, |line| text(description(&line.movement))),
    column("Registrado em", 17, |line| {
        Cell::Instant(line.movement.recorded_at)
    }),
    column("Evento", 42, |line| text(&line.event_id)),
    column("Valor", 15, |line| Cell::Money(line.movement.amount)),
    column("Saldo disponível", 15, |line| Cell::Money(line.movement.balance)),
];

/// Adds the number of the installment, unless the text contains it.
fn description(line: &BalanceMovement) -> String {
    match line.installment.map(|number| number.to_string()) {
        Some(number) if !line.description.contains(&number) => {
            format!("{} (parcela {number})", line.description)
        }
        _ => line.description.clone(),
    }
}

pub const JOURNAL: Table<JournalEntry> = Table {
    name: "razao",
    columns: JOURNAL_COLUMNS,
};

const JOURNAL_COLUMNS: &[Column<JournalEntry>] = &[
    column("Data", 17, |entry| Cell::Instant(entry.occurred_at)),
    column("Sequência", 11, |entry| {
        Cell::Count(entry.sequence.unsigned_abs())
    }),
    column("Evento", 32, |entry| text(event_label(&entry.r#type))),
    column("Registrado em", 17, |entry| Cell::Instant(entry.recorded_at)),
    column("Conta", 30, |entry| text(account_label(entry.account))),
    column("Valor", 15, |entry| Cell::Money(entry.amount)),
    column("Saldo da conta", 17, |entry| Cell::Money(entry.balance)),
    column("Identificador", 42, |entry| text(&entry.event_id)),
];

/// The event's name in spreadsheets.
pub fn event_label(name: &str) -> &str {
    match name {
        "SaleCreated" => "Venda criada",
        "SaleCaptured" => "Venda capturada",
        "SaleFailed" => "Venda com falha",
        "SaleVoided" => "Venda cancelada antes da captura",
        "ReceivablesSettled" => "Parcelas liquidadas",
        "SaleCanceled" => "Venda cancelada",
        "SaleDisputed" => "Venda contestada",
        "DisputeConfirmed" => "Contestação confirmada",
        "DisputeWon" => "Contestação ganha",
        "SaleChargedBack" => "Chargeback",
        "TransferRequested" => "Saque solicitado",
        "TransferApprovalGiven" => "Primeira aprovação do saque",
        "TransferProcessing" => "Saque em processamento",
        "TransferApproved" => "Saque aprovado",
        "TransferRefused" => "Saque recusado",
        "TransferFailed" => "Falha no saque",
        "TransferReopened" => "Saque retomado",
        "ManualTransferMade" => "Ajuste manual",
        "TerminalRentalCharged" => "Aluguel cobrado",
        "TerminalRentalCanceled" => "Aluguel cancelado",
        "AmountHeld" => "Valor bloqueado",
        "AmountReleased" => "Valor liberado",
        other => other,
    }
}

pub const fn account_label(account: AccountName) -> &'static str {
    match account {
        AccountName::Receivable => "A receber",
        AccountName::Available => "Disponível",
        AccountName::InTransfer => "Saques em andamento",
        AccountName::HeldByStaff => "Bloqueado pela plataforma",
        AccountName::InDispute => "Bloqueado por contestação",
        AccountName::PlatformFees => "Taxas e tarifas da plataforma",
        AccountName::Clearing => "Compensação",
    }
}

/// The name of a statement line's kind. Within kinds 2, 3 and 4 the name also depends on the movement.
fn movement_label(line: &BalanceMovement) -> String {
    let name = match (line.kind, line.movement.as_str()) {
        (0, _) => "Venda",
        (1, _) => "Cancelamento ou contestação",
        (2, "rental") => "Aluguel",
        (2, _) => "Saque",
        (3, "hold") => "Bloqueio",
        (3, "release") => "Liberação",
        (3, _) => "Ajuste manual",
        (4, "rental_canceled") => "Devolução de aluguel",
        (4, _) => "Devolução de saque",
        (other, _) => return format!("#{other}"),
    };
    name.to_owned()
}

#[cfg(test)]
mod tests {
    use ledger_domain::business::BusinessEvent;

    use super::*;

    #[test]
    fn every_event_type_has_a_name_in_portuguese() {
        for (event_type, _) in BusinessEvent::TYPES {
            assert_ne!(event_label(event_type), *event_type);
        }
    }
}
