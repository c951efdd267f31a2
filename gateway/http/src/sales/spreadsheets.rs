//! The list of sales, for the company and for staff; staff also see the company. A row has the columns of the screen
//! and those for reconciliation: the fees and the acquirer's codes of the sale.

use std::marker::PhantomData;

use ledger_domain::sale::{FraudLiability, PaymentName, PaymentNames, SaleStatus, ThreeDSecure};

use super::bodies::list::{AdminSaleRow, CountedPart, SaleRow};
use super::labels;
use crate::spreadsheet::{Cell, Column, Table, list_column, text, text_or_empty};

/// A row of a list, of the company or of staff, with the values that only the sheet shows.
pub struct SaleLine<Row> {
    row: Row,
    only: SheetOnlyFields,
}

/// The values of a sale that only the sheet shows.
pub struct SheetOnlyFields {
    fees: Option<i64>,
    authorization_code: Option<String>,
    names: PaymentNames,
}

impl SheetOnlyFields {
    pub fn of(sale: &projections::sales::SaleRow) -> Self {
        Self {
            fees: sale.net.map(|net| sale.amount.get() - net.get()),
            authorization_code: sale.authorization_code.clone(),
            names: sale.names.clone(),
        }
    }

    pub fn with_row<Row>(self, row: Row) -> SaleLine<Row> {
        SaleLine { row, only: self }
    }
}

impl<Row: AsRef<SaleRow>> SaleLine<Row> {
    fn sale(&self) -> &SaleRow {
        self.row.as_ref()
    }

    fn three_d_secure(&self) -> Option<&ThreeDSecure> {
        self.only.names.three_d_secure.as_deref()
    }

    /// Only a succeeded sale shows its fees and its net amount.
    fn if_succeeded(&self, cents: Option<i64>) -> Cell {
        match *self.sale().status {
            SaleStatus::Succeeded => cents.map_or(Cell::Empty, Cell::Money),
            _ => Cell::Empty,
        }
    }
}

pub const SALES: Table<SaleLine<SaleRow>> = Table {
    name: "vendas",
    columns: COLUMNS,
};

/// The sales behind a figure of reversals or settlements, with the part of each that the figure counts.
pub const COUNTED_SALES: Table<SaleLine<SaleRow>> = Table {
    name: "vendas",
    columns: COUNTED_COLUMNS,
};

pub const STAFF_COUNTED_SALES: Table<SaleLine<AdminSaleRow>> = Table {
    name: "vendas",
    columns: STAFF_COUNTED_COLUMNS,
};

pub const STAFF_SALES: Table<SaleLine<AdminSaleRow>> = Table {
    name: "vendas",
    columns: STAFF_COLUMNS,
};

/// The columns of both kinds of rows: of the company's list and of staff's list.
struct SaleColumns<Row>(PhantomData<Row>);

