//! The exceptions queue for staff: the list, and the actions retry, assign and close. The rules are in
//! `gateway_platform::resolution`.

use axum::response::Response;
use gateway_identity::users::StaffCaller;
use gateway_platform::exceptions::{ExceptionStatus, ExceptionsFilter, exception_fetch};
use gateway_platform::list::list_page;
use gateway_platform::resolution::{self, Action};
use ledger_domain::BusinessId;
use ledger_domain::sale::Provider;
use projections::SortOrder;
use utoipa::openapi::{RefOr, Schema};

use super::bodies::{ActionBody, ExceptionPage, ExceptionRow};
use crate::edge::query::text;
use crate::edge::{Db, Ids, Json, Paging, PathParam, Query, QueryValue, query, uuid_param};
use crate::problem::{Problem, Result};
use crate::shared::change::{Change, Changed};
use crate::shared::form::OptionalForm;

/// The filter of the list, and its page.
pub struct ExceptionsQuery {
    filter: ExceptionsFilter,
    paging: Paging,
}

query! {
    impl FromQuery for ExceptionsQuery {
        paging: ..Paging,
        /// Order by arrival: asc or desc (default)
        order: SortOrder = SortOrder::Desc,
        /// The acquirer's number or slug
        #[example = "zoop"]
        provider: Option<Provider>,
        /// The type of the notice, or the kind of another exception.
        #[name = "type"]
        #[example = "sale.captured"]
        notice_type: Option<String>,
        /// waiting (default), resolved, closed or all
        // The default is the work that is left for staff.
        status: StatusChoice = StatusChoice::Waiting,
    } => {
        let status = match status {
            StatusChoice::Waiting => Some(ExceptionStatus::Waiting),
            StatusChoice::Resolved => Some(ExceptionStatus::Resolved),
            StatusChoice::Closed => Some(ExceptionStatus::Closed),
            StatusChoice::All => None,
        };
        Self { filter: ExceptionsFilter { provider, notice_type, status, order }, paging }
    }
}

ledger_domain::words! {
    pub enum StatusChoice {
        Waiting = "waiting",
        Resolved = "resolved",
        Closed = "closed",
        All = "all",
    }
}

impl QueryValue for Provider {
    const INVALID: &'static str = "Deve ser uma adquirente.";

    fn schema() -> RefOr<Schema> {
        let numbers = Self::ALL.iter().map(|provider| provider.number().to_string());
        let slugs = Self::ALL.iter().map(|provider| provider.slug().to_owned());
        let names: Vec<_> = numbers.chain(slugs).collect();
        text().pattern(Some(format!("^({})$", names.join("|")))).into()
    }

    fn parse(text: &str) -> Option<Self> {
        Self::parse(text).ok()
    }
}

/// List exceptions
///
/// Returns a page of notices that could not be recorded, refused refunds, unreadable rows of work and faults of
/// charges. Without `status`, only those that are still waiting.
#[utoipa::path(
    get, path = "/admin/exceptions", tag = "notices",
    responses((status = 200, description = "A page of exceptions", body = ExceptionPage))
)]
pub(crate) async fn list_exceptions(
    Query(ExceptionsQuery { filter, paging }): Query<ExceptionsQuery>,
    db: Db,
) -> Result<Json<ExceptionPage>> {
    let page = list_page(&*db, &filter, paging.into()).await?;
    Ok(Json(ExceptionPage::new(page, paging, ExceptionRow::from)))
}

/// Retry, assign or close an exception
///
/// `retry` tries to record a waiting notice now; `assign` sets its company first. `close` ends it with a reason. A
/// refund that the acquirer refused can be requested again (`retry`) or closed. An unreadable row of work can be put
/// back into its queue (`retry`) or closed. A fault of a charge can only be closed. Returns the exception after the
/// action.
#[utoipa::path(
    post, path = "/admin/exceptions/{id}/{action}", tag = "notices",
    request_body(content = Option<ActionBody>, example = json!({"reason": "Venda de teste da adquirente."})),
    responses(
        (status = 200, description = "The exception after the action", body = ExceptionRow),
        (status = 409, description = "The exception is no longer waiting, or the action is not for its kind"),
    )
)]
pub(crate) async fn act_on_exception(
    Ids(ExceptionId(id), name): Ids<ExceptionId, ActionName>,
    // `retry` needs no body.
    change: Change<StaffCaller, OptionalForm<ActionBody>>,
) -> Result<Response> {
    change
        .run_then(
            async |work, form| {
                let action = action_of(name, form)?;
                let before = exception_fetch(&**work, id)
                    .await?
                    .ok_or_else(Problem::not_found)?;
                let tries_now = resolution::act(&**work, &before, &action, work.caller.id).await?;
                Ok(Changed::recorded(tries_now.then_some(work.caller.id)))
            },
            async |state, tried_by| {
                if let Some(staff) = tried_by {
                    resolution::try_now(&state.pool, &state.notices, id, staff).await?;
                }
                let now = exception_fetch(&*state.db().await?, id).await?;
                now.map(ExceptionRow::from).ok_or_else(Problem::not_found)
            },
        )
        .await
}

fn action_of(name: ActionName, form: ActionBody) -> Result<Action> {
    match name {
        ActionName::Retry => Ok(Action::Retry),
        ActionName::Assign => form
            .business_id
            .map(Action::Assign)
            .ok_or_else(|| Problem::field("business_id", BusinessId::MISSING)),
        ActionName::Close => {
            let reason = form.reason.unwrap_or_default();
            Action::close(&reason).map_err(|message| Problem::field("reason", &message))
        }
    }
}

uuid_param! {
    /// The id of an exception in a path.
    ExceptionId, "exception", "0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b0a"
}

/// The last segment of the path of an action.
pub enum ActionName {
    Retry,
    Assign,
    Close,
}

impl PathParam for ActionName {
    const NOUN: &'static str = "action";
    const EXAMPLE: &'static str = "retry";
    const DESCRIPTION: Option<&'static str> = Some("retry, assign or close");

    fn parse(text: &str) -> Option<Self> {
        match text {
            "retry" => Some(Self::Retry),
            "assign" => Some(Self::Assign),
            "close" => Some(Self::Close),
            _ => None,
        }
    }
}
