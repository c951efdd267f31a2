//! Serves the built panels and the checkout. Files are sent unchanged. Every page address gets index.html with the
//! panel, the tenant's branding and a nonce written into it. The checkout has a separate page.

mod checkout;
mod panels;

use std::time::Duration;

use axum::extract::{Extension, Request, State};
use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::response::{Html, IntoResponse, Redirect, Response};
use gateway_environment::config::Panel;
use gateway_platform::files::logo_of;
use gateway_platform::settings::{Tenant, tenant_of};
use uuid::Uuid;

use self::checkout::CheckoutPage;
pub use self::panels::Panels;
use crate::edge::fetch_site::is_from_elsewhere;
use crate::edge::headers::{new_nonce, page_policy};
use crate::edge::panel::{RequestedUrl, TenantLabel};
use crate::files::images::UploadUrl;
use crate::{AppState, Problem};

/// The page must not wait long for the tenant's branding. After this time it uses the default.
const BRANDING_WAIT_MAX: Duration = Duration::from_secs(2);

/// For the files under `/assets/`. Their names contain the hash of their content, so they never change.
const IMMUTABLE: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");
/// For files that a new build may change.
const REVALIDATE: HeaderValue = HeaderValue::from_static("no-cache");

pub async fn serve(
    State(state): State<AppState>,
    panel: Option<Extension<Panel>>,
    label: Option<Extension<TenantLabel>>,
    url: Option<Extension<RequestedUrl>>,
    request: Request,
) -> Response {
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        return Problem::new(
            StatusCode::METHOD_NOT_ALLOWED,
            "Este endereço não aceita este método.",
        )
        .into_response();
    }
    let panel = panel.map_or(Panel::Seller, |Extension(panel)| panel);
    let path = request.uri().path().to_owned();
    let url = url.map_or_else(String::new, |Extension(RequestedUrl(url))| url);
    // Otherwise a link on another site could sign the user out.
    if is_sign_out(&path) && is_from_elsewhere(request.headers(), &url) {
        return Redirect::to("/").into_response();
    }
    let label = label.map_or_else(String::new, |Extension(TenantLabel(label))| label);
    if let Some(buyer_page) = CheckoutPage::of_path(&path) {
        // The calls of the checkout are served on the sellers' hosts only.
        if panel == Panel::Admin {
            return (StatusCode::NOT_FOUND, Html(NOT_FOUND)).into_response();
        }
        return checkout::serve(&state, &buyer_page, &label).await;
    }
    // The panels have no page whose last path segment contains a dot.
    let names_a_file = path.rsplit('/').next().is_some_and(|name| name.contains('.'));
    if !names_a_file || path == "/index.html" {
        return page(&state, panel, &label, &url).await;
    }
    let mut response = Panels::of(&state.config).file(request).await;
    if response.status() == StatusCode::NOT_FOUND {
        return Problem::not_found().into_response();
    }
    let cache = if path.starts_with("/assets/") {
        IMMUTABLE
    } else {
        REVALIDATE
    };
    response.headers_mut().insert(header::CACHE_CONTROL, cache);
    response
}

/// Whether the path is the page that signs out when it opens, in any spelling that the panel's router accepts.
fn is_sign_out(path: &str) -> bool {
    let path = percent_encoding::percent_decode_str(path).decode_utf8_lossy();
    let mut segments = path.split('/').filter(|segment| !segment.is_empty());
    let first = segments.next().unwrap_or_default();
    first.eq_ignore_ascii_case("logout") && segments.next().is_none()
}

async fn page(state: &AppState, panel: Panel, label: &str, url: &str) -> Response {
    let nonce = new_nonce();
    let headers = [
        (header::CONTENT_SECURITY_POLICY, page_policy(&nonce)),
        (header::CACHE_CONTROL, REVALIDATE),
    ];
    match read_page(state, "index.html").await {
        Ok(built) => {
            let (tenant, logo) = branding(state, label).await;
            let logo = logo.map(logo_address).unwrap_or_default();
            let boletos = state.config.hosts.boleto_url(panel, url);
            let page = fill_page(&built, panel, (&tenant, &logo), &nonce);
            (headers, Html(with_meta(&page, "razao-boletos", &boletos))).into_response()
        }
        Err(not_built) => (headers, not_built).into_response(),
    }
}

/// A built page, or the answer if the page is unreadable, which is usual before the first build.
async fn read_page(state: &AppState, file: &str) -> Result<String, (StatusCode, Html<&'static str>)> {
    let panels = Panels::of(&state.config);
    panels.page(file).await.map_err(|error| {
        tracing::warn!(%error, file, ?panels, "a page is unreadable");
        (StatusCode::SERVICE_UNAVAILABLE, Html(NOT_BUILT))
    })
}

