//! A company's users, for users who manage the company: the list, one user, and changes.

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::response::Response;
use gateway_identity::roles::SellerRole;
use gateway_identity::users::authority::Authority;
use gateway_identity::users::{Search, SellerFilter, SellerRecord, SellerRow, seller_record, with_companies};
use ledger_domain::ids::UserId;
use projections::SortOrder;
use tokio_postgres::{Client, GenericClient};
use utoipa::openapi::{RefOr, Schema};

use super::bodies::seller_user::{SellerUser, SellerUserPage, TEAM, Viewer};
use super::caller::Unlocked;
use super::editor::{self, Panel};
use super::forms::{AccessForm, NewSellerUser, SellerUserChange};
use crate::AppState;
use crate::edge::query::comma_separated;
use crate::edge::{CurrentBusiness, CurrentSeller, Db, Id, Json, PanelUrl, QueryValue, query};
use crate::openapi::{CallDocument, Documented};
use crate::problem::{Problem, Result};
use crate::shared::change::Change;
use crate::shared::form::{Form, IdempotentForm};
use crate::shared::list::{Listing, Reader};

/// The users of one company.
pub struct TeamFilter(SellerFilter);

query! {
    impl FromQuery for TeamFilter {
        /// Roles, comma-separated: owner, admin, operator.
        #[example = "admin,operator"]
        roles: Option<Vec<SellerRole>>,
        /// The beginnings of words of the name or the e-mail, or the beginning of the e-mail or the CPF. Case, accents
        /// and masks are ignored.
        #[example = "ana"]
        search: Option<Search>,
        /// 1 for active users only, 0 for inactive users only. Left out: both.
        #[example = 1]
        active: Option<bool>,
        /// Order by name; the default is asc.
        order: SortOrder = SortOrder::Asc,
    } => Self(SellerFilter { business_id: None, roles: roles.unwrap_or_default(), search, active, order })
}

impl QueryValue for Vec<SellerRole> {
    const INVALID: &'static str = "Deve ser owner, admin ou operator.";

    fn schema() -> RefOr<Schema> {
        comma_separated(SellerRole::ALL.iter().map(|role| role.as_str()))
    }

    fn parse(text: &str) -> Option<Self> {
        text.split(',')
            .map(|name| SellerRole::parse(name.trim()).ok())
            .collect()
    }
}

impl FromRequestParts<AppState> for Viewer {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self> {
        let CurrentSeller(seller) = CurrentSeller::from_request_parts(parts, state).await?;
        let business = CurrentBusiness::from_request_parts(parts, state).await?;
        let own = seller
            .accesses
            .iter()
            .map(|access| (access.business_id, access.role));
        Ok(Self {
            user: seller.id,
            authority: Authority::Seller(own.collect()),
            company: business.id,
        })
    }
}

/// Handlers that take it also take the company, which describes its parameter.
impl Documented for Viewer {
    fn describe(_: &mut CallDocument) {}
}

impl Reader<SellerRow> for Viewer {
    type Body = SellerUser;

    async fn bodies(&self, _: &AppState, client: &Client, rows: Vec<SellerRow>) -> Result<Vec<SellerUser>> {
        let users = with_companies(client, rows).await?;
        let body = |user| SellerUser::for_viewer(user, self);
        Ok(users.into_iter().map(body).collect())
    }
}

/// List the company's users
///
/// By name. A spreadsheet has all users that match the filter.
#[utoipa::path(get, path = "/business/users", tag = "team", responses((status = 200, body = SellerUserPage)))]
pub(crate) async fn list_business_users(
    business: CurrentBusiness,
    viewer: Viewer,
    list: Listing<TeamFilter>,
) -> Result<Response> {
    let business_id = Some(business.id);
    let team = list.by(|TeamFilter(filter)| SellerFilter {
        business_id,
        ..filter
    });
    team.respond_to(viewer, &TEAM).await
}

/// Get a user of the company
#[utoipa::path(
    get, path = "/business/users/{id}", tag = "team",
    responses((status = 200, body = SellerUser))
)]
pub(crate) async fn get_business_user(
    business: CurrentBusiness,
    viewer: Viewer,
    Id(id): Id<UserId>,
    db: Db,
) -> Result<Json<SellerUser>> {
    let record = team_member(&*db, &business, id).await?;
    Ok(Json(SellerUser::for_viewer(record, &viewer)))
}

