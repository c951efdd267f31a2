//! Terminals in answers.

use chrono::{DateTime, Utc};
use gateway_platform::companies::NamedCompany;
use gateway_platform::terminals::{
    Acquisition, Billing, BillingPeriod, BillingType, OwnerPeriod, TerminalRecord,
};
use ledger_domain::Cents;
use projections::sales::LastSale;
use serde::Serialize;
use utoipa::ToSchema;

use crate::shared::cents;
use crate::shared::list::PageOf;
use crate::shared::schemas::Number;
use crate::spreadsheet::{Cell, Column, Table, labels, list_column, text, text_or_empty};

pub type TerminalBillingType = Number<BillingType>;
pub type TerminalAcquisition = Number<Acquisition>;
pub type TerminalPage = PageOf<Terminal>;
pub type OwnTerminalPage = PageOf<OwnTerminal>;

/// A terminal for staff.
#[derive(Debug, Serialize, ToSchema)]
pub struct Terminal {
    #[schema(example = "ter_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b05")]
    pub id: String,
    #[schema(example = "PDV0050001")]
    pub serial_number: String,
    #[schema(required = true, example = "Balcão")]
    pub name: Option<String>,
    /// The company's id; null for a terminal in stock.
    #[schema(required = true, example = "biz_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b02")]
    pub business_id: Option<String>,
    /// The company that has the terminal; null for a terminal in stock.
    #[schema(required = true)]
    pub business: Option<TerminalBusiness>,
    /// Since when the company has the terminal, or since when it is in stock. UTC instant; null if no company ever had
    /// it.
    #[schema(required = true)]
    pub owned_since: Option<DateTime<Utc>>,
    #[serde(flatten)]
    pub billing: TerminalBilling,
    /// UTC instant.
    pub created_at: DateTime<Utc>,
    /// Counts the changes. A change that sends an older version is a 409.
    #[schema(example = 3)]
    pub version: i32,
}

