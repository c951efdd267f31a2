//! The seller users of all companies, for staff: the list, one user, and changes.

use axum::extract::State;
use axum::response::Response;
use gateway_environment::config;
use gateway_identity::users::{
    Search, SellerFilter, SellerRecord, SellerRow, StaffCaller, seller_record, with_companies,
};
use ledger_domain::BusinessId;
use ledger_domain::ids::UserId;
use projections::SortOrder;
use tokio_postgres::Client;
use utoipa::openapi::{RefOr, Schema};

use super::bodies::seller_user::{SELLER_USERS, StaffSellerUser, StaffSellerUserPage};
use super::caller::Unlocked;
use super::editor::{self, Panel};
use super::forms::{NewSellerUser, StaffAccessForm, StaffSellerUserChange};
use crate::AppState;
use crate::edge::query::text;
use crate::edge::{Db, Id, Json, QueryValue, query};
use crate::problem::{Problem, Result};
use crate::shared::change::Change;
use crate::shared::form::{Form, IdempotentForm};
use crate::shared::list::{FromRows, Listing};

query! {
    impl FromQuery for SellerFilter {
        /// The beginnings of words of the name or the e-mail, or the beginning of the e-mail or the CPF. Case, accents
        /// and masks are ignored.
        #[example = "ana"]
        search: Option<Search>,
        /// 1 for active users only, 0 for inactive users only. Left out: both.
        #[example = 1]
        active: Option<bool>,
        /// Only users with access to this company.
        business_id: Option<BusinessId>,
        /// Order by name; the default is asc.
        order: SortOrder = SortOrder::Asc,
    } => Self { business_id, roles: vec![], search, active, order }
}

impl QueryValue for Search {
    const INVALID: &'static str = "Deve ter até 120 caracteres.";
    const IS_FREE_TEXT: bool = true;

    fn schema() -> RefOr<Schema> {
        text().max_length(Some(Self::CHARACTERS_MAX)).into()
    }

    fn parse(text: &str) -> Option<Self> {
        Self::parse(text)
    }
}

impl FromRows<SellerRow> for StaffSellerUser {
    async fn from_rows(_: &AppState, client: &Client, rows: Vec<SellerRow>) -> Result<Vec<Self>> {
        let users = with_companies(client, rows).await?;
        Ok(users.into_iter().map(Self::of).collect())
    }
}

/// List seller users
///
/// Users of all companies and users without a company, by name. A spreadsheet has all users that match the filter.
#[utoipa::path(
    get, path = "/admin/sellers", tag = "sellers",
    responses((status = 200, body = StaffSellerUserPage))
)]
pub(crate) async fn list_sellers(list: Listing<SellerFilter>) -> Result<Response> {
    list.respond::<StaffSellerUser>(&SELLER_USERS).await
}

/// Get a seller user
#[utoipa::path(
    get, path = "/admin/sellers/{id}", tag = "sellers",
    responses((status = 200, body = StaffSellerUser))
)]
pub(crate) async fn get_seller_user(Id(id): Id<UserId>, db: Db) -> Result<Json<StaffSellerUser>> {
    let user = seller_record(&*db, id).await?.ok_or_else(Problem::not_found)?;
    Ok(Json(StaffSellerUser::of(user)))
}

/// Create a seller user
///
/// Gives the user one role in each of the listed companies, which must exist. The role may be owner. Sends an e-mail
/// with a link that confirms the address.
#[utoipa::path(
    post, path = "/admin/sellers", tag = "sellers",
    responses(
        (status = 201, body = StaffSellerUser),
        (status = 422, description = "Invalid values, by field; no field is named if the e-mail cannot be used"),
        (status = 429, description = "The caller caused too many e-mails; try again after Retry-After seconds"),
    )
)]
pub(crate) async fn create_seller_user(
    State(state): State<AppState>,
    change: Change<Unlocked<StaffCaller>, IdempotentForm<NewSellerUser>>,
) -> Result<Response> {
    panel(&state).create(change).await
}

/// Update a seller user
///
/// Changes the given fields only. The user gets an e-mail about a new address or a new password.
#[utoipa::path(
    patch, path = "/admin/sellers/{id}", tag = "sellers",
    responses(
        (status = 200, body = StaffSellerUser),
        (status = 422, description = "Invalid values, by field; no field is named if the e-mail cannot be used"),
        (status = 429, description = "The caller caused too many e-mails; try again after Retry-After seconds"),
    )
)]
pub(crate) async fn update_seller_user(
    State(state): State<AppState>,
    Id(id): Id<UserId>,
    change: Change<Unlocked<StaffCaller>, Form<StaffSellerUserChange>>,
) -> Result<Response> {
    panel(&state).update(id, change).await
}

/// Delete a seller user
///
/// Removes all access to companies and ends all sessions at once. The e-mail address can be used again.
#[utoipa::path(
    delete, path = "/admin/sellers/{id}", tag = "sellers",
    responses((status = 204, description = "The user is deleted"))
)]
pub(crate) async fn delete_seller_user(
    Id(id): Id<UserId>,
    change: Change<Unlocked<StaffCaller>>,
) -> Result<Response> {
    editor::delete(change, id).await
}

/// Grant a seller user access to a company
///
/// Gives the user a role in the company, or replaces the role that the user has there. Returns the user.
#[utoipa::path(
    post, path = "/admin/sellers/{sellerId}/business/access", tag = "sellers",
    responses((status = 200, body = StaffSellerUser))
)]
pub(crate) async fn grant_seller_access(
    State(state): State<AppState>,
    Id(id): Id<UserId>,
    change: Change<Unlocked<StaffCaller>, Form<StaffAccessForm>>,
) -> Result<Response> {
    panel(&state)
        .grant_access(change, |_, form| {
            let (company, role) = form.grant()?;
            Ok((id, company, role))
        })
        .await
}

/// Remove a seller user's access to a company
#[utoipa::path(
    delete, path = "/admin/sellers/{sellerId}/business/access", tag = "sellers",
    responses(
        (status = 204, description = "The access is removed"),
        (status = 404, description = "The user does not exist, or has no access to the company"),
    )
)]
pub(crate) async fn remove_seller_access(
    Id(id): Id<UserId>,
    change: Change<Unlocked<StaffCaller>, Form<StaffAccessForm>>,
) -> Result<Response> {
    editor::remove_access(change, |_, form| Ok((id, form.removal()?))).await
}

fn panel(state: &AppState) -> Panel<fn(SellerRecord) -> StaffSellerUser> {
    Panel {
        sellers_url: state.config.hosts.url(config::Panel::Seller),
        view: StaffSellerUser::of,
    }
}
