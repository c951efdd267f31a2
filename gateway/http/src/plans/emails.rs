//! The e-mails about requested changes of plans: to the users who may decide, and to the requester.

use axum::http::StatusCode;
use gateway_identity::audience::Audience;
use gateway_identity::email_queue::{EmailKind, Facts};
use gateway_identity::notify::{Cause, Emails};
use gateway_identity::users::{StaffCaller, UserAddress, deciding_staff};
use gateway_platform::plans::changes::PlanChangeRecord;
use ledger_domain::ids::UserId;
use uuid::Uuid;

use crate::problem::Result;
use crate::shared::change::Work;

/// E-mails all other users who may decide on the change, if one was requested. Returns the status of the answer: a 202
/// if the change waits for their decision.
pub(crate) async fn ask_second_person(
    work: &mut Work<StaffCaller>,
    panel_url: &str,
    requested_change: Option<Uuid>,
) -> Result<StatusCode> {
    let Some(change) = requested_change else {
        return Ok(StatusCode::OK);
    };
    let requester = work.caller.id;
    let mut others = deciding_staff(&**work, None).await?;
    others.retain(|user| user.id != requester);
    let kind = EmailKind::PlanChangeRequested;
    work.send(emails_about(kind, panel_url, requester, change, &others))
        .await?;
    Ok(StatusCode::ACCEPTED)
}

/// E-mails the requester about the approval or the rejection, if this user may still decide on changes.
pub(crate) async fn email_requester(
    work: &mut Work<StaffCaller>,
    panel_url: &str,
    change: &PlanChangeRecord,
) -> Result<()> {
    let requester = deciding_staff(&**work, Some(change.requested_by)).await?;
    let kind = EmailKind::PlanChangeDecided;
    let emails = emails_about(kind, panel_url, work.caller.id, change.id, &requester);
    work.send(emails).await
}

fn emails_about<'a>(
    kind: EmailKind,
    panel_url: &'a str,
    user: UserId,
    change: Uuid,
    recipients: &[UserAddress],
) -> Emails<'a> {
    let cause = Cause {
        audience: Audience::Admin,
        panel_url,
        user,
    };
    let facts = Facts {
        plan_change: Some(change),
        ..Facts::default()
    };
    Emails::to_users(cause, kind, &facts, recipients)
}
