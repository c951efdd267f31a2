//! The history of a company for staff. Plans are named as they are called today, because an entry has their ids.

use std::collections::HashMap;

use gateway_platform::companies::{company_fetch, plan_descriptions};
use ledger_domain::{BusinessId, PlanId};
use serde_json::{Map, Value};
use tokio_postgres::GenericClient;
use uuid::Uuid;

use super::save::SUBJECT;
use crate::edge::{Db, Id, Json, Paging, Query};
use crate::problem::{Problem, Result};
use crate::users::bodies::history::HistoryPage;
use crate::users::history::staff_history;

/// The fields with the id of a plan, and the fields that name the plan instead.
const PLANS: [(&str, &str); 2] = [("receiving_plan_id", "receiving_plan"), ("plan_id", "plan")];

/// List the history of a company
///
/// Latest first. Plans are named: `receiving_plan` and `plan` have their descriptions.
#[utoipa::path(
    get, path = "/admin/businesses/{id}/history", tag = "businesses",
    responses((status = 200, body = HistoryPage))
)]
pub async fn list_business_history(
    Id(id): Id<BusinessId>,
    Query(paging): Query<Paging>,
    db: Db,
) -> Result<Json<HistoryPage>> {
    company_fetch(&*db, id).await?.ok_or_else(Problem::not_found)?;
    let mut history = staff_history(&db, SUBJECT, Some(&id.to_string()), paging).await?;
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

/// A receiving plan's id is a UUID, a sales plan's id has a prefix.
fn plan_id(value: &Value) -> Option<Uuid> {
    let text = value.as_str()?;
    Uuid::try_parse(text)
        .ok()
        .or_else(|| text.parse::<PlanId>().ok().map(PlanId::uuid))
}
