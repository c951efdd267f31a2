//! The files of the built panels: those inside of the program, or those of a folder.

use std::io;
use std::path::Path;

use axum::body::Body;
use axum::extract::Request;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use gateway_environment::build::{self, PanelFile};
use gateway_environment::config::Config;
use tower::ServiceExt;
use tower_http::services::ServeDir;

/// Where a program without panels looks for them.
const FOLDER: &str = "ui/dist";
const PAGE: &str = "index.html";

#[derive(Debug, Clone, Copy)]
pub enum Panels<'a> {
    Inside(build::Panels),
    Folder(&'a Path),
}

impl<'a> Panels<'a> {
    /// A folder that is configured replaces the panels inside of the program.
    pub fn of(config: &'a Config) -> Self {
        match (&config.server.ui, config.build.panels) {
            (Some(folder), _) => Self::Folder(folder),
            (None, Some(inside)) => Self::Inside(inside),
            (None, None) => Self::Folder(Path::new(FOLDER)),
        }
    }

    /// Why no page can be sent.
    pub async fn fault(self) -> Option<String> {
        let error = self.page(PAGE).await.err()?;
        Some(match self {
            Self::Inside(_) => format!("the panels inside of the program are incomplete: {PAGE}: {error}"),
            Self::Folder(folder) => format!("there are no panels: {}: {error}", folder.join(PAGE).display()),
        })
    }

    /// A page, which is filled before it is sent.
    pub(super) async fn page(self, file: &str) -> io::Result<String> {
        match self {
            Self::Inside(files) => {
                let file = files(file).ok_or(io::ErrorKind::NotFound)?;
                String::from_utf8(file.content.into_owned()).map_err(io::Error::other)
            }
            Self::Folder(folder) => tokio::fs::read_to_string(folder.join(file)).await,
        }
    }

    /// A file that is sent as it is. The build of the panels has compressed scripts and styles.
    pub(super) async fn file(self, request: Request) -> Response {
        match self {
            Self::Inside(files) => {
                file_inside(files, request.method(), request.uri().path(), request.headers())
            }
            Self::Folder(folder) => {
                let folder = ServeDir::new(folder)
                    .append_index_html_on_directories(false)
                    .precompressed_gzip();
                match folder.oneshot(request).await {
                    Ok(file) => file.into_response(),
                    Err(never) => match never {},
                }
            }
        }
    }
}

/// Only the exact path of a file finds it, so that no path leads elsewhere, and no folder has an answer.
fn file_inside(
    files: impl Fn(&str) -> Option<PanelFile>,
    method: &Method,
    path: &str,
    headers: &HeaderMap,
) -> Response {
    let path = percent_encoding::percent_decode_str(path).decode_utf8_lossy();
    let name = path.strip_prefix('/').unwrap_or(&path);
    let Some(plain) = files(name) else {
        return StatusCode::NOT_FOUND.into_response();
    };
    let compressed = files(&format!("{name}.gz"));
    let varies = compressed.is_some();
    let compressed = compressed.filter(|_| accepts_gzip(headers));
    let encoding = compressed.as_ref().map(|_| HeaderValue::from_static("gzip"));
    let file = compressed.unwrap_or(plain);
    // Half of the digest tells files apart. What the build did not compress may be compressed on its way, so that its
    // bytes differ.
    let strength = if varies { "" } else { "W/" };
    let tag = format!("{strength}\"{}\"", hex::encode(&file.sha256[..16]));
    let is_known = matches_tag(headers, &tag);
    let length = file.content.len();
    let mut response = match (is_known, method) {
        (true, _) => StatusCode::NOT_MODIFIED.into_response(),
        (false, &Method::HEAD) => Response::new(Body::empty()),
        (false, _) => Response::new(Body::from(file.content)),
    };
    let sent = response.headers_mut();
    if let Ok(tag) = HeaderValue::from_str(&tag) {
        sent.insert(header::ETAG, tag);
    }
    if varies {
        sent.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    }
    if !is_known {
        sent.insert(header::CONTENT_TYPE, HeaderValue::from_static(content_type(name)));
        sent.insert(header::CONTENT_LENGTH, HeaderValue::from(length));
        if let Some(encoding) = encoding {
            sent.insert(header::CONTENT_ENCODING, encoding);
        }
    }
    response
}

fn accepts_gzip(headers: &HeaderMap) -> bool {
    elements(headers, header::ACCEPT_ENCODING).any(|element| {
        let (coding, weight) = element.split_once(';').unwrap_or((element, ""));
        let weight = weight.trim().strip_prefix("q=");
        // No weight is greater than 1, and 0 has up to three decimals.
        let is_refused = weight.is_some_and(|weight| weight.trim_matches(['0', '.']).is_empty());
        coding.trim().eq_ignore_ascii_case("gzip") && !is_refused
    })
}

/// The weak comparison, as RFC 9110 asks for here.
fn matches_tag(headers: &HeaderMap, tag: &str) -> bool {
    let opaque = |tag: &str| tag.strip_prefix("W/").unwrap_or(tag).to_owned();
    let tag = opaque(tag);
    elements(headers, header::IF_NONE_MATCH).any(|element| element == "*" || opaque(element) == tag)
}

fn elements(headers: &HeaderMap, name: header::HeaderName) -> impl Iterator<Item = &str> {
    let lists = headers.get_all(name).iter();
    let lists = lists.filter_map(|value| value.to_str().ok());
    lists.flat_map(|list| list.split(',')).map(str::trim)
}

