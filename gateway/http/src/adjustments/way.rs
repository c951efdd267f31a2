//! The way of an adjustment: one person makes it, or it waits for a second one.

use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use gateway_identity::users::{StaffCaller, dependence};
use gateway_platform::adjustments::Adjustment;
use gateway_platform::adjustments::limits::{self, AskedBy, Counted, limited};
use ledger_store::Idempotency;

use super::bodies::body;
use super::emails::ask_second_person;
use crate::AppState;
use crate::edge::idempotency::REPLAYED;
use crate::edge::{Json, Tx};
use crate::problem::Result;

/// How an adjustment goes on.
pub enum Way {
    /// The caller makes it now.
    Alone(Counted),
    /// It waits for a second person: the answer.
    Requested(Response),
}

/// Counts the adjustment against the limit of one person, or requests it and e-mails those who may decide.
pub(crate) async fn way_of(
    state: &AppState,
    caller: (StaffCaller, &str),
    idempotency: Option<Idempotency>,
    adjustment: &Adjustment,
) -> Result<Way> {
    let mut tx = state.begin().await?;
    let way = way_within(state, &mut tx, caller, idempotency, adjustment).await?;
    tx.commit().await?;
    Ok(way)
}

/// The same in the caller's transaction, for an adjustment that the caller makes in it. The caller and their panel.
pub(crate) async fn way_within(
    state: &AppState,
    tx: &mut Tx,
    (caller, panel_url): (StaffCaller, &str),
    idempotency: Option<Idempotency>,
    adjustment: &Adjustment,
) -> Result<Way> {
    caller.lock_and_check_allowed(&**tx).await?;
    let asked_by = AskedBy {
        user: caller.id,
        idempotency,
        ids: &state.ids,
        clock: state.clock,
        defaults: state.default_settings(),
    };
    let way = match limited(&**tx, asked_by, adjustment).await? {
        Ok(mut limited) => {
            let mut same_person = vec![];
            for other in limited.others {
                if dependence(&**tx, caller.id, other).await?.is_some() {
                    same_person.push(other);
                }
            }
            limited.others = same_person;
            limits::way_of(&**tx, asked_by, adjustment, limited).await?
        }
        Err(way) => way,
    };
    Ok(match way {
        limits::Way::Alone(counted) => Way::Alone(counted),
        limits::Way::Requested(request) => {
            ask_second_person(state, tx, panel_url, caller.id, request.id).await?;
            Way::Requested((StatusCode::ACCEPTED, Json(body(&**tx, request).await?)).into_response())
        }
        // The request as it is now.
        limits::Way::RequestedBefore(request) => {
            let replayed = [(REPLAYED, HeaderValue::from_static("true"))];
            let body = Json(body(&**tx, request).await?);
            Way::Requested((StatusCode::ACCEPTED, replayed, body).into_response())
        }
    })
}
