//! The agenda: what is due to a company on which day.

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use chrono::{Days, NaiveDate};
use futures::stream;
use projections::agenda::agenda_list;
use utoipa::IntoParams;

use crate::AppState;
use crate::http::{CurrentBusiness, FromQuery, Json, Query, QueryReader};
use crate::problem::Result;
use crate::spreadsheet::tables::RECEIVABLES;
use crate::spreadsheet::{FileParams, Wanted, Workbook};
use crate::wire::receivables::{ReceivablesAgenda, ReceivablesDay};

/// As far as a plan's last instalment may lie, and what a request may ask for at most.
pub const DAYS_MAX: i64 = 2 * 366;
/// What is shown where no end is named.
const DAYS_DEFAULT: u64 = 60;

/// What is due, by day
///
/// From today on where no start is named, and for 60 days where no end is; two years at most.
#[utoipa::path(
    get, path = "/receivables", tag = "balance", params(AgendaParams, FileParams),
    responses((status = 200, content(
        (ReceivablesAgenda = "application/json"),
        (Workbook = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
    )))
)]
pub async fn list_receivables(
    State(state): State<AppState>,
    business: CurrentBusiness,
    wanted: Wanted,
    Query(AgendaQuery { start, end }): Query<AgendaQuery>,
) -> Result<Response> {
    let start = start.unwrap_or_else(|| state.clock.today());
    let end = end.unwrap_or_else(|| start.checked_add_days(Days::new(DAYS_DEFAULT)).unwrap_or(start));
    let client = state.pool.get().await?;
    let days = agenda_list(&**client, business.id, start, end).await?;
    drop(client);
    let data: Vec<_> = days.into_iter().map(ReceivablesDay::from).collect();
    match wanted {
        // Two years of days are one page.
        Wanted::Spreadsheet(file) => file.of(&RECEIVABLES, stream::iter([Ok(data)])).await,
        Wanted::Json => Ok(Json(ReceivablesAgenda { data }).into_response()),
    }
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
        query.at_most("end", (start, end), DAYS_MAX, "O período pode ter até dois anos.");
        Self { start, end }
    }
}
