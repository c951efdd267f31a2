//! Selects the panel of a request by its host name. The calls and pages of each panel answer only on the panel's hosts.
//! An unlisted host is a 421. Therefore a foreign domain that points at the platform cannot receive the platform's
//! cookies or appear in its links.

use std::convert::Infallible;
use std::sync::Arc;
use std::task::{Context, Poll};

use axum::Router;
use axum::extract::{FromRequestParts, Request};
use axum::http::request::Parts;
use axum::http::{StatusCode, Version, header};
use axum::routing::future::RouteFuture;
use gateway_environment::config::{Config, Panel, PanelAddress, is_host, requested_url, tenant_label};
use gateway_platform::settings::tenant_exists;
use tower::Service;

use crate::{AppState, Problem};

/// `https://painel.example.com`: the address of the request's panel for links in e-mails. It is one of the
/// configuration's, with the host of the request's tenant. It never has the port of the request, nor a host that no
/// tenant has.
#[derive(Debug, Clone)]
pub struct PanelUrl(pub String);

/// The URL by which the request reached the panel. The caller chooses it: compare it, but do not link to it.
#[derive(Debug, Clone)]
pub struct RequestedUrl(pub String);

/// The `Host` header of a request to a panel.
#[derive(Debug, Clone)]
struct RequestedHost(String);

/// The first label of the host, which selects the tenant's branding. Empty if the host names no tenant.
#[derive(Debug, Clone)]
pub struct TenantLabel(pub String);

/// Passes each request to the router of its host's panel.
#[derive(Clone)]
pub struct HostRouter {
    pub config: Arc<Config>,
    pub seller: Router,
    pub admin: Router,
    /// For unlisted hosts.
    pub misdirected: Router,
    /// For requests without a valid host.
    pub malformed: Router,
}

impl Service<Request> for HostRouter {
    type Response = axum::response::Response;
    type Error = Infallible;
    type Future = RouteFuture<Infallible>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, mut request: Request) -> Self::Future {
        let Ok(host) = named_host(&request).map(|host| host.unwrap_or_default().to_owned()) else {
            return self.malformed.call(request);
        };
        if !host.is_empty() && !is_host(&host) {
            return self.malformed.call(request);
        }
        let (Some(panel), Some(url)) = (self.config.hosts.panel(&host), requested_url(&host)) else {
            return self.misdirected.call(request);
        };
        let extensions = request.extensions_mut();
        extensions.insert(panel);
        extensions.insert(RequestedUrl(url));
        extensions.insert(TenantLabel(tenant_label(&host)));
        extensions.insert(RequestedHost(host));
        match panel {
            Panel::Seller => self.seller.call(request),
            Panel::Admin => self.admin.call(request),
        }
    }
}

/// The host of a request (RFC 9112, 3.2). Two Host headers are refused, because a proxy could read the other one. An
/// absolute target that contradicts the header is refused too. Only HTTP/1.0 requests may have no host.
pub fn named_host(request: &Request) -> Result<Option<&str>, Problem> {
    let mut lines = request.headers().get_all(header::HOST).into_iter();
    let header = lines.next().map(|line| line.to_str());
    let header = header.transpose().map_err(|_| invalid_host())?;
    if lines.next().is_some() {
        return Err(invalid_host());
    }
    let target = request.uri().authority().map(|authority| authority.as_str());
    match (header, target) {
        (Some(header), Some(target)) if !header.eq_ignore_ascii_case(target) => Err(invalid_host()),
        (Some(header), _) => Ok(Some(header)),
        (None, target) if request.version() < Version::HTTP_11 => Ok(target),
        (None, _) => Err(invalid_host()),
    }
}

pub async fn misdirected() -> Problem {
    Problem::new(
        StatusCode::MISDIRECTED_REQUEST,
        "Este domínio não está configurado nesta plataforma.",
    )
}

pub async fn malformed() -> Problem {
    invalid_host()
}

fn invalid_host() -> Problem {
    Problem::new(StatusCode::BAD_REQUEST, "O cabeçalho Host não é válido.")
}

fn not_through_a_panel() -> Problem {
    Problem::internal("the request did not come through a panel's host")
}

impl FromRequestParts<AppState> for PanelUrl {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, Problem> {
        let extensions = &parts.extensions;
        let panel = extensions.get::<Panel>().copied();
        let (panel, RequestedHost(host)) = panel
            .zip(extensions.get::<RequestedHost>())
            .ok_or_else(not_through_a_panel)?;
        Ok(Self(match state.config.hosts.address(panel, host) {
            PanelAddress::Listed(url) => url,
            PanelAddress::OfTenant {
                label,
                url,
                otherwise,
            } => {
                let client = state.pool.get().await?;
                if tenant_exists(&**client, &label).await? {
                    url
                } else {
                    otherwise
                }
            }
        }))
    }
}

impl<S: Send + Sync> FromRequestParts<S> for RequestedUrl {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        parts
            .extensions
            .get::<Self>()
            .cloned()
            .ok_or_else(not_through_a_panel)
    }
}

impl<S: Send + Sync> FromRequestParts<S> for TenantLabel {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        parts
            .extensions
            .get::<Self>()
            .cloned()
            .ok_or_else(not_through_a_panel)
    }
}