/// If the database does not answer, the page is sent with the default branding and reports the outage itself.
async fn branding(state: &AppState, label: &str) -> (Tenant, Option<Uuid>) {
    let reading = async {
        let client = state.pool.get().await.map_err(|error| error.to_string())?;
        let read = async {
            Ok((
                tenant_of(&**client, label).await?,
                logo_of(&**client, label).await?,
            ))
        };
        read.await
            .map_err(|error: tokio_postgres::Error| error.to_string())
    };
    let read = tokio::time::timeout(BRANDING_WAIT_MAX, reading).await;
    let read = read.unwrap_or_else(|late| Err(late.to_string()));
    read.unwrap_or_else(|error| {
        tracing::warn!(error, label, "a page is sent with the default branding");
        (Tenant::default_branding(), None)
    })
}

/// The address of the logo's image, at most 192 pixels wide. It has the id of the file, so it changes with the logo.
fn logo_address(logo: Uuid) -> String {
    format!("/api/images?url={}&w=192", UploadUrl::Logo(logo))
}

/// The built page with the panel, the branding and the nonce in its `<meta>` elements.
fn fill_page(built: &str, panel: Panel, (tenant, logo): (&Tenant, &str), nonce: &str) -> String {
    [
        ("razao-panel", panel.as_str()),
        ("razao-product", &tenant.product_name),
        ("razao-logo", logo),
        ("razao-highlight", &tenant.highlight_color),
        ("razao-time-zone", tenant.time_zone.as_str()),
        ("theme-color", &tenant.theme_color),
        ("csp-nonce", nonce),
    ]
    .into_iter()
    .fold(built.to_owned(), |page, (name, value)| {
        with_meta(&page, name, value)
    })
}

/// Replaces the content of `<meta name="…" content="…">`. The attributes must be in this order, as in the built
/// pages. A page without this element stays as it is.
fn with_meta(page: &str, name: &str, value: &str) -> String {
    let opening = format!("name=\"{name}\" content=\"");
    let Some(start) = page.find(&opening).map(|at| at + opening.len()) else {
        return page.to_owned();
    };
    let Some(length) = page[start..].find('"') else {
        return page.to_owned();
    };
    format!(
        "{}{}{}",
        &page[..start],
        within_quotes(value),
        &page[start + length..]
    )
}

/// Escapes texts of tenants and sellers, which must not become markup.
fn within_quotes(value: &str) -> String {
    value
        .replace('&', "&amp;")
        .replace('"', "&quot;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

const NOT_FOUND: &str = "<!doctype html><html lang=\"pt-BR\"><meta charset=\"utf-8\"><title>Página não encontrada</title>\
    <h1>Página não encontrada</h1><p>As páginas de pagamento ficam no endereço de quem vende.</p></html>";

const NOT_BUILT: &str = "<!doctype html><html lang=\"pt-BR\"><meta charset=\"utf-8\"><title>Razão</title>\
    <h1>O painel ainda não foi construído</h1>\
    <p>Execute <code>npm start</code> na pasta do projeto: ele constrói o painel e inicia tudo. \
    A API já responde em <a href=\"/api/docs\">/api/docs</a>.</p></html>";

#[cfg(test)]
mod tests {
    use super::*;

    const SHIPPED: &str = include_str!("../../../../ui/index.html");

    #[test]
    fn the_page_carries_its_panel_branding_and_nonce() {
        let tenant = Tenant {
            product_name: "Lojas Pay".to_owned(),
            theme_color: "#102030".to_owned(),
            highlight_color: "#A0B0C0".to_owned(),
            time_zone: gateway_environment::time_zone::TimeZone::BRASILIA,
            ..Tenant::default_branding()
        };
        let page = fill_page(
            SHIPPED,
            Panel::Admin,
            (&tenant, "/api/images?url=/api/logos/1&w=192"),
            "n0nce",
        );
        for meta in [
            r#"<meta name="razao-panel" content="admin" />"#,
            r#"<meta name="razao-product" content="Lojas Pay" />"#,
            r#"<meta name="razao-logo" content="/api/images?url=/api/logos/1&amp;w=192" />"#,
            r##"<meta name="razao-highlight" content="#A0B0C0" />"##,
            r##"<meta name="theme-color" content="#102030" />"##,
            r#"<meta name="razao-time-zone" content="America/Sao_Paulo" />"#,
            r#"<meta name="csp-nonce" content="n0nce" />"#,
        ] {
            assert!(page.contains(meta), "{meta} in {page}");
        }
    }

    #[test]
    fn the_default_branding_leaves_the_page_unchanged() {
        let page = fill_page(SHIPPED, Panel::Seller, (&Tenant::default_branding(), ""), "");
        assert_eq!(page, SHIPPED);
    }

    #[test]
    fn a_product_name_is_escaped() {
        let product_name = r#"A & B" /><script>alert(1)</script>"#.to_owned();
        let tenant = Tenant {
            product_name,
            ..Tenant::default_branding()
        };
        let page = fill_page(SHIPPED, Panel::Seller, (&tenant, ""), "");
        assert!(page.contains(r#"content="A &amp; B&quot; /&gt;&lt;script&gt;alert(1)&lt;/script&gt;" />"#));
        assert!(!page.contains("<script>alert"));
    }
}
