//! The changes of plans that wait for a second person: the list, and the decisions.

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use gateway_identity::audit::{Actor, Change, record};
use gateway_identity::users::{StaffCaller, UserError};
use gateway_platform::plans::changes::{
    ChangeStatus, ChangedPlan, Decision, PlanChangeRecord, change_decide, change_list, change_locked,
};
use projections::SortOrder;
use serde_json::json;
use tokio_postgres::GenericClient;
use uuid::Uuid;

use super::audit::PLAN_CHANGE;
use super::bodies::changes::{PlanChange, PlanChangeDecision, PlanChangePage};
use super::emails::email_requester;
use super::pending::names_of;
use super::spreadsheets::PLAN_CHANGES;
use super::{receiving, requests};
use crate::AppState;
use crate::edge::query::QueryWord;
use crate::edge::{FormErrors, Id, Json, OptionalJson, Paging, PanelUrl, PathParam, Query, Tx, query};
use crate::problem::{Problem, Result};
use crate::shared::body_fields::{TEXT_CHARACTERS_MAX, optional_text};
use crate::shared::page::PageMeta;
use crate::shared::two_people::check_two_people;
use crate::spreadsheet::{PAGE_ROWS, ResponseFormat, pages};

/// List the requested changes of plans
///
/// By default, the latest request is the first. A spreadsheet has all changes that match the filter.
#[utoipa::path(get, path = "/admin/plans/changes", tag = "plans", responses((status = 200, body = PlanChangePage)))]
pub(crate) async fn list_plan_changes(
    State(state): State<AppState>,
    format: ResponseFormat,
    Query(query): Query<PlanChangeQuery>,
) -> Result<Response> {
    let PlanChangeQuery {
        status,
        order,
        paging,
    } = query;
    match format {
        ResponseFormat::Json => {
            let db = state.db().await?;
            let page = change_list(&*db, status, order, paging.into()).await?;
            let meta = PageMeta::numbered(&page, paging);
            let data = bodies(&*db, page.rows).await?;
            Ok(Json(PlanChangePage { data, meta }).into_response())
        }
        ResponseFormat::Spreadsheet(file) => {
            let changes = pages(move |page| batch(state.clone(), status, order, page.unwrap_or(1)));
            file.respond(&PLAN_CHANGES, changes).await
        }
    }
}

async fn batch(
    state: AppState,
    status: Option<ChangeStatus>,
    order: SortOrder,
    page: u32,
) -> Result<(Vec<PlanChange>, Option<u32>)> {
    let db = state.db().await?;
    let per_page = PAGE_ROWS;
    let paging = projections::Paging { page, per_page };
    let rows = change_list(&*db, status, order, paging).await?.rows;
    let next = u32::try_from(rows.len()).is_ok_and(|count| count == per_page);
    Ok((bodies(&*db, rows).await?, next.then_some(page + 1)))
}

/// Approve the change of a plan
///
/// By another user than the one who requested it. The change is validated again: a start that has passed becomes
/// now.
#[utoipa::path(
    post, path = "/admin/plans/changes/{id}/approve", tag = "plans",
    responses(
        (status = 200, body = PlanChange),
        (status = 403, description = "The caller requested the change"),
        (status = 409, description = "The change is decided or outdated, or its requester may change plans no more or does not count as another person"),
    )
)]
pub(crate) async fn approve_plan_change(
    State(state): State<AppState>,
    caller: StaffCaller,
    PanelUrl(panel_url): PanelUrl,
    Id(ChangeId(id)): Id<ChangeId>,
    OptionalJson(body): OptionalJson<PlanChangeDecision>,
) -> Result<Json<PlanChange>> {
    let reason = optional_reason(body)?;
    let (mut tx, change) = begin_decision(&state, caller, id).await?;
    check_other_user(&change, caller, "aprovar")?;
    let requester = change.requested_by;
    check_requester_allowed(&*tx, &change, caller).await?;
    check_two_people(&*tx, caller.id, change.requested_by).await?;
    let actor = Actor::Admin(caller.id);
    match change.plan {
        ChangedPlan::Sales(plan) => requests::approve(&*tx, &state, actor, plan, &change).await?,
        ChangedPlan::Receiving(plan) => receiving::approve(&*tx, actor, plan, &change).await?,
    }
    let decided = decide(&*tx, &state, change, caller, ChangeStatus::Approved, reason).await?;
    email_requester(&state, &mut tx, &panel_url, (caller.id, requester), id).await?;
    tx.commit().await?;
    Ok(Json(decided))
}

