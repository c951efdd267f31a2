//! The exceptions queue for staff: the list, and the actions retry, assign and close. Each action writes a row of the
//! audit log.

use axum::body::Bytes;
use axum::extract::{Path, State};
use gateway_identity::audit::{Actor, Change, record};
use gateway_identity::users::StaffCaller;
use gateway_platform::companies::companies_named;
use gateway_platform::exceptions::{ExceptionRecord, ExceptionsFilter, exception_fetch, exception_list};
use gateway_platform::providers::mask_card_numbers;
use gateway_platform::resolution::{self, Action};
use ledger_domain::BusinessId;
use ledger_domain::sale::Provider;
use serde_json::json;
use tokio_postgres::GenericClient;
use uuid::Uuid;

use super::bodies::{ActionBody, ExceptionRow, ExceptionsPage};
use crate::AppState;
use crate::edge::{FromQuery, Json, Paging, Query, QueryReader, control_characters, json as body_json};
use crate::problem::{Problem, ProblemBody, Result};

const REASON_CHARACTERS_MAX: usize = 500;

impl FromQuery for ExceptionsFilter {
    fn read(query: &mut QueryReader) -> Self {
        let newest_first = query.read("order", "Deve ser asc ou desc.", |text| match text {
            "asc" => Some(false),
            "desc" => Some(true),
            _ => None,
        });
        let status = query.read("status", "Deve ser waiting, resolved, closed ou all.", |text| {
            matches!(text, "waiting" | "resolved" | "closed" | "all").then(|| text.to_owned())
        });
        let Paging { page, per_page } = Paging::read(query);
        Self {
            page,
            per_page,
            newest_first: newest_first.unwrap_or(true),
            provider: query.read("provider", "Deve ser uma adquirente.", |text| {
                Provider::parse(text).ok()
            }),
            notice_type: query.text("type").map(str::to_owned),
            // The default is the work that is left for staff.
            status: status
                .or_else(|| Some("waiting".to_owned()))
                .filter(|status| status != "all"),
        }
    }
}

/// List exceptions
///
/// Returns a page of notices that could not be recorded, refused refunds and unreadable rows of work. Without `status`,
/// only those that are still waiting.
#[utoipa::path(
    get,
    path = "/admin/exceptions",
    tag = "notices",
    summary = "List exceptions",
    params(
        ("page" = Option<u32>, Query, example = 1),
        ("perPage" = Option<u32>, Query, example = 20),
        ("order" = Option<String>, Query, pattern = "^(asc|desc)$", description = "Order by arrival: asc or desc (default)"),
        ("provider" = Option<String>, Query, pattern = "^([1-8]|zoop|iugu|zoop_v2|valori|entrepay|barte|ceopag|ceopag_p2)$", description = "The acquirer's number or slug", example = "zoop"),
        ("type" = Option<String>, Query, example = "sale.captured"),
        ("status" = Option<String>, Query, pattern = "^(waiting|resolved|closed|all)$", description = "waiting (default), resolved, closed or all"),
    ),
    responses((status = 200, description = "A page of exceptions", body = ExceptionsPage)),
)]
pub async fn list_exceptions(
    State(state): State<AppState>,
    Query(filter): Query<ExceptionsFilter>,
) -> Result<Json<ExceptionsPage>> {
    let client = state.pool.get().await?;
    let found = exception_list(&client, &filter).await?;
    Ok(Json(ExceptionsPage::of(&filter, found)))
}

/// Retry, assign or close an exception
///
/// `retry` tries to record a waiting notice now; `assign` sets its company first. `close` ends it with a reason. A
/// refund that the acquirer refused can be requested again (`retry`) or closed. An unreadable row of work can be put
/// back into its queue (`retry`) or closed. Returns the exception after the action.
#[utoipa::path(
    post,
    path = "/admin/exceptions/{id}/{action}",
    tag = "notices",
    summary = "Retry, assign or close an exception",
    params(
        ("id" = Uuid, Path, description = "The exception's id"),
        ("action" = String, Path, description = "retry, assign or close", example = "retry"),
    ),
    request_body(content = Option<ActionBody>, example = json!({"reason": "Venda de teste da adquirente."})),
    responses(
        (status = 200, description = "The exception after the action", body = ExceptionRow),
        (status = 404, description = "The exception or the action does not exist", body = ProblemBody),
        (status = 409, description = "The exception is no longer waiting", body = ProblemBody),
        (status = 422, description = "A field is missing or invalid", body = ProblemBody),
    ),
)]
pub async fn act_on_exception(
    State(state): State<AppState>,
    staff: StaffCaller,
    Path((id, action)): Path<(String, String)>,
    body: Bytes,
) -> Result<Json<ExceptionRow>> {
    let id = Uuid::try_parse(&id).map_err(|_| Problem::not_found())?;
    // `retry` needs no body.
    let body = if body.is_empty() {
        ActionBody::default()
    } else {
        body_json::parse(&body)?
    };
    let action = action_of(&action, body)?;
    let mut client = state.pool.get().await?;
    let before = exception_fetch(&client, id)
        .await?
        .ok_or_else(Problem::not_found)?;
    if let Action::Assign(business_id) = action {
        must_exist(&**client, business_id).await?;
    }
    let transaction = client.transaction().await?;
    staff.check_still_allowed(&*transaction).await?;
    resolution::act(&transaction, &before, &action, staff.id).await?;
    let change = change_of(&action, &before);
    let change = Change {
        subject_id: &id.to_string(),
        ..change
    };
    record(&*transaction, Actor::Admin(staff.id), change).await?;
    transaction.commit().await?;
    drop(client);
    if before.assignable && matches!(action, Action::Retry | Action::Assign(_)) {
        resolution::try_now(&state.pool, &state.notices, id, staff.id).await?;
    }
    let now = exception_fetch(&state.pool.get().await?, id)
        .await?
        .ok_or_else(Problem::not_found)?;
    Ok(Json(now.into()))
}

fn action_of(name: &str, body: ActionBody) -> Result<Action> {
    match name {
        "retry" => Ok(Action::Retry),
        "assign" => body
            .business_id
            .map(Action::Assign)
            .ok_or_else(|| Problem::field("business_id", "Informe a empresa.")),
        "close" => {
            let reason = body.reason.unwrap_or_default();
            let reason = reason.trim();
            match reason_fault(reason) {
                None => Ok(Action::Close(mask_card_numbers(reason).into_owned())),
                Some(fault) => Err(Problem::field("reason", &fault)),
            }
        }
        _ => Err(Problem::not_found()),
    }
}

/// The message for an invalid reason of a close; `None` if it is valid.
fn reason_fault(reason: &str) -> Option<String> {
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

/// The row of the audit log without the exception's id.
fn change_of(action: &Action, before: &ExceptionRecord) -> Change<'static> {
    let after = match action {
        Action::Retry => json!({}),
        Action::Assign(business_id) => json!({ "assigned_to": business_id }),
        Action::Close(reason) => json!({ "status": "closed", "resolution": reason }),
    };
    let was = json!({ "status": before.status, "reason": before.reason, "business_id": before.business_id });
    Change {
        action: action.name(),
        subject: "exception",
        subject_id: "",
        before: Some(was),
        after: Some(after),
    }
}

async fn must_exist(client: &impl GenericClient, business_id: BusinessId) -> Result<()> {
    if companies_named(client, &[business_id]).await?.is_empty() {
        return Err(Problem::field("business_id", "Empresa não encontrada."));
    }
    Ok(())
}
