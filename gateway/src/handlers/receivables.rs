//! The agenda: what is due to a company on which day.

use axum::extract::State;
use chrono::{Days, NaiveDate};
use projections::agenda::agenda_list;
use utoipa::IntoParams;

use crate::AppState;
use crate::http::{CurrentBusiness, FromQuery, Json, Query, QueryReader};
use crate::problem::Result;
use crate::wire::balance::{ReceivablesAgenda, ReceivablesDay};

/// As far as a plan's last instalment may lie, and what a request may ask for at most.
const DAYS_MAX: i64 = 2 * 366;
/// What is shown where no end is named.
const DAYS_DEFAULT: u64 = 60;

/// What is due, by day
///
/// From today on where no start is named, and for 60 days where no end is; two years at most.
#[utoipa::path(get, path = "/receivables", tag = "balance", params(AgendaParams), responses((status = 200, body = ReceivablesAgenda)))]
pub async fn list_receivables(
    State(state): State<AppState>,
    business: CurrentBusiness,
    Query(AgendaQuery { start, end }): Query<AgendaQuery>,
) -> Result<Json<ReceivablesAgenda>> {
    let start = start.unwrap_or_else(|| state.clock.today());
    let end = end.unwrap_or_else(|| start.checked_add_days(Days::new(DAYS_DEFAULT)).unwrap_or(start));
    let client = state.pool.get().await?;
    let days = agenda_list(&**client, business.id, start, end).await?;
    Ok(Json(ReceivablesAgenda {
        data: days.into_iter().map(ReceivablesDay::from).collect(),
    }))
}

#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "describes what `FromQuery` reads")]
pub struct AgendaParams {
    business_id: Option<String>,
    /// First due date, included.
    start: Option<NaiveDate>,
    /// Last due date, included.
    end: Option<NaiveDate>,
}

pub struct AgendaQuery {
    start: Option<NaiveDate>,
    end: Option<NaiveDate>,
}

impl FromQuery for AgendaQuery {
    fn read(query: &mut QueryReader) -> Self {
        let (start, end) = query.period();
        if let (Some(from), Some(to)) = (start, end)
            && (to - from).num_days() > DAYS_MAX
        {
            query.error("end", "O período pode ter até dois anos.");
        }
        Self { start, end }
    }
}
