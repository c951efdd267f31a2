//! Receives providers' notices: checks the signature over the raw body, reads and processes the notice, and reports its
//! result.

use std::convert::Infallible;

use axum::Json;
use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::extract::{FromRequestParts, Path, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use gateway_platform::notices::{NoticeOutcome, SignedNotice, UnreadableNotice, unreadable_json};
use gateway_platform::providers::{FieldErrors, SIGNATURE_HEADER, verify};
use ledger_domain::sale::Provider;
use ledger_store::LedgerPosition;
use serde_json::value::RawValue;

use super::bodies::{NoticeAnswer, NoticesAnswer};
use crate::AppState;
use crate::edge::json::body_problem;
use crate::edge::position::POSITION;
use crate::openapi::{CallDocument, Documented};
use crate::problem::{Problem, Result};

/// The most notices in one array.
pub const NOTICES_MAX: usize = 1_000;

/// Receive a provider's notices
///
/// Takes one notice, or an array of up to 1,000 notices. X-Signature must cover the raw body.
///
/// 200: the notice is durable, now or since an earlier delivery. 202: the notice is stored for staff and tried again.
/// An array is not atomic. It gets 200 if every notice is recorded (now or before) or stored, else 503. Both answers
/// have `results`: a NoticeAnswer for each notice, in the array's order. A notice of an array that can never be read is
/// stored for staff once, and its result names its place, its id if that is readable, and its errors.
///
/// A notice of a sale may name the payment: `end_to_end_id`, `txid`, `nsu`, `tid`, `acquirer_id`, `our_number` (nosso
/// número), and `three_d_secure` with `version`, `eci` and `liability` (issuer or merchant). In `sale.refunded`,
/// `sale.canceled` and `sale.reversed` the names are those of the refund; in `payout.paid` and `payout.returned`,
/// `end_to_end_id` and `control_number` are those of the bank's payment or of its return. Each may be left out. A later
/// notice adds the names that it knows more; another text for a known name waits for staff. A name that cannot be read
/// stops nothing: staff see it.
#[utoipa::path(
    post, path = "/webhooks/{provider}", tag = "notices",
    params(
        ("provider" = String, Path, description = "The provider's name", example = "zoop"),
        ("X-Signature" = String, Header, description = "t=<unix seconds>,v1=<hex HMAC-SHA-256 of \"t.body\">; 5 minutes of tolerance"),
    ),
    request_body(content = serde_json::Value, description = "One notice in the canonical form, or an array of them", example = json!({
        "id": "evt_01", "type": "sale.captured", "occurred_at": "2026-11-23T14:03:11Z",
        "data": {"business_id": "biz_6f1c8f0e-2a52-4a4c-9d0e-0f6f7f1f2a11", "external_id": "nsu-000123", "solution": 1,
                 "payment_type": "credit", "card_brand": "visa", "installments": 3, "amount": 30000,
                 "terminal_serial": "PB0912345678", "card_last_four": "4242", "authorization_code": "A12345",
                 "nsu": "000123456", "tid": "10069930690009F2A4C6"}
    })),
    responses(
        (status = 200, description = "The notice is durable", body = NoticeAnswer, example = json!({"id": "evt_01", "result": "recorded"})),
        (status = 202, description = "The notice is stored for staff and tried again", body = NoticeAnswer, example = json!({"id": "evt_01", "result": "waiting", "reason": "no_plan"})),
        (status = 401, description = "The signature is missing, wrong or too old; nothing is stored"),
        (status = 404, description = "The provider does not exist"),
        (status = 413, description = "More than 1,000 notices, or a body larger than 4 MiB"),
        (status = 422, description = "The signature is valid, but the notice is unreadable; `errors` has the places"),
        (status = 503, description = "The notice cannot be recorded now: send it again"),
    )
)]
pub(crate) async fn receive_notices(
    State(state): State<AppState>,
    Path(slug): Path<String>,
    Signature(signature): Signature,
    body: std::result::Result<Bytes, BytesRejection>,
) -> Result<Response> {
    let provider = Provider::from_slug(&slug).map_err(|_| Problem::not_found())?;
    let body = body.map_err(body_problem)?;
    authenticate(&state, provider, signature.as_ref(), &body)?;
    let text = std::str::from_utf8(&body).map_err(|error| {
        unreadable(FieldErrors::one(
            "",
            format!("Não é UTF-8 a partir do byte {}.", error.valid_up_to()),
        ))
    })?;
    if text.trim_start().starts_with('[') {
        return receive_array(&state, provider, text).await;
    }
    let signed = SignedNotice::read(provider, text).map_err(unreadable)?;
    let processed = state.notices.process(&signed).await?;
    let (status, position) = match &processed {
        NoticeOutcome::Recorded(position) | NoticeOutcome::Duplicate(position) => {
            (StatusCode::OK, Some(position))
        }
        NoticeOutcome::Waiting(_) => (StatusCode::ACCEPTED, None),
        NoticeOutcome::Unavailable => return Err(Problem::not_recorded(state.writer.records_for_all())),
    };
    let answer = NoticeAnswer::of_processed(&signed.notice.id, &processed);
    Ok((status, ledger_position(position), Json(answer)).into_response())
}

