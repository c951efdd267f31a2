//! The built panels: files as they are, and index.html for every address of a page, with the panel, the product and a
//! nonce written into it.

use axum::extract::{Extension, Request, State};
use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::response::{Html, IntoResponse, Response};
use tower::ServiceExt;
use tower_http::services::ServeDir;

use crate::config::Panel;
use crate::http::headers::{new_nonce, page_policy};
use crate::{AppState, Problem};

const PRODUCT: &str = "Razão";

/// A file with its content's hash in its name never changes.
const FOR_EVER: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");
const ASK_AGAIN: HeaderValue = HeaderValue::from_static("no-cache");

pub async fn serve(
    State(state): State<AppState>,
    panel: Option<Extension<Panel>>,
    request: Request,
) -> Response {
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        return Problem::new(
            StatusCode::METHOD_NOT_ALLOWED,
            "Este endereço não aceita esse método.",
        )
        .into_response();
    }
    let panel = panel.map_or(Panel::Seller, |Extension(panel)| panel);
    let path = request.uri().path().to_owned();
    let names_a_file = path.rsplit('/').next().is_some_and(|name| name.contains('.'));
    if !names_a_file || path == "/index.html" {
        return page(&state, panel).await;
    }
    match ServeDir::new(&state.config.server.ui)
        .append_index_html_on_directories(false)
        .oneshot(request)
        .await
    {
        Ok(file) if file.status() != StatusCode::NOT_FOUND => {
            let cache = if path.starts_with("/assets/") {
                FOR_EVER
            } else {
                ASK_AGAIN
            };
            let mut response = file.into_response();
            response.headers_mut().insert(header::CACHE_CONTROL, cache);
            response
        }
        Ok(_) => Problem::not_found().into_response(),
        Err(never) => match never {},
    }
}

async fn page(state: &AppState, panel: Panel) -> Response {
    let nonce = new_nonce();
    let headers = [
        (header::CONTENT_SECURITY_POLICY, page_policy(&nonce)),
        (header::CACHE_CONTROL, ASK_AGAIN),
    ];
    match tokio::fs::read_to_string(state.config.server.ui.join("index.html")).await {
        Ok(built) => (headers, Html(written(&built, panel, &nonce))).into_response(),
        Err(error) => {
            tracing::warn!(%error, folder = %state.config.server.ui.display(), "the panels are not built");
            (StatusCode::SERVICE_UNAVAILABLE, headers, Html(NOT_BUILT)).into_response()
        }
    }
}

fn written(built: &str, panel: Panel, nonce: &str) -> String {
    let page = with_meta(built, "razao-panel", panel.as_str());
    let page = with_meta(&page, "razao-product", PRODUCT);
    with_meta(&page, "csp-nonce", nonce)
}

/// Replaces the content of `<meta name="…" content="…">`, which the build ships with a default.
fn with_meta(page: &str, name: &str, value: &str) -> String {
    let opening = format!("name=\"{name}\" content=\"");
    let Some(start) = page.find(&opening).map(|at| at + opening.len()) else {
        return page.to_owned();
    };
    let Some(length) = page[start..].find('"') else {
        return page.to_owned();
    };
    format!("{}{value}{}", &page[..start], &page[start + length..])
}

const NOT_BUILT: &str = "<!doctype html><html lang=\"pt-BR\"><meta charset=\"utf-8\"><title>Razão</title>\
    <h1>O painel ainda não foi construído</h1>\
    <p>Execute <code>npm start</code> na pasta do projeto: ele constrói o painel e inicia tudo. \
    A API já responde em <a href=\"/api/docs\">/api/docs</a>.</p></html>";

#[cfg(test)]
mod tests {
    use super::*;

    const BUILT: &str = r#"<meta name="razao-panel" content="seller" /><meta name="razao-product" content="Razão" /><meta name="csp-nonce" content="" />"#;

    #[test]
    fn the_page_says_which_panel_it_is_and_carries_its_nonce() {
        let page = written(BUILT, Panel::Admin, "n0nce");
        assert!(page.contains(r#"<meta name="razao-panel" content="admin" />"#));
        assert!(page.contains(r#"<meta name="csp-nonce" content="n0nce" />"#));
        assert!(page.contains(r#"<meta name="razao-product" content="Razão" />"#));
    }

    #[test]
    fn the_shipped_page_has_the_places_to_write_into() {
        let shipped = include_str!("../../ui/index.html");
        for name in ["razao-panel", "razao-product", "csp-nonce"] {
            assert_ne!(with_meta(shipped, name, "written"), shipped, "{name}");
        }
    }
}
