//! Receives a settlement file as the body of a request, in parts of bounded size. The time limit is longer than for
//! other calls; the server closes connections that send too slowly.

use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::{FromRequest, Request};
use axum::http::StatusCode;
use futures::StreamExt;
use gateway_platform::reconciliation::{
    FILE_BYTES_MAX, FileFormat, FileHead, NewUpload, PART_BYTES, upload_add, upload_begin, upload_cancel,
};
use ledger_domain::calendar::business_date;
use sha2::{Digest, Sha256};
use utoipa::ToSchema;
use uuid::Uuid;

use super::refusals::refusal;
use crate::AppState;
use crate::edge::time_limit::TimeLimit;
use crate::openapi::{CallDocument, Documented};
use crate::problem::{Problem, Result};

/// Long enough for the largest file at 1 MB per second.
const UPLOAD_TIME_MAX: Duration = Duration::from_secs(40 * 60);

/// The body of an upload, unread.
pub struct SettlementBody(Body);

impl FromRequest<AppState> for SettlementBody {
    type Rejection = Problem;

    async fn from_request(request: Request, _: &AppState) -> Result<Self> {
        if let Some(limit) = request.extensions().get::<TimeLimit>() {
            limit.extend_upload_to(UPLOAD_TIME_MAX);
        }
        Ok(Self(request.into_body()))
    }
}

impl Documented for SettlementBody {
    fn describe(call: &mut CallDocument) {
        call.binary_body::<SettlementFile>();
        call.problem("413", "The file has more than 2 GB");
        call.problem_also(
            "409",
            "The file's date is far in the future or in the past, and `confirm_date` is not 1 (type \
             /problems/settlement-file-date)",
        );
        call.problem_also(
            "422",
            "`file`: the file is empty or has no payments that can be read; the message says what it is",
        );
        call.problem_also("429", "The user is already uploading two files");
    }
}

/// A settlement file: CNAB 240 or CNAB 400 return file, or card file.
#[derive(ToSchema)]
#[schema(value_type = String, format = Binary, example = "0000000001…")]
#[expect(dead_code, reason = "only documents the body of an upload")]
pub struct SettlementFile(Vec<u8>);

/// The parts of the body, each full except the last one.
struct BodyParts {
    body: axum::body::BodyDataStream,
    pending: Vec<u8>,
    received: u64,
}

impl BodyParts {
    async fn next(&mut self) -> Result<Option<Vec<u8>>> {
        while self.pending.len() < PART_BYTES {
            let Some(chunk) = self.body.next().await else {
                break;
            };
            let chunk: Bytes = chunk.map_err(|_| Problem::unreadable())?;
            self.received += chunk.len() as u64;
            if self.received > FILE_BYTES_MAX {
                return Err(Problem::new(
                    StatusCode::PAYLOAD_TOO_LARGE,
                    "O arquivo pode ter até 2 GB.",
                ));
            }
            self.pending.extend_from_slice(&chunk);
        }
        let rest = self.pending.split_off(self.pending.len().min(PART_BYTES));
        let part = std::mem::replace(&mut self.pending, rest);
        Ok((!part.is_empty()).then_some(part))
    }
}

/// An upload whose parts are all stored, before its end.
pub struct Received {
    pub import: Uuid,
    pub sha256: Vec<u8>,
}

/// Stores all parts of the file. If only some of them arrive, they are removed. A file with an implausible date is stored
/// only if the person has confirmed it.
pub(crate) async fn receive(
    state: &AppState,
    body: SettlementBody,
    confirms_date: bool,
    new: impl FnOnce(FileFormat) -> NewUpload,
) -> Result<Received> {
    let mut parts = BodyParts {
        body: body.0.into_data_stream(),
        pending: vec![],
        received: 0,
    };
    let first = parts
        .next()
        .await?
        .ok_or_else(|| Problem::field("file", "Escolha um arquivo."))?;
    let head =
        FileHead::of_beginning(&first).map_err(|foreign| Problem::field("file", &refusal(&foreign)))?;
    let today = business_date(state.clock.now());
    if let Some(date) = head.implausible_date(today).filter(|_| !confirms_date) {
        return Err(Problem::settlement_file_date(date, today));
    }
    let upload = new(head.format);
    upload_begin(&*state.db().await?, &upload).await?;
    let stored = store(state, upload.id, first, &mut parts).await;
    if stored.is_err() {
        remove(state, upload.id).await;
    }
    stored
}

/// Removes a failed upload. The caller answers with why the upload failed. An error of the removal is logged where it
/// becomes a problem, and the reconciliation job ends the upload later.
pub(crate) async fn remove(state: &AppState, import: Uuid) {
    let _removed: Result<()> = try_remove(state, import).await;
}

async fn try_remove(state: &AppState, import: Uuid) -> Result<()> {
    Ok(upload_cancel(&*state.db().await?, import).await?)
}

async fn store(state: &AppState, id: Uuid, first: Vec<u8>, parts: &mut BodyParts) -> Result<Received> {
    let mut hash = Sha256::new();
    let mut part = Some(first);
    for number in 0.. {
        let Some(content) = part else { break };
        hash.update(&content);
        if !upload_add(&*state.db().await?, id, number, &content).await? {
            return Err(interrupted());
        }
        part = parts.next().await?;
    }
    Ok(Received {
        import: id,
        sha256: hash.finalize().to_vec(),
    })
}

/// The reconciliation job has ended the import, because no part arrived for an hour.
pub fn interrupted() -> Problem {
    let message = "O envio parou por mais de uma hora. Envie o arquivo de novo.";
    Problem::new(StatusCode::REQUEST_TIMEOUT, message)
}
