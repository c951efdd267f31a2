//! Admin users: the list, its filters, and one user.

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use futures::Stream;
use gateway_identity::roles::AdminRole;
use gateway_identity::sessions::SignedInAdmin;
use gateway_identity::users::{
    AdminFilter, Search, admin_active_counts, admin_export_page, admin_list, admin_record,
};
use ledger_domain::ids::UserId;
use projections::SortOrder;
use tokio_postgres::GenericClient;

use crate::AppState;
use crate::edge::{CurrentAdmin, Db, Id, Json, Paging, Query, query};
use crate::problem::{Problem, Result};
use crate::shared::page::PageMeta;
use crate::spreadsheet::{PAGE_ROWS, ResponseFormat, pages};
use crate::users::bodies::admin_user::{AdminUser, AdminUserPage};
use crate::users::spreadsheets::STAFF_USERS;

/// List admin users
///
/// By name. A spreadsheet has all users that match the filter.
#[utoipa::path(get, path = "/admin/users", tag = "staff", responses((status = 200, body = AdminUserPage)))]
pub(crate) async fn list_admin_users(
    State(state): State<AppState>,
    CurrentAdmin(staff): CurrentAdmin,
    format: ResponseFormat,
    Query(StaffQuery { filter, paging }): Query<StaffQuery>,
) -> Result<Response> {
    match format {
        ResponseFormat::Json => {
            let db = state.db().await?;
            let page = admin_list(&*db, &filter, paging.into()).await?;
            let active_counts = admin_active_counts(&*db).await?;
            let meta = PageMeta::numbered(&page, paging);
            let to_body = |row| AdminUser::for_viewer(row, staff.id, staff.is_owner(), active_counts);
            let data = page.rows.into_iter().map(to_body).collect();
            Ok(Json(AdminUserPage { data, meta }).into_response())
        }
        ResponseFormat::Spreadsheet(file) => {
            file.respond(&STAFF_USERS, all_users(state, staff, filter)).await
        }
    }
}

/// Get an admin user
#[utoipa::path(get, path = "/admin/users/{id}", tag = "staff", responses((status = 200, body = AdminUser)))]
pub(crate) async fn get_admin_user(
    CurrentAdmin(staff): CurrentAdmin,
    Id(id): Id<UserId>,
    db: Db,
) -> Result<Json<AdminUser>> {
    find_user(&*db, &staff, id).await.map(Json)
}

pub(crate) async fn find_user(
    client: &impl GenericClient,
    staff: &SignedInAdmin,
    user: UserId,
) -> Result<AdminUser> {
    let record = admin_record(client, user).await?.ok_or_else(Problem::not_found)?;
    let active_counts = admin_active_counts(client).await?;
    Ok(AdminUser::for_viewer(
        record,
        staff.id,
        staff.is_owner(),
        active_counts,
    ))
}

fn all_users(
    state: AppState,
    staff: SignedInAdmin,
    filter: AdminFilter,
) -> impl Stream<Item = Result<Vec<AdminUser>>> {
    pages(move |after| {
        let (state, filter, staff) = (state.clone(), filter.clone(), staff.clone());
        async move {
            let db = state.db().await?;
            let batch = admin_export_page(&*db, &filter, after, PAGE_ROWS).await?;
            let active_counts = admin_active_counts(&*db).await?;
            let to_body = |row| AdminUser::for_viewer(row, staff.id, staff.is_owner(), active_counts);
            Ok((batch.rows.into_iter().map(to_body).collect(), batch.next))
        }
    })
}

pub struct StaffQuery {
    filter: AdminFilter,
    paging: Paging,
}

query! {
    impl FromQuery for StaffQuery {
        /// Roles, comma-separated: owner, admin, financial, commercial, commercial-supervisor, sac, operator.
        #[example = "admin,sac"]
        roles: Option<Vec<AdminRole>>,
        /// The beginnings of words of the name or the e-mail, or the beginning of the e-mail. Case and accents are
        /// ignored.
        #[example = "bruno"]
        search: Option<Search>,
        /// 1 for active users only, 0 for inactive users only. Left out: both.
        #[example = 1]
        active: Option<bool>,
        /// Order by name; the default is asc.
        order: SortOrder = SortOrder::Asc,
        paging: ..Paging,
    } => Self {
        filter: AdminFilter {
            roles: roles.unwrap_or_default(),
            search,
            active,
            order,
        },
        paging,
    }
}
