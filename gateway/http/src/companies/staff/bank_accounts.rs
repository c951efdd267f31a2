//! Staff change the bank accounts of a company.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use gateway_identity::audit::Actor;
use gateway_identity::users::StaffCaller;
use ledger_domain::BusinessId;
use ledger_domain::transfer::BankAccount;
use serde::Deserialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::{business_detail, read_detail};
use crate::AppState;
use crate::companies::bodies::detail::BusinessDetail;
use crate::companies::bodies::forms::{BankAccountForm, FormPart};
use crate::companies::save::{
    DestinationMark, add_bank_account, choose_bank_account, lock, remove_bank_account,
};
use crate::edge::{FormErrors, Id, IdempotentJson, Ids, Json, PanelUrl};
use crate::problem::Result;

#[derive(Debug, Default, Deserialize, ToSchema)]
pub struct NewBankAccount {
    #[serde(default)]
    #[schema(required = true)]
    pub data: BankAccountForm,
}

/// Add a bank account to a company
///
/// The first account is the default one.
#[utoipa::path(
    post, path = "/admin/businesses/{id}/bank-accounts", tag = "businesses",
    responses(
        (status = 201, body = BusinessDetail),
        (status = 409, description = "The company has 20 bank accounts"),
        (status = 422, description = "Invalid values, by field; or the company has this account"),
    )
)]
pub(crate) async fn create_bank_account(
    State(state): State<AppState>,
    staff: StaffCaller,
    PanelUrl(panel_url): PanelUrl,
    Id(id): Id<BusinessId>,
    IdempotentJson { body, idempotency }: IdempotentJson<NewBankAccount>,
) -> Result<Response> {
    let account = read(&body.data)?;
    let mut tx = state.begin().await?;
    if let Some(answer) = idempotency.replayed_answer(&tx).await? {
        return Ok(answer);
    }
    staff.lock_and_check_allowed(&*tx).await?;
    lock(&*tx, id).await?;
    let actor = Actor::Admin(staff.id);
    let new = (state.ids.new_uuid(), DestinationMark::read(&state, &*tx).await?);
    let email = add_bank_account(&*tx, actor, id, new, account).await?;
    let sellers_url = state.config.hosts.seller_url(&panel_url);
    email.send(&state, &mut tx, &sellers_url, (actor, id)).await?;
    let detail = read_detail(&*tx, id).await?;
    let answer = idempotency
        .store_answer(&tx, StatusCode::CREATED, &detail)
        .await?;
    tx.commit().await?;
    Ok(answer)
}

/// Make a bank account the default one
#[utoipa::path(
    post, path = "/admin/businesses/{id}/bank-accounts/{account_id}/default", tag = "businesses",
    responses((status = 200, body = BusinessDetail))
)]
pub(crate) async fn choose_default_bank_account(
    State(state): State<AppState>,
    staff: StaffCaller,
    PanelUrl(panel_url): PanelUrl,
    Ids(id, account): Ids<BusinessId, AccountId>,
) -> Result<Json<BusinessDetail>> {
    let mut tx = state.begin().await?;
    staff.lock_and_check_allowed(&*tx).await?;
    lock(&*tx, id).await?;
    let actor = Actor::Admin(staff.id);
    let chosen = (account.0, DestinationMark::read(&state, &*tx).await?);
    if let Some(email) = choose_bank_account(&*tx, actor, id, chosen).await? {
        let sellers_url = state.config.hosts.seller_url(&panel_url);
        email.send(&state, &mut tx, &sellers_url, (actor, id)).await?;
    }
    tx.commit().await?;
    business_detail(&state, id).await.map(Json)
}

/// Remove a bank account of a company
#[utoipa::path(
    delete, path = "/admin/businesses/{id}/bank-accounts/{account_id}", tag = "businesses",
    responses(
        (status = 204, description = "The account is removed"),
        (status = 409, description = "It is the default account, and there are others"),
    )
)]
pub(crate) async fn delete_bank_account(
    State(state): State<AppState>,
    staff: StaffCaller,
    PanelUrl(panel_url): PanelUrl,
    Ids(id, account): Ids<BusinessId, AccountId>,
) -> Result<StatusCode> {
    let mut tx = state.begin().await?;
    staff.lock_and_check_allowed(&*tx).await?;
    lock(&*tx, id).await?;
    let actor = Actor::Admin(staff.id);
    let email = remove_bank_account(&*tx, actor, id, account.0).await?;
    let sellers_url = state.config.hosts.seller_url(&panel_url);
    email.send(&state, &mut tx, &sellers_url, (actor, id)).await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}

pub fn read(form: &BankAccountForm) -> Result<BankAccount> {
    let mut errors = FormErrors::default();
    let mut part = FormPart {
        errors: &mut errors,
        prefix: "",
    };
    let account = part.bank_account(form);
    errors.finish()?;
    Ok(account)
}

/// The id of a bank account in a path.
#[derive(Debug, Clone, Copy)]
pub struct AccountId(pub Uuid);

impl crate::edge::PathParam for AccountId {
    const NOUN: &'static str = "bank account";
    const EXAMPLE: &'static str = "0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b0b";

    fn parse(text: &str) -> Option<Self> {
        Uuid::try_parse(text).ok().map(Self)
    }
}
