//! Saves parts of a company's record, for staff and for the company's own users. Each change also writes an entry
//! of the audit log, in the caller's transaction. The caller has locked or created the company.

use chrono::TimeDelta;
use gateway_identity::audit::{Actor, Change, fields_changed_since, record};
use gateway_identity::mail::CompanyAction;
use gateway_platform::companies::{
    Address, CompanyFields, LockedCompany, NewBankAccount, address_locked, address_put, addresses_of,
    bank_account_create, bank_account_remove, bank_account_set_default, bank_accounts_of, company_locked,
    company_touch, company_update, destination_change_add,
};
use ledger_domain::BusinessId;
use ledger_domain::calendar::Instant;
use ledger_domain::transfer::BankAccount;
use serde_json::{Value, json};
use tokio_postgres::GenericClient;
use uuid::Uuid;

use super::notify::OwnersEmail;
use crate::AppState;
use crate::problem::{Problem, Result};
use crate::shared::conflict::changed_meanwhile;

/// The subject of a company in the audit log.
pub const SUBJECT: &str = "business";

/// The limits keep requests from adding rows without end.
const BANK_ACCOUNTS_MAX: usize = 20;
const ADDRESSES_MAX: usize = 20;

/// The company, locked until the transaction ends.
pub(crate) async fn lock(client: &impl GenericClient, company: BusinessId) -> Result<LockedCompany> {
    company_locked(client, company)
        .await?
        .ok_or_else(Problem::not_found)
}

/// A 409 that names the changed fields, unless `read` (the version that the caller read) is still the current one.
pub(crate) async fn check_version(
    client: &impl GenericClient,
    company: BusinessId,
    locked: &LockedCompany,
    read: i32,
) -> Result<()> {
    if read == locked.version {
        return Ok(());
    }
    let changed = fields_changed_since(client, SUBJECT, &company.to_string(), read).await?;
    Err(changed_meanwhile("este cadastro", &changed, label))
}

fn label(field: &str) -> Option<&'static str> {
    Some(match field {
        "name" => "nome",
        "statement_descriptor" => "nome na fatura",
        "approval" => "aprovação",
        "receiving_plan_id" => "plano de recebimento",
        "trade_name" => "nome fantasia",
        "email" => "e-mail",
        "phone" => "telefone",
        "mcc" => "MCC",
        "representative_name" | "representative_document" => "representante legal",
        "birth_date" => "data de nascimento",
        "address" | "number" | "complement" | "reference" | "neighborhood" | "city" | "state"
        | "postal_code" => "endereço",
        _ => return None,
    })
}

/// Writes nothing if no field differs. The audit log gets the fields that differ.
pub(crate) async fn save_fields(
    client: &impl GenericClient,
    actor: Actor,
    company: BusinessId,
    before: &CompanyFields,
    after: &CompanyFields,
) -> Result<()> {
    if before == after {
        return Ok(());
    }
    let version = company_update(client, company, after).await?;
    let mut new = after.changed_fields(before);
    new.insert("version".to_owned(), json!(version));
    let old = Value::Object(before.changed_fields(after));
    write_audit(
        client,
        actor,
        company,
        "update",
        Some(old),
        Some(Value::Object(new)),
    )
    .await
}

/// Replaces the address with this id, or adds one under `new_id` if there is no id. A new or changed address raises
/// the company's version, like a changed field.
pub(crate) async fn save_address(
    client: &impl GenericClient,
    actor: Actor,
    company: BusinessId,
    (id, new_id): (Option<Uuid>, Uuid),
    address: &Address,
) -> Result<()> {
    let before = match id {
        Some(id) => {
            let before = address_locked(client, company, id).await?;
            Some(before.ok_or_else(Problem::not_found)?)
        }
        None if addresses_of(client, company).await?.len() >= ADDRESSES_MAX => {
            return Err(Problem::conflict(
                "A empresa já tem 20 endereços. Edite um deles em vez de adicionar outro.",
            ));
        }
        None => None,
    };
    if before.as_ref() == Some(address) {
        return Ok(());
    }
    address_put(client, company, id.unwrap_or(new_id), address).await?;
    let mut after = address.as_json();
    after["version"] = json!(company_touch(client, company).await?);
    let action = if before.is_some() {
        "change-address"
    } else {
        "add-address"
    };
    let before = before.as_ref().map(Address::as_json);
    write_audit(client, actor, company, action, before, Some(after)).await
}

