//! The caller by whom rate limits count a request.

use std::convert::Infallible;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use gateway_identity::audience::Audience;
use gateway_identity::rate_limit::LimitedCaller;

use super::{ClientAddress, cookies};
use crate::AppState;
use crate::openapi::{CallDocument, Documented};

impl FromRequestParts<AppState> for LimitedCaller {
    type Rejection = Infallible;

    /// A browser that signed in before is counted by its user. Other users behind the same address cannot use up its
    /// attempts.
    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, Infallible> {
        let tokens = &state.accounts.tokens;
        let mut users = [Audience::Seller, Audience::Admin]
            .into_iter()
            .filter_map(|audience| cookies::devices(tokens, audience, &parts.headers).last_user());
        if let Some(user) = users.next() {
            return Ok(Self::LastUser(user));
        }
        let ClientAddress(address) = ClientAddress::from_request_parts(parts, state).await?;
        Ok(Self::from_address(address))
    }
}

impl Documented for LimitedCaller {
    fn describe(call: &mut CallDocument) {
        call.problem(
            "429",
            "Too many failed attempts; try again after Retry-After seconds",
        );
    }
}
