//! The bank accounts that can receive a company's withdrawals. Withdrawals that are not by PIX go to the default one.

use chrono::TimeDelta;
use ledger_domain::BusinessId;
use ledger_domain::transfer::{AccountType, BankAccount};
use ledger_rows::{FromRow, execute, fetch, params, row};
use serde_json::{Value, json};
use tokio_postgres::{Error, GenericClient};
use uuid::Uuid;

use super::destination::destination_change_add;
use super::edit::Editor;
use super::refusal::{CompanyRefusal, Result};

/// Keeps requests from adding rows without end.
const BANK_ACCOUNTS_MAX: usize = 20;

#[derive(Debug, Clone)]
pub struct NewBankAccount {
    pub id: Uuid,
    pub business_id: BusinessId,
    pub is_default: bool,
    pub account: BankAccount,
}

/// A bank account of a company.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BankAccountRecord {
    pub id: Uuid,
    pub is_default: bool,
    pub account: BankAccount,
}

row! {
    impl FromRow for BankAccountRecord {
        id: Uuid,
        is_default: bool,
        bank_code: String,
        account_type: AccountType,
        routing_number: String,
        routing_digit: Option<String>,
        account_number: String,
        account_digit: String,
    } => Self {
        id,
        is_default,
        account: BankAccount {
            account_type,
            bank_code,
            routing_number,
            routing_digit,
            account_number,
            account_digit,
        },
    }
}

/// Adds a bank account. The table refuses a second default account of a company.
pub async fn bank_account_create(client: &impl GenericClient, new: &NewBankAccount) -> Result<(), Error> {
    let account = &new.account;
    let sql =
        "INSERT INTO bank_account (id, business_id, is_default, bank_code, account_type, routing_number,
                                         routing_digit, account_number, account_digit)
               VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)";
    let parameters = params![
        new.id,
        new.business_id,
        new.is_default,
        account.bank_code,
        account.account_type,
        account.routing_number,
        account.routing_digit,
        account.account_number,
        account.account_digit,
    ];
    execute(client, sql, parameters).await.map(drop)
}

/// The company's bank accounts, the default first and then the oldest.
pub async fn bank_accounts_of(
    client: &impl GenericClient,
    company: BusinessId,
) -> Result<Vec<BankAccountRecord>, Error> {
    let sql = format!(
        "SELECT {} FROM bank_account WHERE business_id = $1 ORDER BY is_default DESC, created_at, id",
        BankAccountRecord::COLUMNS
    );
    fetch(client, &sql, params![company]).await
}

/// Adds a bank account to a company that the caller has locked or created. The first one is the default.
pub async fn add_bank_account(
    client: &impl GenericClient,
    editor: Editor<'_>,
    company: BusinessId,
    account: &BankAccount,
) -> Result<()> {
    let known = bank_accounts_of(client, company).await?;
    if known.iter().any(|record| record.account == *account) {
        let known = "Esta conta já está cadastrada.";
        return Err(CompanyRefusal::of_field("account_number", known).into());
    }
    if known.len() >= BANK_ACCOUNTS_MAX {
        return Err(CompanyRefusal::TooManyAccounts.into());
    }
    let new = NewBankAccount {
        id: editor.ids.new_uuid(),
        business_id: company,
        is_default: known.is_empty(),
        account: account.clone(),
    };
    bank_account_create(client, &new).await?;
    if new.is_default {
        mark_withdrawals(client, editor, company).await?;
    }
    let after = Some(as_json(account));
    Ok(editor
        .record(client, company, "add-bank-account", None, after)
        .await?)
}

/// Makes a bank account the destination of withdrawals. Returns it, or `None` if it is the destination already.
pub async fn choose_bank_account(
    client: &impl GenericClient,
    editor: Editor<'_>,
    company: BusinessId,
    id: Uuid,
) -> Result<Option<BankAccount>> {
    let known = bank_accounts_of(client, company).await?;
    let chosen = known.iter().find(|record| record.id == id);
    let chosen = chosen.ok_or(CompanyRefusal::NotFound)?;
    if chosen.is_default {
        return Ok(None);
    }
    let before = known.iter().find(|record| record.is_default);
    let before = before.map(|record| as_json(&record.account));
    // Two statements: the index allows one default at every instant.
    let others =
        "UPDATE bank_account SET is_default = false WHERE business_id = $1 AND is_default AND id <> $2";
    execute(client, others, params![company, id]).await?;
    let default = "UPDATE bank_account SET is_default = true WHERE business_id = $1 AND id = $2";
    execute(client, default, params![company, id]).await?;
    mark_withdrawals(client, editor, company).await?;
    let after = Some(as_json(&chosen.account));
    editor
        .record(client, company, "default-bank-account", before, after)
        .await?;
    Ok(Some(chosen.account.clone()))
}

/// Removes a bank account and returns it. Withdrawals have a copy of their account, so that a removal changes none of
/// them. The default account can be removed only if it is the last one. Otherwise another account would become the
/// destination of withdrawals without a user's choice.
pub async fn remove_bank_account(
    client: &impl GenericClient,
    editor: Editor<'_>,
    company: BusinessId,
    id: Uuid,
) -> Result<BankAccount> {
    let known = bank_accounts_of(client, company).await?;
    let removed = known.iter().find(|record| record.id == id);
    let removed = removed.ok_or(CompanyRefusal::NotFound)?;
    if removed.is_default && known.len() > 1 {
        return Err(CompanyRefusal::DefaultAccount.into());
    }
    let sql = "DELETE FROM bank_account WHERE business_id = $1 AND id = $2";
    execute(client, sql, params![company, id]).await?;
    let before = Some(as_json(&removed.account));
    editor
        .record(client, company, "remove-bank-account", before, None)
        .await?;
    Ok(removed.account.clone())
}

/// Marks the withdrawals to an account that became the destination now, for the days of the settings.
async fn mark_withdrawals(
    client: &impl GenericClient,
    editor: Editor<'_>,
    company: BusinessId,
) -> Result<(), Error> {
    let days = editor.settings(client).await?.marked_destination_days;
    let marking = TimeDelta::days(i64::from(days));
    destination_change_add(client, company, editor.now(), marking).await
}

/// The fields as the audit log has them.
fn as_json(account: &BankAccount) -> Value {
    json!({
        "bank_code": account.bank_code, "type": account.account_type.as_str(),
        "routing_number": account.routing_number, "routing_digit": account.routing_digit,
        "account_number": account.account_number, "account_digit": account.account_digit,
    })
}
