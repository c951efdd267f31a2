//! Receives the notices of acquirers that do not sign them. Each acquirer has a secret in the path of its address. The
//! body is only a hint: the charge is looked up, and the acquirer's answer is what is recorded.

use axum::body::Bytes;
use axum::extract::{FromRequest, FromRequestParts, Path, Request, State};
use axum::http::header;
use gateway_acquirers::notice::{NoticeFault, ReceivedNotice};
use gateway_platform::orders::HintOutcome;
use ledger_domain::sale::Provider;

use super::bodies::{HintAnswer, HintResult};
use crate::AppState;
use crate::edge::Json;
use crate::edge::body::read_bytes;
use crate::openapi::{CallDocument, Documented};
use crate::problem::{Problem, Result};

/// A notice is about one charge.
const BODY_BYTES_MAX: usize = 256 * 1024;

/// Receive a notice that is not signed
///
/// The body, in the acquirer's own format (JSON or a form), only hints at a charge. The charge is looked up at the
/// acquirer, and only its answer is recorded.
#[utoipa::path(
    post, path = "/webhooks/{provider}/{secret}", tag = "notices",
    params(
        ("provider" = String, Path, description = "The name of an acquirer that takes payments online, if it is configured", example = "iugu"),
        ("secret" = String, Path, description = "The acquirer's secret", example = "5f6e7a523c1d4b8e9a702d1f0c4b6e81"),
    ),
    request_body(
        content = serde_json::Value, description = "The notice as the acquirer sends it: JSON, or a form",
        example = json!({ "event": "invoice.status_changed", "data": { "id": "1757E1D7FD5E410A9C563024250015BF", "status": "paid" } })
    ),
    responses(
        (status = 200, description = "The charge was looked up, or staff have an exception for an unknown charge, or the notice is about no charge", body = HintAnswer, example = json!({ "result": "recorded" })),
        (status = 404, description = "The provider is not configured, or the secret is wrong"),
        (status = 413, description = "The body is larger than 256 KiB"),
        (status = 422, description = "The notice is unreadable"),
        (status = 503, description = "The charge cannot be looked up or recorded now: send the notice again"),
    )
)]
pub(crate) async fn receive_unsigned_notice(
    State(state): State<AppState>,
    UnsignedNotice {
        provider,
        content_type,
        body,
    }: UnsignedNotice,
) -> Result<Json<HintAnswer>> {
    let acquirer = state.acquirers.of(provider).ok_or_else(Problem::unavailable)?;
    let notice = ReceivedNotice {
        content_type: content_type.as_deref(),
        body: &body,
    };
    let hint = match acquirer.read_notice(&notice) {
        Ok(hint) => hint,
        Err(NoticeFault::Unrelated) => return Ok(answer(HintResult::Unrelated)),
        Err(NoticeFault::Unreadable) => {
            tracing::error!(
                code = "notice_unreadable",
                provider = provider.slug(),
                bytes = body.len(),
                "an acquirer's notice can't be read: compare it with the documentation of the acquirer"
            );
            return Err(Problem::unprocessable("A notificação não pôde ser lida."));
        }
    };
    match state.orders.handle_hint(provider, &hint).await? {
        HintOutcome::Handled | HintOutcome::UnknownCharge => Ok(answer(HintResult::Recorded)),
        HintOutcome::Failed if !state.writer.records_for_all() => {
            Err(Problem::not_recorded(state.writer.records_for_all()))
        }
        HintOutcome::Failed => Err(Problem::unavailable()),
    }
}

fn answer(result: HintResult) -> Json<HintAnswer> {
    Json(HintAnswer { result })
}

/// A notice that came to an acquirer's secret address. A wrong secret is a 404 before the body is read.
pub struct UnsignedNotice {
    provider: Provider,
    content_type: Option<String>,
    body: Bytes,
}

impl FromRequest<AppState> for UnsignedNotice {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &AppState) -> Result<Self> {
        let (mut parts, body) = request.into_parts();
        let provider = authenticated(&mut parts, state).await?;
        let content_type = parts.headers.get(header::CONTENT_TYPE);
        let content_type = content_type.and_then(|value| value.to_str().ok());
        Ok(Self {
            provider,
            content_type: content_type.map(str::to_owned),
            body: read_bytes(body, BODY_BYTES_MAX).await?,
        })
    }
}

impl Documented for UnsignedNotice {
    fn describe(_: &mut CallDocument) {}
}

/// The provider whose secret is in the path. An unknown provider and a wrong secret have the same answer. The error
/// never repeats the path.
async fn authenticated(parts: &mut axum::http::request::Parts, state: &AppState) -> Result<Provider> {
    let Path((slug, secret)) = Path::<(String, String)>::from_request_parts(parts, state)
        .await
        .map_err(|_| Problem::not_found())?;
    let provider = Provider::from_slug(&slug).ok();
    let secrets = state.config.acquirers.notice_secrets.get();
    let held = secrets.holds(provider, &secret);
    provider.filter(|_| held).ok_or_else(Problem::not_found)
}
