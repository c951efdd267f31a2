//! The card forms that were closed against card testing (a thief tries stolen cards on a payment link), for staff.

use axum::extract::State;
use gateway_identity::audit::{Actor, Change, record};
use gateway_identity::users::StaffCaller;
use gateway_platform::buyers::{card_closure_fetch, card_closure_reopen, card_closures_in_force};
use serde_json::json;
use uuid::Uuid;

use super::bodies::{CardClosureList, CardClosureRow};
use crate::AppState;
use crate::edge::{Db, Id, Json, PathParam};
use crate::problem::{Problem, Result};

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
    State(state): State<AppState>,
    staff: StaffCaller,
    Id(ClosureId(id)): Id<ClosureId>,
) -> Result<Json<CardClosureRow>> {
    let tx = state.begin().await?;
    staff.lock_and_check_allowed(&*tx).await?;
    let before = card_closure_fetch(&*tx, id)
        .await?
        .ok_or_else(Problem::not_found)?;
    if !card_closure_reopen(&*tx, id, staff.id, state.clock.now()).await? {
        return Err(Problem::conflict(
            "O formulário de cartão deste link já está aberto.",
        ));
    }
    let change = Change {
        action: "reopen-card-form",
        subject: "payment_link",
        subject_id: &before.link_id.to_string(),
        before: Some(json!({ "card_closed_until": before.closed_until, "declines": before.declines })),
        after: Some(json!({ "card_closed_until": null })),
    };
    record(&*tx, Actor::Admin(staff.id), change).await?;
    let after = card_closure_fetch(&*tx, id)
        .await?
        .ok_or_else(Problem::not_found)?;
    tx.commit().await?;
    Ok(Json(after.into()))
}

pub struct ClosureId(Uuid);

impl PathParam for ClosureId {
    const NOUN: &'static str = "closed card form";
    const EXAMPLE: &'static str = "0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b0a";

    fn parse(text: &str) -> Option<Self> {
        Uuid::try_parse(text).ok().map(Self)
    }
}
