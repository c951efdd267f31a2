//! Plan versions as agreed, and the names of holidays. They explain a sale's price and dates later.

use std::collections::HashMap;

use ledger_domain::calendar::Date;
use ledger_domain::fees::{PlanRef, PlanTerms};
use tokio_postgres::types::{Json, Type};
use tokio_postgres::{Error, GenericClient};

/// The plan version that a sale refers to.
pub async fn plan_terms(client: &impl GenericClient, plan: &PlanRef) -> Result<Option<PlanTerms>, Error> {
    let Ok(version) = i32::try_from(plan.version) else {
        return Ok(None);
    };
    let row = client
        .query_typed_opt(
            "SELECT terms FROM plan_version WHERE plan_id = $1 AND version = $2",
            &[(&plan.id.uuid(), Type::UUID), (&version, Type::INT4)],
        )
        .await?;
    row.map(|row| row.try_get::<_, Json<PlanTerms>>(0).map(|Json(terms)| terms))
        .transpose()
}

/// The names of holidays that staff have added and not removed.
pub async fn holiday_names(
    client: &impl GenericClient,
    dates: &[Date],
) -> Result<HashMap<Date, String>, Error> {
    let rows = client
        .query_typed(
            "SELECT date, name FROM holiday WHERE date = ANY ($1)",
            &[(&dates, Type::DATE_ARRAY)],
        )
        .await?;
    Ok(rows.iter().map(|row| (row.get(0), row.get(1))).collect())
}
