//! The calls by which a company's own users read and change it.
//!
//! Withdrawals that are not by PIX go to the default bank account. After an account becomes the default, staff see such
//! withdrawals marked for some days (`DestinationMark`). The owners get an e-mail about each change of an account.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use gateway_identity::audit::Actor;
use gateway_identity::roles::SellerRole;
use gateway_platform::companies::{addresses_of, bank_accounts_of, company_fetch, plans_in_force};
use serde::Deserialize;
use tokio_postgres::GenericClient;
use utoipa::ToSchema;
use uuid::Uuid;

use super::bodies::BusinessType;
use super::bodies::change_form::{BusinessChange, ProfileForm};
use super::bodies::detail::{
    AssignedPlan, BusinessAddress, BusinessBankAccount, BusinessProfile, OwnBusiness, OwnBusinessDetails,
};
use super::bodies::forms::{AddressForm, BankAccountForm};
use super::save::{
    DestinationMark, add_bank_account, check_version, choose_bank_account, lock, remove_bank_account,
    save_address, save_fields,
};
use super::staff::bank_accounts::AccountId;
use super::staff::{addresses, bank_accounts};
use crate::AppState;
use crate::edge::{CurrentBusiness, Db, Id, IdempotentJson, Json, PanelUrl};
use crate::problem::{Problem, Result};

/// Fields that are left out do not change. An empty text clears an optional field.
#[derive(Debug, Default, Deserialize, ToSchema)]
pub struct OwnBusinessChange {
    /// The company's version when it was read. A 409 says what was changed since.
    #[schema(required = true, nullable = false, example = 1)]
    pub version: Option<i32>,
    /// Up to 22 letters, digits and spaces, with at least one letter.
    #[schema(nullable = false, max_length = 22, example = "PADARIA SOUZA")]
    pub statement_descriptor: Option<String>,
    #[schema(nullable = false, max_length = 120, example = "Padaria da Ana")]
    pub trade_name: Option<String>,
    #[schema(nullable = false, max_length = 254, example = "contato@padaria.example")]
    pub email: Option<String>,
    /// With area code.
    #[schema(nullable = false, example = "(11) 3333-4444")]
    pub phone: Option<String>,
    /// Replaces the address with the id `address_id`, or adds an address if `address_id` is left out.
    #[schema(nullable = false)]
    pub address: Option<AddressForm>,
    /// Ignored without `address`.
    #[schema(nullable = false)]
    pub address_id: Option<Uuid>,
}

/// Get the company
///
/// Operators get id, name, document and statement descriptor only.
#[utoipa::path(
    get, path = "/business/{businessId}", tag = "business",
    responses((status = 200, body = OwnBusiness))
)]
pub(crate) async fn get_own_business(business: CurrentBusiness, db: Db) -> Result<Json<OwnBusiness>> {
    own_business(&*db, business).await.map(Json)
}

/// Update the company
///
/// Changes the given fields only. Other fields, such as the name and the approval, are changed by staff only.
#[utoipa::path(
    patch, path = "/business/{businessId}", tag = "business",
    responses(
        (status = 200, body = OwnBusiness),
        (status = 409, description = "The company was changed since `version`; or it has 20 addresses"),
    )
)]
pub(crate) async fn update_own_business(
    State(state): State<AppState>,
    business: CurrentBusiness,
    Json(form): Json<OwnBusinessChange>,
) -> Result<Json<OwnBusiness>> {
    let address = form.address.as_ref().map(addresses::read).transpose()?;
    let actor = Actor::Seller(business.seller);
    let tx = state.begin().await?;
    business.caller().lock_and_check_allowed(&*tx).await?;
    let locked = lock(&*tx, business.id).await?;
    let change = BusinessChange {
        version: form.version,
        statement_descriptor: form.statement_descriptor,
        profile: ProfileForm {
            trade_name: form.trade_name,
            email: form.email,
            phone: form.phone,
            ..ProfileForm::default()
        },
        ..BusinessChange::default()
    };
    let after = change.read(&locked.fields, locked.is_person, state.clock.today())?;
    // `read` has refused a form without a version.
    check_version(&*tx, business.id, &locked, form.version.unwrap_or_default()).await?;
    save_fields(&*tx, actor, business.id, &locked.fields, &after).await?;
    if let Some(address) = address {
        let ids = (form.address_id, state.ids.new_uuid());
        save_address(&*tx, actor, business.id, ids, &address).await?;
    }
    let own = own_business(&*tx, business).await?;
    tx.commit().await?;
    Ok(Json(own))
}

