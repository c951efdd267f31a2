//! The bank accounts that can receive a company's withdrawals.

use ledger_domain::BusinessId;
use ledger_domain::transfer::BankAccount;
use tokio_postgres::types::Type;
use tokio_postgres::{Error, GenericClient, Row};
use uuid::Uuid;

use crate::columns;

#[derive(Debug, Clone)]
pub struct NewBankAccount {
    pub id: Uuid,
    pub business_id: BusinessId,
    pub is_default: bool,
    pub account: BankAccount,
}

/// Adds a bank account. The table refuses a second default account of a company.
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

/// A bank account of a company.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BankAccountRecord {
    pub id: Uuid,
    pub is_default: bool,
    pub account: BankAccount,
}

/// The company's bank accounts, the default first and then the oldest.
pub async fn bank_accounts_of(
    client: &impl GenericClient,
    company: BusinessId,
) -> Result<Vec<BankAccountRecord>, Error> {
    let rows = client
        .query_typed(
            "SELECT id, is_default, bank_code, account_type, routing_number, routing_digit, account_number,
                    account_digit
               FROM bank_account WHERE business_id = $1 ORDER BY is_default DESC, created_at, id",
            &[(&company.uuid(), Type::UUID)],
        )
        .await?;
    let mut accounts = vec![];
    for row in &rows {
        accounts.extend(bank_account(row)?.map(|account| BankAccountRecord {
            id: row.get("id"),
            is_default: row.get("is_default"),
            account,
        }));
    }
    Ok(accounts)
}

/// Makes one account of the company the default. The caller has locked the company and found the account. A wrong id
/// would leave the company without a default.
pub async fn bank_account_set_default(
    client: &impl GenericClient,
    company: BusinessId,
    account: Uuid,
) -> Result<(), Error> {
    // Two statements: the index allows one default at every instant.
    client
        .execute_typed(
            "UPDATE bank_account SET is_default = false WHERE business_id = $1 AND is_default AND id <> $2",
            &[(&company.uuid(), Type::UUID), (&account, Type::UUID)],
        )
        .await?;
    client
        .execute_typed(
            "UPDATE bank_account SET is_default = true WHERE business_id = $1 AND id = $2",
            &[(&company.uuid(), Type::UUID), (&account, Type::UUID)],
        )
        .await
        .map(drop)
}

/// Removes an account. Withdrawals have a copy of their account, so that a removal changes none of them.
pub async fn bank_account_remove(
    client: &impl GenericClient,
    company: BusinessId,
    account: Uuid,
) -> Result<(), Error> {
    client
        .execute_typed(
            "DELETE FROM bank_account WHERE business_id = $1 AND id = $2",
            &[(&company.uuid(), Type::UUID), (&account, Type::UUID)],
        )
        .await
        .map(drop)
}

/// Reads the account of a row. `None` if an outer join found none.
pub(super) fn bank_account(row: &Row) -> Result<Option<BankAccount>, Error> {
    let Some(account_type) = columns::read_opt(row, "account_type")? else {
        return Ok(None);
    };
    Ok(Some(BankAccount {
        account_type,
        bank_code: row.get("bank_code"),
        routing_number: row.get("routing_number"),
        routing_digit: row.get("routing_digit"),
        account_number: row.get("account_number"),
        account_digit: row.get("account_digit"),
    }))
}
