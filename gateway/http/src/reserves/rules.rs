//! The rules of reserves for staff: of a company, and of a receiving plan.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use gateway_identity::audience::Audience;
use gateway_identity::users::{StaffCaller, user_names};
use gateway_platform::companies::{COMPANY, company_fetch, company_locked};
use gateway_platform::plans::impact::month_before;
use gateway_platform::plans::log::RECEIVING_PLAN;
use gateway_platform::plans::receiving::receiving_plan_fetch;
use gateway_platform::reserves::impact::{coming_reserve, reserve_impact};
use gateway_platform::reserves::{
    ReserveOf, ReserveVersion, release_calendar, reserve_version_add, reserve_versions,
};
use gateway_platform::validity::set_business_now;
use ledger_domain::BusinessId;
use ledger_domain::calendar::days_after;
use ledger_domain::reserve::RESERVE_DAYS_MAX;
use ledger_rows::{execute, params};
use tokio_postgres::Client;
use uuid::Uuid;

use super::bodies::{ReserveImpact, ReserveRulesForm, ReserveVersionRow, ReserveVersions};
use super::releases;
use crate::AppState;
use crate::edge::{Db, Id, Json};
use crate::problem::{Problem, Result};
use crate::shared::change::{Change, Changed, Subject, Work};
use crate::shared::form::{Form, IdempotentForm};

/// List the reserve rules of a company
///
/// Its own versions and those of its receiving plan, the latest first. A company with own rules in force has those, also
/// if their share is zero.
#[utoipa::path(
    get, path = "/admin/businesses/{id}/reserve", tag = "businesses",
    responses((status = 200, body = ReserveVersions))
)]
pub(crate) async fn list_company_reserve_rules(
    Id(id): Id<BusinessId>,
    db: Db,
) -> Result<Json<ReserveVersions>> {
    let company = company_fetch(&*db, id).await?.ok_or_else(Problem::not_found)?;
    let own = rows(&db, ReserveOf::Company(id)).await?;
    let of_plan = rows(&db, ReserveOf::ReceivingPlan(company.receiving_plan.id)).await?;
    Ok(Json(ReserveVersions { own, of_plan }))
}

/// Set the reserve rules of a company
///
/// The share of each settlement from `valid_from` on, a business date, that is held for some days. What is held already
/// stays until its day. Later rules replace those that are only scheduled. A share of zero exempts the company.
#[utoipa::path(
    post, path = "/admin/businesses/{id}/reserve", tag = "businesses",
    responses(
        (status = 201, body = ReserveVersionRow),
        (status = 422, description = "Invalid values, by field: percentage, days, maximum, valid_from, ends_on, reason"),
    )
)]
pub(crate) async fn set_company_reserve_rules(
    Id(id): Id<BusinessId>,
    change: Change<StaffCaller, IdempotentForm<ReserveRulesForm>>,
) -> Result<Response> {
    change
        .run(StatusCode::CREATED, async |work, form| {
            company_locked(&**work, id)
                .await?
                .ok_or_else(Problem::not_found)?;
            set(work, ReserveOf::Company(id), form).await
        })
        .await
}

/// Get the impact of reserve rules on a company
///
/// What they would have held of last month's settlements, and what they will hold of each coming settlement. Nothing
/// changes. The real share is rounded for each installment, so that the figures can differ by some cents.
#[utoipa::path(
    post, path = "/admin/businesses/{id}/reserve/impact", tag = "businesses",
    responses((status = 200, body = ReserveImpact))
)]
pub(crate) async fn get_company_reserve_impact(
    State(state): State<AppState>,
    Id(id): Id<BusinessId>,
    Form(form): Form<ReserveRulesForm>,
) -> Result<Json<ReserveImpact>> {
    let db = state.db().await?;
    company_fetch(&*db, id).await?.ok_or_else(Problem::not_found)?;
    let today = state.clock.today();
    let (valid_from, rules) = form.checked(today)?;
    let month = month_before(today);
    let impact = reserve_impact(&*db, ReserveOf::Company(id), (valid_from, &rules), month).await?;
    let calendar = release_calendar(&*db, today, days_after(today, u64::from(RESERVE_DAYS_MAX))).await?;
    let held = releases(&db, id, today).await?;
    let coming = coming_reserve(&*db, id, &rules, (valid_from, &calendar), &held).await?;
    Ok(Json(ReserveImpact::of(month, impact, coming)))
}

