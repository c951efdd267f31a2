//! Transfers on the wire: rows for both audiences, and what a seller is told before asking for one.

use std::borrow::Cow;

use chrono::{DateTime, NaiveDate, Utc};
use gateway_platform::back_office::{NamedCompany, bank_name};
use ledger_domain::ids::UserId;
use ledger_domain::transfer::{
    AccountType, BankAccount, Destination, DestinationKind, Direction, TransferKind, TransferStatus,
};
use projections::transfer::Transfer as TransferRow;
use serde::Serialize;
use utoipa::openapi::schema::{ObjectBuilder, Type};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use super::author::Author;
use super::cents;
use super::page::PageMeta;

/// The schema of a vocabulary that is numbers on the wire; the values are the domain's.
macro_rules! numbers {
    ($schema:ident, $name:literal, $description:literal, [$($number:literal),+]) => {
        pub struct $schema;

        impl PartialSchema for $schema {
            fn schema() -> RefOr<Schema> {
                ObjectBuilder::new()
                    .schema_type(Type::Integer)
                    .description(Some($description))
                    .enum_values(Some([$($number),+]))
                    .into()
            }
        }

        impl ToSchema for $schema {
            fn name() -> Cow<'static, str> {
                $name.into()
            }
        }
    };
}

numbers!(
    KindSchema,
    "TransferKind",
    "0 withdrawal, 1 adjustment by staff, 2 terminal rental.",
    [0, 1, 2]
);
numbers!(
    StatusSchema,
    "TransferStatus",
    "0 pending, 1 approved, 2 processing, 3 refused, 4 failed.",
    [0, 1, 2, 3, 4]
);
numbers!(
    DestinationSchema,
    "TransferDestination",
    "0 bank account, 1 PIX.",
    [0, 1]
);

#[derive(Debug, Serialize, ToSchema)]
pub struct Transfer {
    #[schema(example = "trf_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b08")]
    pub id: String,
    #[schema(example = "biz_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b02")]
    pub business_id: String,
    pub business: TransferBusiness,
    #[schema(value_type = KindSchema)]
    pub kind: TransferKind,
    #[schema(value_type = StatusSchema)]
    pub status: TransferStatus,
    #[schema(example = 150_000)]
    pub amount: i64,
    /// Of the amount, what the platform keeps.
    #[schema(example = 350)]
    pub fee: i64,
    /// What reaches the bank.
    #[schema(example = 149_650)]
    pub net_amount: i64,
    /// Null but for withdrawals, as destination_details.
    #[schema(required = true, value_type = Option<DestinationSchema>)]
    pub destination: Option<DestinationKind>,
    /// As it stood when the withdrawal was asked for.
    #[schema(required = true)]
    pub destination_details: Option<DestinationDetails>,
    /// Of adjustments only.
    #[schema(required = true, value_type = Option<DirectionName>, example = json!(null))]
    pub direction: Option<Direction>,
    /// Of terminals' rentals only.
    #[schema(required = true)]
    pub rental: Option<TransferRental>,
    #[schema(required = true, example = json!(null))]
    pub description: Option<String>,
    /// Why it was refused, or failed, or given back.
    #[schema(required = true, example = json!(null))]
    pub reason: Option<String>,
    /// A person paid it or is paying it, and not a payout. Null for sellers, as payout_id, approvals, approvals_needed
    /// and needs_attention: how the platform handles a withdrawal is for staff.
    #[schema(required = true, example = false)]
    pub by_hand: Option<bool>,
    #[schema(required = true, example = json!(null))]
    pub payout_id: Option<String>,
    /// People who said yes so far.
    #[schema(required = true, example = 0)]
    pub approvals: Option<u8>,
    /// How many must.
    #[schema(required = true, minimum = 1, maximum = 2, example = 1)]
    pub approvals_needed: Option<u8>,
    pub requested_at: DateTime<Utc>,
    pub updated_at: DateTime<Utc>,
    /// Null where it was no person that the reader may know.
    #[schema(required = true)]
    pub requested_by: Option<TransferPerson>,
    /// Who asked for it, or made it.
    pub author: Author,
    /// Who did what happened to it last; null before the first change.
    #[schema(required = true)]
    pub updated_by: Option<Author>,
    /// The company's available balance now; in staff's lists only, and null for roles that may not see balances.
    #[schema(required = true, example = 480_000)]
    pub available_now: Option<i64>,
    /// A bank told of a payout that nobody expected any more: people must look.
    #[schema(required = true, example = false)]
    pub needs_attention: Option<bool>,
}

#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct TransferRental {
    /// As it was when the rental was charged.
    #[schema(example = "SN-0001")]
    pub terminal_serial: String,
    #[schema(example = "2026-12-01")]
    pub due_date: NaiveDate,
}

#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct TransferPerson {
    #[schema(example = "usr_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b01")]
    pub id: String,
    #[schema(example = "Ana Souza")]
    pub name: String,
}

/// Out of the balance, or into it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Deserialize, ToSchema)]
#[schema(as = TransferDirection)]
#[serde(rename_all = "lowercase")]
pub enum DirectionName {
    Out,
    In,
}

#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(untagged)]
pub enum DestinationDetails {
    BankAccount(BankAccountDetails),
    Pix(PixDetails),
}

