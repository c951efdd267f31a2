//! Receives a file as the body of a request. Limits its bytes, the pixels of an image, and how many files arrive at
//! once from one user and from all. The file's type follows from its content.

use std::time::Duration;

use axum::body::Bytes;
use axum::extract::{FromRequest, Request};
use axum::http::{StatusCode, header};
use gateway_platform::files::{FILE_BYTES_MAX, MediaType, NewFile};
use http_body_util::{BodyExt, LengthLimitError, Limited};
use image::{DynamicImage, ImageError};
use ledger_domain::ids::UserId;
use sha2::{Digest, Sha256};
use tokio::sync::{Semaphore, SemaphorePermit};
use utoipa::ToSchema;
use uuid::Uuid;

use super::pdf::has_page;
use super::resize::{format, open};
use crate::AppState;
use crate::edge::idempotency_store::IdempotencyRecord;
use crate::edge::slots::Slot;
use crate::edge::{CurrentAdmin, CurrentSeller};
use crate::openapi::{CallDocument, Documented};
use crate::problem::{Problem, Result};
use crate::shared::change::ChangeBody;

/// Files are received into memory, because no connection to the database may wait for a slow sender. So their number
/// is limited: 8 of 10 MB.
static RECEIVING: Semaphore = Semaphore::const_new(8);
/// The permit to decode an image, which takes up to 300 MB (see `images`).
static DECODING: Semaphore = Semaphore::const_new(1);
/// How long an upload waits until fewer files are being received or decoded. After that it is a 503.
const WAIT_MAX: Duration = Duration::from_secs(5);

/// A file of an accepted type. It counts as being received until it is dropped.
pub struct Upload {
    pub media_type: MediaType,
    /// The width and the height of an image.
    pub pixels: Option<(u32, u32)>,
    pub content: Bytes,
    pub sha256: Vec<u8>,
    _slot: Slot<UserId>,
    _permit: SemaphorePermit<'static>,
}

impl Upload {
    pub fn as_new_file(&self, state: &AppState, id: Uuid) -> NewFile<'_> {
        NewFile {
            id,
            media_type: self.media_type,
            content: &self.content,
            sha256: &self.sha256,
            created_at: state.clock.now(),
        }
    }
}

impl FromRequest<AppState> for Upload {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &AppState) -> Result<Self> {
        let announced = request.headers().get(header::CONTENT_LENGTH);
        let announced = announced.and_then(|length| length.to_str().ok()?.parse::<usize>().ok());
        if announced.is_some_and(|length| length > FILE_BYTES_MAX) {
            return Err(too_large());
        }
        let user = user_of(&request)
            .ok_or_else(|| Problem::internal("the route of an upload has no signed-in user"))?;
        let uploads = &state.slots.uploads;
        let slot = uploads
            .take(user)
            .ok_or_else(|| Problem::too_many_at_once("Seus outros arquivos ainda estão sendo enviados."))?;
        let permit = tokio::time::timeout(WAIT_MAX, RECEIVING.acquire())
            .await
            .ok()
            .and_then(Result::ok)
            .ok_or_else(Problem::unavailable)?;
        let body = Limited::new(request.into_body(), FILE_BYTES_MAX).collect().await;
        let content = body.map(|body| body.to_bytes()).map_err(|error| {
            if error.is::<LengthLimitError>() {
                too_large()
            } else {
                Problem::unreadable()
            }
        })?;
        let decoding = tokio::time::timeout(WAIT_MAX, DECODING.acquire())
            .await
            .ok()
            .and_then(Result::ok)
            .ok_or_else(Problem::unavailable)?;
        let checked = content.clone();
        // An image is decoded, so it is not read on a thread that serves other requests.
        let Checked { media_type, pixels } = tokio::task::spawn_blocking(move || {
            let _permit = decoding;
            check(&checked)
        })
        .await
        .map_err(Problem::internal)?
        .map_err(|message| Problem::field("file", message))?;
        let sha256 = Sha256::digest(&content).to_vec();
        Ok(Self {
            media_type,
            pixels,
            content,
            sha256,
            _slot: slot,
            _permit: permit,
        })
    }
}