/// List the reserve rules of a receiving plan
///
/// The latest first.
#[utoipa::path(
    get, path = "/admin/plans/receiving/{id}/reserve", tag = "plans",
    responses((status = 200, body = ReserveVersions))
)]
pub(crate) async fn list_plan_reserve_rules(Id(id): Id<Uuid>, db: Db) -> Result<Json<ReserveVersions>> {
    receiving_plan_fetch(&*db, id)
        .await?
        .ok_or_else(Problem::not_found)?;
    let of_plan = rows(&db, ReserveOf::ReceivingPlan(id)).await?;
    Ok(Json(ReserveVersions { own: vec![], of_plan }))
}

/// Set the reserve rules of a receiving plan
///
/// For its companies without own rules. Otherwise like the rules of a company.
#[utoipa::path(
    post, path = "/admin/plans/receiving/{id}/reserve", tag = "plans",
    responses(
        (status = 201, body = ReserveVersionRow),
        (status = 422, description = "Invalid values, by field: percentage, days, maximum, valid_from, ends_on, reason"),
    )
)]
pub(crate) async fn set_plan_reserve_rules(
    Id(id): Id<Uuid>,
    change: Change<StaffCaller, IdempotentForm<ReserveRulesForm>>,
) -> Result<Response> {
    change
        .run(StatusCode::CREATED, async |work, form| {
            let sql = "SELECT FROM receiving_plan WHERE id = $1 FOR NO KEY UPDATE";
            execute(&**work, sql, params![id]).await?;
            receiving_plan_fetch(&**work, id)
                .await?
                .ok_or_else(Problem::not_found)?;
            set(work, ReserveOf::ReceivingPlan(id), form).await
        })
        .await
}

/// Get the impact of reserve rules on a receiving plan
///
/// What they would have held of last month's settlements of its companies, without those with own rules. Nothing changes.
/// The real share is rounded for each installment, so that the figures can differ by some cents.
#[utoipa::path(
    post, path = "/admin/plans/receiving/{id}/reserve/impact", tag = "plans",
    responses((status = 200, body = ReserveImpact))
)]
pub(crate) async fn get_plan_reserve_impact(
    State(state): State<AppState>,
    Id(id): Id<Uuid>,
    Form(form): Form<ReserveRulesForm>,
) -> Result<Json<ReserveImpact>> {
    let db = state.db().await?;
    receiving_plan_fetch(&*db, id)
        .await?
        .ok_or_else(Problem::not_found)?;
    let today = state.clock.today();
    let (valid_from, rules) = form.checked(today)?;
    let month = month_before(today);
    let of = ReserveOf::ReceivingPlan(id);
    let impact = reserve_impact(&*db, of, (valid_from, &rules), month).await?;
    Ok(Json(ReserveImpact::of(month, impact, vec![])))
}

/// Records the next version. The caller has locked the owner.
async fn set(
    work: &mut Work<StaffCaller>,
    of: ReserveOf,
    form: ReserveRulesForm,
) -> Result<Changed<ReserveVersionRow>> {
    let reason = form.reason.clone();
    let (valid_from, rules) = form.checked(work.state.clock.today())?;
    let before = reserve_versions(&**work, of).await?;
    let last = before.last();
    let (subject, id) = match of {
        ReserveOf::Company(id) => (COMPANY, id.to_string()),
        ReserveOf::ReceivingPlan(id) => (RECEIVING_PLAN, id.to_string()),
    };
    let version = ReserveVersion {
        id: work.state.ids.new_uuid(),
        business_id: of.company(),
        receiving_plan_id: of.receiving_plan(),
        version: last.map_or(1, |last| last.version + 1),
        valid_from,
        ends_on: rules.ends_on,
        percentage: rules.percentage,
        days: i16::try_from(rules.days).unwrap_or(i16::MAX),
        maximum: rules.maximum,
        reason,
        recorded_by: Some(work.caller.id),
        recorded_at: work.now(),
    };
    set_business_now(&**work, work.now()).await?;
    reserve_version_add(&**work, &version).await?;
    let entry = Subject(subject)
        .entry("set-reserve", id)
        .before(serde_json::json!({ "reserve": last.map(ReserveVersion::text) }))
        .after(serde_json::json!({ "reserve": version.text(), "reason": version.reason }));
    let names = user_names(&**work, Audience::Admin, &[work.caller.id]).await?;
    Ok(entry.answer(ReserveVersionRow::of(version, &names)))
}

/// The versions, the latest first.
async fn rows(client: &Client, of: ReserveOf) -> Result<Vec<ReserveVersionRow>> {
    let versions = reserve_versions(client, of).await?;
    let users: Vec<_> = versions
        .iter()
        .filter_map(|version| version.recorded_by)
        .collect();
    let names = user_names(client, Audience::Admin, &users).await?;
    let rows = versions.into_iter().rev();
    Ok(rows
        .map(|version| ReserveVersionRow::of(version, &names))
        .collect())
}
