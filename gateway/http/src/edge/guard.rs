//! The checks before a handler: the session, the CSRF token of a browser's write, the company of the request and the
//! user's role in it. Public calls have a rate limit instead. A provider's call is checked by its handler.
//!
//! A change checks access again inside its transaction, because an access may be removed after the guard's check.

use std::sync::Arc;

use axum::Extension;
use axum::body::Body;
use axum::extract::{DefaultBodyLimit, FromRequestParts, MatchedPath, RawPathParams, Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, Method, StatusCode, header};
use axum::middleware::{Next, from_fn, from_fn_with_state};
use axum::response::Response;
use axum::routing::MethodRouter;
use chrono::Utc;
use gateway_environment::config::Panel;
use gateway_environment::request_context;
use gateway_identity::access::{AccessRule, SellerCapability, StaffCapability, needs_own_password};
use gateway_identity::audience::Audience;
use gateway_identity::rate_limit::LimitedCaller;
use gateway_identity::rate_limit::local::LocalLimitKind;
use gateway_identity::roles::{AdminRole, SellerRole};
use gateway_identity::sessions::csrf::{self, CsrfBinding};
use gateway_identity::sessions::signed_in::{admin_by_session, seller_by_session};
use gateway_identity::sessions::tokens::Claims;
use gateway_identity::sessions::{SignedInAdmin, SignedInSeller};
use gateway_identity::users::{SellerCaller, StaffCaller};
use ledger_domain::BusinessId;
use ledger_domain::ids::UserId;
use ledger_store::trace;
use utoipa::openapi::path::ParameterIn;
use utoipa::openapi::{RefOr, Schema};

use super::body::read_bytes;
use super::id::PathParam;
use super::{FromQuery, QueryValue, control_characters, place, position, query};
use crate::AppState;
use crate::edge::{cookies, json, json_text};
use crate::openapi::{CallDocument, Documented, verb};
use crate::problem::{Problem, Result};

/// Forms are small. A provider's array of notices is larger. Uploads and unsigned notices have limits in their
/// extractors.
const BODY_BYTES_MAX: usize = 64 * 1024;
const NOTICES_BYTES_MAX: usize = 4 * 1024 * 1024;

/// The seller who is signed in.
#[derive(Debug, Clone)]
pub struct CurrentSeller(pub SignedInSeller);

/// The company of the request, the signed-in seller and the seller's role in it.
#[derive(Debug, Clone, Copy)]
pub struct CurrentBusiness {
    pub id: BusinessId,
    pub role: SellerRole,
    pub seller: UserId,
    /// The roles that the call is open to.
    pub allowed: &'static [SellerRole],
}

impl CurrentBusiness {
    /// For checking access again inside the transaction of a change.
    pub const fn caller(&self) -> SellerCaller {
        SellerCaller {
            id: self.seller,
            company: self.id,
            allowed: self.allowed,
        }
    }

    /// Whether answers may show the company's balance.
    pub fn sees_balance(&self) -> bool {
        SellerCapability::ReadBalance.roles().contains(&self.role)
    }
}

/// The member of staff who is signed in.
#[derive(Debug, Clone)]
pub struct CurrentAdmin(pub SignedInAdmin);

impl CurrentAdmin {
    /// Whether answers may show companies' balances.
    pub fn sees_balance(&self) -> bool {
        self.0.may(StaffCapability::ReadBalance)
    }
}

