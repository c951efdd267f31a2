//! The origin of a request, and its panel for links in e-mails.

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use gateway_identity::account::new_password::RequestOrigin;
use gateway_identity::rate_limit::LimitedCaller;

use super::{ClientAddress, PanelUrl};
use crate::AppState;
use crate::openapi::{CallDocument, Documented};
use crate::problem::{Problem, Result};

impl FromRequestParts<AppState> for RequestOrigin {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self> {
        let PanelUrl(panel_url) = PanelUrl::from_request_parts(parts, state).await?;
        let ClientAddress(address) = match ClientAddress::from_request_parts(parts, state).await {
            Ok(address) => address,
            Err(never) => match never {},
        };
        let caller = match LimitedCaller::from_request_parts(parts, state).await {
            Ok(caller) => caller,
            Err(never) => match never {},
        };
        Ok(Self {
            panel_url,
            address,
            caller,
        })
    }
}

impl Documented for RequestOrigin {
    fn describe(call: &mut CallDocument) {
        call.problem("429", "Too many attempts; try again after Retry-After seconds");
    }
}