/// Add a bank account
///
/// The first account is the default one.
#[utoipa::path(
    post, path = "/business/{businessId}/bank-accounts", tag = "business",
    responses(
        (status = 201, body = OwnBusiness),
        (status = 409, description = "The company has 20 bank accounts"),
        (status = 422, description = "Invalid values, by field; or the company has this account"),
    )
)]
pub(crate) async fn create_own_bank_account(
    State(state): State<AppState>,
    business: CurrentBusiness,
    PanelUrl(panel_url): PanelUrl,
    IdempotentJson { body, idempotency }: IdempotentJson<BankAccountForm>,
) -> Result<Response> {
    let account = bank_accounts::read(&body)?;
    let mut tx = state.begin().await?;
    if let Some(answer) = idempotency.replayed_answer(&tx).await? {
        return Ok(answer);
    }
    business.caller().lock_and_check_allowed(&*tx).await?;
    lock(&*tx, business.id).await?;
    let actor = Actor::Seller(business.seller);
    let new = (state.ids.new_uuid(), DestinationMark::read(&state, &*tx).await?);
    let email = add_bank_account(&*tx, actor, business.id, new, account).await?;
    email
        .send(&state, &mut tx, &panel_url, (actor, business.id))
        .await?;
    let own = own_business(&*tx, business).await?;
    let answer = idempotency.store_answer(&tx, StatusCode::CREATED, &own).await?;
    tx.commit().await?;
    Ok(answer)
}

/// Make a bank account the default one
#[utoipa::path(
    post, path = "/business/{businessId}/bank-accounts/{account_id}/default", tag = "business",
    responses((status = 200, body = OwnBusiness))
)]
pub(crate) async fn choose_own_default_bank_account(
    State(state): State<AppState>,
    business: CurrentBusiness,
    PanelUrl(panel_url): PanelUrl,
    Id(account): Id<AccountId>,
) -> Result<Json<OwnBusiness>> {
    let mut tx = state.begin().await?;
    business.caller().lock_and_check_allowed(&*tx).await?;
    lock(&*tx, business.id).await?;
    let actor = Actor::Seller(business.seller);
    let chosen = (account.0, DestinationMark::read(&state, &*tx).await?);
    if let Some(email) = choose_bank_account(&*tx, actor, business.id, chosen).await? {
        email
            .send(&state, &mut tx, &panel_url, (actor, business.id))
            .await?;
    }
    let own = own_business(&*tx, business).await?;
    tx.commit().await?;
    Ok(Json(own))
}

/// Remove a bank account
#[utoipa::path(
    delete, path = "/business/{businessId}/bank-accounts/{account_id}", tag = "business",
    responses(
        (status = 204, description = "The account is removed"),
        (status = 409, description = "It is the default account, and there are others"),
    )
)]
pub(crate) async fn delete_own_bank_account(
    State(state): State<AppState>,
    business: CurrentBusiness,
    PanelUrl(panel_url): PanelUrl,
    Id(account): Id<AccountId>,
) -> Result<StatusCode> {
    let mut tx = state.begin().await?;
    business.caller().lock_and_check_allowed(&*tx).await?;
    lock(&*tx, business.id).await?;
    let actor = Actor::Seller(business.seller);
    let email = remove_bank_account(&*tx, actor, business.id, account.0).await?;
    email
        .send(&state, &mut tx, &panel_url, (actor, business.id))
        .await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}

async fn own_business(client: &impl GenericClient, business: CurrentBusiness) -> Result<OwnBusiness> {
    let id = business.id;
    let company = company_fetch(client, id).await?.ok_or_else(Problem::not_found)?;
    let details = if business.role == SellerRole::Operator {
        None
    } else {
        let addresses = addresses_of(client, id).await?;
        let accounts = bank_accounts_of(client, id).await?;
        let plans = plans_in_force(client, id).await?;
        Some(OwnBusinessDetails {
            version: company.version,
            r#type: BusinessType::of(company.is_person),
            approval: company.approval.as_str().to_owned(),
            profile: BusinessProfile::of(&company),
            receiving_plan: company.receiving_plan.into(),
            addresses: addresses
                .into_iter()
                .map(|one| BusinessAddress::of(id, one))
                .collect(),
            bank_accounts: accounts.into_iter().map(BusinessBankAccount::from).collect(),
            plans: plans.into_iter().map(AssignedPlan::from).collect(),
        })
    };
    Ok(OwnBusiness {
        id: id.to_string(),
        name: company.name,
        document: company.document,
        statement_descriptor: company.statement_descriptor,
        details,
    })
}
