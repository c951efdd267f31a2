//! What staff do about a waiting notice: try it now, say whose it is, or end it with a reason. A refused refund they have
//! asked for again, or end. Each leaves a trail.

use axum::body::Bytes;
use axum::extract::{Path, State};
use deadpool_postgres::Transaction;
use ledger_domain::BusinessId;
use ledger_domain::ids::UserId;
use serde::Deserialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::list::{ExceptionRow, exception_fetch};
use super::{queue, refunds, sweep, work};
use crate::AppState;
use crate::http::{Json, control_characters, json};
use crate::people::{Actor, Change, StaffCaller, record};
use crate::problem::{Problem, Result};
use crate::providers::mask_card_numbers;

const REASON_CHARACTERS_MAX: usize = 500;

#[derive(Debug, Default, Deserialize, ToSchema)]
pub struct ActionBody {
    /// For assign: whose sale it is.
    #[schema(value_type = Option<String>)]
    pub business_id: Option<BusinessId>,
    /// For close: why nothing is to be recorded. One line of up to 500 characters, without control characters. It
    /// becomes the `resolution`.
    #[schema(example = "Venda de teste da adquirente.")]
    pub reason: Option<String>,
}

enum Action {
    Retry,
    Assign(BusinessId),
    Close(String),
}

impl Action {
    fn read(name: &str, body: ActionBody) -> Result<Self> {
        match name {
            "retry" => Ok(Self::Retry),
            "assign" => body
                .business_id
                .map(Self::Assign)
                .ok_or_else(|| Problem::field("business_id", "Informe a empresa.")),
            "close" => {
                let reason = body.reason.unwrap_or_default();
                let reason = reason.trim();
                match reason_fault(reason) {
                    None => Ok(Self::Close(mask_card_numbers(reason).into_owned())),
                    Some(fault) => Err(Problem::field("reason", &fault)),
                }
            }
            _ => Err(Problem::not_found()),
        }
    }

    const fn name(&self) -> &'static str {
        match self {
            Self::Retry => "retry",
            Self::Assign(_) => "assign",
            Self::Close(_) => "close",
        }
    }
}

/// What is wrong with the reason of a close; `None` where nothing is.
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

/// Tries a waiting notice now (retry), says which company it belongs to and tries it (assign), or ends it with a reason
/// (close). A refund that its acquirer refused is asked for again (retry), or ended (close), and so is a row of work that
/// could not be read. Answers with what waited, as it is afterwards.
#[utoipa::path(
    post,
    path = "/admin/exceptions/{id}/{action}",
    tag = "notices",
    summary = "Act on a notice that waits",
    params(
        ("id" = Uuid, Path, description = "The waiting notice"),
        ("action" = String, Path, description = "retry, assign or close", example = "retry"),
    ),
    request_body(content = Option<ActionBody>, example = json!({"reason": "Venda de teste da adquirente."})),
    responses(
        (status = 200, description = "As it is now", body = ExceptionRow),
        (status = 404, description = "No such notice or action", body = crate::problem::ProblemBody),
        (status = 409, description = "It waits no more", body = crate::problem::ProblemBody),
        (status = 422, description = "A field is missing", body = crate::problem::ProblemBody),
    ),
)]
pub async fn act_on_exception(
    State(state): State<AppState>,
    staff: StaffCaller,
    Path((id, action)): Path<(String, String)>,
    body: Bytes,
) -> Result<Json<ExceptionRow>> {
    let id = Uuid::try_parse(&id).map_err(|_| Problem::not_found())?;
    // A retry needs no body.
    let body = if body.is_empty() {
        ActionBody::default()
    } else {
        json::parse(&body)?
    };
    let action = Action::read(&action, body)?;
    let mut client = state.pool.get().await?;
    let before = exception_fetch(&client, id)
        .await?
        .ok_or_else(Problem::not_found)?;
    if let Action::Assign(business_id) = action {
        must_exist(&client, business_id).await?;
    }
    let transaction = client.transaction().await?;
    staff.still_may(&*transaction).await?;
    let acted = match &action {
        Action::Retry => retry(&transaction, &before, staff.id).await?,
        Action::Assign(business_id) if before.assignable => {
            queue::assign(&transaction, id, *business_id, staff.id).await?
        }
        Action::Assign(_) if before.refund_id.is_some() => {
            return Err(Problem::conflict(
                "Um estorno não pode ser atribuído: ele pertence à empresa que fez a venda.",
            ));
        }
        Action::Assign(_) => return Err(Problem::conflict("Só uma notificação pode ser atribuída.")),
        Action::Close(reason) => queue::close(&transaction, id, reason, staff.id).await?,
    };
    if !acted || before.status != "waiting" {
        return Err(Problem::conflict("Esta exceção já saiu da fila."));
    }
    let after = match &action {
        Action::Retry => serde_json::json!({}),
        Action::Assign(business_id) => serde_json::json!({ "assigned_to": business_id }),
        Action::Close(reason) => serde_json::json!({ "status": "closed", "resolution": reason }),
    };
    let was = serde_json::json!({ "status": before.status, "reason": before.reason, "business_id": before.business_id });
    let change = Change {
        action: action.name(),
        subject: "exception",
        subject_id: &id.to_string(),
        before: Some(was),
        after: Some(after),
    };
    record(&*transaction, Actor::Admin(staff.id), change).await?;
    transaction.commit().await?;
    drop(client);
    if before.assignable && matches!(action, Action::Retry | Action::Assign(_)) {
        sweep::try_now(&state.pool, &state.notices, id, staff.id).await?;
    }
    let now = exception_fetch(&state.pool.get().await?, id)
        .await?
        .ok_or_else(Problem::not_found)?;
    Ok(Json(now))
}

/// A notice is tried after the commit; whatever else waits is handed back to its own queue.
async fn retry(transaction: &Transaction<'_>, before: &ExceptionRow, staff: UserId) -> Result<bool> {
    match (before.refund_id, before.work) {
        (Some(refund_id), _) => Ok(refunds::ask_again(&**transaction, refund_id, staff).await?),
        (None, Some((work, id))) => work::resume(&**transaction, work, id, staff).await,
        (None, None) => Ok(true),
    }
}

async fn must_exist(client: &impl deadpool_postgres::GenericClient, business_id: BusinessId) -> Result<()> {
    let found = client
        .query_opt("SELECT FROM business WHERE id = $1", &[&business_id.uuid()])
        .await?;
    found
        .map(drop)
        .ok_or_else(|| Problem::field("business_id", "Empresa não encontrada."))
}
