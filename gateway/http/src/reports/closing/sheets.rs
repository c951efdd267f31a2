//! The summary of a closing and its sheets of lists: their rows, columns and totals.

use std::collections::HashMap;

use gateway_environment::time_zone::TimeZone;
use gateway_platform::closing::{Closing, balance_of};
use ledger_domain::business::Account;
use ledger_domain::calendar::Date;
use ledger_domain::sale::SaleStatus;
use ledger_domain::transfer::{Direction, TransferKind};
use projections::balance::PlatformFeeSum;
use projections::balance::closing::{OpenReceivables, OverdueReason};
use projections::balance::statement::{Movement, StatementLine};
use projections::daily_sales::Figures;
use projections::sales::ListedSale;
use projections::withdrawals::Transfer;
use razao_verify::note::Checkpoint;

use crate::balance::spreadsheets::account_label;
use crate::problem::Result;
use crate::sales::labels;
use crate::spreadsheet::labels::document;
use crate::spreadsheet::{Cell, Column, column, text, text_or_empty};

/// Totals of the rows of lists, added up while they are written.
#[derive(Debug, Default)]
pub struct ListTotals {
    pub sales: i64,
    pub gross: i64,
    pub percentage_fee: i64,
    pub flat_fee: i64,
    pub percentage_rate: i64,
    pub flat_rate: i64,
    pub net: i64,
    /// The gross of the sheet of returns, by kind.
    pub returned: HashMap<&'static str, i64>,
    pub charged: i64,
    pub statement: i64,
    pub settled: i64,
    pub last_balance: Option<i64>,
    pub withdrawn: i64,
}

/// A line of the summary: a text, or a number of things and their amount.
pub struct SummaryLine {
    item: String,
    value: Option<String>,
    count: Option<i64>,
    amount: Option<i64>,
}

pub const SUMMARY_SHEET: &str = "Resumo";
pub const SUMMARY: &[Column<SummaryLine>] = &[
    column("Item", 46, |line| text(&line.item)),
    column("Descrição", 66, |line| text_or_empty(line.value.as_ref())),
    column("Quantidade", 12, |line| line.count.map_or(Cell::Empty, count)),
    column("Valor", 17, |line| line.amount.map_or(Cell::Empty, Cell::Money)),
];

pub fn summary(closing: &Closing) -> Result<Vec<SummaryLine>> {
    let text_line = |item: &str, value: String| SummaryLine {
        item: item.to_owned(),
        value: Some(value),
        count: None,
        amount: None,
    };
    let sum = |item: &str, count: Option<i64>, amount: i64| SummaryLine {
        item: item.to_owned(),
        value: None,
        count,
        amount: Some(amount),
    };
    let figures = closing.figures()?;
    let fees = closing.platform_fees()?;
    let made_at = TimeZone::BRASILIA.local_time(closing.made_at);
    let mut lines = vec![
        text_line("Empresa", closing.company.name.clone()),
        text_line("CPF ou CNPJ", document(&closing.company.document)),
        text_line("Mês", closing.month.label()),
        text_line("Gerado em", made_at.format("%d/%m/%Y %H:%M").to_string()),
        text_line(
            "Critério",
            "Cada valor conta no dia em que aconteceu, no horário de Brasília.".to_owned(),
        ),
        sum(
            "Vendas aprovadas: valor bruto",
            Some(figures.sales),
            figures.gross,
        ),
        sum("Vendas aprovadas: taxas", None, figures.gross - figures.net),
        sum("Vendas aprovadas: valor líquido", None, figures.net),
        sum("Cancelado", Some(figures.cancels), figures.canceled_gross),
        sum(
            "Estornado pelo comprador",
            Some(figures.refunds),
            figures.refunded_gross,
        ),
        sum(
            "Estornado pela adquirente",
            Some(figures.acquirer_reversals),
            figures.acquirer_reversed_gross,
        ),
        sum("Contestado", Some(figures.disputes), figures.disputed),
        sum("Contestações ganhas", Some(figures.disputes_won), figures.won),
        sum("Chargeback", Some(figures.chargebacks), figures.charged_back),
        sum(
            "Parcelas liquidadas",
            Some(figures.settled_count),
            figures.settled,
        ),
        sum("Taxas de vendas, menos as devolvidas", None, fees.sales),
        sum("Tarifas de saque", None, fees.withdrawals),
        sum("Aluguéis", None, fees.rentals),
        sum("Baixas de dívidas", None, fees.write_offs),
    ];
    if let Some(Checkpoint {
        origin,
        events,
        made_at,
        ..
    }) = &closing.checkpoint
    {
        let at = TimeZone::BRASILIA.local_time(*made_at).format("%d/%m/%Y %H:%M");
        let signed = format!("{at}, {origin}, {} eventos", events.size);
        lines.push(text_line("Histórico assinado", signed));
        lines.push(text_line("Raiz do histórico (SHA-256)", hex::encode(events.root)));
    }
    for (name, accounts) in [
        ("Saldo inicial", &closing.opening_accounts),
        ("Saldo final", &closing.closing_accounts),
    ] {
        lines.extend(Account::ALL.iter().map(|account| {
            let item = format!("{name}: {}", account_label((*account).into()));
            sum(&item, None, balance_of(accounts, *account))
        }));
    }
    Ok(lines)
}