/// A user with access to the company. Users of other companies are a 404.
pub(super) async fn team_member(
    client: &impl GenericClient,
    business: &CurrentBusiness,
    id: UserId,
) -> Result<SellerRecord> {
    seller_record(client, id)
        .await?
        .filter(|record| record.accesses().contains_key(&business.id))
        .ok_or_else(Problem::not_found)
}

/// Create a user
///
/// Gives the user one role in each of the listed companies. The caller must be allowed to give this role in all of
/// them. Sends an e-mail with a link that confirms the address.
#[utoipa::path(
    post, path = "/business/sellers", tag = "team",
    responses(
        (status = 201, body = SellerUser),
        (status = 422, description = "Invalid values, by field; no field is named if the e-mail cannot be used"),
        (status = 429, description = "The caller caused too many e-mails; try again after Retry-After seconds"),
    )
)]
pub(crate) async fn create_business_seller(
    viewer: Viewer,
    PanelUrl(panel_url): PanelUrl,
    change: Change<Unlocked<CurrentBusiness>, IdempotentForm<NewSellerUser>>,
) -> Result<Response> {
    panel(viewer, panel_url).create(change).await
}

/// Update a user
///
/// Changes the given fields only. To change the name, e-mail, password, CPF or `active`, the caller must manage the
/// user in all of the user's companies. To change the role or an access, the caller must manage the user in that
/// company.
#[utoipa::path(
    patch, path = "/business/sellers/{id}", tag = "team",
    responses(
        (status = 200, body = SellerUser),
        (status = 403, description = "The caller's role does not allow this, or does not allow it for this user"),
        (status = 422, description = "Invalid values, by field; no field is named if the e-mail cannot be used"),
        (status = 429, description = "The caller caused too many e-mails; try again after Retry-After seconds"),
    )
)]
pub(crate) async fn update_business_seller(
    viewer: Viewer,
    PanelUrl(panel_url): PanelUrl,
    Id(id): Id<UserId>,
    change: Change<Unlocked<CurrentBusiness>, Form<SellerUserChange>>,
) -> Result<Response> {
    panel(viewer, panel_url).update(id, change).await
}

/// Delete a user
///
/// The caller must manage the user in all of the user's companies. Ends the user's sessions at once.
#[utoipa::path(
    delete, path = "/business/sellers/{id}", tag = "team",
    responses(
        (status = 204, description = "The user is deleted"),
        (status = 403, description = "The caller's role does not allow this, or does not allow it for this user"),
    )
)]
pub(crate) async fn delete_business_seller(
    Id(id): Id<UserId>,
    change: Change<Unlocked<CurrentBusiness>>,
) -> Result<Response> {
    editor::delete(change, id).await
}

/// Grant a user access to the company
///
/// Gives the user a role in the company, or replaces the role that the user has there. The user must already have
/// access to some company that the caller manages.
#[utoipa::path(
    post, path = "/business/{businessId}/access", tag = "team",
    responses(
        (status = 200, body = SellerUser),
        (status = 403, description = "The caller cannot give this role here, or not to this user"),
    )
)]
pub(crate) async fn grant_business_access(
    viewer: Viewer,
    PanelUrl(panel_url): PanelUrl,
    change: Change<Unlocked<CurrentBusiness>, Form<AccessForm>>,
) -> Result<Response> {
    panel(viewer, panel_url)
        .grant_access(change, |Unlocked(business), form| {
            let (user, role) = form.grant(business.id)?;
            Ok((user, business.id, role))
        })
        .await
}

/// Remove a user's access to the company
///
/// The user's last access can be removed as well; the user can still sign in, without a company.
#[utoipa::path(
    delete, path = "/business/{businessId}/access", tag = "team",
    responses(
        (status = 204, description = "The access is removed"),
        (status = 403, description = "The caller's role does not allow this, or does not allow it for this user"),
    )
)]
pub(crate) async fn remove_business_access(
    change: Change<Unlocked<CurrentBusiness>, Form<AccessForm>>,
) -> Result<Response> {
    editor::remove_access(change, |Unlocked(business), form| {
        Ok((form.removal(business.id)?, business.id))
    })
    .await
}

fn panel(viewer: Viewer, sellers_url: String) -> Panel<impl Fn(SellerRecord) -> SellerUser> {
    Panel {
        sellers_url,
        view: move |user| SellerUser::for_viewer(user, &viewer),
    }
}
