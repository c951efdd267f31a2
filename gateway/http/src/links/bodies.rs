//! Payment links in answers to sellers and staff.

use chrono::{DateTime, NaiveDate, Utc};
use gateway_platform::companies::NamedCompany;
use gateway_platform::links::{FeePayer, LinkFigures, LinkStatus, PaymentLink as Record};
use ledger_domain::Cents;
use ledger_domain::calendar::Date;
use serde::Serialize;
use utoipa::ToSchema;

use crate::shared::cents;
use crate::shared::page::PageMeta;
use crate::shared::schemas::Word;

pub type LinkStatusName = Word<LinkStatus>;
pub type FeePayerName = Word<FeePayer>;

/// A payment link of the company.
#[derive(Debug, Serialize, ToSchema)]
pub struct PaymentLink {
    #[schema(example = "lnk_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b0b")]
    pub id: String,
    /// The public address is /pl/ and this code.
    #[schema(example = "2F6F4F5A1B0B")]
    pub code: String,
    #[schema(example = "Bolo de chocolate")]
    pub description: String,
    /// In cents. Null if the buyer chooses it.
    #[schema(required = true, example = 18_000)]
    pub amount: Option<i64>,
    /// The smallest amount that the buyer may choose, in cents. Null: no bound.
    #[schema(required = true)]
    pub amount_min: Option<i64>,
    /// The largest amount that the buyer may choose, in cents. Null: no bound.
    #[schema(required = true)]
    pub amount_max: Option<i64>,
    /// credit, pix, boleto.
    #[schema(example = json!(["credit", "pix"]))]
    pub payment_types: Vec<&'static str>,
    /// 1 without credit.
    #[schema(minimum = 1, maximum = 21, example = 3)]
    pub installments_max: u8,
    pub payer: FeePayerName,
    /// The last day in Brasília on which it can be paid. Null: it does not expire.
    #[schema(required = true, example = "2026-12-31")]
    pub expires_on: Option<NaiveDate>,
    /// How many orders may use it. Null: any number.
    #[schema(required = true, example = 10)]
    pub use_limit: Option<i32>,
    pub active: bool,
    pub status: LinkStatusName,
    /// The number of orders that hold a use: those that are open or were paid.
    #[schema(example = 4)]
    pub uses: i32,
    /// Paid sales, without those whose money went back to the buyer.
    #[schema(example = 4)]
    pub sales: u64,
    /// The gross of these sales, in cents.
    #[schema(example = 72_000)]
    pub sold: i64,
    /// UTC instant.
    pub created_at: DateTime<Utc>,
    /// UTC instant of the last change by a user.
    pub updated_at: DateTime<Utc>,
    /// Counts the changes. A change sends the version that it started from.
    #[schema(example = 1)]
    pub version: i32,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct PaymentLinkPage {
    pub data: Vec<PaymentLink>,
    pub meta: PageMeta,
}

/// A payment link, how often its page was opened, and how often it was ordered.
#[derive(Debug, Serialize, ToSchema)]
pub struct PaymentLinkDetail {
    #[serde(flatten)]
    pub link: PaymentLink,
    /// How often its public page was opened.
    #[schema(example = 37)]
    pub opened: i64,
    /// How many orders buyers placed, in any status.
    #[schema(example = 12)]
    pub ordered: i64,
}

/// A payment link of any company, for staff.
#[derive(Debug, Serialize, ToSchema)]
pub struct AdminPaymentLink {
    #[serde(flatten)]
    pub link: PaymentLink,
    pub business: PaymentLinkBusiness,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct PaymentLinkBusiness {
    #[schema(example = "biz_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b02")]
    pub id: String,
    #[schema(example = "Padaria Souza Ltda")]
    pub name: String,
    /// CPF or CNPJ, without punctuation.
    #[schema(example = "11222333000181")]
    pub document: String,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct AdminPaymentLinkPage {
    pub data: Vec<AdminPaymentLink>,
    pub meta: PageMeta,
}

impl PaymentLink {
    pub fn of(record: Record, figures: LinkFigures, today: Date) -> Self {
        let status = record.status(today).into();
        let fields = record.fields;
        Self {
            id: record.id.to_string(),
            code: record.code,
            description: fields.description,
            amount: fields.amount.map(Cents::get),
            amount_min: fields.amount_min.map(Cents::get),
            amount_max: fields.amount_max.map(Cents::get),
            payment_types: fields.payment_types.iter().map(|kind| kind.as_str()).collect(),
            installments_max: fields.installments_max,
            payer: fields.payer.into(),
            expires_on: fields.expires_on,
            use_limit: fields.use_limit,
            active: fields.active,
            status,
            uses: record.uses,
            sales: figures.sales,
            sold: cents(figures.sold),
            created_at: record.created_at,
            updated_at: record.updated_at,
            version: record.version,
        }
    }
}

impl AdminPaymentLink {
    pub fn of(record: Record, figures: LinkFigures, today: Date) -> Self {
        let NamedCompany { id, name, document } = record.company.clone();
        Self {
            link: PaymentLink::of(record, figures, today),
            business: PaymentLinkBusiness {
                id: id.to_string(),
                name,
                document,
            },
        }
    }
}
