//! Admin users: the list and the changes, for roles that manage staff.

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use futures::Stream;
use gateway_identity::audience::Audience;
use gateway_identity::roles::AdminRole;
use gateway_identity::sessions::SignedInAdmin;
use gateway_identity::users::{
    AdminFilter, NewAdmin, StaffCaller, UserChange, admin_active_counts, admin_batch, admin_list,
    admin_record, staff_change, staff_create, staff_delete,
};
use ledger_domain::ids::UserId;
use tokio_postgres::GenericClient;
use utoipa::IntoParams;

use super::emails::EmailRecipient;
use super::person_query::{self, NameOrderParam};
use crate::AppState;
use crate::edge::{CurrentAdmin, FromQuery, IdempotentJson, Json, Paging, PanelUrl, Query, QueryReader};
use crate::problem::{Problem, ProblemBody, Result};
use crate::spreadsheet::tables::STAFF_USERS;
use crate::spreadsheet::{FileParams, PAGE_ROWS, Wanted, Workbook, pages};
use crate::wire::admin_user::{AdminUser, AdminUserChange, AdminUserPage, NewAdminUser};
use crate::wire::page::PageMeta;

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
    wanted: Wanted,
    Query(StaffQuery { filter, paging }): Query<StaffQuery>,
) -> Result<Response> {
    match wanted {
        Wanted::Json => {
            let client = state.pool.get().await?;
            let page = admin_list(&**client, &filter, paging.into()).await?;
            let active_counts = admin_active_counts(&**client).await?;
            let meta = PageMeta::numbered(&page, paging);
            let see = |row| AdminUser::seen_by(row, staff.id, staff.is_owner(), active_counts);
            let data = page.rows.into_iter().map(see).collect();
            Ok(Json(AdminUserPage { data, meta }).into_response())
        }
        Wanted::Spreadsheet(file) => file.of(&STAFF_USERS, all(state, staff, filter)).await,
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
    see_now(&**client, &staff, id).await.map(Json)
}

/// Create an admin user
///
/// Sends an e-mail with a link that confirms the address. The roles owner and operator cannot be given.
#[utoipa::path(
    post, path = "/admin/users", tag = "staff", request_body = NewAdminUser,
    params(("Idempotency-Key" = Option<String>, Header, description = "Chosen by the caller, unique for each user", example = "b7e0c1f2d3a44e55")),
    responses(
        (status = 201, body = AdminUser),
        (status = 409, description = "The Idempotency-Key was used for another request", body = ProblemBody, content_type = "application/problem+json"),
        (status = 422, description = "Invalid values, by field; no field is named if the e-mail cannot be used", body = ProblemBody, content_type = "application/problem+json"),
        (status = 429, description = "The caller caused too many e-mails; try again after Retry-After seconds", body = ProblemBody, content_type = "application/problem+json"),
    )
)]
pub async fn create_admin_user(
    State(state): State<AppState>,
    CurrentAdmin(staff): CurrentAdmin,
    caller: StaffCaller,
    PanelUrl(panel_url): PanelUrl,
    IdempotentJson { body, idempotency }: IdempotentJson<NewAdminUser>,
) -> Result<Response> {
    let form = body.read()?;
    // Hashed before the e-mail is checked, so that the response time does not reveal whether the e-mail is in use.
    let password_hash = state.sessions.passwords.hash(&form.password).await?;
    let id = UserId::from_uuid(state.ids.new_uuid());
    let mut client = state.pool.get().await?;
    let transaction = client.transaction().await?;
    let tx = &*transaction;
    if let Some(answer) = idempotency.replayed_answer(tx).await? {
        return Ok(answer);
    }
    let new = NewAdmin {
        id,
        name: &form.name,
        email: &form.email,
        password_hash: &password_hash,
        roles: &form.roles,
        active: form.active,
    };
    staff_create(tx, caller, &new).await?;
    let emails = addressee(id, staff.id, &panel_url)
        .welcome(&state, tx, &form.email)
        .await?;
    let user = see_now(tx, &staff, id).await?;
    let answer = idempotency.store_answer(tx, StatusCode::CREATED, &user).await?;
    transaction.commit().await?;
    emails.send();
    Ok(answer)
}