pub const SALES_SHEET: &str = "Vendas";
/// The first column is 0. The four fees follow the gross, and the net follows them.
pub const SALES_GROSS: usize = 8;
pub const SALES_NET: usize = SALES_GROSS + 5;
pub const SALES: &[Column<ListedSale>] = &[
    column("Venda", 15, |row| {
        text(labels::short_code(&row.sale.sale_id.to_string()))
    }),
    column("Aprovada em", 17, |row| Cell::Instant(row.sale.occurred_at)),
    column("Solução", 18, |row| {
        text(labels::solution(row.sale.solution.number()))
    }),
    column("Pagamento", 16, payment),
    column("Bandeira", 16, |row| text_or_empty(brand(row))),
    column("Maquininha ou link", 18, |row| {
        let terminal = row.sale.terminal.as_ref().map(|terminal| &terminal.serial_number);
        text_or_empty(terminal.or(row.sale.payment_link_code.as_ref()))
    }),
    column("Adquirente", 14, |row| {
        text(labels::provider(row.sale.provider.number()))
    }),
    column("Código na adquirente", 34, |row| {
        let sale_id = row.sale.sale_id.to_string();
        text_or_empty(labels::external_id(&sale_id, &row.sale.external_id))
    }),
    column("Valor bruto", 15, |row| Cell::Money(row.sale.amount.get())),
    column("Taxa da forma de pagamento", 25, |row| {
        Cell::Money(row.sale.fees.percentage_fee.get())
    }),
    column("Tarifa da forma de pagamento", 26, |row| {
        Cell::Money(row.sale.fees.flat_fee.get())
    }),
    column("Taxa do plano", 15, |row| {
        Cell::Money(row.sale.fees.percentage_rate.get())
    }),
    column("Tarifa do plano", 15, |row| {
        Cell::Money(row.sale.fees.flat_rate.get())
    }),
    column("Valor líquido", 15, |row| {
        row.sale.net.map_or(Cell::Empty, |net| Cell::Money(net.get()))
    }),
    column("Status hoje", 14, |row| text(row.sale.status.label())),
];

