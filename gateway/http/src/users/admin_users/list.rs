//! Admin users: the list, its filters, and one user.

use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use futures::Stream;
use gateway_identity::roles::AdminRole;
use gateway_identity::sessions::SignedInAdmin;
use gateway_identity::users::{AdminFilter, admin_active_counts, admin_batch, admin_list, admin_record};
use ledger_domain::ids::UserId;
use tokio_postgres::GenericClient;
use utoipa::IntoParams;

use crate::AppState;
use crate::edge::{CurrentAdmin, FromQuery, Json, Paging, Query, QueryReader};
use crate::problem::{Problem, ProblemBody, Result};
use crate::shared::page::PageMeta;
use crate::spreadsheet::{FileParams, PAGE_ROWS, ResponseFormat, Workbook, pages};
use crate::users::bodies::admin_user::{AdminUser, AdminUserPage};
use crate::users::query;
use crate::users::query::NameOrderParam;
use crate::users::spreadsheets::STAFF_USERS;

/// List admin users
///
/// By name. A spreadsheet has all users that match the filter.
#[utoipa::path(
    get, path = "/admin/users", tag = "staff", params(StaffParams, FileParams),
    responses(
        (status = 200, content(
            (AdminUserPage = "application/json"),
            (Workbook = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
        )),
        (status = 422, description = "Invalid values, by field", body = ProblemBody, content_type = "application/problem+json"),
    )
)]
pub async fn list_admin_users(
    State(state): State<AppState>,
    CurrentAdmin(staff): CurrentAdmin,
    format: ResponseFormat,
    Query(StaffQuery { filter, paging }): Query<StaffQuery>,
) -> Result<Response> {
    match format {
        ResponseFormat::Json => {
            let client = state.pool.get().await?;
            let page = admin_list(&**client, &filter, paging.into()).await?;
            let active_counts = admin_active_counts(&**client).await?;
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
#[utoipa::path(
    get, path = "/admin/users/{id}", tag = "staff",
    params(("id" = String, Path, example = "usr_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b03")),
    responses(
        (status = 200, body = AdminUser),
        (status = 404, description = "The user does not exist", body = ProblemBody, content_type = "application/problem+json"),
    )
)]
pub async fn get_admin_user(
    State(state): State<AppState>,
    CurrentAdmin(staff): CurrentAdmin,
    Path(id): Path<String>,
) -> Result<Json<AdminUser>> {
    let id: UserId = id.parse().map_err(|_| Problem::not_found())?;
    let client = state.pool.get().await?;
    find_user(&**client, &staff, id).await.map(Json)
}

pub async fn find_user(
    client: &impl GenericClient,
    staff: &SignedInAdmin,
    person: UserId,
) -> Result<AdminUser> {
    let record = admin_record(client, person)
        .await?
        .ok_or_else(Problem::not_found)?;
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
            let client = state.pool.get().await?;
            let batch = admin_batch(&**client, &filter, after, PAGE_ROWS).await?;
            let active_counts = admin_active_counts(&**client).await?;
            let to_body = |row| AdminUser::for_viewer(row, staff.id, staff.is_owner(), active_counts);
            Ok((batch.rows.into_iter().map(to_body).collect(), batch.next))
        }
    })
}

#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "describes what `FromQuery` reads")]
pub struct StaffParams {
    /// Roles, comma-separated: owner, admin, financial, commercial, commercial-supervisor, sac, operator.
    #[param(
        pattern = "^(owner|admin|financial|commercial|commercial-supervisor|sac|operator)(,(owner|admin|financial|commercial|commercial-supervisor|sac|operator))*$",
        example = "admin,sac"
    )]
    roles: Option<String>,
    /// Part of the name or of the e-mail. Case and accents are ignored.
    #[param(example = "bruno", max_length = 120)]
    search: Option<String>,
    /// 1 for active users only, 0 for inactive users only. Both if left out.
    #[param(minimum = 0, maximum = 1, example = 1)]
    active: Option<u8>,
    /// Order by name; the default is asc.
    #[param(inline)]
    order: Option<NameOrderParam>,
    /// Page number, from 1.
    #[param(minimum = 1)]
    page: Option<u32>,
    /// Rows per page; the default is 20.
    #[param(rename = "perPage", minimum = 1, maximum = 100)]
    per_page: Option<u32>,
}

pub struct StaffQuery {
    filter: AdminFilter,
    paging: Paging,
}

impl FromQuery for StaffQuery {
    fn read(query: &mut QueryReader) -> Self {
        let filter = AdminFilter {
            roles: query::roles(query, "Deve ser o nome de um grupo.", AdminRole::parse),
            search: query::search(query),
            active: query::active(query),
            order: query::order(query),
        };
        Self {
            filter,
            paging: Paging::read(query),
        }
    }
}
