//! Callers of changes that check the caller's access themselves.

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use gateway_identity::audit::Actor;
use gateway_identity::users::{ActingUser, StaffCaller};
use tokio_postgres::Client;

use crate::AppState;
use crate::edge::CurrentBusiness;
use crate::openapi::{CallDocument, Documented};
use crate::problem::{Problem, Result};
use crate::shared::change::Caller;

/// A caller whose access the change itself checks. `gateway_identity::users` locks the caller and the changed user in
/// the order of their ids, so that two users who change each other cannot deadlock. A lock before it would break that
/// order.
#[derive(Clone, Copy)]
pub struct Unlocked<C>(pub C);

impl<C: Caller> Caller for Unlocked<C> {
    fn actor(&self) -> Actor {
        self.0.actor()
    }

    async fn lock_and_check_allowed(&self, _: &Client) -> Result<()> {
        Ok(())
    }
}

impl<C: Caller> FromRequestParts<AppState> for Unlocked<C> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self> {
        C::from_request_parts(parts, state).await.map(Self)
    }
}

impl<C: Documented> Documented for Unlocked<C> {
    fn describe(call: &mut CallDocument) {
        C::describe(call);
    }
}

/// A user who changes seller users: staff, or a user who manages the company of the request.
pub trait SellerUserEditor: Caller {
    fn acting(&self) -> ActingUser;
}

impl SellerUserEditor for Unlocked<StaffCaller> {
    fn acting(&self) -> ActingUser {
        ActingUser::Staff(self.0)
    }
}

impl SellerUserEditor for Unlocked<CurrentBusiness> {
    fn acting(&self) -> ActingUser {
        ActingUser::Seller(self.0.caller())
    }
}
