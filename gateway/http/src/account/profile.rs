//! The signed-in user's own profile.

use axum::body::HttpBody;
use axum::extract::{FromRequest, FromRequestParts, Request, State};
use axum::http::StatusCode;
use axum::response::Response;
use gateway_environment::time_zone::TimeZone;
use gateway_identity::audience::Audience;
use gateway_identity::credentials::account::email_status;
use gateway_identity::fields;
use gateway_identity::sessions::open_sessions::SessionOwner;
use gateway_identity::users::{self, Theme, admin_profile, profile_update, seller_profile};
use gateway_platform::companies::companies_not_approved;
use ledger_domain::BusinessId;
use ledger_domain::ids::UserId;
use serde::Serialize;
use tokio_postgres::GenericClient;
use utoipa::openapi::{RefOr, Schema};

use super::bodies::profile::{Admin, ProfileChange, Seller};
use crate::AppState;
use crate::edge::idempotency_store::IdempotencyRecord;
use crate::edge::query::text;
use crate::edge::{CurrentAdmin, CurrentSeller, Db, FromQuery, Json, Query, QueryValue, query};
use crate::openapi::{CallDocument, Documented};
use crate::problem::{Problem, Result};
use crate::shared::change::{Change, ChangeBody, Changed};
use crate::shared::form::Form;

/// Get own profile
///
/// Returns the signed-in seller user with the companies that the user may act for.
#[utoipa::path(get, path = "/sellers/me", tag = "profile", responses((status = 200, body = Seller)))]
pub(crate) async fn get_seller(
    State(state): State<AppState>,
    CurrentSeller(seller): CurrentSeller,
    db: Db,
) -> Result<Json<Seller>> {
    Seller::read(&state, &*db, seller.id).await.map(Json)
}

/// Update own profile
///
/// Sets the name, the theme, the time zone and the wanted e-mails. Fields that are left out do not change.
#[utoipa::path(patch, path = "/sellers/me", tag = "profile", responses((status = 200, body = Seller)))]
pub(crate) async fn update_seller(change: Change<SessionOwner, Form<ProfileChange>>) -> Result<Response> {
    update::<Seller, _>(change).await
}

/// Get own profile (staff)
///
/// Returns the signed-in admin user with the user's roles.
#[utoipa::path(get, path = "/admin/me", tag = "profile", responses((status = 200, body = Admin)))]
pub(crate) async fn get_admin(
    State(state): State<AppState>,
    CurrentAdmin(admin): CurrentAdmin,
    db: Db,
) -> Result<Json<Admin>> {
    Admin::read(&state, &*db, admin.id).await.map(Json)
}

/// Update own profile (staff)
///
/// Sets the name, the theme and the time zone, by query parameters or a body. A field of the body has precedence.
/// Fields that are left out do not change.
#[utoipa::path(patch, path = "/admin/me", tag = "profile", responses((status = 200, body = Admin)))]
pub(crate) async fn update_admin(change: Change<SessionOwner, RequestedProfile>) -> Result<Response> {
    update::<Admin, _>(change).await
}

async fn update<Profile, Body>(change: Change<SessionOwner, Body>) -> Result<Response>
where
    Profile: OwnProfile + Serialize,
    Body: ChangeBody<Form = ProfileChange>,
{
    change
        .run(StatusCode::OK, async |work, ProfileChange(change)| {
            let SessionOwner { audience, user, .. } = work.caller;
            if let Some((field, message)) = change.fault(audience) {
                return Err(Problem::field(field, message));
            }
            if !profile_update(&**work, audience, user, &change).await? {
                return Err(Problem::signed_out());
            }
            let profile = Profile::read(&work.state, &**work, user).await?;
            Ok(Changed::recorded(profile))
        })
        .await
}

/// A user's view of their own record.
pub trait OwnProfile: Sized {
    const AUDIENCE: Audience;

    fn read(
        state: &AppState,
        client: &(impl GenericClient + Sync),
        user: UserId,
    ) -> impl Future<Output = Result<Self>> + Send;
}

impl OwnProfile for Seller {
    const AUDIENCE: Audience = Audience::Seller;

    async fn read(state: &AppState, client: &(impl GenericClient + Sync), user: UserId) -> Result<Self> {
        let seller = seller_profile(client, user).await?;
        let seller = seller.ok_or_else(Problem::signed_out)?;
        let email = email_status(client, Self::AUDIENCE, user).await?;
        let companies: Vec<BusinessId> = seller.businesses.iter().map(|business| business.id).collect();
        let settings = state.settings_at(client, state.clock.now()).await?;
        let not_approved = companies_not_approved(client, &settings, &companies).await?;
        Ok(Self::of(seller, email, not_approved))
    }
}

impl OwnProfile for Admin {
    const AUDIENCE: Audience = Audience::Admin;

    async fn read(_: &AppState, client: &(impl GenericClient + Sync), user: UserId) -> Result<Self> {
        let admin = admin_profile(client, user).await?;
        let admin = admin.ok_or_else(Problem::signed_out)?;
        let email = email_status(client, Self::AUDIENCE, user).await?;
        Ok(Self::of(admin, email))
    }
}

/// An admin user's changes of the own profile. The specification has them in the query. The panel's form sends a body.
pub struct RequestedProfile(ProfileChange);

impl<S: Send + Sync> FromRequest<S> for RequestedProfile {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Self> {
        let (mut parts, body) = request.into_parts();
        let Query(InQuery(in_query)) = Query::from_request_parts(&mut parts, state).await?;
        let request = Request::from_parts(parts, body);
        let ProfileChange(in_body) = if request.body().is_end_stream() {
            ProfileChange(users::ProfileChange::default())
        } else {
            Form::from_request(request, state).await?.0
        };
        Ok(Self(ProfileChange(users::ProfileChange {
            name: in_body.name.or(in_query.name),
            theme: in_body.theme.or(in_query.theme),
            time_zone: in_body.time_zone.or(in_query.time_zone),
            paid_link_emails: in_body.paid_link_emails,
        })))
    }
}

impl ChangeBody for RequestedProfile {
    type Form = ProfileChange;

    fn into_parts(self) -> (ProfileChange, IdempotencyRecord) {
        (self.0, IdempotencyRecord::NONE)
    }
}

impl Documented for RequestedProfile {
    fn describe(call: &mut CallDocument) {
        call.parameters(InQuery::params());
        call.body::<ProfileChange>(false);
    }
}

/// The parameters of a change of the profile.
struct InQuery(users::ProfileChange);

query! {
    impl FromQuery for InQuery {
        #[example = "Bruno Lima"]
        name: Option<ProfileName>,
        theme: Option<Theme>,
        #[example = "America/Sao_Paulo"]
        time_zone: Option<TimeZone>,
    } => Self(users::ProfileChange {
        name: name.map(|ProfileName(name)| name),
        theme,
        time_zone: time_zone.map(Some),
        paid_link_emails: None,
    })
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