/// By the end of the name. The build writes no others.
fn content_type(name: &str) -> &'static str {
    match name.rsplit('.').next().unwrap_or_default() {
        "js" => "text/javascript",
        "css" => "text/css",
        "svg" => "image/svg+xml",
        "html" => "text/html; charset=utf-8",
        "woff2" => "font/woff2",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "json" => "application/json",
        "txt" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use sha2::{Digest, Sha256};

    use super::*;

    fn files(name: &str) -> Option<PanelFile> {
        let content: &'static [u8] = match name {
            "assets/index-Ab12.js" => b"plain",
            "assets/index-Ab12.js.gz" => b"gz",
            "favicon.svg" => b"<svg/>",
            _ => return None,
        };
        Some(PanelFile {
            content: content.into(),
            sha256: Sha256::digest(content).into(),
        })
    }

    async fn sent(method: Method, path: &str, headers: &[(&str, &str)]) -> (u16, HeaderMap, Vec<u8>) {
        let mut given = HeaderMap::new();
        for (name, value) in headers {
            let name: header::HeaderName = name.parse().expect("a name");
            given.append(name, value.parse().expect("a value"));
        }
        let response = file_inside(files, &method, path, &given);
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        let body = axum::body::to_bytes(response.into_body(), 1_000).await;
        (status, headers, body.expect("a body").to_vec())
    }

    const SCRIPT: &str = "/assets/index-Ab12.js";

    #[tokio::test]
    async fn a_client_gets_the_compressed_file_if_it_accepts_it() {
        for (accepted, content, encoding) in [
            (vec![], "plain", None),
            (vec![("accept-encoding", "identity")], "plain", None),
            (vec![("accept-encoding", "br, gzip;q=0.000")], "plain", None),
            (vec![("accept-encoding", "gzip;q=0")], "plain", None),
            (vec![("accept-encoding", "br, GZip;q=0.5")], "gz", Some("gzip")),
            (vec![("accept-encoding", "gzip, deflate, br")], "gz", Some("gzip")),
        ] {
            let (status, headers, body) = sent(Method::GET, SCRIPT, &accepted).await;
            assert_eq!(
                (status, body.as_slice()),
                (200, content.as_bytes()),
                "{accepted:?}"
            );
            let sent = headers.get("content-encoding").map(|value| value.to_str().ok());
            assert_eq!(sent.flatten(), encoding);
            assert_eq!(headers["content-type"], "text/javascript");
            assert_eq!(headers["vary"], "accept-encoding");
            assert_eq!(headers["content-length"], content.len().to_string().as_str());
        }
        let (_, headers, body) = sent(Method::GET, "/favicon.svg", &[("accept-encoding", "gzip")]).await;
        assert_eq!(body, b"<svg/>");
        assert_eq!(headers["content-type"], "image/svg+xml");
        assert!(!headers.contains_key("vary") && !headers.contains_key("content-encoding"));
    }

    #[tokio::test]
    async fn a_file_that_the_client_has_is_not_sent_again() {
        let (_, headers, _) = sent(Method::GET, SCRIPT, &[]).await;
        let plain = headers["etag"].to_str().expect("a tag").to_owned();
        let gzip = ("accept-encoding", "gzip");
        let (_, headers, _) = sent(Method::GET, SCRIPT, &[gzip]).await;
        let compressed = headers["etag"].to_str().expect("a tag").to_owned();
        assert_ne!(plain, compressed, "one tag for each form");
        let weak = format!("\"other\", W/{compressed}");
        for known in [compressed.as_str(), &weak, "*"] {
            let (status, headers, body) = sent(Method::GET, SCRIPT, &[gzip, ("if-none-match", known)]).await;
            assert_eq!((status, body.len()), (304, 0), "{known}");
            assert_eq!(headers["etag"], compressed.as_str());
            assert!(!headers.contains_key("content-encoding"));
        }
        let (status, ..) = sent(Method::GET, SCRIPT, &[gzip, ("if-none-match", &plain)]).await;
        assert_eq!(status, 200);
        let (_, headers, _) = sent(Method::GET, "/favicon.svg", &[]).await;
        let weak = headers["etag"].to_str().expect("a tag").to_owned();
        assert!(weak.starts_with("W/"), "{weak}");
        let (status, ..) = sent(Method::GET, "/favicon.svg", &[("if-none-match", &weak)]).await;
        assert_eq!(status, 304);
    }

    #[tokio::test]
    async fn a_head_has_the_headers_alone() {
        let (status, headers, body) = sent(Method::HEAD, SCRIPT, &[]).await;
        assert_eq!((status, body.len()), (200, 0));
        assert_eq!(headers["content-length"], "5");
        assert!(headers.contains_key("etag"));
    }

    #[tokio::test]
    async fn no_path_leads_elsewhere() {
        for path in [
            "/",
            "/assets",
            "/assets/",
            "//assets/index-Ab12.js",
            "/./assets/index-Ab12.js",
            "/assets/../favicon.svg",
            "/..%2f..%2fCargo.toml",
            "/%2e%2e/Cargo.toml",
            "/assets/index-Ab12.js%00",
            "/assets/%ff.js",
        ] {
            assert_eq!(sent(Method::GET, path, &[]).await.0, 404, "{path}");
        }
        let (status, ..) = sent(Method::GET, "/assets/index%2DAb12.js", &[]).await;
        assert_eq!(status, 200, "an escaped letter is the same path");
    }
}
