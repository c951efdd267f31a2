//! Held money: the lists and pages of both panels, what staff do with a hold, and the documents that sellers send.

pub mod bodies;
pub mod change;
pub mod documents;
mod emails;
mod forms;
pub mod seller;
pub mod staff;

use gateway_identity::audience::Audience;
use gateway_platform::holds::hold_fetch;
use ledger_domain::{BusinessId, HoldId};

use crate::AppState;
use crate::problem::{Problem, Result};
use bodies::HoldDetail;

/// A hold with its history.
async fn hold_detail(
    state: &AppState,
    viewer: Audience,
    business: BusinessId,
    hold: HoldId,
) -> Result<HoldDetail> {
    let db = state.db().await?;
    let found = hold_fetch(&*db, business, hold).await?;
    let found = found.ok_or_else(Problem::not_found)?;
    HoldDetail::of(state, &db, viewer, found).await
}