/// Reject the change of a plan
///
/// By another user than the one who requested it. The plan stays as it is.
#[utoipa::path(
    post, path = "/admin/plans/changes/{id}/reject", tag = "plans",
    responses(
        (status = 200, body = PlanChange),
        (status = 403, description = "The caller requested the change"),
        (status = 409, description = "The change is decided"),
    )
)]
pub(crate) async fn reject_plan_change(
    State(state): State<AppState>,
    caller: StaffCaller,
    PanelUrl(panel_url): PanelUrl,
    Id(ChangeId(id)): Id<ChangeId>,
    Json(body): Json<PlanChangeDecision>,
) -> Result<Json<PlanChange>> {
    let reason = Some(required_reason(body)?);
    let (mut tx, change) = begin_decision(&state, caller, id).await?;
    check_other_user(&change, caller, "rejeitar")?;
    let requester = change.requested_by;
    let decided = decide(&*tx, &state, change, caller, ChangeStatus::Rejected, reason).await?;
    email_requester(&state, &mut tx, &panel_url, (caller.id, requester), id).await?;
    tx.commit().await?;
    Ok(Json(decided))
}

/// Withdraw the change of a plan
///
/// By the user who requested it.
#[utoipa::path(
    post, path = "/admin/plans/changes/{id}/withdraw", tag = "plans",
    responses(
        (status = 200, body = PlanChange),
        (status = 403, description = "Another user requested the change"),
        (status = 409, description = "The change is decided"),
    )
)]
pub(crate) async fn withdraw_plan_change(
    State(state): State<AppState>,
    caller: StaffCaller,
    Id(ChangeId(id)): Id<ChangeId>,
) -> Result<Json<PlanChange>> {
    let (tx, change) = begin_decision(&state, caller, id).await?;
    if change.requested_by != caller.id {
        return Err(Problem {
            message: "Só quem pediu a mudança pode retirá-la. Você pode rejeitá-la.".into(),
            ..Problem::forbidden()
        });
    }
    let decided = decide(&*tx, &state, change, caller, ChangeStatus::Withdrawn, None).await?;
    tx.commit().await?;
    Ok(Json(decided))
}

pub struct ChangeId(Uuid);

impl PathParam for ChangeId {
    const NOUN: &'static str = "change";
    const EXAMPLE: &'static str = "0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b0d";

    fn parse(text: &str) -> Option<Self> {
        text.parse().ok().map(Self)
    }
}

pub struct PlanChangeQuery {
    status: Option<ChangeStatus>,
    order: SortOrder,
    paging: Paging,
}

query! {
    impl FromQuery for PlanChangeQuery {
        /// pending, approved, rejected or withdrawn. All if left out.
        #[example = "pending"]
        status: Option<ChangeStatus>,
        /// Order by the time of the request. The default is desc.
        order: SortOrder = SortOrder::Desc,
        paging: ..Paging,
    } => Self { status, order, paging }
}

impl QueryWord for ChangeStatus {
    const WORDS: &'static [(&'static str, Self)] = &[
        ("pending", Self::Pending),
        ("approved", Self::Approved),
        ("rejected", Self::Rejected),
        ("withdrawn", Self::Withdrawn),
    ];
    const INVALID: &'static str = "Deve ser pending, approved, rejected ou withdrawn.";
}

