//! The e-mails about requested adjustments: to the users who may decide, and to the requester.

use gateway_identity::audience::Audience;
use gateway_identity::email_queue::{EmailKind, Facts};
use gateway_identity::notify::{Cause, Emails};
use gateway_identity::users::{StaffCaller, UserAddress, deciding_staff};
use gateway_platform::adjustments::requests::RequestRecord;
use ledger_domain::ids::UserId;
use uuid::Uuid;

use crate::AppState;
use crate::edge::Tx;
use crate::problem::Result;
use crate::shared::change::Work;
use crate::shared::emails::send_emails;

/// E-mails all other users who may decide.
pub(super) async fn ask_second_person(
    state: &AppState,
    tx: &mut Tx,
    panel_url: &str,
    requester: UserId,
    request: Uuid,
) -> Result<()> {
    let mut others = deciding_staff(&**tx, None).await?;
    others.retain(|user| user.id != requester);
    let kind = EmailKind::AdjustmentRequested;
    let emails = emails_about(kind, panel_url, requester, request, &others);
    send_emails(state, tx, emails).await
}

/// E-mails the requester about the decision, if this user may still decide on adjustments.
pub(super) async fn email_requester(
    work: &mut Work<StaffCaller>,
    panel_url: &str,
    request: &RequestRecord,
) -> Result<()> {
    let requester = deciding_staff(&**work, Some(request.requested_by)).await?;
    let kind = EmailKind::AdjustmentDecided;
    let emails = emails_about(kind, panel_url, work.caller.id, request.id, &requester);
    work.send(emails).await
}

fn emails_about<'a>(
    kind: EmailKind,
    panel_url: &'a str,
    user: UserId,
    request: Uuid,
    recipients: &[UserAddress],
) -> Emails<'a> {
    let cause = Cause {
        audience: Audience::Admin,
        panel_url,
        user,
    };
    let facts = Facts {
        adjustment: Some(request),
        ..Facts::default()
    };
    Emails::to_users(cause, kind, &facts, recipients)
}