/// Adds the guard of its access rule to a handler. A method that the call doesn't have is a 405 for every caller.
///
/// The layer that is added last runs first: the body limit, the guard, the wait for a ledger position, the check of a
/// provisional password, the path check.
pub fn protect(
    handler: MethodRouter<AppState>,
    call: &CallDocument,
    state: &AppState,
) -> MethodRouter<AppState> {
    let (access, company) = (call.access, call.company.as_deref());
    let limit = DefaultBodyLimit::max(if access == AccessRule::Provider {
        NOTICES_BYTES_MAX
    } else {
        BODY_BYTES_MAX
    });
    let handler = match access {
        // The handler parses the whole path. A path that it cannot parse is a 404.
        AccessRule::Provider => handler,
        _ => handler.route_layer(from_fn(control_characters::refuse_in_path)),
    };
    let handler = if needs_own_password(verb(&call.method), &call.path) {
        handler.route_layer(from_fn(require_own_password))
    } else {
        handler
    };
    let guarded = match access {
        AccessRule::Provider => handler,
        AccessRule::Public => handler.route_layer(from_fn_with_state(state.clone(), not_too_often)),
        AccessRule::Seller => handler.route_layer(from_fn_with_state(state.clone(), require_seller)),
        AccessRule::Business(roles) => handler
            .route_layer(from_fn_with_state(state.clone(), position::layer))
            .route_layer(from_fn_with_state(
                (state.clone(), roles, company.map(Arc::from)),
                require_business,
            )),
        AccessRule::Staff(roles) => handler
            .route_layer(from_fn_with_state(state.clone(), position::layer))
            .route_layer(from_fn_with_state((state.clone(), roles), require_staff)),
        AccessRule::EitherPanel => handler.route_layer(from_fn_with_state(state.clone(), require_either)),
    };
    guarded.layer(limit)
}

/// Limits the rate of public calls. They have no session, so they are counted by caller.
async fn not_too_often(
    State(state): State<AppState>,
    caller: LimitedCaller,
    request: Request,
    next: Next,
) -> Result<Response> {
    let limits = &state.local_limits;
    limits
        .take(LocalLimitKind::Public, caller)
        .map_err(Problem::too_many_requests)?;
    let path = request.extensions().get::<MatchedPath>();
    if !path.is_some_and(|path| names_code(path.as_str())) {
        return Ok(next.run(request).await);
    }
    limits
        .check(LocalLimitKind::UnknownCode, caller)
        .map_err(Problem::too_many_requests)?;
    let response = next.run(request).await;
    if response.status() == StatusCode::NOT_FOUND {
        // An error would only say that the next call is refused.
        let _ = limits.take(LocalLimitKind::UnknownCode, caller);
    }
    Ok(response)
}

/// Whether a public call names a link or an order by its code.
fn names_code(path: &str) -> bool {
    path.contains("/pl/{code}") || path.contains("/transactions/{id}")
}

async fn require_seller(State(state): State<AppState>, mut request: Request, next: Next) -> Result<Response> {
    let claims = claims_of(&state, Audience::Seller, request.method(), request.headers())?;
    let seller = seller_of(&state, &claims).await?;
    request.extensions_mut().insert(CurrentSeller(seller));
    Ok(next.run(request).await)
}

