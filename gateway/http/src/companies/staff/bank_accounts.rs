//! Staff change the bank accounts of a company.

use axum::http::StatusCode;
use axum::response::Response;
use gateway_environment::config::Panel;
use gateway_identity::email_queue::CompanyAction;
use gateway_identity::notify::companies::OwnersNews;
use gateway_identity::users::StaffCaller;
use gateway_platform::companies::{add_bank_account, choose_bank_account, lock, remove_bank_account};
use ledger_domain::BusinessId;

use super::read_detail;
use crate::companies::bodies::detail::BusinessDetail;
use crate::companies::forms::NewBankAccount;
use crate::companies::{AccountId, editor, tell_owners};
use crate::edge::{Id, Ids};
use crate::problem::Result;
use crate::shared::change::{Change, Changed, Work};
use crate::shared::form::IdempotentForm;

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
    Id(id): Id<BusinessId>,
    change: Change<StaffCaller, IdempotentForm<NewBankAccount>>,
) -> Result<Response> {
    change
        .run(StatusCode::CREATED, async |work, NewBankAccount(account)| {
            lock(&**work, id).await?;
            add_bank_account(&**work, editor(work), id, &account).await?;
            tell(work, id, OwnersNews::Account(CompanyAction::Added, &account)).await?;
            Ok(Changed::recorded(read_detail(&work.state, &**work, id).await?))
        })
        .await
}

/// Make a bank account the default one
#[utoipa::path(
    post, path = "/admin/businesses/{id}/bank-accounts/{account_id}/default", tag = "businesses",
    responses((status = 200, body = BusinessDetail))
)]
pub(crate) async fn choose_default_bank_account(
    Ids(id, AccountId(account)): Ids<BusinessId, AccountId>,
    change: Change<StaffCaller>,
) -> Result<Response> {
    change
        .run(StatusCode::OK, async |work, ()| {
            lock(&**work, id).await?;
            if let Some(account) = choose_bank_account(&**work, editor(work), id, account).await? {
                tell(
                    work,
                    id,
                    OwnersNews::Account(CompanyAction::MadeDefault, &account),
                )
                .await?;
            }
            Ok(Changed::recorded(read_detail(&work.state, &**work, id).await?))
        })
        .await
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
    Ids(id, AccountId(account)): Ids<BusinessId, AccountId>,
    change: Change<StaffCaller>,
) -> Result<Response> {
    change
        .run(StatusCode::NO_CONTENT, async |work, ()| {
            lock(&**work, id).await?;
            let account = remove_bank_account(&**work, editor(work), id, account).await?;
            tell(work, id, OwnersNews::Account(CompanyAction::Removed, &account)).await?;
            Ok(Changed::recorded(()))
        })
        .await
}

async fn tell(work: &mut Work<StaffCaller>, company: BusinessId, news: OwnersNews<'_>) -> Result<()> {
    let sellers_url = work.state.config.hosts.url(Panel::Seller);
    tell_owners(work, &sellers_url, company, news).await
}