fn optional_reason(body: PlanChangeDecision) -> Result<Option<String>> {
    let mut errors = FormErrors::default();
    let reason = optional_text(&mut errors, "reason", body.reason, TEXT_CHARACTERS_MAX);
    errors.finish()?;
    Ok(reason)
}

fn required_reason(body: PlanChangeDecision) -> Result<String> {
    optional_reason(body)?.ok_or_else(|| Problem::field("reason", "Informe o motivo."))
}

/// The pending change, locked until the end of the transaction.
async fn begin_decision(state: &AppState, caller: StaffCaller, id: Uuid) -> Result<(Tx, PlanChangeRecord)> {
    let tx = state.begin().await?;
    caller.lock_and_check_allowed(&*tx).await?;
    let change = change_locked(&*tx, id).await?.ok_or_else(Problem::not_found)?;
    match change.status {
        ChangeStatus::Pending => Ok((tx, change)),
        ChangeStatus::Approved => Err(Problem::conflict("Esta mudança já foi aprovada.")),
        ChangeStatus::Rejected => Err(Problem::conflict("Esta mudança já foi rejeitada.")),
        ChangeStatus::Withdrawn => Err(Problem::conflict("Esta mudança já foi retirada.")),
    }
}

/// The user counts, and not the roles: a requester who has other roles by now is still the same person.
fn check_other_user(change: &PlanChangeRecord, caller: StaffCaller, verb: &str) -> Result<()> {
    if change.requested_by != caller.id {
        return Ok(());
    }
    Err(Problem {
        message: format!(
            "Quem pediu a mudança não pode {verb}. Outra pessoa decide, ou você retira o pedido."
        )
        .into(),
        ..Problem::forbidden()
    })
}

/// Two people change the plan, so both must be allowed to at the time of the change.
async fn check_requester_allowed(
    client: &impl GenericClient,
    change: &PlanChangeRecord,
    caller: StaffCaller,
) -> Result<()> {
    let requester = StaffCaller {
        id: change.requested_by,
        allowed: caller.allowed,
    };
    match requester.lock_and_check_allowed(client).await {
        Ok(()) => Ok(()),
        Err(UserError::ActorAccessEnded) => Err(Problem::conflict(
            "Quem pediu esta mudança não pode mais alterar planos. Rejeite o pedido e faça a mudança de novo.",
        )),
        Err(error) => Err(error.into()),
    }
}

async fn decide(
    client: &impl GenericClient,
    state: &AppState,
    change: PlanChangeRecord,
    caller: StaffCaller,
    status: ChangeStatus,
    reason: Option<String>,
) -> Result<PlanChange> {
    let decision = Decision {
        status,
        by: caller.id,
        at: state.clock.now(),
        reason,
    };
    change_decide(client, change.id, &decision).await?;
    let entry = Change {
        action: match status {
            ChangeStatus::Approved => "approve",
            ChangeStatus::Rejected => "reject",
            ChangeStatus::Withdrawn => "withdraw",
            // No decision leaves a change pending.
            ChangeStatus::Pending => return Err(Problem::internal("a decision without a result")),
        },
        subject: PLAN_CHANGE,
        subject_id: &change.id.to_string(),
        before: Some(json!({ "status": ChangeStatus::Pending.as_str() })),
        after: Some(json!({ "status": status.as_str(), "reason": decision.reason })),
    };
    record(client, Actor::Admin(caller.id), entry).await?;
    let decided = PlanChangeRecord {
        status,
        decided_by: Some(decision.by),
        decided_at: Some(decision.at),
        reason: decision.reason,
        ..change
    };
    let names = names_of(client, std::slice::from_ref(&decided)).await?;
    Ok(PlanChange::of(decided, &names))
}

async fn bodies(client: &impl GenericClient, changes: Vec<PlanChangeRecord>) -> Result<Vec<PlanChange>> {
    let names = names_of(client, &changes).await?;
    let body = |change| PlanChange::of(change, &names);
    Ok(changes.into_iter().map(body).collect())
}