impl<Row: AsRef<SaleRow>> SaleColumns<Row> {
    const SALE: Column<SaleLine<Row>> = list_column("code", "Venda", 15, |line| {
        text(labels::short_code(&line.sale().id))
    });
    const OCCURRED_AT: Column<SaleLine<Row>> = list_column("occurredAt", "Data da venda", 17, |line| {
        Cell::Instant(line.sale().occurred_at)
    });
    const STATUS: Column<SaleLine<Row>> =
        list_column("status", "Status", 13, |line| text(line.sale().status.label()));
    const SOLUTION: Column<SaleLine<Row>> = list_column("solution", "Solução", 18, |line| {
        text(labels::solution(line.sale().solution))
    });
    const PAYMENT: Column<SaleLine<Row>> = list_column("payment", "Pagamento", 16, |line| {
        let sale = line.sale();
        text(sale.payment_type.label_with(sale.payment_method.installments))
    });
    const BRAND: Column<SaleLine<Row>> =
        list_column("brand", "Bandeira", 20, |line| text_or_empty(brand(line.sale())));
    const ORIGIN: Column<SaleLine<Row>> = list_column("origin", "Maquininha ou link", 18, |line| {
        let sale = line.sale();
        let terminal = sale.terminal.as_ref().map(|terminal| &terminal.serial_number);
        text_or_empty(terminal.or(sale.payment_link_code.as_ref()))
    });
    const CAPTURED_AT: Column<SaleLine<Row>> = list_column("capturedAt", "Aprovada em", 17, |line| {
        line.sale().captured_at.map_or(Cell::Empty, Cell::Instant)
    });
    const GROSS: Column<SaleLine<Row>> =
        list_column("gross", "Valor bruto", 15, |line| Cell::Money(line.sale().amount));
    const FEES: Column<SaleLine<Row>> = list_column("fees", "Total de taxas", 15, |line| {
        line.if_succeeded(line.only.fees)
    });
    const NET: Column<SaleLine<Row>> = list_column("net", "Valor líquido", 15, |line| {
        line.if_succeeded(line.sale().net_amount)
    });
    const RETURNED: Column<SaleLine<Row>> = list_column("returned", "Estornado", 15, |line| {
        let returned = returned(line.sale());
        if returned == 0 {
            Cell::Empty
        } else {
            Cell::Money(returned)
        }
    });
    const ACQUIRER: Column<SaleLine<Row>> = list_column("acquirer", "Adquirente", 14, |line| {
        text(labels::provider(line.sale().provider))
    });
    const AUTHORIZATION: Column<SaleLine<Row>> =
        list_column("authorizationCode", "Código de autorização", 22, |line| {
            text_or_empty(line.only.authorization_code.as_ref())
        });
    const COUNTED_AT: Column<SaleLine<Row>> = list_column("countedAt", "Contada em", 17, |line| {
        let counted = line.sale().counted.as_ref();
        counted.map_or(Cell::Empty, |counted| Cell::Instant(counted.occurred_at))
    });
    const COUNTED_AS: Column<SaleLine<Row>> = list_column("countedAs", "Contada como", 22, |line| {
        line.sale().counted.as_ref().map_or(Cell::Empty, counted_as)
    });
    const COUNTED_GROSS: Column<SaleLine<Row>> = list_column("countedGross", "Bruto contado", 15, |line| {
        let counted = line.sale().counted.as_ref();
        counted.map_or(Cell::Empty, |counted| Cell::Money(counted.gross))
    });
    const COUNTED_NET: Column<SaleLine<Row>> = list_column("countedNet", "Líquido contado", 15, |line| {
        let counted = line.sale().counted.as_ref();
        counted.map_or(Cell::Empty, |counted| Cell::Money(counted.net))
    });
    const EXTERNAL_ID: Column<SaleLine<Row>> =
        list_column("externalId", "Código na adquirente", 34, |line| {
            let sale = line.sale();
            text_or_empty(labels::external_id(&sale.id, &sale.external_id))
        });
    const END_TO_END_ID: Column<SaleLine<Row>> = list_column("endToEndId", "ID do PIX (E2E)", 34, |line| {
        name(line.only.names.end_to_end_id.as_ref())
    });
    const TXID: Column<SaleLine<Row>> =
        list_column("txid", "TXID", 28, |line| name(line.only.names.txid.as_ref()));
    const NSU: Column<SaleLine<Row>> =
        list_column("nsu", "NSU", 15, |line| name(line.only.names.nsu.as_ref()));
    const TID: Column<SaleLine<Row>> =
        list_column("tid", "TID", 24, |line| name(line.only.names.tid.as_ref()));
    const ACQUIRER_ID: Column<SaleLine<Row>> =
        list_column("acquirerId", "Cobrança na adquirente", 34, |line| {
            name(line.only.names.acquirer_id.as_ref())
        });
    const OUR_NUMBER: Column<SaleLine<Row>> = list_column("ourNumber", "Nosso número", 20, |line| {
        name(line.only.names.our_number.as_ref())
    });
    const THREE_D_SECURE: Column<SaleLine<Row>> = list_column("threeDSecure", "3-D Secure", 12, |line| {
        name(line.three_d_secure().and_then(|result| result.version.as_ref()))
    });
    const ECI: Column<SaleLine<Row>> = list_column("eci", "ECI", 8, |line| {
        name(line.three_d_secure().and_then(|result| result.eci.as_ref()))
    });
    const LIABILITY: Column<SaleLine<Row>> = list_column("liability", "Responsável por fraude", 22, |line| {
        let result = line.three_d_secure();
        text_or_empty(
            result
                .and_then(|result| result.liability)
                .map(FraudLiability::label),
        )
    });
}

