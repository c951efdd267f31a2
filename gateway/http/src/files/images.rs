//! The image calls: an uploaded image, made as small as the screen shows it. The parameters are those of the
//! specification: `url` (an address of an upload of this program, never of another server), `w` and `q`.

use std::time::Duration;

use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use gateway_platform::companies::document_fetch;
use gateway_platform::files::{StoredFile, file_content, logo_file};
use ledger_domain::BusinessId;
use tokio::sync::{Semaphore, SemaphorePermit};
use utoipa::openapi::{RefOr, Schema};
use uuid::Uuid;

use super::download::SANDBOXED;
use super::resize::{draw, format};
use super::upload::File;
use crate::AppState;
use crate::edge::query::{integer, text};
use crate::edge::{CurrentBusiness, Query, QueryValue, query};
use crate::problem::{Problem, Result};

/// The permits to draw an image, one for logos and one for documents. A drawing takes a processor and up to 300 MB: a
/// progressive JPEG in CMYK with 25 million pixels has 200 MB of coefficients and 75 MB of RGB. Anyone may request a
/// logo, so logos cannot take the permit of documents.
static DRAWING_LOGOS: Semaphore = Semaphore::const_new(1);
static DRAWING_DOCUMENTS: Semaphore = Semaphore::const_new(1);
/// How long a request waits for its turn to draw. After that it is a 503.
const WAIT_MAX: Duration = Duration::from_secs(5);

/// A logo's address has its file's id, so its image never changes.
const FOR_EVER: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");
/// The right to see a document is checked each time.
const ASK_AGAIN: HeaderValue = HeaderValue::from_static("private, no-cache");

query! {
    pub struct ImageQuery {
        /// The address of an uploaded image, from the answer of another call.
        #[example = "/api/logos/0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b0c"]
        url: UploadUrl,
        /// The greatest width in pixels. A smaller image keeps its size.
        #[example = 320]
        w: Width,
        /// The quality of a JPEG. An image with an alpha channel is a PNG, which has none.
        #[example = 75]
        q: Quality = Quality(75),
    }
}

/// Get the image of a logo
///
/// As a JPEG or a PNG without metadata. Anyone may see the logo of a panel.
#[utoipa::path(
    get, path = "/images", tag = "files",
    responses(
        (status = 200, description = "The image", content((File = "image/jpeg"), (File = "image/png"))),
        (status = 304, description = "The image still has the ETag of If-None-Match"),
        (status = 404, description = "There is no such logo"),
    )
)]
pub(crate) async fn get_logo_image(
    State(state): State<AppState>,
    headers: HeaderMap,
    Query(query): Query<ImageQuery>,
) -> Result<Response> {
    let UploadUrl::Logo(id) = query.url else {
        return Err(Problem::not_found());
    };
    let file = logo_file(&*state.db().await?, id).await?;
    let file = file.ok_or_else(Problem::not_found)?;
    image(&state, &headers, &file, &query, (&DRAWING_LOGOS, FOR_EVER)).await
}

/// Get the image of a company's document
///
/// As a JPEG or a PNG without metadata.
#[utoipa::path(
    get, path = "/admin/images", tag = "files",
    responses(
        (status = 200, description = "The image", content((File = "image/jpeg"), (File = "image/png"))),
        (status = 304, description = "The image still has the ETag of If-None-Match"),
        (status = 404, description = "There is no such document"),
    )
)]
pub(crate) async fn get_document_image(
    State(state): State<AppState>,
    headers: HeaderMap,
    Query(query): Query<ImageQuery>,
) -> Result<Response> {
    let UploadUrl::StaffDocument(company, id) = query.url else {
        return Err(Problem::not_found());
    };
    document_image(&state, &headers, (company, id), &query).await
}

/// Get the image of an own document
///
/// As a JPEG or a PNG without metadata.
#[utoipa::path(
    get, path = "/business/{businessId}/images", tag = "files",
    responses(
        (status = 200, description = "The image", content((File = "image/jpeg"), (File = "image/png"))),
        (status = 304, description = "The image still has the ETag of If-None-Match"),
        (status = 404, description = "There is no such document, or it belongs to another company"),
    )
)]
pub(crate) async fn get_own_document_image(
    State(state): State<AppState>,
    business: CurrentBusiness,
    headers: HeaderMap,
    Query(query): Query<ImageQuery>,
) -> Result<Response> {
    match query.url {
        UploadUrl::OwnDocument(company, id) if company == business.id => {
            document_image(&state, &headers, (company, id), &query).await
        }
        _ => Err(Problem::not_found()),
    }
}

async fn document_image(
    state: &AppState,
    headers: &HeaderMap,
    (company, id): (BusinessId, Uuid),
    query: &ImageQuery,
) -> Result<Response> {
    let document = document_fetch(&*state.db().await?, company, id).await?;
    let document = document.ok_or_else(Problem::not_found)?;
    let drawing = (&DRAWING_DOCUMENTS, ASK_AGAIN);
    image(state, headers, &document.file, query, drawing).await
}

