//! The accounts that a company's withdrawals may go to.

use ledger_domain::BusinessId;
use ledger_domain::transfer::{AccountType, BankAccount};
use tokio_postgres::{Error, GenericClient, Row};
use uuid::Uuid;

#[derive(Debug, Clone)]
pub struct NewBankAccount {
    pub id: Uuid,
    pub business_id: BusinessId,
    pub is_default: bool,
    pub account: BankAccount,
}

/// One default a company: the table refuses a second.
pub async fn bank_account_create(client: &impl GenericClient, new: &NewBankAccount) -> Result<(), Error> {
    let account = &new.account;
    client
        .execute(
            "INSERT INTO bank_account (id, business_id, is_default, bank_code, account_type, routing_number,
                                       routing_digit, account_number, account_digit)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
            &[
                &new.id,
                &new.business_id.uuid(),
                &new.is_default,
                &account.bank_code,
                &account.account_type.as_str(),
                &account.routing_number,
                &account.routing_digit,
                &account.account_number,
                &account.account_digit,
            ],
        )
        .await
        .map(drop)
}

/// From a row that may hold no account (an outer join).
pub(super) fn bank_account(row: &Row) -> Option<BankAccount> {
    Some(BankAccount {
        bank_code: row.get::<_, Option<String>>("bank_code")?,
        // The table holds the four spellings only.
        account_type: AccountType::parse(row.get("account_type")).ok()?,
        routing_number: row.get("routing_number"),
        routing_digit: row.get("routing_digit"),
        account_number: row.get("account_number"),
        account_digit: row.get("account_digit"),
    })
}
