//! Changes of seller users in both panels. The panels differ in the caller's authority and in the caller's view of the
//! changed user.

use axum::extract::FromRequestParts;
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::response::Response;
use gateway_identity::audience::Audience;
use gateway_identity::roles::SellerRole;
use gateway_identity::users::{
    ActingUser, NewSeller, NewTeamMember, StaffCaller, UserChange, team_access_grant, team_access_remove,
    team_member_change, team_member_create, team_member_delete,
};
use ledger_domain::BusinessId;
use ledger_domain::ids::UserId;
use serde::Serialize;

use super::bodies::seller_user::{SellerUser, StaffSellerUser, Viewer};
use super::bodies::seller_user_form::{NewSellerUser, ValidSellerUserChange};
use super::emails::EmailRecipient;
use super::seller_users::list::find_user;
use crate::AppState;
use crate::edge::{CurrentBusiness, CurrentSeller, IdempotentJson, Json, PanelUrl, Tx};
use crate::openapi::{CallDocument, Documented};
use crate::problem::{Problem, Result};

/// The user who changes a seller user.
pub trait SellerUserEditor: Sync {
    /// The changed user as the editor sees it.
    type View: Serialize + Send;

    fn acting(&self) -> ActingUser;

    fn id(&self) -> UserId;

    /// Links in e-mails lead to the seller panel.
    fn sellers_url(&self) -> &str;

    fn find_user(&self, tx: &Tx, id: UserId) -> impl Future<Output = Result<Self::View>> + Send;
}

/// A user who manages the company of the request.
pub struct TeamManager {
    pub business: CurrentBusiness,
    viewer: Viewer,
    panel_url: String,
}

/// A member of staff.
pub struct StaffEditor {
    staff: StaffCaller,
    sellers_url: String,
}

impl SellerUserEditor for TeamManager {
    type View = SellerUser;

    fn acting(&self) -> ActingUser {
        ActingUser::Seller(self.business.caller())
    }

    fn id(&self) -> UserId {
        self.business.seller
    }

    fn sellers_url(&self) -> &str {
        &self.panel_url
    }

    async fn find_user(&self, tx: &Tx, id: UserId) -> Result<SellerUser> {
        self.viewer.find_user(&**tx, id).await
    }
}

impl SellerUserEditor for StaffEditor {
    type View = StaffSellerUser;

    fn acting(&self) -> ActingUser {
        ActingUser::Staff(self.staff)
    }

    fn id(&self) -> UserId {
        self.staff.id
    }

    fn sellers_url(&self) -> &str {
        &self.sellers_url
    }

    async fn find_user(&self, tx: &Tx, id: UserId) -> Result<StaffSellerUser> {
        find_user(&**tx, id).await
    }
}

impl FromRequestParts<AppState> for TeamManager {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self> {
        let CurrentSeller(seller) = CurrentSeller::from_request_parts(parts, state).await?;
        let business = CurrentBusiness::from_request_parts(parts, state).await?;
        let PanelUrl(panel_url) = PanelUrl::from_request_parts(parts, state).await?;
        Ok(Self {
            viewer: Viewer::of(&seller, &business),
            business,
            panel_url,
        })
    }
}

impl Documented for TeamManager {
    fn describe(call: &mut CallDocument) {
        CurrentBusiness::describe(call);
    }
}

impl FromRequestParts<AppState> for StaffEditor {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self> {
        let staff = StaffCaller::from_request_parts(parts, state).await?;
        let PanelUrl(panel_url) = PanelUrl::from_request_parts(parts, state).await?;
        Ok(Self {
            staff,
            sellers_url: state.config.hosts.seller_url(&panel_url),
        })
    }
}

impl Documented for StaffEditor {
    fn describe(call: &mut CallDocument) {
        StaffCaller::describe(call);
    }
}

pub(crate) async fn create(
    state: &AppState,
    editor: &impl SellerUserEditor,
    IdempotentJson { body, idempotency }: IdempotentJson<NewSellerUser>,
) -> Result<Response> {
    let form = body.read()?;
    // Hashed before the e-mail is checked, so that the response time does not reveal whether the e-mail is in use.
    let password_hash = state.accounts.passwords.hash(&form.password).await?;
    let id = UserId::from_uuid(state.ids.new_uuid());
    let mut tx = state.begin().await?;
    if let Some(answer) = idempotency.replayed_answer(&tx).await? {
        return Ok(answer);
    }
    let new = NewTeamMember {
        seller: NewSeller {
            id,
            name: &form.name,
            email: &form.email,
            password_hash: &password_hash,
            document: &form.document,
            active: form.active,
        },
        role: form.role,
        companies: form.companies,
    };
    team_member_create(&*tx, editor.acting(), &new).await?;
    recipient(editor, id).welcome(state, &mut tx, &form.email).await?;
    let user = editor.find_user(&tx, id).await?;
    let answer = idempotency.store_answer(&tx, StatusCode::CREATED, &user).await?;
    tx.commit().await?;
    Ok(answer)
}

pub(crate) async fn update<Editor: SellerUserEditor>(
    state: &AppState,
    editor: &Editor,
    id: UserId,
    form: ValidSellerUserChange,
) -> Result<Json<Editor::View>> {
    let passwords = &state.accounts.passwords;
    let change = UserChange {
        password_hash: passwords.hash_if_given(form.password.as_deref()).await?,
        ..form.change
    };
    let mut tx = state.begin().await?;
    let change_emails = team_member_change(&*tx, editor.acting(), id, change, &form.access_request).await?;
    recipient(editor, id)
        .notify_of_change(state, &mut tx, &change_emails)
        .await?;
    let user = editor.find_user(&tx, id).await?;
    tx.commit().await?;
    Ok(Json(user))
}

pub(crate) async fn delete(editor: &impl SellerUserEditor, id: UserId, tx: Tx) -> Result<StatusCode> {
    team_member_delete(&*tx, editor.acting(), id).await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}

pub(crate) async fn grant_access<Editor: SellerUserEditor>(
    state: &AppState,
    editor: &Editor,
    id: UserId,
    company: BusinessId,
    role: SellerRole,
) -> Result<Json<Editor::View>> {
    let tx = state.begin().await?;
    team_access_grant(&*tx, editor.acting(), id, company, role).await?;
    let user = editor.find_user(&tx, id).await?;
    tx.commit().await?;
    Ok(Json(user))
}

pub(crate) async fn remove_access(
    state: &AppState,
    editor: &impl SellerUserEditor,
    id: UserId,
    company: BusinessId,
) -> Result<StatusCode> {
    let tx = state.begin().await?;
    team_access_remove(&*tx, editor.acting(), id, company).await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}

fn recipient(editor: &impl SellerUserEditor, user: UserId) -> EmailRecipient<'_> {
    EmailRecipient {
        audience: Audience::Seller,
        user,
        panel_url: editor.sellers_url(),
        caused_by: editor.id(),
    }
}