/// Adds a bank account. The first one is the default.
pub(crate) async fn add_bank_account(
    client: &impl GenericClient,
    actor: Actor,
    company: BusinessId,
    (id, mark): (Uuid, DestinationMark),
    account: BankAccount,
) -> Result<OwnersEmail> {
    let known = bank_accounts_of(client, company).await?;
    if known.iter().any(|record| record.account == account) {
        return Err(Problem::field("account_number", "Esta conta já está cadastrada."));
    }
    if known.len() >= BANK_ACCOUNTS_MAX {
        return Err(Problem::conflict(
            "A empresa já tem 20 contas bancárias. Remova uma antes.",
        ));
    }
    let after = account_json(&account);
    let email = OwnersEmail::of_account(CompanyAction::Added, &account);
    let new = NewBankAccount {
        id,
        business_id: company,
        is_default: known.is_empty(),
        account,
    };
    bank_account_create(client, &new).await?;
    if new.is_default {
        mark.write(client, company).await?;
    }
    write_audit(client, actor, company, "add-bank-account", None, Some(after)).await?;
    Ok(email)
}

/// The instant at which an account becomes the destination of withdrawals, and the time for which withdrawals are then
/// marked for staff.
#[derive(Debug, Clone, Copy)]
pub struct DestinationMark {
    now: Instant,
    marked_for: TimeDelta,
}

impl DestinationMark {
    /// By the settings of this instant.
    pub(crate) async fn read(state: &AppState, client: &impl GenericClient) -> Result<Self> {
        let now = state.clock.now();
        let settings = state.settings_at(client, now).await?;
        Ok(Self {
            now,
            marked_for: TimeDelta::days(i64::from(settings.marked_destination_days)),
        })
    }

    async fn write(self, client: &impl GenericClient, company: BusinessId) -> Result<()> {
        Ok(destination_change_add(client, company, self.now, self.marked_for).await?)
    }
}

/// Makes a bank account the destination of withdrawals. `None` if it is the destination already.
pub(crate) async fn choose_bank_account(
    client: &impl GenericClient,
    actor: Actor,
    company: BusinessId,
    (id, mark): (Uuid, DestinationMark),
) -> Result<Option<OwnersEmail>> {
    let known = bank_accounts_of(client, company).await?;
    let chosen = known.iter().find(|record| record.id == id);
    let chosen = chosen.ok_or_else(Problem::not_found)?;
    if chosen.is_default {
        return Ok(None);
    }
    let before = known.iter().find(|record| record.is_default);
    let before = before.map(|record| account_json(&record.account));
    bank_account_set_default(client, company, id).await?;
    mark.write(client, company).await?;
    let after = Some(account_json(&chosen.account));
    write_audit(client, actor, company, "default-bank-account", before, after).await?;
    Ok(Some(OwnersEmail::of_account(
        CompanyAction::MadeDefault,
        &chosen.account,
    )))
}

/// The default account can be removed only if it is the last account. Otherwise another account would become the
/// destination of withdrawals without a user's choice.
pub(crate) async fn remove_bank_account(
    client: &impl GenericClient,
    actor: Actor,
    company: BusinessId,
    id: Uuid,
) -> Result<OwnersEmail> {
    let known = bank_accounts_of(client, company).await?;
    let removed = known.iter().find(|record| record.id == id);
    let removed = removed.ok_or_else(Problem::not_found)?;
    if removed.is_default && known.len() > 1 {
        return Err(Problem::conflict(
            "Escolha outra conta como padrão antes de remover esta.",
        ));
    }
    bank_account_remove(client, company, id).await?;
    let before = Some(account_json(&removed.account));
    write_audit(client, actor, company, "remove-bank-account", before, None).await?;
    Ok(OwnersEmail::of_account(CompanyAction::Removed, &removed.account))
}

pub(crate) async fn write_audit(
    client: &impl GenericClient,
    actor: Actor,
    company: BusinessId,
    action: &str,
    before: Option<Value>,
    after: Option<Value>,
) -> Result<()> {
    let change = Change {
        action,
        subject: SUBJECT,
        subject_id: &company.to_string(),
        before,
        after,
    };
    Ok(record(client, actor, change).await?)
}

pub fn account_json(account: &BankAccount) -> Value {
    json!({
        "bank_code": account.bank_code, "type": account.account_type.as_str(),
        "routing_number": account.routing_number, "routing_digit": account.routing_digit,
        "account_number": account.account_number, "account_digit": account.account_digit,
    })
}
