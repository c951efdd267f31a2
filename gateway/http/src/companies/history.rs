//! The history of a company for staff. The audit log has ids of plans. The answer has their current names instead.

use std::collections::HashMap;

use gateway_platform::companies::{COMPANY, company_fetch, plan_descriptions};
use ledger_domain::{BusinessId, PlanId};
use serde_json::{Map, Value};
use tokio_postgres::GenericClient;
use uuid::Uuid;

use crate::edge::{Db, Id, Json, Paging, Query};
use crate::problem::{Problem, Result};
use crate::users::bodies::history::HistoryPage;
use crate::users::history::staff_history;

/// The fields of the audit log with the id of a plan, each with the field of the answer that has the plan's name.
const PLANS: [(&str, &str); 2] = [("receiving_plan_id", "receiving_plan"), ("plan_id", "plan")];

/// List the history of a company
///
/// Latest first. `receiving_plan` and `plan` have the current descriptions of plans.
#[utoipa::path(
    get, path = "/admin/businesses/{id}/history", tag = "businesses",
    responses((status = 200, body = HistoryPage))
)]
pub(crate) async fn list_business_history(
    Id(id): Id<BusinessId>,
    Query(paging): Query<Paging>,
    db: Db,
) -> Result<Json<HistoryPage>> {
    company_fetch(&*db, id).await?.ok_or_else(Problem::not_found)?;
    let mut history = staff_history(&db, COMPANY, Some(&id.to_string()), paging).await?;
    name_plans(&*db, &mut history).await?;
    Ok(Json(history))
}

async fn name_plans(client: &impl GenericClient, history: &mut HistoryPage) -> Result<()> {
    let mut sides: Vec<&mut Map<String, Value>> = history
        .data
        .iter_mut()
        .flat_map(|entry| [entry.before.as_mut(), entry.after.as_mut()])
        .filter_map(|side| side?.as_object_mut())
        .collect();
    let ids: Vec<Uuid> = sides
        .iter()
        .flat_map(|side| PLANS.iter().filter_map(|(field, _)| plan_id(side.get(*field)?)))
        .collect();
    let names = plan_descriptions(client, &ids).await?;
    for side in &mut sides {
        for (field, named) in PLANS {
            name_plan(side, (field, named), &names);
        }
    }
    Ok(())
}

fn name_plan(side: &mut Map<String, Value>, (field, named): (&str, &str), names: &HashMap<Uuid, String>) {
    let name = side.get(field).and_then(plan_id).and_then(|id| names.get(&id));
    if let Some(name) = name {
        side.remove(field);
        side.insert(named.to_owned(), Value::String(name.clone()));
    }
}

/// The audit log has a receiving plan's id as a UUID, and a sales plan's id with its prefix.
fn plan_id(value: &Value) -> Option<Uuid> {
    let text = value.as_str()?;
    Uuid::try_parse(text)
        .ok()
        .or_else(|| text.parse::<PlanId>().ok().map(PlanId::uuid))
}
