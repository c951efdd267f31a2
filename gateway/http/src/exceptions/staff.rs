//! The exceptions queue for staff: the list, and the actions retry, assign and close. Each action writes a row of the
//! audit log.

use axum::extract::State;
use gateway_identity::audit::{Actor, Change, record};
use gateway_identity::users::StaffCaller;
use gateway_platform::companies::companies_by_id;
use gateway_platform::exceptions::{ExceptionRecord, ExceptionsFilter, exception_fetch, exception_list};
use gateway_platform::providers::mask_card_numbers;
use gateway_platform::resolution::{self, Action};
use ledger_domain::BusinessId;
use ledger_domain::sale::Provider;
use projections::SortOrder;
use serde_json::json;
use tokio_postgres::GenericClient;
use utoipa::openapi::{RefOr, Schema};
use uuid::Uuid;

use super::bodies::{ActionBody, ExceptionRow, ExceptionsPage};
use crate::AppState;
use crate::buyers::erase::check_names_no_buyer;
use crate::edge::query::{QueryWord, text};
use crate::edge::{
    Db, Ids, Json, OptionalJson, Paging, PathParam, Query, QueryValue, control_characters, query,
};
use crate::problem::{Problem, Result};

const REASON_CHARACTERS_MAX: usize = 500;

query! {
    impl FromQuery for ExceptionsFilter {
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
        status: StatusWord = StatusWord(Some("waiting")),
    } => Self {
        page: paging.page,
        per_page: paging.per_page,
        newest_first: order == SortOrder::Desc,
        provider,
        notice_type,
        status: status.0.map(str::to_owned),
    }
}

/// The status of the exceptions; `None` for all.
#[derive(Clone, Copy)]
struct StatusWord(Option<&'static str>);

impl QueryWord for StatusWord {
    const WORDS: &'static [(&'static str, Self)] = &[
        ("waiting", Self(Some("waiting"))),
        ("resolved", Self(Some("resolved"))),
        ("closed", Self(Some("closed"))),
        ("all", Self(None)),
    ];
    const INVALID: &'static str = "Deve ser waiting, resolved, closed ou all.";
}

impl QueryValue for Provider {
    const INVALID: &'static str = "Deve ser uma adquirente.";

    fn schema() -> RefOr<Schema> {
        let slugs: Vec<_> = Self::ALL.iter().map(|provider| provider.slug()).collect();
        text()
            .pattern(Some(format!("^([1-8]|{})$", slugs.join("|"))))
            .into()
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
    responses((status = 200, description = "A page of exceptions", body = ExceptionsPage))
)]
pub(crate) async fn list_exceptions(
    Query(filter): Query<ExceptionsFilter>,
    db: Db,
) -> Result<Json<ExceptionsPage>> {
    let found = exception_list(&*db, &filter).await?;
    Ok(Json(ExceptionsPage::of(&filter, found)))
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
    State(state): State<AppState>,
    staff: StaffCaller,
    Ids(ExceptionId(id), action): Ids<ExceptionId, ActionName>,
    // `retry` needs no body.
    OptionalJson(body): OptionalJson<ActionBody>,
) -> Result<Json<ExceptionRow>> {
    let action = action_of(action, body)?;
    let tx = state.begin().await?;
    let before = exception_fetch(&*tx, id).await?.ok_or_else(Problem::not_found)?;
    if let Action::Assign(business_id) = action {
        check_company_exists(&*tx, business_id).await?;
    }
    if let (Action::Close(reason), Some(sale_id)) = (&action, before.sale_id) {
        check_names_no_buyer(&*tx, sale_id, reason).await?;
    }
    staff.lock_and_check_allowed(&*tx).await?;
    resolution::act(&*tx, &before, &action, staff.id).await?;
    let subject_id = id.to_string();
    let change = change_of(&action, &before, &subject_id);
    record(&*tx, Actor::Admin(staff.id), change).await?;
    tx.commit().await?;
    if before.assignable && matches!(action, Action::Retry | Action::Assign(_)) {
        resolution::try_now(&state.pool, &state.notices, id, staff.id).await?;
    }
    let now = exception_fetch(&*state.db().await?, id).await?;
    Ok(Json(now.ok_or_else(Problem::not_found)?.into()))
}

pub struct ExceptionId(Uuid);

impl PathParam for ExceptionId {
    const NOUN: &'static str = "exception";
    const EXAMPLE: &'static str = "0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b0a";
    const DESCRIPTION: Option<&'static str> = Some("The exception's id");

    fn parse(text: &str) -> Option<Self> {
        Uuid::try_parse(text).ok().map(Self)
    }
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

fn action_of(name: ActionName, body: ActionBody) -> Result<Action> {
    match name {
        ActionName::Retry => Ok(Action::Retry),
        ActionName::Assign => body
            .business_id
            .map(Action::Assign)
            .ok_or_else(|| Problem::field("business_id", "Informe a empresa.")),
        ActionName::Close => {
            let reason = body.reason.unwrap_or_default();
            let reason = reason.trim();
            match reason_error(reason) {
                None => Ok(Action::Close(mask_card_numbers(reason).into_owned())),
                Some(message) => Err(Problem::field("reason", &message)),
            }
        }
    }
}

/// The message for an invalid reason of a close; `None` if it is valid.
fn reason_error(reason: &str) -> Option<String> {
    match reason.chars().count() {
        0 => Some("Informe o motivo.".to_owned()),
        count if count > REASON_CHARACTERS_MAX => Some(format!(
            "O motivo deve ter até {REASON_CHARACTERS_MAX} caracteres."
        )),
        _ if control_characters::is_in(reason) => {
            Some("Escreva o motivo em uma linha, sem tabulações nem caracteres de controle.".to_owned())
        }
        _ => None,
    }
}

/// The row of the audit log.
fn change_of<'a>(action: &'a Action, before: &ExceptionRecord, subject_id: &'a str) -> Change<'a> {
    let after = match action {
        Action::Retry => json!({}),
        Action::Assign(business_id) => json!({ "assigned_to": business_id }),
        Action::Close(reason) => json!({ "status": "closed", "resolution": reason }),
    };
    let was = json!({ "status": before.status, "reason": before.reason, "business_id": before.business_id });
    Change {
        action: action.name(),
        subject: "exception",
        subject_id,
        before: Some(was),
        after: Some(after),
    }
}

async fn check_company_exists(client: &impl GenericClient, business_id: BusinessId) -> Result<()> {
    if companies_by_id(client, &[business_id]).await?.is_empty() {
        return Err(Problem::field("business_id", "Empresa não encontrada."));
    }
    Ok(())
}
