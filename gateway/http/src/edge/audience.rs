//! The audience of a request and its signed-in user, for handlers that serve both panels.

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use gateway_environment::config::Panel;
use gateway_identity::access::AccessRule;
use gateway_identity::audience::Audience;
use gateway_identity::sessions::open_sessions::SessionOwner;

use super::{CurrentAdmin, CurrentSeller};
use crate::AppState;
use crate::openapi::{CallDocument, Documented};
use crate::problem::{Problem, Result};

impl FromRequestParts<AppState> for Audience {
    type Rejection = Problem;

    /// The host's panel decides the audience: sellers use the seller panel, admin users the staff panel.
    async fn from_request_parts(parts: &mut Parts, _: &AppState) -> Result<Self> {
        let missing = || Problem::internal("the request did not come through a panel's host");
        let panel = parts.extensions.get::<Panel>().copied();
        panel.map(Self::of_panel).ok_or_else(missing)
    }
}

impl Documented for Audience {
    fn describe(_: &mut CallDocument) {}
}

impl FromRequestParts<AppState> for SessionOwner {
    type Rejection = Problem;

    /// The guard of a call adds the user of one audience only.
    async fn from_request_parts(parts: &mut Parts, _: &AppState) -> Result<Self> {
        let seller = parts.extensions.get::<CurrentSeller>();
        if let Some(CurrentSeller(seller)) = seller.cloned() {
            return Ok(seller.into());
        }
        let admin = parts.extensions.get::<CurrentAdmin>().cloned();
        let missing = || Problem::internal("the route's guard does not provide a signed-in user");
        admin.map(|CurrentAdmin(admin)| admin.into()).ok_or_else(missing)
    }
}

impl Documented for SessionOwner {
    fn describe(call: &mut CallDocument) {
        let provided = matches!(
            call.access,
            AccessRule::Seller | AccessRule::Business(_) | AccessRule::Staff(_)
        );
        call.needs("SessionOwner", provided);
    }
}
