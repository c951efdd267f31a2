//! The card forms that were closed against card testing (a thief tries stolen cards on a payment link), for staff.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use gateway_identity::users::StaffCaller;
use gateway_platform::buyers::{card_closure_fetch, card_closure_reopen, card_closures_in_force};
use serde_json::json;

use super::bodies::{CardClosureList, CardClosureRow};
use crate::AppState;
use crate::edge::{Db, Id, Json, uuid_param};
use crate::links::LINK;
use crate::problem::{Problem, Result};
use crate::shared::change::Change;

/// List the closed card forms
///
/// The links that take no cards for a while, because many cards were declined on them. Those that open last first, 100
/// at most.
#[utoipa::path(
    get, path = "/admin/card-closures", tag = "payment-links",
    responses((status = 200, body = CardClosureList))
)]
pub(crate) async fn list_card_closures(
    State(state): State<AppState>,
    db: Db,
) -> Result<Json<CardClosureList>> {
    let closures = card_closures_in_force(&*db, state.clock.now()).await?;
    let data = closures.into_iter().map(CardClosureRow::from).collect();
    Ok(Json(CardClosureList { data }))
}

/// Open a card form again
///
/// The declines until now no longer count.
#[utoipa::path(
    post, path = "/admin/card-closures/{id}/reopen", tag = "payment-links",
    responses(
        (status = 200, body = CardClosureRow),
        (status = 409, description = "The card form is open already"),
    )
)]
pub(crate) async fn reopen_card_form(
    Id(ClosureId(id)): Id<ClosureId>,
    change: Change<StaffCaller>,
) -> Result<Response> {
    change
        .run(StatusCode::OK, async |work, ()| {
            let before = card_closure_fetch(&**work, id)
                .await?
                .ok_or_else(Problem::not_found)?;
            if !card_closure_reopen(&**work, id, work.caller.id, work.now()).await? {
                return Err(Problem::conflict(
                    "O formulário de cartão deste link já está aberto.",
                ));
            }
            let after = card_closure_fetch(&**work, id)
                .await?
                .ok_or_else(Problem::not_found)?;
            let entry = LINK
                .entry("reopen-card-form", before.link_id)
                .before(json!({ "card_closed_until": before.closed_until, "declines": before.declines }))
                .after(json!({ "card_closed_until": null }));
            Ok(entry.answer(CardClosureRow::from(after)))
        })
        .await
}

uuid_param! {
    /// The id of a closing in a path.
    ClosureId, "closed card form", "0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b0a"
}
