//! The signed-in person, and what they set for themselves.

use axum::extract::State;

use crate::AppState;
use crate::http::{CurrentAdmin, CurrentSeller, Json};
use crate::people::{
    Actor, ProfileChange, admin_fetch, admin_update, profile_record, seller_fetch, seller_update,
};
use crate::problem::{Problem, ProblemBody, Result};
use crate::wire::person::{Admin, ProfileChangeBody, Seller};

/// The signed-in seller
#[utoipa::path(get, path = "/sellers/me", tag = "profile", responses((status = 200, body = Seller)))]
pub async fn get_seller(
    State(state): State<AppState>,
    CurrentSeller(seller): CurrentSeller,
) -> Result<Json<Seller>> {
    let client = state.pool.get().await?;
    let seller = seller_fetch(&**client, seller.id)
        .await?
        .ok_or_else(Problem::signed_out)?;
    Ok(Json(seller.into()))
}

/// Change own profile
#[utoipa::path(
    patch, path = "/sellers/me", tag = "profile", request_body = ProfileChangeBody,
    responses(
        (status = 200, body = Seller),
        (status = 422, description = "A value that cannot be taken", body = ProblemBody, content_type = "application/problem+json"),
    )
)]
pub async fn update_seller(
    State(state): State<AppState>,
    CurrentSeller(seller): CurrentSeller,
    Json(body): Json<ProfileChangeBody>,
) -> Result<Json<Seller>> {
    let change = sound(body)?;
    let mut client = state.pool.get().await?;
    let transaction = client.transaction().await?;
    let before = seller_fetch(&*transaction, seller.id)
        .await?
        .ok_or_else(Problem::signed_out)?;
    seller_update(&*transaction, seller.id, &change).await?;
    let was = (before.name.as_str(), before.theme, before.time_zone);
    profile_record(
        &*transaction,
        Actor::Seller(seller.id),
        "seller_user",
        was,
        &change,
    )
    .await?;
    let after = seller_fetch(&*transaction, seller.id)
        .await?
        .ok_or_else(Problem::signed_out)?;
    transaction.commit().await?;
    Ok(Json(after.into()))
}

/// The signed-in member of staff
#[utoipa::path(get, path = "/admin/me", tag = "profile", responses((status = 200, body = Admin)))]
pub async fn get_admin(
    State(state): State<AppState>,
    CurrentAdmin(admin): CurrentAdmin,
) -> Result<Json<Admin>> {
    let client = state.pool.get().await?;
    let admin = admin_fetch(&**client, admin.id)
        .await?
        .ok_or_else(Problem::signed_out)?;
    Ok(Json(admin.into()))
}

/// Change own profile (staff)
#[utoipa::path(
    patch, path = "/admin/me", tag = "profile", request_body = ProfileChangeBody,
    responses(
        (status = 200, body = Admin),
        (status = 422, description = "A value that cannot be taken", body = ProblemBody, content_type = "application/problem+json"),
    )
)]
pub async fn update_admin(
    State(state): State<AppState>,
    CurrentAdmin(admin): CurrentAdmin,
    Json(body): Json<ProfileChangeBody>,
) -> Result<Json<Admin>> {
    let change = sound(body)?;
    let mut client = state.pool.get().await?;
    let transaction = client.transaction().await?;
    let before = admin_fetch(&*transaction, admin.id)
        .await?
        .ok_or_else(Problem::signed_out)?;
    admin_update(&*transaction, admin.id, &change).await?;
    let was = (before.name.as_str(), before.theme, before.time_zone);
    profile_record(&*transaction, Actor::Admin(admin.id), "admin_user", was, &change).await?;
    let after = admin_fetch(&*transaction, admin.id)
        .await?
        .ok_or_else(Problem::signed_out)?;
    transaction.commit().await?;
    Ok(Json(after.into()))
}

fn sound(body: ProfileChangeBody) -> Result<ProfileChange> {
    let name = body.name.map(|name| name.trim().to_owned());
    if let Some(name) = &name {
        if name.is_empty() {
            return Err(Problem::field("name", "Nome é requerido."));
        }
        if name.chars().count() > 120 || name.chars().any(char::is_control) {
            return Err(Problem::field(
                "name",
                "O nome deve ter até 120 caracteres, em uma linha.",
            ));
        }
    }
    Ok(ProfileChange {
        name,
        theme: body.theme,
        time_zone: body.time_zone,
    })
}
