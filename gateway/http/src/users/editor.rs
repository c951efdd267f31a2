//! Changes of seller users in both panels. The panels differ in the caller's authority and in the caller's view of the
//! changed user.

use std::borrow::Borrow;

use axum::http::StatusCode;
use axum::response::Response;
use gateway_identity::audience::Audience;
use gateway_identity::credentials::account::user_by_id;
use gateway_identity::credentials::email_change::ADDRESS_SETTLES_AFTER;
use gateway_identity::notify::companies::{OwnersNews, owners_told};
use gateway_identity::notify::{Cause, Emails};
use gateway_identity::roles::SellerRole;
use gateway_identity::users::{
    ActingUser, NewSeller, NewTeamMember, SellerRecord, UserChange, seller_record, team_access_grant,
    team_access_remove, team_member_change, team_member_create, team_member_delete,
};
use ledger_domain::BusinessId;
use ledger_domain::ids::UserId;
use serde::Serialize;

use super::caller::SellerUserEditor;
use super::forms::{NewSellerUser, SellerUserChange};
use crate::AppState;
use crate::problem::{Problem, Result};
use crate::shared::change::{Change, ChangeBody, Changed, Work};
use crate::shared::form::IdempotentForm;

/// What a change needs besides the caller: the seller panel, to which the links of e-mails lead, and the caller's view
/// of the changed user.
pub(super) struct Panel<V> {
    pub sellers_url: String,
    pub view: V,
}

impl<V> Panel<V> {
    pub async fn create<C: SellerUserEditor, Body: Serialize>(
        self,
        change: Change<C, IdempotentForm<NewSellerUser>>,
    ) -> Result<Response>
    where
        V: Fn(SellerRecord) -> Body,
    {
        change
            .run_after(
                StatusCode::CREATED,
                async |_, _| Ok(()),
                // Hashed before the e-mail is checked, so that the response time does not reveal whether it is in use.
                async |state, form| Ok(state.accounts.passwords.hash(&form.password).await?),
                async |work, form, password_hash| {
                    let id = UserId::from_uuid(work.state.ids.new_uuid());
                    let new = NewTeamMember {
                        seller: NewSeller {
                            id,
                            name: &form.name,
                            email: &form.email,
                            password_hash: &password_hash,
                            document: &form.document,
                            active: form.active.unwrap_or(true),
                        },
                        role: form.role_id,
                        companies: form.businesses_ids,
                    };
                    let is_provisional = team_member_create(&**work, work.caller.acting(), &new).await?;
                    // The address is as old as the user.
                    let own_password_from = is_provisional.then(|| work.now() + ADDRESS_SETTLES_AFTER);
                    let cause = self.cause(work);
                    work.send(Emails::welcome(cause, id, &form.email, own_password_from))
                        .await?;
                    for company in &new.companies {
                        self.tell_owners(work, id, *company, new.role).await?;
                    }
                    self.recorded(work, id).await
                },
            )
            .await
    }

    pub async fn update<C: SellerUserEditor, B: ChangeBody, Body: Serialize>(
        self,
        id: UserId,
        change: Change<C, B>,
    ) -> Result<Response>
    where
        V: Fn(SellerRecord) -> Body,
        B::Form: Borrow<SellerUserChange> + Into<SellerUserChange>,
    {
        change
            .run_after(
                StatusCode::OK,
                async |_, _| Ok(()),
                async |state, form| hash_if_given(state, form.borrow().password.as_deref()).await,
                async |work, form, password_hash| {
                    let form: SellerUserChange = form.into();
                    let change = UserChange {
                        password_hash,
                        ..form.change
                    };
                    let acting = work.caller.acting();
                    let request = &form.access_request;
                    let url = &self.sellers_url;
                    let changed = team_member_change(&**work, acting, id, change, request, url).await?;
                    let cause = self.cause(work);
                    work.send(Emails::of_change(cause, id, &changed)).await?;
                    self.recorded(work, id).await
                },
            )
            .await
    }

    /// Gives the user of the form's grant a role in a company.
    pub async fn grant_access<C: SellerUserEditor, B: ChangeBody, Body: Serialize>(
        self,
        change: Change<C, B>,
        grant: impl Fn(&C, B::Form) -> Result<(UserId, BusinessId, SellerRole)>,
    ) -> Result<Response>
    where
        V: Fn(SellerRecord) -> Body,
    {
        change
            .run(StatusCode::OK, async |work, form| {
                let (id, company, role) = grant(&work.caller, form)?;
                if team_access_grant(&**work, work.caller.acting(), id, company, role).await? {
                    self.tell_owners(work, id, company, role).await?;
                }
                self.recorded(work, id).await
            })
            .await
    }

    fn cause<C: SellerUserEditor>(&self, work: &Work<C>) -> Cause<'_> {
        Cause {
            audience: Audience::Seller,
            panel_url: &self.sellers_url,
            user: work.caller.acting().id(),
        }
    }

    /// The company's other owners are told about an access that staff gave. A company's own users see each other.
    async fn tell_owners<C: SellerUserEditor>(
        &self,
        work: &mut Work<C>,
        user: UserId,
        company: BusinessId,
        role: SellerRole,
    ) -> Result<()> {
        let acting = work.caller.acting();
        let ActingUser::Staff(_) = acting else {
            return Ok(());
        };
        let added = user_by_id(&**work, Audience::Seller, user).await?;
        let added = added.ok_or_else(|| Problem::internal("a user with a new access is not in its table"))?;
        let news = OwnersNews::User(&added, role);
        let now = work.now();
        let emails = owners_told(&**work, &self.sellers_url, acting.actor(), company, news, now).await?;
        work.send(emails).await
    }

    /// The user as the caller sees it after the change.
    async fn recorded<C: SellerUserEditor, Body>(&self, work: &Work<C>, id: UserId) -> Result<Changed<Body>>
    where
        V: Fn(SellerRecord) -> Body,
    {
        let user = seller_record(&**work, id).await?.ok_or_else(Problem::not_found)?;
        Ok(Changed::recorded((self.view)(user)))
    }
}

pub(super) async fn delete<C: SellerUserEditor>(change: Change<C>, id: UserId) -> Result<Response> {
    change
        .run(StatusCode::NO_CONTENT, async |work, ()| {
            team_member_delete(&**work, work.caller.acting(), id).await?;
            Ok(Changed::recorded(()))
        })
        .await
}

/// Removes the access that the form names.
pub(super) async fn remove_access<C: SellerUserEditor, B: ChangeBody>(
    change: Change<C, B>,
    removal: impl Fn(&C, B::Form) -> Result<(UserId, BusinessId)>,
) -> Result<Response> {
    change
        .run(StatusCode::NO_CONTENT, async |work, form| {
            let (id, company) = removal(&work.caller, form)?;
            team_access_remove(&**work, work.caller.acting(), id, company).await?;
            Ok(Changed::recorded(()))
        })
        .await
}

pub(super) async fn hash_if_given(state: &AppState, password: Option<&str>) -> Result<Option<String>> {
    Ok(state.accounts.passwords.hash_if_given(password).await?)
}
