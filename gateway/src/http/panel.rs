//! Which panel a request is for, by its host name. An unlisted host is answered with 421, so that a name that somebody
//! points at us can't be used against our cookies and links.

use axum::extract::{Request, State};
use axum::http::{StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::{AppState, Problem};

pub async fn layer(State(state): State<AppState>, mut request: Request, next: Next) -> Response {
    // HTTP/2 has no Host header; its authority is in the URI.
    let header = request
        .headers()
        .get(header::HOST)
        .and_then(|host| host.to_str().ok());
    let host = header.or_else(|| request.uri().host()).unwrap_or_default();
    match state.config.hosts.panel(host) {
        Some(panel) => {
            request.extensions_mut().insert(panel);
        }
        None => {
            let message = "Este endereço não é atendido aqui.";
            return Problem::new(StatusCode::MISDIRECTED_REQUEST, message).into_response();
        }
    }
    next.run(request).await
}
