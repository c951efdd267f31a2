//! Which panel a request is for, by its host name, and where that panel is. An unlisted host is answered with 421, so
//! that a name that somebody points at us can't be used against our cookies and links.

use axum::extract::{FromRequestParts, Request, State};
use axum::http::request::Parts;
use axum::http::{StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::config::{panel_url, tenant_label};
use crate::{AppState, Problem};

/// `https://painel.example.com`: scheme and host of the panel that the request came to, for links in letters.
#[derive(Debug, Clone)]
pub struct PanelUrl(pub String);

/// Whose look the panel has, by its host's first label; empty where that names nobody.
#[derive(Debug, Clone)]
pub struct TenantLabel(pub String);

pub async fn layer(State(state): State<AppState>, mut request: Request, next: Next) -> Response {
    // HTTP/2 has no Host header; its authority is in the URI.
    let header = request
        .headers()
        .get(header::HOST)
        .and_then(|host| host.to_str().ok());
    let host = header.or_else(|| request.uri().host()).unwrap_or_default();
    let (Some(panel), Some(url)) = (state.config.hosts.panel(host), panel_url(host)) else {
        let message = "Este endereço não é atendido aqui.";
        return Problem::new(StatusCode::MISDIRECTED_REQUEST, message).into_response();
    };
    let label = TenantLabel(tenant_label(host));
    let extensions = request.extensions_mut();
    extensions.insert(panel);
    extensions.insert(PanelUrl(url));
    extensions.insert(label);
    next.run(request).await
}

impl<S: Send + Sync> FromRequestParts<S> for PanelUrl {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        let missing = || Problem::internal("a call of the panels came by no panel");
        parts.extensions.get::<Self>().cloned().ok_or_else(missing)
    }
}
