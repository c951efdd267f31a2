//! The destination of a withdrawal.

use gateway_platform::companies::bank_name;
use ledger_domain::transfer::{AccountType, BankAccount, Destination, DestinationKind};
use serde::Serialize;
use utoipa::ToSchema;

use crate::shared::schemas::Number;

pub type DestinationNumber = Number<DestinationKind>;

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
    /// The bank's COMPE code.
    #[schema(example = "341")]
    pub bank_code: String,
    #[schema(example = "ITAÚ UNIBANCO S.A.")]
    pub bank_name: String,
    #[schema(value_type = String, example = "CHECKING")]
    pub account_type: AccountType,
    /// The branch number.
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
    /// The PIX key, which is the company's CPF or CNPJ.
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