/// Update an admin user
///
/// Changes the given fields only. Users cannot change themselves here, and only an owner can change an owner. At least
/// one active owner and one active admin must remain.
#[utoipa::path(
    patch, path = "/admin/users/{id}", tag = "staff", request_body = AdminUserChange,
    params(("id" = String, Path, example = "usr_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b03")),
    responses(
        (status = 200, body = AdminUser),
        (status = 403, description = "The caller's role does not allow this, or does not allow it for an owner", body = ProblemBody, content_type = "application/problem+json"),
        (status = 404, description = "The user does not exist", body = ProblemBody, content_type = "application/problem+json"),
        (status = 409, description = "The user is the caller, or the last active owner or admin", body = ProblemBody, content_type = "application/problem+json"),
        (status = 422, description = "Invalid values, by field; no field is named if the e-mail cannot be used", body = ProblemBody, content_type = "application/problem+json"),
        (status = 429, description = "The caller caused too many e-mails; try again after Retry-After seconds", body = ProblemBody, content_type = "application/problem+json"),
    )
)]
pub async fn update_admin_user(
    State(state): State<AppState>,
    CurrentAdmin(staff): CurrentAdmin,
    caller: StaffCaller,
    PanelUrl(panel_url): PanelUrl,
    Path(id): Path<String>,
    Json(body): Json<AdminUserChange>,
) -> Result<Json<AdminUser>> {
    let id: UserId = id.parse().map_err(|_| Problem::not_found())?;
    let form = body.read()?;
    let change = UserChange {
        password_hash: state
            .sessions
            .passwords
            .hash_if_given(form.password.as_deref())
            .await?,
        ..form.change
    };
    let mut client = state.pool.get().await?;
    let transaction = client.transaction().await?;
    let tx = &*transaction;
    let reported = staff_change(tx, caller, id, change, form.roles.as_deref()).await?;
    let emails = addressee(id, staff.id, &panel_url)
        .tell(&state, tx, &reported)
        .await?;
    let user = see_now(tx, &staff, id).await?;
    transaction.commit().await?;
    emails.send();
    Ok(Json(user))
}

/// Delete an admin user
///
/// Ends the user's sessions at once. Users cannot delete themselves, and only an owner can delete an owner. The last
/// active owner and the last active admin cannot be deleted.
#[utoipa::path(
    delete, path = "/admin/users/{id}", tag = "staff",
    params(("id" = String, Path, example = "usr_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b03")),
    responses(
        (status = 204, description = "The user is deleted"),
        (status = 403, description = "The caller's role does not allow this, or does not allow it for an owner", body = ProblemBody, content_type = "application/problem+json"),
        (status = 404, description = "The user does not exist", body = ProblemBody, content_type = "application/problem+json"),
        (status = 409, description = "The user is the caller, or the last active owner or admin", body = ProblemBody, content_type = "application/problem+json"),
    )
)]
pub async fn delete_admin_user(
    State(state): State<AppState>,
    caller: StaffCaller,
    Path(id): Path<String>,
) -> Result<StatusCode> {
    let id: UserId = id.parse().map_err(|_| Problem::not_found())?;
    let mut client = state.pool.get().await?;
    let transaction = client.transaction().await?;
    staff_delete(&*transaction, caller, id).await?;
    transaction.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}

async fn see_now(client: &impl GenericClient, staff: &SignedInAdmin, person: UserId) -> Result<AdminUser> {
    let record = admin_record(client, person)
        .await?
        .ok_or_else(Problem::not_found)?;
    let active_counts = admin_active_counts(client).await?;
    Ok(AdminUser::seen_by(
        record,
        staff.id,
        staff.is_owner(),
        active_counts,
    ))
}

fn all(
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
            let see = |row| AdminUser::seen_by(row, staff.id, staff.is_owner(), active_counts);
            Ok((batch.rows.into_iter().map(see).collect(), batch.next))
        }
    })
}

const fn addressee(person: UserId, caused_by: UserId, panel_url: &str) -> EmailRecipient<'_> {
    EmailRecipient {
        audience: Audience::Admin,
        person,
        panel_url,
        caused_by,
    }
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
            roles: person_query::roles(query, "Deve ser o nome de um grupo.", AdminRole::parse),
            search: person_query::search(query),
            active: person_query::active(query),
            order: person_query::order(query),
        };
        Self {
            filter,
            paging: Paging::read(query),
        }
    }
}
