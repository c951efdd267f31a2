//! The banking calendar for staff: the holidays of a year, the preview of a new one, and changes with their history.

use std::collections::BTreeSet;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use chrono::{Datelike, NaiveDate};
use gateway_identity::users::StaffCaller;
use gateway_platform::holidays::{
    AddedHoliday, CLOSED_DAYS_MAX, holiday_add, holiday_names, holiday_remove, holidays_between,
};
use ledger_domain::calendar::{Calendar, Date, days_after, national_holiday, national_holidays};
use projections::receivables::open_on;
use serde_json::json;
use tokio_postgres::GenericClient;
use utoipa::openapi::{RefOr, Schema};

use super::bodies::{Holiday, HolidayList, HolidayPreview, NewHoliday, PromisedInstallments};
use crate::AppState;
use crate::edge::query::{integer, within};
use crate::edge::{Db, Id, Json, Paging, PathParam, Query, QueryValue, query};
use crate::problem::{Problem, Result};
use crate::shared::change::{Change, Subject};
use crate::shared::form::IdempotentForm;
use crate::users::bodies::history::HistoryPage;
use crate::users::history::staff_history;

/// Holidays in the audit log.
const HOLIDAY: Subject = Subject("holiday");

/// List the holidays of a year
///
/// The bank holidays: national ones, and those that staff added.
#[utoipa::path(
    get, path = "/admin/holidays", tag = "settings",
    responses((status = 200, body = HolidayList))
)]
pub(crate) async fn list_holidays(
    State(state): State<AppState>,
    Query(HolidaysQuery(year)): Query<HolidaysQuery>,
    db: Db,
) -> Result<Json<HolidayList>> {
    let year = year.map_or_else(|| state.clock.today().year(), |Year(year)| year.into());
    let ends = Date::from_ymd_opt(year, 1, 1).zip(Date::from_ymd_opt(year, 12, 31));
    let (first, last) = ends.ok_or_else(|| Problem::internal("a year without days"))?;
    let added = holidays_between(&*db, first, last).await?;
    let local = added
        .into_iter()
        .filter(|holiday| national_holiday(holiday.date).is_none())
        .map(Holiday::from);
    let mut data: Vec<Holiday> = national_holidays(year)
        .into_iter()
        .map(Holiday::national)
        .collect();
    data.extend(local);
    data.sort_by_key(|holiday| holiday.date);
    Ok(Json(HolidayList { year, data }))
}

/// Preview a holiday
///
/// The effect of a holiday on this date. Installments that are already due on it stay so. Installments of later sales
/// are due on the next business day instead. Nothing is recorded.
#[utoipa::path(
    get, path = "/admin/holidays/preview", tag = "settings",
    responses((status = 200, body = HolidayPreview))
)]
pub(crate) async fn preview_holiday(
    Query(query): Query<PreviewQuery>,
    db: Db,
) -> Result<Json<HolidayPreview>> {
    let date = query.date;
    let added = holidays_between(&*db, date, days_after(date, CLOSED_DAYS_MAX)).await?;
    let mut closed: BTreeSet<Date> = added.iter().map(|holiday| holiday.date).collect();
    let is_business_day = Calendar::new(closed.clone()).is_business_day(date);
    let own = added.into_iter().find(|holiday| holiday.date == date);
    let holiday = match national_holiday(date) {
        Some(name) => Some(Holiday::national((date, name))),
        None => own.map(Holiday::from),
    };
    closed.insert(date);
    let promised = open_on(&*db, date).await?;
    Ok(Json(HolidayPreview {
        date,
        is_business_day,
        holiday,
        promised: PromisedInstallments {
            count: promised.count,
            amount: promised.net.get(),
        },
        moved_to: Calendar::new(closed).roll_forward(date),
    }))
}

