//! The e-mails about requested changes of plans: to the users who may decide, and to the requester.

use axum::http::StatusCode;
use gateway_identity::audience::Audience;
use gateway_identity::mail::{EmailKind, Facts};
use gateway_identity::users::deciding_staff;
use ledger_domain::ids::UserId;
use uuid::Uuid;

use crate::AppState;
use crate::edge::Tx;
use crate::problem::Result;
use crate::users::emails::EmailToUsers;

/// E-mails all other users who may decide on the change, if one was requested. Returns the status of the answer: a 202
/// if the change waits for their decision.
pub(crate) async fn ask_second_person(
    state: &AppState,
    tx: &mut Tx,
    panel_url: &str,
    requester: UserId,
    requested_change: Option<Uuid>,
) -> Result<StatusCode> {
    let Some(change) = requested_change else {
        return Ok(StatusCode::OK);
    };
    let mut others = deciding_staff(&**tx, None).await?;
    others.retain(|user| user.id != requester);
    let email = email_about(EmailKind::PlanChangeRequested, panel_url, requester, change);
    email.send(state, tx, &others).await?;
    Ok(StatusCode::ACCEPTED)
}

/// E-mails the requester about the approval or the rejection, if this user may still decide on changes.
pub(crate) async fn email_requester(
    state: &AppState,
    tx: &mut Tx,
    panel_url: &str,
    (decided_by, requester): (UserId, UserId),
    change: Uuid,
) -> Result<()> {
    let requester = deciding_staff(&**tx, Some(requester)).await?;
    let email = email_about(EmailKind::PlanChangeDecided, panel_url, decided_by, change);
    email.send(state, tx, &requester).await
}

fn email_about(kind: EmailKind, panel_url: &str, caused_by: UserId, change: Uuid) -> EmailToUsers<'_> {
    EmailToUsers {
        kind,
        audience: Audience::Admin,
        panel_url,
        caused_by,
        facts: Facts {
            plan_change: Some(change),
            ..Facts::default()
        },
    }
}