#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct BankAccountDetails {
    #[schema(inline)]
    pub r#type: BankAccountType,
    #[schema(example = "341")]
    pub bank_code: String,
    #[schema(example = "ITAÚ UNIBANCO S.A.")]
    pub bank_name: String,
    #[schema(value_type = String, example = "CHECKING")]
    pub account_type: AccountType,
    #[schema(example = "0071")]
    pub routing_number: String,
    #[schema(required = true, example = json!(null))]
    pub routing_digit: Option<String>,
    #[schema(example = "0012345")]
    pub account_number: String,
    #[schema(example = "6")]
    pub account_digit: String,
}

#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct PixDetails {
    #[schema(inline)]
    pub r#type: PixType,
    /// The company's document.
    #[schema(example = "11222333000181")]
    pub key: String,
}

#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
pub enum BankAccountType {
    #[serde(rename = "bank_account")]
    BankAccount,
}

#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
pub enum PixType {
    #[serde(rename = "pix")]
    Pix,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct TransferPage {
    pub data: Vec<Transfer>,
    pub meta: PageMeta,
}

/// What a withdrawal would cost, and where it could go.
#[derive(Debug, Serialize, ToSchema)]
pub struct TransferQuote {
    #[schema(example = 480_000)]
    pub available: i64,
    #[schema(example = 350)]
    pub withdrawal_fee: i64,
    /// The least that can be asked for.
    #[schema(example = 350)]
    pub minimum: i64,
    pub destinations: Vec<QuoteDestination>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct QuoteDestination {
    #[schema(value_type = DestinationSchema)]
    pub destination: DestinationKind,
    #[schema(example = true)]
    pub available: bool,
    /// Why it is not.
    #[schema(required = true, example = json!(null))]
    pub reason: Option<String>,
    #[schema(required = true)]
    pub details: Option<DestinationDetails>,
}

/// Whose it is.
#[derive(Debug, Serialize, ToSchema)]
pub struct TransferBusiness {
    #[schema(example = "biz_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b02")]
    pub id: String,
    #[schema(example = "Padaria Souza Ltda")]
    pub name: String,
    /// CPF or CNPJ without its mask.
    #[schema(example = "11222333000181")]
    pub document: String,
}

/// What a row doesn't hold itself.
#[derive(Debug, Clone, Default)]
pub struct RelatedRows {
    pub company: Option<NamedCompany>,
    pub person: Option<(UserId, String)>,
    pub author: Option<Author>,
    pub updated_by: Option<Author>,
    /// Of how the platform handles it; none for sellers.
    pub handling: Option<HandledBy>,
    pub available_now: Option<i64>,
}

/// What only staff read of how a withdrawal is handled, beside the row.
#[derive(Debug, Clone, Copy)]
pub struct HandledBy {
    pub approvals_needed: u8,
}

impl Transfer {
    pub fn of(row: TransferRow, around: RelatedRows) -> Self {
        let net_amount = cents(row.net_amount());
        let business = around.company.unwrap_or_else(|| NamedCompany {
            id: row.business_id,
            name: String::new(),
            document: String::new(),
        });
        let is_staff = around.handling.is_some();
        Self {
            id: row.transfer_id.to_string(),
            business_id: row.business_id.to_string(),
            business: business.into(),
            kind: row.kind,
            status: row.status,
            amount: cents(row.amount),
            fee: cents(row.fee),
            net_amount,
            destination: row.destination.as_ref().map(Destination::kind),
            destination_details: row.destination.as_ref().map(DestinationDetails::from),
            direction: row.direction,
            rental: row.rental.map(|rental| TransferRental {
                terminal_serial: rental.terminal_serial,
                due_date: rental.due_date,
            }),
            description: row.description,
            reason: row.reason,
            by_hand: is_staff.then_some(row.by_hand),
            payout_id: row.payout_id.filter(|_| is_staff).map(|id| id.to_string()),
            approvals: is_staff.then_some(row.approvals),
            approvals_needed: around.handling.map(|handling| handling.approvals_needed),
            requested_at: row.requested_at,
            updated_at: row.updated_at,
            requested_by: around.person.map(|(id, name)| TransferPerson {
                id: id.to_string(),
                name,
            }),
            author: around.author.unwrap_or(Author::PLATFORM),
            updated_by: around.updated_by,
            available_now: around.available_now,
            needs_attention: is_staff.then_some(row.needs_attention),
        }
    }
}

impl From<NamedCompany> for TransferBusiness {
    fn from(company: NamedCompany) -> Self {
        Self {
            id: company.id.to_string(),
            name: company.name,
            document: company.document,
        }
    }
}

impl From<&Destination> for DestinationDetails {
    fn from(destination: &Destination) -> Self {
        match destination {
            Destination::BankAccount(account) => Self::BankAccount(account.into()),
            Destination::Pix { key } => Self::Pix(PixDetails {
                r#type: PixType::Pix,
                key: key.clone(),
            }),
        }
    }
}

impl From<&BankAccount> for BankAccountDetails {
    fn from(account: &BankAccount) -> Self {
        Self {
            r#type: BankAccountType::BankAccount,
            bank_code: account.bank_code.clone(),
            bank_name: bank_name(&account.bank_code).to_owned(),
            account_type: account.account_type,
            routing_number: account.routing_number.clone(),
            routing_digit: account.routing_digit.clone(),
            account_number: account.account_number.clone(),
            account_digit: account.account_digit.clone(),
        }
    }
}

impl From<DirectionName> for Direction {
    fn from(name: DirectionName) -> Self {
        match name {
            DirectionName::Out => Self::Out,
            DirectionName::In => Self::In,
        }
    }
}