/// The signature header of a notice. Extracted alone, because extracting all headers would copy them.
pub struct Signature(Option<HeaderValue>);

impl<S: Send + Sync> FromRequestParts<S> for Signature {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        Ok(Self(parts.headers.get(SIGNATURE_HEADER).cloned()))
    }
}

impl Documented for Signature {
    fn describe(_: &mut CallDocument) {}
}

fn authenticate(
    state: &AppState,
    provider: Provider,
    signature: Option<&HeaderValue>,
    body: &Bytes,
) -> Result<()> {
    let signature = signature.and_then(|value| value.to_str().ok());
    // The system time, not the business clock, which may be set to another day.
    let now = chrono::Utc::now().timestamp();
    let secrets = state.config.providers.get();
    verify(secrets.of(provider), signature, now, body).map_err(|refused| {
        tracing::warn!(provider = provider.slug(), %refused, "a notice has no valid signature");
        Problem::new(
            StatusCode::UNAUTHORIZED,
            "Assinatura ausente, vencida ou incorreta.",
        )
    })
}

async fn receive_array(state: &AppState, provider: Provider, text: &str) -> Result<Response> {
    let items: Vec<&RawValue> =
        serde_json::from_str(text).map_err(|error| unreadable(unreadable_json(&error)))?;
    if items.len() > NOTICES_MAX {
        return Err(Problem::new(
            StatusCode::PAYLOAD_TOO_LARGE,
            "Envie até 1.000 notificações por vez.",
        ));
    }
    let mut readable = Vec::with_capacity(items.len());
    let mut answers = Vec::with_capacity(items.len());
    for item in items {
        match SignedNotice::read(provider, item.get()) {
            Ok(signed) => {
                readable.push(signed);
                answers.push(None);
            }
            Err(errors) => {
                let unreadable = UnreadableNotice::of(item.get(), errors);
                let stored = state.notices.keep_unreadable(provider, &unreadable).await;
                // The conversion to a problem logs the error.
                let is_stored = stored.map_err(Problem::from).is_ok();
                answers.push(Some(NoticeAnswer::unreadable(unreadable, is_stored)));
            }
        }
    }
    let mut reached = LedgerPosition::default();
    let mut processed = state
        .notices
        .process_all(&readable)
        .await
        .into_iter()
        .zip(&readable);
    let results: Vec<_> = answers
        .into_iter()
        .enumerate()
        .filter_map(|(index, unreadable)| {
            let answer = unreadable.or_else(|| {
                let (processed, signed) = processed.next()?;
                // The conversion to a problem logs the error; the answer does not show it.
                let processed = processed
                    .map_err(Problem::from)
                    .unwrap_or(NoticeOutcome::Unavailable);
                if let NoticeOutcome::Recorded(position) | NoticeOutcome::Duplicate(position) = &processed {
                    reached.merge(position);
                }
                Some(NoticeAnswer::of_processed(&signed.notice.id, &processed))
            });
            answer.map(|answer| answer.at(index))
        })
        .collect();
    // Acquirers read only the status and send the whole array again. Notices that were recorded are then duplicates.
    let status = if results.iter().all(|answer| answer.result.is_recorded_or_stored()) {
        StatusCode::OK
    } else {
        StatusCode::SERVICE_UNAVAILABLE
    };
    let mut response = (
        status,
        ledger_position(Some(&reached)),
        Json(NoticesAnswer { results }),
    )
        .into_response();
    if status == StatusCode::SERVICE_UNAVAILABLE {
        response
            .headers_mut()
            .insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
    }
    Ok(response)
}

fn unreadable(errors: FieldErrors) -> Problem {
    let message = "A notificação não pôde ser lida.";
    Problem {
        errors: errors.into_inner(),
        ..Problem::unprocessable(message)
    }
}

fn ledger_position(position: Option<&LedgerPosition>) -> HeaderMap {
    let mut headers = HeaderMap::new();
    let text = position.map(ToString::to_string).filter(|text| !text.is_empty());
    if let Some(value) = text.and_then(|text| HeaderValue::from_str(&text).ok()) {
        headers.insert(POSITION, value);
    }
    headers
}
