//! The calls by which a company's own users read and change it.
//!
//! After a bank account becomes the default, staff see withdrawals to it marked for some days
//! (`gateway_platform::companies::destination_marks`). The owners get an e-mail about each change of an account.

use axum::http::StatusCode;
use axum::response::Response;
use gateway_identity::email_queue::CompanyAction;
use gateway_identity::notify::companies::OwnersNews;
use gateway_identity::roles::SellerRole;
use gateway_platform::companies::{
    add_bank_account, addresses_of, bank_accounts_of, choose_bank_account, company_fetch, lock,
    plans_in_force, remove_bank_account, save_address, update,
};
use tokio_postgres::GenericClient;

use super::bodies::detail::{
    AssignedPlan, BusinessAddress, BusinessBankAccount, BusinessProfile, OwnBusiness, OwnBusinessDetails,
};
use super::forms::{BankAccountForm, OwnBusinessChange};
use super::{AccountId, editor, tell_owners};
use crate::edge::{CurrentBusiness, Db, Id, Json, PanelUrl};
use crate::problem::{Problem, Result};
use crate::shared::change::{Change, Changed};
use crate::shared::form::{Form, IdempotentForm};

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
    change: Change<CurrentBusiness, Form<OwnBusinessChange>>,
) -> Result<Response> {
    change
        .run(StatusCode::OK, async |work, form| {
            let company = lock(&**work, work.caller.id).await?;
            update(&**work, editor(work), &company, form.version, form.change).await?;
            if let Some(new) = form.address {
                save_address(&**work, editor(work), company.id, form.address_id, &new.address).await?;
            }
            Ok(Changed::recorded(own_business(&**work, work.caller).await?))
        })
        .await
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
    PanelUrl(panel_url): PanelUrl,
    change: Change<CurrentBusiness, IdempotentForm<BankAccountForm>>,
) -> Result<Response> {
    change
        .run(StatusCode::CREATED, async |work, BankAccountForm(account)| {
            let id = lock(&**work, work.caller.id).await?.id;
            add_bank_account(&**work, editor(work), id, &account).await?;
            let news = OwnersNews::Account(CompanyAction::Added, &account);
            tell_owners(work, &panel_url, id, news).await?;
            Ok(Changed::recorded(own_business(&**work, work.caller).await?))
        })
        .await
}

/// Make a bank account the default one
#[utoipa::path(
    post, path = "/business/{businessId}/bank-accounts/{account_id}/default", tag = "business",
    responses((status = 200, body = OwnBusiness))
)]
pub(crate) async fn choose_own_default_bank_account(
    PanelUrl(panel_url): PanelUrl,
    Id(AccountId(account)): Id<AccountId>,
    change: Change<CurrentBusiness>,
) -> Result<Response> {
    change
        .run(StatusCode::OK, async |work, ()| {
            let id = lock(&**work, work.caller.id).await?.id;
            if let Some(account) = choose_bank_account(&**work, editor(work), id, account).await? {
                let news = OwnersNews::Account(CompanyAction::MadeDefault, &account);
                tell_owners(work, &panel_url, id, news).await?;
            }
            Ok(Changed::recorded(own_business(&**work, work.caller).await?))
        })
        .await
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
    PanelUrl(panel_url): PanelUrl,
    Id(AccountId(account)): Id<AccountId>,
    change: Change<CurrentBusiness>,
) -> Result<Response> {
    change
        .run(StatusCode::NO_CONTENT, async |work, ()| {
            let id = lock(&**work, work.caller.id).await?.id;
            let account = remove_bank_account(&**work, editor(work), id, account).await?;
            let news = OwnersNews::Account(CompanyAction::Removed, &account);
            tell_owners(work, &panel_url, id, news).await?;
            Ok(Changed::recorded(()))
        })
        .await
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
            r#type: company.business_type.into(),
            approval: company.approval,
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