pub const RETURNS_SHEET: &str = "Devoluções";
pub const RETURNS_KIND: usize = 1;
pub const RETURNS_GROSS: usize = 7;
pub const RETURNS: &[Column<ListedSale>] = &[
    column("Data", 17, |row| {
        row.counted
            .map_or(Cell::Empty, |counted| Cell::Instant(counted.at))
    }),
    column("Tipo", 26, |row| {
        let status = row.counted.and_then(|counted| counted.status);
        text_or_empty(status.map(return_label))
    }),
    column("Venda", 15, |row| {
        text(labels::short_code(&row.sale.sale_id.to_string()))
    }),
    column("Aprovada em", 17, |row| Cell::Instant(row.sale.occurred_at)),
    column("Pagamento", 16, payment),
    column("Bandeira", 16, |row| text_or_empty(brand(row))),
    column("Adquirente", 14, |row| {
        text(labels::provider(row.sale.provider.number()))
    }),
    column("Valor bruto", 15, |row| {
        row.counted
            .map_or(Cell::Empty, |counted| Cell::Money(counted.gross.get()))
    }),
    column("Valor descontado ou devolvido", 28, |row| {
        row.counted
            .map_or(Cell::Empty, |counted| Cell::Money(counted.net.get()))
    }),
];

/// The statuses of sales after a cancel, a refund, an acquirer's reversal, a dispute or the end of a dispute.
pub const RETURNED: [SaleStatus; 6] = [
    SaleStatus::Canceled,
    SaleStatus::Refunded,
    SaleStatus::Reversed,
    SaleStatus::Dispute,
    SaleStatus::Succeeded,
    SaleStatus::ChargedBack,
];

/// The name of the return that left a sale in this status. A dispute that is won leaves a succeeded sale.
pub const fn return_label(status: SaleStatus) -> &'static str {
    match status {
        SaleStatus::Canceled => "Cancelamento",
        SaleStatus::Refunded => "Estorno pelo comprador",
        SaleStatus::Reversed => "Estorno pela adquirente",
        SaleStatus::Dispute => "Contestação",
        SaleStatus::Succeeded => "Contestação ganha",
        SaleStatus::ChargedBack => "Chargeback",
        SaleStatus::New | SaleStatus::Created | SaleStatus::Pending | SaleStatus::Failed => "Outro",
    }
}

pub type FeeDay = (Date, Figures, PlatformFeeSum);

pub const FEES_SHEET: &str = "Taxas";
pub const FEES_TOTAL: usize = 10;
pub const FEES: &[Column<FeeDay>] = &[
    column("Dia", 12, |(date, ..)| Cell::Date(*date)),
    column("Vendas", 10, |(_, figures, _)| count(figures.sales)),
    column("Taxa da forma de pagamento", 25, |(_, figures, _)| {
        Cell::Money(figures.percentage_fee)
    }),
    column("Tarifa da forma de pagamento", 26, |(_, figures, _)| {
        Cell::Money(figures.flat_fee)
    }),
    column("Taxa do plano", 15, |(_, figures, _)| {
        Cell::Money(figures.percentage_rate)
    }),
    column("Tarifa do plano", 15, |(_, figures, _)| {
        Cell::Money(figures.flat_rate)
    }),
    column("Taxas das vendas", 17, |(_, figures, _)| {
        Cell::Money(figures.gross - figures.net)
    }),
    column("Taxas devolvidas", 17, |(_, figures, fees)| {
        Cell::Money(fees.sales - (figures.gross - figures.net))
    }),
    column("Tarifas de saque", 17, |(.., fees)| Cell::Money(fees.withdrawals)),
    column("Aluguéis", 15, |(.., fees)| Cell::Money(fees.rentals)),
    column("Baixas de dívidas", 17, |(.., fees)| {
        Cell::Money(fees.write_offs)
    }),
    column("Total cobrado", 17, |(.., fees)| Cell::Money(charged(fees))),
];

pub const fn charged(fees: &PlatformFeeSum) -> i64 {
    fees.sales + fees.withdrawals + fees.rentals + fees.write_offs
}

