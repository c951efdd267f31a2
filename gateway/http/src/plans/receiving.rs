//! Receiving plans for staff: list, create, update, history.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use gateway_identity::audit::{Actor, Change, record};
use gateway_identity::users::StaffCaller;
use gateway_platform::companies::{NewReceivingPlan, receiving_plan_create};
use gateway_platform::plans::receiving::{
    ReceivingPlan as Record, ReceivingPlanFilter, receiving_plan_fetch, receiving_plan_list,
    receiving_plan_update, receiving_plans_locked,
};
use tokio_postgres::GenericClient;
use uuid::Uuid;

use super::audit::{RECEIVING_PLAN, changed, check_revision, receiving_plan_fields};
use super::bodies::receiving::{ReceivingPlan, ReceivingPlanForm, ReceivingPlanPage};
use super::form::{default_and_active, description, money};
use super::query::ReceivingPlanQuery;
use super::spreadsheets::RECEIVING_PLANS;
use crate::AppState;
use crate::edge::{Db, Id, IdempotentJson, Json, Paging, Query, QueryReader};
use crate::problem::{Problem, Result};
use crate::shared::page::PageMeta;
use crate::spreadsheet::{PAGE_ROWS, ResponseFormat, pages};
use crate::users::bodies::history::HistoryPage;
use crate::users::history::staff_history;

/// List receiving plans
///
/// Latest first. A spreadsheet has all plans that match the filter.
#[utoipa::path(
    get, path = "/admin/plans/receiving", tag = "plans",
    responses((status = 200, body = ReceivingPlanPage))
)]
pub async fn list_receiving_plans(
    State(state): State<AppState>,
    format: ResponseFormat,
    Query(ReceivingPlanQuery { filter, paging }): Query<ReceivingPlanQuery>,
) -> Result<Response> {
    match format {
        ResponseFormat::Json => {
            let db = state.db().await?;
            let page = receiving_plan_list(&*db, &filter, paging.into()).await?;
            let meta = PageMeta::numbered(&page, paging);
            let data = page.rows.into_iter().map(ReceivingPlan::from).collect();
            Ok(Json(ReceivingPlanPage { data, meta }).into_response())
        }
        ResponseFormat::Spreadsheet(file) => {
            let plans = pages(move |page| batch(state.clone(), filter.clone(), page.unwrap_or(1)));
            file.respond(&RECEIVING_PLANS, plans).await
        }
    }
}

async fn batch(
    state: AppState,
    filter: ReceivingPlanFilter,
    page: u32,
) -> Result<(Vec<ReceivingPlan>, Option<u32>)> {
    let db = state.db().await?;
    let per_page = PAGE_ROWS;
    let found = receiving_plan_list(&*db, &filter, projections::Paging { page, per_page }).await?;
    let next = u32::try_from(found.rows.len()).is_ok_and(|count| count == per_page);
    let rows = found.rows.into_iter().map(ReceivingPlan::from).collect();
    Ok((rows, next.then_some(page + 1)))
}

/// Create a receiving plan
#[utoipa::path(
    post, path = "/admin/plans/receiving", tag = "plans",
    responses((status = 201, body = ReceivingPlan))
)]
pub async fn create_receiving_plan(
    State(state): State<AppState>,
    caller: StaffCaller,
    IdempotentJson { body, idempotency }: IdempotentJson<ReceivingPlanForm>,
) -> Result<Response> {
    let id = state.ids.new_uuid();
    let wanted = read(body, None)?;
    let tx = state.begin().await?;
    if let Some(answer) = idempotency.replayed_answer(&tx).await? {
        return Ok(answer);
    }
    caller.lock_and_check_allowed(&*tx).await?;
    let actor = Actor::Admin(caller.id);
    let (_, default) = receiving_plans_locked(&*tx, id).await?;
    if wanted.default {
        unset_default(&*tx, actor, default).await?;
    }
    let new = NewReceivingPlan {
        id,
        description: wanted.description,
        flat_rate: wanted.flat_rate,
        is_default: wanted.default,
        active: wanted.active,
    };
    receiving_plan_create(&*tx, &new).await?;
    let made = found(&*tx, id).await?;
    let change = Change {
        action: "create",
        subject: RECEIVING_PLAN.subject,
        subject_id: &id.to_string(),
        before: None,
        after: Some(receiving_plan_fields(&made).into()),
    };
    record(&*tx, actor, change).await?;
    let answer = idempotency
        .store_answer(&tx, StatusCode::CREATED, &ReceivingPlan::from(made))
        .await?;
    tx.commit().await?;
    Ok(answer)
}

