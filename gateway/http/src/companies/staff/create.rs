//! Staff create a company with its seller user, or for an existing one.

use axum::http::StatusCode;
use axum::response::Response;
use gateway_environment::config::Panel;
use gateway_identity::audience::Audience;
use gateway_identity::notify::{Cause, Emails};
use gateway_identity::users::{FirstOwner, NewSeller, StaffCaller, UserError, first_owner_set};
use gateway_platform::companies::create;
use ledger_domain::ids::UserId;

use super::read_detail;
use crate::companies::bodies::detail::BusinessDetail;
use crate::companies::editor;
use crate::companies::forms::{NewSellerAndBusiness, Owner};
use crate::companies::refusals::of_creation;
use crate::problem::{Problem, Result};
use crate::shared::change::{Change, Changed, Work};
use crate::shared::form::IdempotentForm;

/// Create a company
///
/// Also creates the seller user who owns it, or gives it to the user of `seller_id`. The company is pending until staff
/// decide on it. In errors, the fields of a part have its prefix: `seller.`, `business.`, `address.` or
/// `bank_account.`.
#[utoipa::path(
    post, path = "/admin/sellers/create", tag = "businesses",
    responses(
        (status = 201, body = BusinessDetail),
        (status = 422, description = "Invalid values, by field; or a known document; no field is named if the e-mail cannot be used"),
        (status = 429, description = "The caller caused too many e-mails; try again after Retry-After seconds"),
    )
)]
pub(crate) async fn create_seller_and_business(
    change: Change<StaffCaller, IdempotentForm<NewSellerAndBusiness>>,
) -> Result<Response> {
    change
        .run_after(
            StatusCode::CREATED,
            async |_, _| Ok(()),
            async |state, form| {
                Ok(match &form.owner {
                    Owner::New(owner) => state.accounts.passwords.hash(&owner.password).await?,
                    Owner::Existing(_) => String::new(),
                })
            },
            async |work, form, password_hash| {
                let created = create(&**work, editor(work), form.company).await;
                let id = created.map_err(of_creation)?;
                let new_id = UserId::from_uuid(work.state.ids.new_uuid());
                let owner = match &form.owner {
                    Owner::Existing(seller) => FirstOwner::Existing(*seller),
                    Owner::New(owner) => FirstOwner::New(NewSeller {
                        id: new_id,
                        name: &owner.name,
                        email: &owner.email,
                        password_hash: &password_hash,
                        document: &owner.document,
                        active: true,
                    }),
                };
                let set = first_owner_set(&**work, work.caller, id, &owner).await;
                set.map_err(|error| match error {
                    UserError::Unknown => Problem::field("seller_id", "Usuário não encontrado."),
                    other => other.into(),
                })?;
                if let FirstOwner::New(owner) = owner {
                    welcome(work, &owner).await?;
                }
                Ok(Changed::recorded(read_detail(&work.state, &**work, id).await?))
            },
        )
        .await
}

async fn welcome(work: &mut Work<StaffCaller>, owner: &NewSeller<'_>) -> Result<()> {
    let cause = Cause {
        audience: Audience::Seller,
        panel_url: &work.state.config.hosts.url(Panel::Seller),
        user: work.caller.id,
    };
    work.send(Emails::welcome(cause, owner.id, owner.email, None))
        .await
}