/// The state, the roles that may make the call, and the path parameter that names the company.
type BusinessRule = (AppState, &'static [SellerRole], Option<Arc<str>>);

async fn require_business(
    State((state, roles, company)): State<BusinessRule>,
    path: RawPathParams,
    request: Request,
    next: Next,
) -> Result<Response> {
    let claims = claims_of(&state, Audience::Seller, request.method(), request.headers())?;
    let seller = seller_of(&state, &claims).await?;
    let (named, mut request) = named_business(company.as_deref(), &path, request).await?;
    let access = match named {
        // Companies of other sellers are a 404, like unknown ones.
        Some(id) => seller
            .accesses
            .iter()
            .find(|access| access.business_id == id)
            .ok_or_else(Problem::not_found)?,
        None => match seller.accesses.as_slice() {
            [only] => only,
            [] => return Err(Problem::forbidden()),
            _ => return Err(Problem::field("business_id", "Informe a empresa.")),
        },
    };
    if !roles.contains(&access.role) {
        return Err(Problem::forbidden());
    }
    trace::note("razao.role", access.role.as_str());
    let current = CurrentBusiness {
        id: access.business_id,
        role: access.role,
        seller: seller.id,
        allowed: roles,
    };
    request.extensions_mut().insert(current);
    request.extensions_mut().insert(CurrentSeller(seller));
    Ok(place::of_company(&state, Some(current.id), next.run(request)).await)
}

async fn require_staff(
    State((state, roles)): State<(AppState, &'static [AdminRole])>,
    mut request: Request,
    next: Next,
) -> Result<Response> {
    let claims = claims_of(&state, Audience::Admin, request.method(), request.headers())?;
    let client = state.pool.get().await?;
    let admin = admin_by_session(&client, &claims, Utc::now())
        .await?
        .ok_or_else(Problem::signed_out)?;
    drop(client);
    if !admin.has_any_role(roles) {
        return Err(Problem::forbidden());
    }
    trace::note("razao.role", "staff");
    let caller = StaffCaller {
        id: admin.id,
        allowed: roles,
    };
    request.extensions_mut().insert(caller);
    request.extensions_mut().insert(CurrentAdmin(admin));
    let company = place::company_of_staff_request(&request);
    Ok(place::of_company(&state, company, next.run(request)).await)
}

/// The panel of the request's host decides whose session is needed.
async fn require_either(
    State(state): State<AppState>,
    Extension(panel): Extension<Panel>,
    request: Request,
    next: Next,
) -> Result<Response> {
    match panel {
        Panel::Seller => require_seller(State(state), request, next).await,
        Panel::Admin => require_staff(State((state, AdminRole::ALL)), request, next).await,
    }
}

/// Refuses a session whose password another user set. The guard of the access rule has added the user.
async fn require_own_password(request: Request, next: Next) -> Result<Response> {
    let extensions = request.extensions();
    let of_seller = extensions
        .get::<CurrentSeller>()
        .map(|CurrentSeller(seller)| seller.provisional_password);
    let of_admin = extensions
        .get::<CurrentAdmin>()
        .map(|CurrentAdmin(admin)| admin.provisional_password);
    let user = of_seller.or(of_admin);
    let user =
        user.ok_or_else(|| Problem::internal("the route's guard does not provide a signed-in user"))?;
    match user {
        Some(password) => Err(Problem::provisional_password(password, request_context::now())),
        None => Ok(next.run(request).await),
    }
}

async fn seller_of(state: &AppState, claims: &Claims) -> Result<SignedInSeller> {
    let client = state.pool.get().await?;
    seller_by_session(&client, claims, Utc::now())
        .await?
        .ok_or_else(Problem::signed_out)
}

/// Reads the token from the `Authorization` header, else from the cookie. A write by cookie also needs the CSRF token.
fn claims_of(state: &AppState, audience: Audience, method: &Method, headers: &HeaderMap) -> Result<Claims> {
    let tokens = &state.accounts.tokens;
    if let Some(authorization) = headers.get(header::AUTHORIZATION) {
        let token = authorization
            .to_str()
            .ok()
            .and_then(|text| text.strip_prefix("Bearer "));
        return token
            .and_then(|token| tokens.read_access(audience, token))
            .ok_or_else(Problem::signed_out);
    }
    let token = cookies::read(headers, cookies::access(audience));
    let claims = token
        .and_then(|token| tokens.read_access(audience, token))
        .ok_or_else(Problem::signed_out)?;
    if !method.is_safe() {
        require_csrf(state, CsrfBinding::Session(audience, claims.sid), headers)?;
    }
    Ok(claims)
}

const CSRF_HEADER: &str = "x-csrf-token";

/// Every write that is authenticated by a cookie needs this check.
pub fn require_csrf(state: &AppState, binding: CsrfBinding, headers: &HeaderMap) -> Result<()> {
    let submitted = headers.get(CSRF_HEADER).and_then(|token| token.to_str().ok());
    if csrf::is_valid(
        &state.accounts.tokens,
        binding,
        submitted,
        cookies::read(headers, cookies::CSRF),
    ) {
        return Ok(());
    }
    Err(Problem::new(
        StatusCode::FORBIDDEN,
        "A página ficou desatualizada. Recarregue e tente de novo.",
    ))
}

/// Finds the company of the request. If the access table names a path parameter for the company, only that parameter
/// counts. Otherwise the order is: `business_id` in the query, in the body, the header, the browser's cookie.
async fn named_business(
    company: Option<&str>,
    path: &RawPathParams,
    request: Request,
) -> Result<(Option<BusinessId>, Request)> {
    if let Some(company) = company {
        // An invalid id is a 404. The other places are not read.
        let named = path.iter().find(|(name, _)| *name == company);
        let id = named.and_then(|(_, value)| value.parse().ok());
        return Ok((Some(id.ok_or_else(Problem::not_found)?), request));
    }
    let query = super::QueryReader::new(request.uri().query().unwrap_or_default())?;
    let BusinessQuery {
        business_id: in_query,
    } = query.read_all()?;
    if let Some(ChosenBusiness(id)) = in_query {
        return Ok((Some(id), request));
    }
    let (in_body, request) = business_in_body(request).await?;
    if let Some(text) = in_body {
        return Ok((Some(business_id(&text)?), request));
    }
    if let Some(value) = request.headers().get("x-business-id") {
        return Ok((Some(business_id(value.to_str().unwrap_or_default())?), request));
    }
    // The browser's cookie may come from an older version, so an invalid id is ignored.
    let in_cookie =
        cookies::read(request.headers(), cookies::CURRENT_BUSINESS).and_then(|text| text.parse().ok());
    Ok((in_cookie, request))
}

fn business_id(text: &str) -> Result<BusinessId> {
    let ChosenBusiness(id) =
        QueryValue::parse(text).ok_or_else(|| Problem::field("business_id", ChosenBusiness::INVALID))?;
    Ok(id)
}

/// Reads the body of a JSON write and puts it back for the handler.
async fn business_in_body(request: Request) -> Result<(Option<String>, Request)> {
    if request.method().is_safe() || !json::is_json(request.headers()) {
        return Ok((None, request));
    }
    let (parts, body) = request.into_parts();
    let body = read_bytes(body, BODY_BYTES_MAX).await?;
    #[derive(serde::Deserialize)]
    struct Named {
        business_id: Option<String>,
    }
    // As the handler reads it, so that both find the same company.
    let named = serde_json::from_slice::<Named>(&json_text::clean(body.clone()))
        .ok()
        .and_then(|named| named.business_id);
    Ok((named, Request::from_parts(parts, Body::from(body))))
}

macro_rules! from_guard {
    ($($extractor:ty),+) => {
        $(impl FromRequestParts<AppState> for $extractor {
            type Rejection = Problem;

            async fn from_request_parts(parts: &mut Parts, _: &AppState) -> Result<Self> {
                // Missing only if the table's access and the handler's argument don't match.
                let missing = || Problem::internal("the route's guard does not provide this handler's argument");
                parts.extensions.get::<Self>().cloned().ok_or_else(missing)
            }
        })+
    };
}

from_guard!(CurrentSeller, CurrentBusiness, CurrentAdmin, StaffCaller);

impl Documented for CurrentSeller {
    fn describe(call: &mut CallDocument) {
        let provided = matches!(call.access, AccessRule::Seller | AccessRule::Business(_));
        call.needs("CurrentSeller", provided);
    }
}

impl Documented for CurrentBusiness {
    fn describe(call: &mut CallDocument) {
        call.needs("CurrentBusiness", matches!(call.access, AccessRule::Business(_)));
        match call.company.clone() {
            Some(name) => {
                call.text_parameter(ParameterIn::Path, &name, None, <BusinessId as PathParam>::EXAMPLE);
            }
            None => call.parameters(BusinessQuery::params()),
        }
    }
}

query! {
    struct BusinessQuery {
        /// The company. May be left out if the body, a header or a cookie names it, or if the user has one company.
        business_id: Option<ChosenBusiness>,
    }
}

/// The company that the user works for.
pub(crate) struct ChosenBusiness(BusinessId);

impl QueryValue for ChosenBusiness {
    const INVALID: &'static str = "Escolha uma empresa.";

    fn schema() -> RefOr<Schema> {
        BusinessId::schema()
    }

    fn parse(text: &str) -> Option<Self> {
        text.parse().ok().map(Self)
    }
}

impl Documented for CurrentAdmin {
    fn describe(call: &mut CallDocument) {
        call.needs("CurrentAdmin", matches!(call.access, AccessRule::Staff(_)));
    }
}

impl Documented for StaffCaller {
    fn describe(call: &mut CallDocument) {
        call.needs("StaffCaller", matches!(call.access, AccessRule::Staff(_)));
    }
}