/// Update a receiving plan
///
/// Changes the given fields only, at once: the next withdrawal of a company with this plan has the new fee.
#[utoipa::path(
    patch, path = "/admin/plans/receiving/{id}", tag = "plans",
    responses(
        (status = 200, body = ReceivingPlan),
        (status = 409, description = "The plan was changed since the revision that the edit started from"),
    )
)]
pub async fn update_receiving_plan(
    State(state): State<AppState>,
    caller: StaffCaller,
    Id(id): Id<Uuid>,
    Json(body): Json<ReceivingPlanForm>,
) -> Result<Json<ReceivingPlan>> {
    let tx = state.begin().await?;
    caller.lock_and_check_allowed(&*tx).await?;
    let (before, default) = receiving_plans_locked(&*tx, id).await?;
    let before = before.ok_or_else(Problem::not_found)?;
    check_revision(
        &*tx,
        &RECEIVING_PLAN,
        &id.to_string(),
        before.revision,
        body.revision,
    )
    .await?;
    let wanted = read(body, Some(&before))?;
    let actor = Actor::Admin(caller.id);
    if wanted.default && !before.is_default {
        unset_default(&*tx, actor, default).await?;
    }
    let after = Record {
        description: wanted.description,
        flat_rate: wanted.flat_rate,
        is_default: wanted.default,
        active: wanted.active,
        ..before.clone()
    };
    if after != before {
        save(&*tx, actor, &before, &after).await?;
    }
    let saved = found(&*tx, id).await?;
    tx.commit().await?;
    Ok(Json(saved.into()))
}

/// List the history of a receiving plan
///
/// Latest first.
#[utoipa::path(
    get, path = "/admin/plans/receiving/{id}/history", tag = "plans",
    responses((status = 200, body = HistoryPage))
)]
pub async fn list_receiving_plan_history(
    Id(id): Id<Uuid>,
    Query(paging): Query<Paging>,
    db: Db,
) -> Result<Json<HistoryPage>> {
    found(&*db, id).await?;
    staff_history(&db, RECEIVING_PLAN.subject, Some(&id.to_string()), paging)
        .await
        .map(Json)
}

struct Wanted {
    description: String,
    flat_rate: ledger_domain::Cents,
    default: bool,
    active: bool,
}

fn read(form: ReceivingPlanForm, before: Option<&Record>) -> Result<Wanted> {
    let mut errors = QueryReader::empty();
    let described = description(
        &mut errors,
        form.description,
        before.map(|before| before.description.as_str()),
    );
    let flat_rate = form.flat_rate.or(before.map(|before| before.flat_rate.get()));
    let flat_rate = money(&mut errors, "flat_rate", flat_rate);
    let (active, default) = default_and_active(
        &mut errors,
        (form.active, form.default),
        before.map(|before| (before.active, before.is_default)),
    );
    errors.finish()?;
    Ok(Wanted {
        description: described,
        flat_rate,
        default,
        active,
    })
}

async fn found(client: &impl GenericClient, id: Uuid) -> Result<Record> {
    receiving_plan_fetch(client, id)
        .await?
        .ok_or_else(Problem::not_found)
}

/// Ends the default of the current default plan, because the table allows only one.
async fn unset_default(client: &impl GenericClient, actor: Actor, default: Option<Record>) -> Result<()> {
    let Some(before) = default else {
        return Ok(());
    };
    let after = Record {
        is_default: false,
        ..before.clone()
    };
    save(client, actor, &before, &after).await
}

async fn save(client: &impl GenericClient, actor: Actor, before: &Record, after: &Record) -> Result<()> {
    receiving_plan_update(client, after).await?;
    let (before, after, id) = (
        receiving_plan_fields(before),
        receiving_plan_fields(after),
        before.id,
    );
    let change = Change {
        action: "update",
        subject: RECEIVING_PLAN.subject,
        subject_id: &id.to_string(),
        before: Some(changed(&before, &after)),
        after: Some(changed(&after, &before)),
    };
    Ok(record(client, actor, change).await?)
}
