//! Stores the first answer to a request that creates a back-office record, under its `Idempotency-Key`. A repeat
//! within 7 days creates nothing and gets the same answer. The ledger has its own idempotency for commands.
//!
//! A change takes an `IdempotentForm` instead of a `Form`. Its `run` calls `replayed_answer` at the beginning of its
//! transaction and `store_answer` at the end of the same transaction. Two concurrent requests under one key act once,
//! and both get the same answer.

use axum::body::Bytes;
use axum::extract::{FromRequestParts, Request};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use gateway_identity::audit::Actor;
use gateway_identity::sessions::Tokens;
use gateway_platform::commands::KEY_REUSED;
use hmac::Mac;
use serde::Serialize;
use serde_json::Value;
use sha2::{Digest, Sha256};
use tokio_postgres::Error;
use tokio_postgres::types::{Json as JsonColumn, Type};

use super::guard::{CurrentAdmin, CurrentBusiness, CurrentSeller};
use super::idempotency::{IdempotencyKey, REPLAYED, describe_key};
use super::{Tx, json};
use crate::AppState;
use crate::openapi::CallDocument;
use crate::problem::{Problem, Result};

/// Documents the key of a request whose first answer is stored.
pub fn describe_idempotency(call: &mut CallDocument) {
    let description =
        "Chosen by the caller, unique for each request. A repeat within 7 days gets the first answer.";
    describe_key(call, description);
}

/// Stores nothing for a request without a key.
pub struct IdempotencyRecord(Option<Hashes>);

struct Hashes {
    /// Hash of the caller, the operation and the key. Keys of different callers are independent.
    key: [u8; 32],
    /// Keyed hash of the request. The body may hold a password, which could be guessed from a plain digest.
    body: [u8; 32],
}

impl IdempotencyRecord {
    /// The record of a request without a key.
    pub const NONE: Self = Self(None);

    /// Reads the key and the bytes of a JSON body.
    pub async fn read(request: Request, state: &AppState) -> Result<(Bytes, Self)> {
        let (mut parts, body) = request.into_parts();
        let IdempotencyKey(key) = IdempotencyKey::from_request_parts(&mut parts, state).await?;
        let extensions = &parts.extensions;
        let actor = extensions
            .get::<CurrentAdmin>()
            .map(|CurrentAdmin(who)| Actor::Admin(who.id));
        let seller = extensions
            .get::<CurrentSeller>()
            .map(|CurrentSeller(who)| Actor::Seller(who.id));
        let actor = actor.or(seller).unwrap_or(Actor::System);
        // The hash covers the company, because a header or a cookie may name it instead of the body.
        let business = extensions
            .get::<CurrentBusiness>()
            .map(|business| business.id.to_string());
        let operation = format!("{} {}", parts.method, parts.uri.path());
        let bytes = json::read_bytes(Request::from_parts(parts, body), state).await?;
        let Some(key) = key else {
            return Ok((bytes, Self::NONE));
        };
        let hashed_request = [business.unwrap_or_default().as_bytes(), &bytes[..]].join(&0);
        let record = Self::new(&state.accounts.tokens, actor, &operation, &key, &hashed_request);
        Ok((bytes, record))
    }

    fn new(tokens: &Tokens, actor: Actor, operation: &str, key: &str, hashed_request: &[u8]) -> Self {
        let user = actor.user_id().map(|user| user.to_string());
        let caller = [actor.audience(), &user.unwrap_or_default(), operation, key].join("\0");
        let mut body = tokens.hmac_for("remembered body");
        body.update(hashed_request);
        Self(Some(Hashes {
            key: Sha256::digest(caller).into(),
            body: body.finalize().into_bytes().into(),
        }))
    }

    /// Returns the stored answer, or a 409 if the stored request was different. Waits for a concurrent request under
    /// the same key.
    pub async fn replayed_answer(&self, tx: &Tx) -> Result<Option<Response>> {
        let Some(hashes) = &self.0 else {
            return Ok(None);
        };
        wait_for_turn(tx, &hashes.key).await?;
        let row = tx
            .query_typed(
                "SELECT body_hash, status, answer FROM idempotency_record WHERE key_hash = $1",
                &[(&hashes.key.as_slice(), Type::BYTEA)],
            )
            .await?
            .pop();
        let Some(row) = row else {
            return Ok(None);
        };
        if row.get::<_, &[u8]>(0) != hashes.body {
            return Err(Problem::conflict(KEY_REUSED));
        }
        let status = u16::try_from(row.get::<_, i16>(1)).ok();
        let status = status.and_then(|status| StatusCode::from_u16(status).ok());
        let JsonColumn(answer) = row.get::<_, JsonColumn<Value>>(2);
        let replayed = [(REPLAYED, HeaderValue::from_static("true"))];
        Ok(Some(
            (status.unwrap_or(StatusCode::OK), replayed, axum::Json(answer)).into_response(),
        ))
    }

    /// Stores the answer for a repeat of the request. It takes effect when the transaction commits.
    pub async fn store_answer(
        self,
        tx: &Tx,
        status: StatusCode,
        answer: &impl Serialize,
    ) -> Result<Response> {
        let answer = serde_json::to_value(answer).map_err(Problem::internal)?;
        if let Some(hashes) = self.0 {
            delete_expired(tx).await?;
            let code = i16::try_from(status.as_u16()).map_err(Problem::internal)?;
            tx.query_typed(
                "INSERT INTO idempotency_record (key_hash, body_hash, status, answer) VALUES ($1, $2, $3, $4)",
                &[
                    (&hashes.key.as_slice(), Type::BYTEA),
                    (&hashes.body.as_slice(), Type::BYTEA),
                    (&code, Type::INT2),
                    (&JsonColumn(&answer), Type::JSON),
                ],
            )
            .await?;
        }
        Ok((status, axum::Json(answer)).into_response())
    }
}

/// Takes a lock that ends with the transaction. Two keys with the same lock number only wait for each other.
async fn wait_for_turn(tx: &Tx, key: &[u8; 32]) -> Result<(), Error> {
    let (number, _) = key.split_first_chunk::<8>().unwrap_or((&[0; 8], &[]));
    tx.query_typed(
        "SELECT pg_advisory_xact_lock($1)",
        &[(&i64::from_be_bytes(*number), Type::INT8)],
    )
    .await
    .map(|_| ())
}

/// Deletes up to 50 expired answers with each new one, so that no job is needed.
async fn delete_expired(tx: &Tx) -> Result<(), Error> {
    tx.query_typed(
        "DELETE FROM idempotency_record WHERE key_hash IN (
                 SELECT key_hash FROM idempotency_record WHERE created_at < now() - interval '7 days'
                  ORDER BY created_at LIMIT 50 FOR UPDATE SKIP LOCKED)",
        &[],
    )
    .await
    .map(|_| ())
}
