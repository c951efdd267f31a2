//! Work that waits for its next try is tried now. The rules are in `gateway_platform::retries`.

use axum::http::StatusCode;
use axum::response::Response;
use gateway_identity::users::StaffCaller;
use gateway_platform::outboxes::Work;
use gateway_platform::retries::{retry_failed, retry_row};
use uuid::Uuid;

use super::bodies::Retried;
use crate::edge::query::text as text_schema;
use crate::edge::{Id, Ids, PathParam};
use crate::problem::Result;
use crate::shared::change::{Caller, Change, Changed};
use crate::shared::form::{IdempotentForm, form, optional, text};

form! {
    pub struct RetryBody {
        /// The bank or the acquirer whose work is tried; all if it is missing. E-mails have none.
        #[example = "iugu"]
        provider: Option<String> = optional(text(|| text_schema().into(), |name, _| Some(name.to_owned()))),
    }
}

/// Try one waiting payout, refund, charge or e-mail now
///
/// It becomes due. What may have been sent is looked up before it is sent again. A repeat does no harm. `due` is 0 if it
/// was due already.
#[utoipa::path(
    post, path = "/admin/operations/{work}/{id}/retry", tag = "operations",
    responses(
        (status = 200, description = "It is tried within a second", body = Retried),
        (status = 409, description = "It has ended, is being tried at this moment, or waits in the exceptions queue"),
    )
)]
pub(crate) async fn retry_work(
    Ids(work_kind, RowId(id)): Ids<Work, RowId>,
    change: Change<StaffCaller>,
) -> Result<Response> {
    change
        .run(StatusCode::OK, async |work, ()| {
            let due = retry_row(&**work, work.caller.actor(), work_kind, id).await?;
            Ok(Changed::recorded(Retried { due }))
        })
        .await
}

/// Try all waiting payouts, refunds, charges or e-mails now
///
/// Those whose last try failed become due, or those of one provider. What may have been sent is looked up before it is
/// sent again. Those that are being tried at this moment, and those that wait in the exceptions queue, stay as they are.
#[utoipa::path(
    post, path = "/admin/operations/{work}/retry", tag = "operations",
    responses((status = 200, description = "They are tried from now on, a few at a time", body = Retried))
)]
pub(crate) async fn retry_all_work(
    Id(work_kind): Id<Work>,
    change: Change<StaffCaller, IdempotentForm<RetryBody>>,
) -> Result<Response> {
    change
        .run(StatusCode::OK, async |work, RetryBody { provider }| {
            let due = retry_failed(&**work, work.caller.actor(), work_kind, provider.as_deref()).await?;
            Ok(Changed::recorded(Retried { due }))
        })
        .await
}

/// The id of a payout, a refund, a charge or an e-mail in a path.
pub struct RowId(Uuid);

impl PathParam for RowId {
    const NOUN: &'static str = "row of work";
    const EXAMPLE: &'static str = "0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b0a";
    const DESCRIPTION: Option<&'static str> =
        Some("The id of the row, with or without the prefix of its kind");

    /// The lists have rows of all kinds, whose ids have no prefix; a withdrawal names its payout with one.
    fn parse(text: &str) -> Option<Self> {
        let id = text.rsplit_once('_').map_or(text, |(_, id)| id);
        Uuid::try_parse(id).ok().map(Self)
    }
}

impl PathParam for Work {
    const NOUN: &'static str = "kind of work";
    const EXAMPLE: &'static str = "payouts";
    const DESCRIPTION: Option<&'static str> = Some("payouts, refunds, charges or emails");

    fn parse(text: &str) -> Option<Self> {
        Self::of_plural(text)
    }
}