fn name(name: Option<&PaymentName>) -> Cell {
    text_or_empty(name.map(PaymentName::as_str))
}

/// The columns of a table, in their order. Staff's tables add the company. Lists with counted parts add those parts.
macro_rules! sale_columns {
    ($($company:expr)?; $($counted:ident),*) => {
        &[
            SaleColumns::SALE,
            $($company,)?
            SaleColumns::OCCURRED_AT,
            SaleColumns::STATUS,
            SaleColumns::SOLUTION,
            SaleColumns::PAYMENT,
            SaleColumns::BRAND,
            SaleColumns::ORIGIN,
            SaleColumns::CAPTURED_AT,
            SaleColumns::GROSS,
            SaleColumns::FEES,
            SaleColumns::NET,
            SaleColumns::RETURNED,
            $(SaleColumns::$counted,)*
            SaleColumns::ACQUIRER,
            SaleColumns::AUTHORIZATION,
            SaleColumns::EXTERNAL_ID,
            SaleColumns::END_TO_END_ID,
            SaleColumns::TXID,
            SaleColumns::NSU,
            SaleColumns::TID,
            SaleColumns::ACQUIRER_ID,
            SaleColumns::OUR_NUMBER,
            SaleColumns::THREE_D_SECURE,
            SaleColumns::ECI,
            SaleColumns::LIABILITY,
        ]
    };
}

const COMPANY: Column<SaleLine<AdminSaleRow>> =
    list_column("business", "Empresa", 34, |line| text(&line.row.business.name));

const COLUMNS: &[Column<SaleLine<SaleRow>>] = sale_columns!(;);
const STAFF_COLUMNS: &[Column<SaleLine<AdminSaleRow>>] = sale_columns!(COMPANY;);
const COUNTED_COLUMNS: &[Column<SaleLine<SaleRow>>] =
    sale_columns!(; COUNTED_AT, COUNTED_AS, COUNTED_GROSS, COUNTED_NET);
const STAFF_COUNTED_COLUMNS: &[Column<SaleLine<AdminSaleRow>>] =
    sale_columns!(COMPANY; COUNTED_AT, COUNTED_AS, COUNTED_GROSS, COUNTED_NET);

/// The event of a reversal, or the settled installment.
fn counted_as(counted: &CountedPart) -> Cell {
    match (counted.status.map(|status| *status), counted.installment) {
        (Some(SaleStatus::Succeeded), _) => text("Contestação ganha"),
        (Some(status), _) => text(status.label()),
        (None, Some(number)) => text(format!("Parcela {number}")),
        (None, None) => Cell::Empty,
    }
}

/// What the buyer got back by refunds, in cents: of parts, or of the whole sale.
fn returned(sale: &SaleRow) -> i64 {
    match *sale.status {
        SaleStatus::Canceled | SaleStatus::Refunded | SaleStatus::Reversed if sale.captured_at.is_some() => {
            sale.amount - sale.charged_back
        }
        _ => sale.refunded,
    }
}

fn brand(sale: &SaleRow) -> Option<String> {
    let method = &sale.payment_method;
    let brand = labels::brand(method.card_brand.as_deref()?);
    Some(match &method.card_last_four {
        Some(digits) => format!("{brand} •••• {digits}"),
        None => brand.to_owned(),
    })
}
