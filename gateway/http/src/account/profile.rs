//! The signed-in user's own profile.

use axum::body::HttpBody;
use axum::extract::{FromRequest, FromRequestParts, Request, State};
use gateway_environment::time_zone::TimeZone;
use gateway_identity::audience::Audience;
use gateway_identity::credentials::account::email_status;
use gateway_identity::fields;
use gateway_identity::users::{ProfileChange, Theme, admin_profile, profile_update, seller_profile};
use ledger_domain::ids::UserId;
use tokio_postgres::GenericClient;
use utoipa::openapi::{RefOr, Schema};

use super::bodies::profile::{Admin, ProfileChangeBody, Seller};
use crate::AppState;
use crate::edge::query::{QueryWord, text};
use crate::edge::{CurrentAdmin, CurrentSeller, Db, FromQuery, Json, Query, QueryValue, query};
use crate::openapi::{CallDocument, Documented};
use crate::problem::{Problem, Result};

/// Get own profile
///
/// Returns the signed-in seller user with the companies that the user may act for.
#[utoipa::path(get, path = "/sellers/me", tag = "profile", responses((status = 200, body = Seller)))]
pub(crate) async fn get_seller(CurrentSeller(seller): CurrentSeller, db: Db) -> Result<Json<Seller>> {
    Seller::read(&*db, seller.id).await.map(Json)
}

/// Update own profile
///
/// Sets the name, the theme, the time zone and the wanted e-mails. Fields that are left out do not change.
#[utoipa::path(patch, path = "/sellers/me", tag = "profile", responses((status = 200, body = Seller)))]
pub(crate) async fn update_seller(
    State(state): State<AppState>,
    CurrentSeller(seller): CurrentSeller,
    Json(body): Json<ProfileChangeBody>,
) -> Result<Json<Seller>> {
    update(&state, seller.id, body).await
}

/// Get own profile (staff)
///
/// Returns the signed-in admin user with the user's roles.
#[utoipa::path(get, path = "/admin/me", tag = "profile", responses((status = 200, body = Admin)))]
pub(crate) async fn get_admin(CurrentAdmin(admin): CurrentAdmin, db: Db) -> Result<Json<Admin>> {
    Admin::read(&*db, admin.id).await.map(Json)
}

/// Update own profile (staff)
///
/// Sets the name, the theme and the time zone, by query parameters or a body. A field of the body has precedence.
/// Fields that are left out do not change.
#[utoipa::path(patch, path = "/admin/me", tag = "profile", responses((status = 200, body = Admin)))]
pub(crate) async fn update_admin(
    State(state): State<AppState>,
    CurrentAdmin(admin): CurrentAdmin,
    RequestedProfile(body): RequestedProfile,
) -> Result<Json<Admin>> {
    update(&state, admin.id, body).await
}

async fn update<Profile: OwnProfile>(
    state: &AppState,
    user: UserId,
    body: ProfileChangeBody,
) -> Result<Json<Profile>> {
    let change = validated(body)?;
    if Profile::AUDIENCE == Audience::Admin && change.paid_link_emails.is_some() {
        return Err(Problem::field(
            "paid_link_emails",
            "Só vendedores recebem este aviso.",
        ));
    }
    let tx = state.begin().await?;
    if !profile_update(&*tx, Profile::AUDIENCE, user, &change).await? {
        return Err(Problem::signed_out());
    }
    let profile = Profile::read(&*tx, user).await?;
    tx.commit().await?;
    Ok(Json(profile))
}

/// A user's view of their own record.
pub trait OwnProfile: Sized {
    const AUDIENCE: Audience;

    fn read(client: &(impl GenericClient + Sync), user: UserId) -> impl Future<Output = Result<Self>> + Send;
}

impl OwnProfile for Seller {
    const AUDIENCE: Audience = Audience::Seller;

    async fn read(client: &(impl GenericClient + Sync), user: UserId) -> Result<Self> {
        let seller = seller_profile(client, user).await?;
        let seller = seller.ok_or_else(Problem::signed_out)?;
        let email = email_status(client, Self::AUDIENCE, user).await?;
        Ok(Self::of(seller, email))
    }
}

impl OwnProfile for Admin {
    const AUDIENCE: Audience = Audience::Admin;

    async fn read(client: &(impl GenericClient + Sync), user: UserId) -> Result<Self> {
        let admin = admin_profile(client, user).await?;
        let admin = admin.ok_or_else(Problem::signed_out)?;
        let email = email_status(client, Self::AUDIENCE, user).await?;
        Ok(Self::of(admin, email))
    }
}

/// An admin user's changes of the own profile. The specification has them in the query. The panel's form sends a body.
pub struct RequestedProfile(ProfileChangeBody);

impl<S: Send + Sync> FromRequest<S> for RequestedProfile {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Self> {
        let (mut parts, body) = request.into_parts();
        let Query(in_query) = Query::<ProfileChangeBody>::from_request_parts(&mut parts, state).await?;
        let request = Request::from_parts(parts, body);
        let in_body = if request.body().is_end_stream() {
            ProfileChangeBody::default()
        } else {
            Json::from_request(request, state).await?.0
        };
        Ok(Self(ProfileChangeBody {
            name: in_body.name.or(in_query.name),
            theme: in_body.theme.or(in_query.theme),
            time_zone: in_body.time_zone.or(in_query.time_zone),
            paid_link_emails: in_body.paid_link_emails,
        }))
    }
}

impl Documented for RequestedProfile {
    fn describe(call: &mut CallDocument) {
        call.parameters(ProfileChangeBody::params());
        call.body::<ProfileChangeBody>(false);
    }
}

query! {
    impl FromQuery for ProfileChangeBody {
        #[example = "Bruno Lima"]
        name: Option<ProfileName>,
        theme: Option<Theme>,
        #[example = "America/Sao_Paulo"]
        time_zone: Option<TimeZone>,
    } => Self {
        name: name.map(|ProfileName(name)| name),
        theme,
        time_zone: time_zone.map(Some),
        paid_link_emails: None,
    }
}

struct ProfileName(String);

impl QueryValue for ProfileName {
    const INVALID: &'static str = "O nome deve ter até 120 caracteres, em uma linha.";
    const IS_FREE_TEXT: bool = true;

    fn schema() -> RefOr<Schema> {
        text().max_length(Some(120)).into()
    }

    fn parse(text: &str) -> Option<Self> {
        fields::name(text).ok().map(Self)
    }
}

impl QueryWord for Theme {
    const WORDS: &'static [(&'static str, Self)] = &[
        (Self::Light.as_str(), Self::Light),
        (Self::Dark.as_str(), Self::Dark),
    ];
    const INVALID: &'static str = "Deve ser light ou dark.";
}

fn validated(body: ProfileChangeBody) -> Result<ProfileChange> {
    let name = body.name.map(|name| fields::name(&name)).transpose();
    Ok(ProfileChange {
        name: name.map_err(|message| Problem::field("name", message))?,
        theme: body.theme,
        time_zone: body.time_zone,
        paid_link_emails: body.paid_link_emails,
    })
}
