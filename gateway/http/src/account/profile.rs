//! The signed-in user's own profile.

use axum::body::HttpBody;
use axum::extract::{FromRequest, FromRequestParts, Request, State};
use gateway_environment::time_zone::TimeZone;
use gateway_identity::audience::Audience;
use gateway_identity::audit::Actor;
use gateway_identity::fields;
use gateway_identity::sessions::account::email_status;
use gateway_identity::users::{
    ProfileChange, Theme, admin_profile, admin_profile_update, record_profile_change, seller_profile,
    seller_profile_update,
};
use ledger_domain::ids::UserId;
use tokio_postgres::GenericClient;
use utoipa::IntoParams;
use utoipa::openapi::path::Parameter;

use super::bodies::profile::{Admin, ProfileChangeBody, Seller, ThemeSchema};
use crate::AppState;
use crate::edge::{CurrentAdmin, CurrentSeller, Db, FromQuery, Json, Query, QueryReader};
use crate::openapi::{CallDocument, Documented, params_of};
use crate::problem::{Problem, Result};

/// Get own profile
///
/// Returns the signed-in seller user with the companies that the user may act for.
#[utoipa::path(get, path = "/sellers/me", tag = "profile", responses((status = 200, body = Seller)))]
pub async fn get_seller(CurrentSeller(seller): CurrentSeller, db: Db) -> Result<Json<Seller>> {
    seller_of(&*db, seller.id).await.map(Json)
}

/// Update own profile
///
/// Sets the name, the theme and the time zone. Fields that are left out do not change.
#[utoipa::path(patch, path = "/sellers/me", tag = "profile", responses((status = 200, body = Seller)))]
pub async fn update_seller(
    State(state): State<AppState>,
    CurrentSeller(seller): CurrentSeller,
    Json(body): Json<ProfileChangeBody>,
) -> Result<Json<Seller>> {
    let change = validated(body)?;
    let tx = state.begin().await?;
    let before = seller_profile(&*tx, seller.id)
        .await?
        .ok_or_else(Problem::signed_out)?;
    seller_profile_update(&*tx, seller.id, &change).await?;
    let was = (before.name.as_str(), before.time_zone);
    record_profile_change(&*tx, Actor::Seller(seller.id), "seller_user", was, &change).await?;
    let after = seller_of(&*tx, seller.id).await?;
    tx.commit().await?;
    Ok(Json(after))
}

/// Get own profile (staff)
///
/// Returns the signed-in admin user with the user's roles.
#[utoipa::path(get, path = "/admin/me", tag = "profile", responses((status = 200, body = Admin)))]
pub async fn get_admin(CurrentAdmin(admin): CurrentAdmin, db: Db) -> Result<Json<Admin>> {
    admin_of(&*db, admin.id).await.map(Json)
}

/// Update own profile (staff)
///
/// Sets the name, the theme and the time zone, by query parameters or a body. A field of the body has precedence.
/// Fields that are left out do not change.
#[utoipa::path(patch, path = "/admin/me", tag = "profile", responses((status = 200, body = Admin)))]
pub async fn update_admin(
    State(state): State<AppState>,
    CurrentAdmin(admin): CurrentAdmin,
    RequestedProfile(body): RequestedProfile,
) -> Result<Json<Admin>> {
    let change = validated(body)?;
    let tx = state.begin().await?;
    let before = admin_profile(&*tx, admin.id)
        .await?
        .ok_or_else(Problem::signed_out)?;
    admin_profile_update(&*tx, admin.id, &change).await?;
    let was = (before.name.as_str(), before.time_zone);
    record_profile_change(&*tx, Actor::Admin(admin.id), "admin_user", was, &change).await?;
    let after = admin_of(&*tx, admin.id).await?;
    tx.commit().await?;
    Ok(Json(after))
}

/// The seller user's own view.
pub async fn seller_of(client: &impl GenericClient, id: UserId) -> Result<Seller> {
    let seller = seller_profile(client, id)
        .await?
        .ok_or_else(Problem::signed_out)?;
    Ok(Seller::of(
        seller,
        email_status(client, Audience::Seller, id).await?,
    ))
}

/// The admin user's own view.
pub async fn admin_of(client: &impl GenericClient, id: UserId) -> Result<Admin> {
    let admin = admin_profile(client, id).await?.ok_or_else(Problem::signed_out)?;
    Ok(Admin::of(admin, email_status(client, Audience::Admin, id).await?))
}

/// An admin user's changes of the own profile: in the query (from the specification) or in a body, as forms send it.
pub struct RequestedProfile(ProfileChangeBody);

impl<S: Send + Sync> FromRequest<S> for RequestedProfile {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Self> {
        let (mut parts, body) = request.into_parts();
        let Query(asked) = Query::<ProfileChangeBody>::from_request_parts(&mut parts, state).await?;
        let request = Request::from_parts(parts, body);
        let sent = if request.body().is_end_stream() {
            ProfileChangeBody::default()
        } else {
            Json::from_request(request, state).await?.0
        };
        Ok(Self(ProfileChangeBody {
            name: sent.name.or(asked.name),
            theme: sent.theme.or(asked.theme),
            time_zone: sent.time_zone.or(asked.time_zone),
        }))
    }
}

impl Documented for RequestedProfile {
    fn describe(call: &mut CallDocument) {
        call.parameters(ProfileChangeBody::params());
        call.body::<ProfileChangeBody>(false);
    }
}

#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "describes what `FromQuery` reads")]
struct ProfileParams {
    #[param(max_length = 120, example = "Bruno Lima")]
    name: Option<String>,
    #[param(inline)]
    theme: Option<ThemeSchema>,
    #[param(value_type = Option<String>, example = "America/Sao_Paulo")]
    time_zone: Option<TimeZone>,
}

const NAME_FAULT: &str = "O nome deve ter até 120 caracteres, em uma linha.";

impl FromQuery for ProfileChangeBody {
    fn params() -> Vec<Parameter> {
        params_of::<ProfileParams>()
    }

    fn read(query: &mut QueryReader) -> Self {
        Self {
            name: query.read_text("name", NAME_FAULT, |text| fields::name(text).ok()),
            theme: query.read("theme", "Deve ser light ou dark.", Theme::parse),
            time_zone: query
                .read(
                    "time_zone",
                    "Deve ser um fuso horário IANA, como America/Sao_Paulo.",
                    TimeZone::parse,
                )
                .map(Some),
        }
    }
}

fn validated(body: ProfileChangeBody) -> Result<ProfileChange> {
    let name = body.name.map(|name| fields::name(&name)).transpose();
    Ok(ProfileChange {
        name: name.map_err(|fault| Problem::field("name", fault))?,
        theme: body.theme,
        time_zone: body.time_zone,
    })
}
