//! The sales that a request may be about, for handlers that serve both panels.

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use gateway_identity::access::AccessRule;
use gateway_identity::audit::Actor;
use gateway_identity::users::{SellerCaller, StaffCaller};
use ledger_domain::BusinessId;

use super::query::CompanyInQuery;
use crate::AppState;
use crate::edge::{CurrentAdmin, CurrentBusiness, FromQuery, Query};
use crate::openapi::{CallDocument, Documented};
use crate::problem::{Problem, Result};

/// Sellers see the sales of the company of the request. Staff see all sales, or those of the company in the query.
#[derive(Debug, Clone, Copy)]
pub struct SaleScope {
    /// `None`: the sales of all companies.
    pub company: Option<BusinessId>,
    /// Whether answers may show the company's balance.
    pub sees_balance: bool,
    pub actor: Actor,
    caller: Caller,
}

#[derive(Debug, Clone, Copy)]
enum Caller {
    Seller(SellerCaller),
    Staff(StaffCaller),
}

impl SaleScope {
    /// Checks the user's access again, right before a change.
    pub(crate) async fn check_still_allowed(&self, state: &AppState) -> Result<()> {
        let db = state.db().await?;
        match &self.caller {
            Caller::Seller(seller) => seller.check_still_allowed(&*db).await?,
            Caller::Staff(staff) => staff.check_still_allowed(&*db).await?,
        }
        Ok(())
    }
}

impl FromRequestParts<AppState> for SaleScope {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self> {
        if let Some(business) = parts.extensions.get::<CurrentBusiness>() {
            return Ok(Self {
                company: Some(business.id),
                sees_balance: business.sees_balance(),
                actor: Actor::Seller(business.seller),
                caller: Caller::Seller(business.caller()),
            });
        }
        let staff = CurrentAdmin::from_request_parts(parts, state).await?;
        let Query(CompanyInQuery(company)) = Query::from_request_parts(parts, state).await?;
        Ok(Self {
            company,
            sees_balance: staff.sees_balance(),
            actor: Actor::Admin(staff.0.id),
            caller: Caller::Staff(StaffCaller::from_request_parts(parts, state).await?),
        })
    }
}

impl Documented for SaleScope {
    fn describe(call: &mut CallDocument) {
        if let AccessRule::Business(_) = call.access {
            return CurrentBusiness::describe(call);
        }
        CurrentAdmin::describe(call);
        call.parameters(CompanyInQuery::params());
        let not_found = "The sale does not exist, or it belongs to another company than the named one";
        call.problem("404", not_found);
    }
}