async fn image(
    state: &AppState,
    headers: &HeaderMap,
    file: &StoredFile,
    query: &ImageQuery,
    (drawing, cache): (&'static Semaphore, HeaderValue),
) -> Result<Response> {
    let no_image = || Problem::field("url", "Este arquivo não é uma imagem que possamos mostrar.");
    let format = format(file.media_type).ok_or_else(no_image)?;
    let ImageQuery {
        w: Width(width),
        q: Quality(quality),
        ..
    } = *query;
    let tag = format!("\"{}-{width}-{quality}\"", hex::encode(&file.sha256[..8]));
    let tag = HeaderValue::from_str(&tag).map_err(Problem::internal)?;
    let common = [
        (header::CACHE_CONTROL, cache),
        (header::ETAG, tag.clone()),
        (header::CONTENT_SECURITY_POLICY, SANDBOXED),
    ];
    if headers.get(header::IF_NONE_MATCH) == Some(&tag) {
        return Ok((StatusCode::NOT_MODIFIED, common).into_response());
    }
    let permit = tokio::time::timeout(WAIT_MAX, drawing.acquire())
        .await
        .ok()
        .and_then(Result::ok)
        .ok_or_else(Problem::unavailable)?;
    let content = file_content(&*state.db().await?, file).await?;
    let drawn = run_with_permit(permit, move || draw(&content, format, width, quality))
        .await?
        .map_err(|_| no_image())?;
    let media_type = HeaderValue::from_static(drawn.media_type.as_str());
    Ok((common, [(header::CONTENT_TYPE, media_type)], drawn.content).into_response())
}

/// A blocking task runs on after its request is dropped. The task therefore holds the permit, not the request.
async fn run_with_permit<T: Send + 'static>(
    permit: SemaphorePermit<'static>,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T> {
    let running = tokio::task::spawn_blocking(move || {
        let _permit = permit;
        work()
    });
    running.await.map_err(Problem::internal)
}

/// The address of an uploaded file. That of a document is the path of the call that downloads it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UploadUrl {
    Logo(Uuid),
    StaffDocument(BusinessId, Uuid),
    OwnDocument(BusinessId, Uuid),
}

impl std::fmt::Display for UploadUrl {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Logo(id) => write!(f, "/api/logos/{id}"),
            Self::StaffDocument(company, id) => write!(f, "/api/admin/businesses/{company}/documents/{id}"),
            Self::OwnDocument(company, id) => write!(f, "/api/business/{company}/documents/{id}"),
        }
    }
}

impl QueryValue for UploadUrl {
    const INVALID: &'static str = "Informe o endereço de um arquivo enviado aqui.";
    const MISSING: &'static str = "Informe o endereço de um arquivo enviado aqui.";

    fn schema() -> RefOr<Schema> {
        text().into()
    }

    fn parse(text: &str) -> Option<Self> {
        let segments: Vec<&str> = text.strip_prefix("/api/")?.split('/').collect();
        let id = |text: &str| Uuid::try_parse(text).ok();
        match segments.as_slice() {
            ["logos", file] => Some(Self::Logo(id(file)?)),
            ["admin", "businesses", company, "documents", file] => {
                Some(Self::StaffDocument(company.parse().ok()?, id(file)?))
            }
            ["business", company, "documents", file] => {
                Some(Self::OwnDocument(company.parse().ok()?, id(file)?))
            }
            _ => None,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Width(u32);

impl QueryValue for Width {
    const INVALID: &'static str = "Deve ser um número de 16 a 2048.";
    const MISSING: &'static str = "Informe a largura em pixels.";

    fn schema() -> RefOr<Schema> {
        integer(16, 2048)
    }

    fn parse(text: &str) -> Option<Self> {
        let width = text.parse().ok()?;
        (16..=2048).contains(&width).then_some(Self(width))
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Quality(u8);

impl QueryValue for Quality {
    const INVALID: &'static str = "Deve ser um número de 1 a 100.";

    fn schema() -> RefOr<Schema> {
        integer(1, 100)
    }

    fn parse(text: &str) -> Option<Self> {
        let quality = text.parse().ok()?;
        (1..=100).contains(&quality).then_some(Self(quality))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    #[tokio::test]
    async fn a_dropped_request_holds_its_permit_until_the_image_is_drawn() {
        static PERMITS: Semaphore = Semaphore::const_new(1);
        let permit = PERMITS.acquire().await.expect("a permit");
        let (end, ended) = mpsc::channel::<()>();
        let mut request = Box::pin(run_with_permit(permit, move || ended.recv()));
        assert!(futures::poll!(&mut request).is_pending());
        drop(request);
        assert_eq!(PERMITS.available_permits(), 0, "the image is still drawn");
        end.send(()).expect("the drawing waits");
        let next = PERMITS.acquire().await;
        assert!(next.is_ok());
    }

    #[test]
    fn only_addresses_of_uploads_are_read() {
        let id = "0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b0c";
        let company = "biz_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b02";
        for url in [
            format!("/api/logos/{id}"),
            format!("/api/admin/businesses/{company}/documents/{id}"),
            format!("/api/business/{company}/documents/{id}"),
        ] {
            let read = UploadUrl::parse(&url).expect(&url);
            assert_eq!(read.to_string(), url);
        }
        for url in [
            "https://example.com/a.png",
            "//example.com/a.png",
            "file:///etc/passwd",
            "/api/logos/1",
            "/api/logos/../admin",
        ] {
            assert_eq!(UploadUrl::parse(url), None, "{url}");
        }
    }
}