/// Add a holiday
///
/// Adds a local bank holiday. Installments that are already promised for the date stay due on it.
#[utoipa::path(
    post, path = "/admin/holidays", tag = "settings",
    responses(
        (status = 201, body = Holiday),
        (status = 409, description = "The date is a holiday already"),
    )
)]
pub(crate) async fn create_holiday(
    change: Change<StaffCaller, IdempotentForm<NewHoliday>>,
) -> Result<Response> {
    change
        .run(StatusCode::CREATED, async |work, NewHoliday { date, name }| {
            if let Some(national) = national_holiday(date) {
                let message = format!("Esta data já é feriado nacional: {national}.");
                return Err(Problem::conflict(message));
            }
            if !holiday_add(&**work, date, &name).await? {
                return Err(already_added(&**work, date).await?);
            }
            let entry = HOLIDAY
                .entry("create", date)
                .after(json!({ "date": date, "name": name }));
            Ok(entry.answer(Holiday::from(AddedHoliday { date, name })))
        })
        .await
}

/// Remove a holiday
///
/// Removes a local holiday of today or later. Due dates that were moved because of it stay as they are.
#[utoipa::path(
    delete, path = "/admin/holidays/{date}", tag = "settings",
    responses(
        (status = 204, description = "The holiday is removed"),
        (status = 409, description = "The holiday is national, or it is over"),
    )
)]
pub(crate) async fn delete_holiday(
    Id(HolidayDate(date)): Id<HolidayDate>,
    change: Change<StaffCaller>,
) -> Result<Response> {
    change
        .run(StatusCode::NO_CONTENT, async |work, ()| {
            if national_holiday(date).is_some() {
                return Err(Problem::conflict("Um feriado nacional não pode ser removido."));
            }
            // Removed before the date is checked, because a date without a holiday is a 404. The 409 rolls back.
            let removed = holiday_remove(&**work, date)
                .await?
                .ok_or_else(Problem::not_found)?;
            if date < work.state.clock.today() {
                return Err(Problem::conflict(
                    "Um feriado que já passou não pode ser removido.",
                ));
            }
            let entry = HOLIDAY
                .entry("delete", date)
                .before(json!({ "date": date, "name": removed.name }));
            Ok(entry.answer(()))
        })
        .await
}

/// List the history of the holidays
///
/// Latest first.
#[utoipa::path(
    get, path = "/admin/holidays/history", tag = "settings",
    responses((status = 200, body = HistoryPage))
)]
pub(crate) async fn list_holiday_history(Query(paging): Query<Paging>, db: Db) -> Result<Json<HistoryPage>> {
    staff_history(&db, HOLIDAY.0, None, paging).await.map(Json)
}

async fn already_added(client: &impl GenericClient, date: Date) -> Result<Problem> {
    let named = holiday_names(client, &[date]).await?;
    Ok(Problem::conflict(match named.get(&date) {
        Some(name) => format!("Esta data já é feriado: {name}."),
        // Another user has removed it.
        None => "Esta data já era feriado. Tente de novo.".to_owned(),
    }))
}

query! {
    pub struct PreviewQuery {
        /// The date of the holiday.
        #[example = "2026-07-09"]
        date: NaiveDate,
    }
}

pub struct HolidaysQuery(Option<Year>);

query! {
    impl FromQuery for HolidaysQuery {
        /// The default is the current year.
        #[example = 2026]
        year: Option<Year>,
    } => Self(year)
}

/// A year of the banking calendar.
pub(super) struct Year(u16);

impl Year {
    const FIRST: u16 = 2000;
    pub(super) const LAST: u16 = 2199;
}

impl QueryValue for Year {
    const INVALID: &'static str = "O ano deve ser de 2000 a 2199.";

    fn schema() -> RefOr<Schema> {
        integer(Self::FIRST.into(), Self::LAST.into())
    }

    fn parse(text: &str) -> Option<Self> {
        within(text, Self::FIRST, Self::LAST).map(Self)
    }
}

/// The date in the path.
pub struct HolidayDate(Date);

impl PathParam for HolidayDate {
    const NOUN: &'static str = "holiday";
    const EXAMPLE: &'static str = "2026-07-09";

    fn parse(text: &str) -> Option<Self> {
        NaiveDate::parse(text).map(Self)
    }
}
