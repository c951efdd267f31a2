//! The sandbox's provider of card machines: it issues the tokens that machines show, and activates a machine with its
//! token. It refuses wrong, spent and expired tokens, and lets a call time out if the token was issued so.
//!
//! It keeps its tokens in memory.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::extract::State;
use axum::http::StatusCode;
use axum::routing::{get, post};
use axum::{Json, Router};
use chrono::{DateTime, TimeDelta, Utc};
use gateway_environment::clock::BusinessClock;
use gateway_platform::providers::terminals::{ActivationRefusal, ActivationRequest};
use ledger_domain::BusinessId;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::server::{Refused, hang, refused};

/// How long a token is valid if its issue names no other time.
const VALID_SECONDS: i64 = 15 * 60;
const VALID_SECONDS_MAX: i64 = 30 * 86_400;
/// Older tokens are forgotten, and so refused as unknown.
const TOKENS_MAX: usize = 10_000;

#[derive(Debug, Default, Deserialize)]
pub struct TokenRequest {
    /// The machine that shows the token. Without it, any machine can be activated with the token.
    pub serial_number: Option<String>,
    /// Zero for a token that has expired already.
    pub valid_seconds: Option<i64>,
    /// The call that activates the machine times out. A repeat is answered.
    #[serde(default)]
    pub times_out: bool,
}

#[derive(Debug, Clone, Serialize)]
pub struct IssuedToken {
    pub token: String,
    pub serial_number: Option<String>,
    pub expires_at: DateTime<Utc>,
    pub times_out: bool,
    /// The machine and the company of the activation.
    pub used_for: Option<(String, BusinessId)>,
}

#[derive(Debug, Serialize)]
struct ActivationBody {
    status: &'static str,
    reason: Option<ActivationRefusal>,
}

#[derive(Clone)]
pub struct TerminalProvider {
    tokens: Arc<Mutex<Tokens>>,
    clock: BusinessClock,
}

#[derive(Default)]
struct Tokens {
    /// In the order of their issue.
    issued: Vec<String>,
    by_token: HashMap<String, IssuedToken>,
}

impl TerminalProvider {
    pub fn new(clock: BusinessClock) -> Self {
        Self {
            tokens: Arc::default(),
            clock,
        }
    }

    pub fn router(self) -> Router {
        Router::new()
            .route("/sandbox/terminal-tokens", get(list_tokens).post(issue_token))
            .route("/terminals/activations", post(activate))
            .with_state(self)
    }

    fn tokens(&self) -> MutexGuard<'_, Tokens> {
        self.tokens.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Tokens {
    fn add(&mut self, token: IssuedToken) {
        if self.issued.len() >= TOKENS_MAX {
            let oldest = self.issued.remove(0);
            self.by_token.remove(&oldest);
        }
        self.issued.push(token.token.clone());
        self.by_token.insert(token.token.clone(), token);
    }

    /// Whether this is the token's first activation. The same activation can be repeated.
    fn activate(
        &mut self,
        request: &ActivationRequest,
        now: DateTime<Utc>,
    ) -> Result<bool, ActivationRefusal> {
        let token = self.by_token.get_mut(&request.token);
        let token = token.ok_or(ActivationRefusal::UnknownToken)?;
        let activation = (request.serial_number.clone(), request.business_id);
        if let Some(used_for) = &token.used_for {
            return if *used_for == activation {
                Ok(false)
            } else {
                Err(ActivationRefusal::SpentToken)
            };
        }
        if token.expires_at <= now {
            return Err(ActivationRefusal::ExpiredToken);
        }
        if token
            .serial_number
            .as_ref()
            .is_some_and(|serial| *serial != request.serial_number)
        {
            return Err(ActivationRefusal::OtherTerminal);
        }
        token.used_for = Some(activation);
        Ok(true)
    }
}

async fn issue_token(
    State(provider): State<TerminalProvider>,
    Json(request): Json<TokenRequest>,
) -> Result<(StatusCode, Json<IssuedToken>), Refused> {
    let valid_seconds = request.valid_seconds.unwrap_or(VALID_SECONDS);
    if !(0..=VALID_SECONDS_MAX).contains(&valid_seconds) {
        return Err(refused(
            StatusCode::UNPROCESSABLE_ENTITY,
            "valid_seconds: from 0 to 2592000",
        ));
    }
    let token = IssuedToken {
        token: format!("{:08}", Uuid::new_v4().as_u128() % 100_000_000),
        serial_number: request.serial_number,
        expires_at: provider.clock.now() + TimeDelta::seconds(valid_seconds),
        times_out: request.times_out,
        used_for: None,
    };
    provider.tokens().add(token.clone());
    Ok((StatusCode::CREATED, Json(token)))
}

/// Lists the tokens, the oldest first.
async fn list_tokens(State(provider): State<TerminalProvider>) -> Json<Vec<IssuedToken>> {
    let tokens = provider.tokens();
    let listed = tokens
        .issued
        .iter()
        .filter_map(|token| tokens.by_token.get(token));
    Json(listed.cloned().collect())
}

async fn activate(
    State(provider): State<TerminalProvider>,
    Json(request): Json<ActivationRequest>,
) -> Result<Json<ActivationBody>, Refused> {
    let now = provider.clock.now();
    let (result, times_out) = {
        let mut tokens = provider.tokens();
        let result = tokens.activate(&request, now);
        let issued = tokens.by_token.get(&request.token);
        (result, issued.is_some_and(|token| token.times_out))
    };
    if result == Ok(true) && times_out {
        return Err(hang().await);
    }
    Ok(Json(match result {
        Ok(_) => ActivationBody {
            status: "activated",
            reason: None,
        },
        Err(refusal) => ActivationBody {
            status: "refused",
            reason: Some(refusal),
        },
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: i64) -> DateTime<Utc> {
        DateTime::from_timestamp(seconds, 0).expect("in range")
    }

    fn tokens() -> Tokens {
        let mut tokens = Tokens::default();
        tokens.add(IssuedToken {
            token: "12345678".to_owned(),
            serial_number: Some("PDV1".to_owned()),
            expires_at: at(10),
            times_out: false,
            used_for: None,
        });
        tokens
    }

    fn request(token: &str, serial_number: &str, company: u128) -> ActivationRequest {
        ActivationRequest {
            token: token.to_owned(),
            serial_number: serial_number.to_owned(),
            business_id: BusinessId::from_uuid(Uuid::from_u128(company)),
        }
    }

    #[test]
    fn a_token_is_for_one_activation_which_can_be_repeated() {
        let mut tokens = tokens();
        let valid = request("12345678", "PDV1", 1);
        assert_eq!(tokens.activate(&valid, at(9)), Ok(true));
        assert_eq!(tokens.activate(&valid, at(99)), Ok(false));
        for other in [request("12345678", "PDV1", 2), request("12345678", "PDV2", 1)] {
            assert_eq!(tokens.activate(&other, at(9)), Err(ActivationRefusal::SpentToken));
        }
    }

    #[test]
    fn wrong_and_expired_tokens_are_refused() {
        let refusal =
            |request: &ActivationRequest, now| tokens().activate(request, now).expect_err("a refusal");
        assert_eq!(
            refusal(&request("00000000", "PDV1", 1), at(9)),
            ActivationRefusal::UnknownToken
        );
        assert_eq!(
            refusal(&request("12345678", "PDV1", 1), at(10)),
            ActivationRefusal::ExpiredToken
        );
        assert_eq!(
            refusal(&request("12345678", "PDV2", 1), at(9)),
            ActivationRefusal::OtherTerminal
        );
    }
}