pub const STATEMENT_SHEET: &str = "Extrato";
pub const STATEMENT_KIND: usize = 1;
pub const STATEMENT_AMOUNT: usize = 4;
pub const STATEMENT: &[Column<StatementLine>] = &[
    column("Data", 17, |line| Cell::Instant(line.occurred_at)),
    column("Movimentação", 34, |line| text(line.movement.label())),
    column("Descrição", 44, |line| text(description(line))),
    column("Venda", 15, |line| {
        text_or_empty(line.sale_id.map(|sale| labels::short_code(&sale.to_string())))
    }),
    column("Valor", 15, |line| Cell::Money(line.amount.get())),
    column("Saldo disponível", 17, |line| Cell::Money(line.balance.get())),
];

/// The text for the company, without a hold's reason, which only staff may read.
fn description(line: &StatementLine) -> String {
    match (line.movement, line.installment) {
        (Movement::Settlement | Movement::ReserveReleased, _) | (_, None) => line.description(),
        (_, Some(number)) => format!("{} (parcela {number})", line.description()),
    }
}

pub const OPEN_SHEET: &str = "A receber";
pub const OPEN_NET: usize = 6;
pub const OPEN: &[Column<OpenReceivables>] = &[
    column("Data prevista", 14, |unit| Cell::Date(unit.due_date)),
    column("Adquirente", 14, |unit| {
        text(labels::provider(unit.provider.number()))
    }),
    column("Bandeira", 16, |unit| {
        text_or_empty(
            unit.card_brand
                .as_ref()
                .map(|brand| labels::brand(brand.as_str())),
        )
    }),
    column("Pagamento", 16, |unit| text(unit.payment_type.label())),
    column("Parcelas", 10, |unit| Cell::Count(unit.installments)),
    column("Valor bruto", 15, |unit| Cell::Money(unit.gross.get())),
    column("Valor líquido", 15, |unit| Cell::Money(unit.net.get())),
    column("Status", 42, |unit| {
        text_or_empty(unit.overdue.map(OverdueReason::label))
    }),
];

pub const TRANSFERS_SHEET: &str = "Saques";
pub const TRANSFERS_KIND: usize = 1;
pub const TRANSFERS_AMOUNT: usize = 5;
pub const WITHDRAWAL: &str = "Saque";
pub const TRANSFERS: &[Column<Transfer>] = &[
    column("Solicitado em", 17, |transfer| {
        Cell::Instant(transfer.requested_at)
    }),
    column("Tipo", 22, |transfer| text(transfer_label(transfer))),
    column("Status hoje", 17, |transfer| text(transfer.status.label())),
    column("Atualizado em", 17, |transfer| Cell::Instant(transfer.updated_at)),
    column("Descrição", 40, |transfer| {
        text_or_empty(transfer.description.as_ref())
    }),
    column("Valor", 15, |transfer| Cell::Money(transfer.amount.get())),
    column("Tarifa", 12, |transfer| Cell::Money(transfer.fee.get())),
    column("Valor líquido", 15, |transfer| {
        Cell::Money(transfer.amount.get() - transfer.fee.get())
    }),
    column("Motivo", 40, |transfer| text_or_empty(transfer.reason.as_ref())),
];

pub const fn transfer_label(transfer: &Transfer) -> &'static str {
    match (transfer.kind, transfer.direction) {
        (TransferKind::Withdrawal, _) => WITHDRAWAL,
        (TransferKind::Adjustment, Some(Direction::In)) => "Ajuste manual: crédito",
        (TransferKind::Adjustment, _) => "Ajuste manual: débito",
        (TransferKind::TerminalRental, _) => "Aluguel",
    }
}

fn payment(row: &ListedSale) -> Cell {
    text(row.sale.payment_type.label_with(row.sale.installments))
}

fn brand(row: &ListedSale) -> Option<String> {
    let brand = row.sale.card_brand.as_ref()?;
    Some(labels::brand(brand.as_str()).to_owned())
}

pub(super) fn count(number: i64) -> Cell {
    Cell::Count(u64::try_from(number).unwrap_or_default())
}