/// How a terminal is billed. All fields are null for a terminal that was never billed.
#[derive(Debug, Serialize, ToSchema)]
pub struct TerminalBilling {
    #[schema(required = true, example = 1)]
    pub billing_type: Option<TerminalBillingType>,
    #[schema(required = true, example = 1)]
    pub acquisition: Option<TerminalAcquisition>,
    /// The terminal's own monthly price in cents; null if it has none.
    #[schema(required = true, example = 5_990)]
    pub rental_price: Option<i64>,
    /// The monthly price in cents: the terminal's own, else the platform's. Null unless it is billed as Aluguel.
    #[schema(required = true, example = 5_990)]
    pub monthly_price: Option<i64>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct TerminalBusiness {
    #[schema(example = "biz_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b02")]
    pub id: String,
    #[schema(example = "Padaria Souza Ltda")]
    pub name: String,
    /// CPF or CNPJ, without punctuation.
    #[schema(example = "11222333000181")]
    pub document: String,
}

/// A terminal and its history.
#[derive(Debug, Serialize, ToSchema)]
pub struct TerminalDetail {
    #[serde(flatten)]
    pub terminal: Terminal,
    /// The companies that have had the terminal, and its times in stock, latest first. A sale belongs to the company
    /// that had the terminal at the time of the sale.
    pub owners: Vec<TerminalOwnerPeriod>,
    /// How the terminal was billed, latest first. A rental without its own price has a period for each price of the
    /// platform.
    pub billings: Vec<TerminalBillingPeriod>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct TerminalOwnerPeriod {
    /// Null: the terminal was in stock.
    #[schema(required = true)]
    pub business: Option<TerminalBusiness>,
    /// UTC instant.
    pub since: DateTime<Utc>,
    /// UTC instant; null for the present.
    #[schema(required = true)]
    pub until: Option<DateTime<Utc>>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct TerminalBillingPeriod {
    #[serde(flatten)]
    pub billing: TerminalBilling,
    /// UTC instant.
    pub since: DateTime<Utc>,
    /// UTC instant; null for the present.
    #[schema(required = true)]
    pub until: Option<DateTime<Utc>>,
}

/// A seller's own terminal.
#[derive(Debug, Serialize, ToSchema)]
pub struct OwnTerminal {
    #[schema(example = "ter_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b05")]
    pub id: String,
    #[schema(example = "PDV0050001")]
    pub serial_number: String,
    #[schema(required = true, example = "Balcão")]
    pub name: Option<String>,
    /// Since when the company has the terminal. UTC instant.
    #[schema(required = true)]
    pub owned_since: Option<DateTime<Utc>>,
    #[serde(flatten)]
    pub billing: TerminalBilling,
    /// The latest sale since the company has the terminal. Null if there is none.
    #[schema(required = true)]
    pub last_sale: Option<TerminalSale>,
    /// Counts the changes. A change that sends an older version is a 409.
    #[schema(example = 3)]
    pub version: i32,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct TerminalSale {
    #[schema(example = "sal_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b04")]
    pub id: String,
    /// In cents.
    #[schema(example = 12_500)]
    pub amount: i64,
    /// UTC instant.
    pub occurred_at: DateTime<Utc>,
}

impl TerminalBilling {
    pub fn of(billing: Option<Billing>, platform_rental_price: Cents) -> Self {
        let rented = billing.filter(|billing| matches!(billing, Billing::Rental(_)));
        let own_price = billing.and_then(Billing::price);
        Self {
            billing_type: billing.map(|billing| billing.billing_type().into()),
            acquisition: billing.map(|billing| billing.acquisition().into()),
            rental_price: own_price.map(cents),
            monthly_price: rented.map(|_| cents(own_price.unwrap_or(platform_rental_price))),
        }
    }
}

impl From<NamedCompany> for TerminalBusiness {
    fn from(company: NamedCompany) -> Self {
        Self {
            id: company.id.to_string(),
            name: company.name,
            document: company.document,
        }
    }
}

impl Terminal {
    pub fn of(record: TerminalRecord, platform_rental_price: Cents) -> Self {
        Self {
            id: record.id.to_string(),
            serial_number: record.serial_number,
            name: record.name,
            business_id: record.company.as_ref().map(|company| company.id.to_string()),
            business: record.company.map(TerminalBusiness::from),
            owned_since: record.owned_since,
            billing: TerminalBilling::of(record.billing, platform_rental_price),
            created_at: record.created_at,
            version: record.version,
        }
    }
}

impl From<OwnerPeriod> for TerminalOwnerPeriod {
    fn from(period: OwnerPeriod) -> Self {
        Self {
            business: period.company.map(TerminalBusiness::from),
            since: period.since,
            until: period.until,
        }
    }
}

impl TerminalBillingPeriod {
    pub fn of(period: &BillingPeriod) -> Self {
        Self {
            billing: TerminalBilling::of(Some(period.billing), period.platform_rental_price),
            since: period.since,
            until: period.until,
        }
    }
}

impl OwnTerminal {
    pub fn of(record: TerminalRecord, last_sale: Option<&LastSale>, platform_rental_price: Cents) -> Self {
        Self {
            id: record.id.to_string(),
            serial_number: record.serial_number,
            name: record.name,
            owned_since: record.owned_since,
            billing: TerminalBilling::of(record.billing, platform_rental_price),
            last_sale: last_sale.map(|sale| TerminalSale {
                id: sale.sale_id.to_string(),
                amount: cents(sale.amount),
                occurred_at: sale.occurred_at,
            }),
            version: record.version,
        }
    }
}

pub const TERMINALS: Table<Terminal> = Table {
    name: "maquininhas",
    columns: COLUMNS,
};

pub const OWN_TERMINALS: Table<OwnTerminal> = Table {
    name: "maquininhas",
    columns: OWN_COLUMNS,
};

const COLUMNS: &[Column<Terminal>] = &[
    list_column("serialNumber", "Número de série", 22, |terminal| {
        text(&terminal.serial_number)
    }),
    list_column("name", "Nome", 30, |terminal| {
        text_or_empty(terminal.name.clone())
    }),
    list_column("business", "Empresa", 40, |terminal| {
        text_or_empty(terminal.business.as_ref().map(|company| &company.name))
    }),
    list_column("document", "CPF ou CNPJ", 20, |terminal| {
        let document = terminal.business.as_ref().map(|company| &company.document);
        text_or_empty(document.map(|document| labels::document(document)))
    }),
    list_column("status", "Status", 12, |terminal| {
        text(if terminal.business.is_some() {
            "Em uso"
        } else {
            "Em estoque"
        })
    }),
    list_column("since", "Desde", 17, |terminal| {
        terminal.owned_since.map_or(Cell::Empty, Cell::Instant)
    }),
    list_column("billing", "Cobrança", 12, |terminal| {
        billing_type(&terminal.billing)
    }),
    list_column("acquisition", "Aquisição", 12, |terminal| {
        acquisition(&terminal.billing)
    }),
    list_column("monthlyPrice", "Mensalidade", 14, |terminal| {
        monthly_price(&terminal.billing)
    }),
    list_column("createdAt", "Cadastrada em", 17, |terminal| {
        Cell::Instant(terminal.created_at)
    }),
];

const OWN_COLUMNS: &[Column<OwnTerminal>] = &[
    list_column("name", "Nome", 30, |terminal| {
        text_or_empty(terminal.name.clone())
    }),
    list_column("serialNumber", "Número de série", 22, |terminal| {
        text(&terminal.serial_number)
    }),
    list_column("billing", "Cobrança", 12, |terminal| {
        billing_type(&terminal.billing)
    }),
    list_column("monthlyPrice", "Mensalidade", 14, |terminal| {
        monthly_price(&terminal.billing)
    }),
    list_column("since", "Desde", 17, |terminal| {
        terminal.owned_since.map_or(Cell::Empty, Cell::Instant)
    }),
    list_column("lastSale", "Última venda", 17, |terminal| {
        let sale = terminal.last_sale.as_ref();
        sale.map_or(Cell::Empty, |sale| Cell::Instant(sale.occurred_at))
    }),
    list_column("lastSaleAmount", "Valor da última venda", 20, |terminal| {
        let sale = terminal.last_sale.as_ref();
        sale.map_or(Cell::Empty, |sale| Cell::Money(sale.amount))
    }),
];

fn billing_type(billing: &TerminalBilling) -> Cell {
    text_or_empty(billing.billing_type.map(|Number(kind)| kind.label()))
}

fn acquisition(billing: &TerminalBilling) -> Cell {
    text_or_empty(billing.acquisition.map(|Number(acquisition)| acquisition.label()))
}

fn monthly_price(billing: &TerminalBilling) -> Cell {
    billing.monthly_price.map_or(Cell::Empty, Cell::Money)
}