fn user_of(request: &Request) -> Option<UserId> {
    let extensions = request.extensions();
    let seller = extensions.get::<CurrentSeller>().map(|seller| seller.0.id);
    seller.or_else(|| extensions.get::<CurrentAdmin>().map(|admin| admin.0.id))
}

fn too_large() -> Problem {
    Problem::new(StatusCode::PAYLOAD_TOO_LARGE, "O arquivo pode ter até 10 MB.")
}

/// A file that can be stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Checked {
    media_type: MediaType,
    pixels: Option<(u32, u32)>,
}

/// Returns the type of a file that can be stored. A PDF must have a page. An image is decoded whole, as its preview will be: a damaged one is
/// refused to who uploads it, and not to who wants to see it later.
fn check(content: &[u8]) -> Result<Checked, &'static str> {
    if content.is_empty() {
        return Err("Escolha um arquivo.");
    }
    let media_type = MediaType::of_content(content).ok_or("Envie um arquivo PDF, JPEG ou PNG.")?;
    let mut pixels = None;
    if media_type == MediaType::Pdf && !has_page(content) {
        return Err("O PDF não tem páginas. Envie outro arquivo.");
    }
    if let Some(format) = format(media_type) {
        let decoded = open(content, format).and_then(DynamicImage::from_decoder);
        let image = decoded.map_err(|error| match error {
            ImageError::Limits(_) => "A imagem pode ter até 25 milhões de pixels.",
            _ => "Não conseguimos abrir a imagem. Envie outro arquivo.",
        })?;
        pixels = Some((image.width(), image.height()));
    }
    Ok(Checked { media_type, pixels })
}

impl Documented for Upload {
    fn describe(call: &mut CallDocument) {
        call.binary_body::<File>();
        call.problem("413", "The file has more than 10 MB");
        call.problem_also(
            "422",
            "`file`: the file is empty, is no PDF, JPEG or PNG, cannot be opened, has no page, or has too many or \
             too few pixels",
        );
        call.problem_also("429", "The user is already uploading two files");
        call.problem_also("503", "Too many files arrive at once");
    }
}

impl ChangeBody for Upload {
    type Form = Self;

    fn into_parts(self) -> (Self, IdempotencyRecord) {
        (self, IdempotencyRecord::NONE)
    }
}

/// The content of a file: PDF, JPEG or PNG.
#[derive(ToSchema)]
#[schema(value_type = String, format = Binary, example = "%PDF-1.7…")]
#[expect(dead_code, reason = "only documents the body of an upload")]
pub struct File(Vec<u8>);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_what_its_content_says() {
        assert_eq!(check(b""), Err("Escolha um arquivo."));
        assert_eq!(check(b"<html>"), Err("Envie um arquivo PDF, JPEG ou PNG."));
        let no_page = Err("O PDF não tem páginas. Envie outro arquivo.");
        assert_eq!(check(b"%PDF-1.7\n%%EOF"), no_page);
        let pdf = check(b"%PDF-1.7\n1 0 obj<</Type/Page>>endobj");
        assert_eq!(pdf.map(|checked| checked.media_type), Ok(MediaType::Pdf));
        let broken = b"\x89PNG\r\n\x1a\n and no more";
        let refused = Err("Não conseguimos abrir a imagem. Envie outro arquivo.");
        assert_eq!(check(broken), refused);
        // The header is whole, and the pixels are not.
        let mut image = std::io::Cursor::new(vec![]);
        DynamicImage::new_rgb8(64, 64)
            .write_to(&mut image, image::ImageFormat::Png)
            .expect("a PNG");
        let whole = image.into_inner();
        let checked = Checked {
            media_type: MediaType::Png,
            pixels: Some((64, 64)),
        };
        assert_eq!(check(&whole), Ok(checked));
        assert_eq!(check(&whole[..whole.len() - 30]), refused);
    }
}
