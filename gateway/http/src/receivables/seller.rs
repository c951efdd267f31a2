//! The schedule of a company's receivables: by day, by receivable unit, and the installments of one day.

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use chrono::NaiveDate;
use futures::{Stream, stream};
use gateway_platform::companies::companies_by_id;
use ledger_domain::BusinessId;
use projections::receivables::{
    InstallmentFilter, installment_list, installments_export_page, schedule_list, unit_list,
    units_export_page,
};

use super::bodies::{
    DueInstallment, DueInstallmentPage, ReceivablesDay, ReceivablesHolder, ReceivablesSchedule,
    ReceivablesUnit, ReceivablesUnitPage,
};
use super::query::{DueQuery, ProviderNumber, ScheduleQuery, UnitsQuery};
use super::spreadsheets::{DUE_INSTALLMENTS, RECEIVABLE_UNITS, RECEIVABLES};
use crate::AppState;
use crate::edge::{CurrentBusiness, Json, Query};
use crate::problem::{Problem, Result};
use crate::shared::page::PageMeta;
use crate::spreadsheet::{PAGE_ROWS, ResponseFormat, pages};

/// List receivables by day
///
/// Sums the installments by due date (a business date in Brasília), in cents. The period starts today if `start` is
/// left out, and has 60 days if `end` is left out. It has two years at most.
#[utoipa::path(
    get, path = "/receivables", tag = "balance",
    responses((status = 200, body = ReceivablesSchedule))
)]
pub(crate) async fn list_receivables(
    State(state): State<AppState>,
    business: CurrentBusiness,
    format: ResponseFormat,
    Query(query): Query<ScheduleQuery>,
) -> Result<Response> {
    let (start, end) = query.period(state.clock.today())?;
    let db = state.db().await?;
    let days = schedule_list(&*db, business.id, start, end).await?;
    drop(db);
    let data: Vec<_> = days.into_iter().map(ReceivablesDay::from).collect();
    match format {
        // Two years of days fit in one page.
        ResponseFormat::Spreadsheet(file) => file.respond(&RECEIVABLES, stream::iter([Ok(data)])).await,
        ResponseFormat::Json => Ok(Json(ReceivablesSchedule { data }).into_response()),
    }
}

/// List receivable units
///
/// A unit is the amount that one acquirer owes to the company on one due date for one card brand and payment type.
/// Units are in the order of their dates. The default period is that of the schedule by day. A spreadsheet has all
/// units of the period.
#[utoipa::path(
    get, path = "/receivables/units", tag = "balance",
    responses((status = 200, body = ReceivablesUnitPage))
)]
pub(crate) async fn list_receivable_units(
    State(state): State<AppState>,
    business: CurrentBusiness,
    format: ResponseFormat,
    Query(UnitsQuery { days, paging }): Query<UnitsQuery>,
) -> Result<Response> {
    let (start, end) = days.period(state.clock.today())?;
    let holder = holder(&state, business.id).await?;
    if let ResponseFormat::Spreadsheet(file) = format {
        let units = all_units(state, business.id, (start, end), holder);
        return file.respond(&RECEIVABLE_UNITS, units).await;
    }
    let db = state.db().await?;
    let page = unit_list(&*db, business.id, start, end, paging.into()).await?;
    let meta = PageMeta::numbered(&page, paging);
    let unit = |unit| ReceivablesUnit::of(unit, &holder);
    let data = page.rows.into_iter().map(unit).collect();
    Ok(Json(ReceivablesUnitPage { data, meta }).into_response())
}

/// List the installments of a due date
///
/// Returns the installments that are due on `date`, in the order of the captures of their sales. `provider`, `brand`
/// and `paymentType` select one unit. A spreadsheet has all installments that match the filter.
#[utoipa::path(
    get, path = "/receivables/sales", tag = "balance",
    responses((status = 200, body = DueInstallmentPage))
)]
pub(crate) async fn list_due_installments(
    State(state): State<AppState>,
    business: CurrentBusiness,
    format: ResponseFormat,
    Query(query): Query<DueQuery>,
) -> Result<Response> {
    let filter = InstallmentFilter {
        business_id: business.id,
        due_date: query.date,
        provider: query.provider.map(|ProviderNumber(provider)| provider),
        card_brand: query.brand,
        payment_type: query.payment_type,
    };
    if let ResponseFormat::Spreadsheet(file) = format {
        return file
            .respond(&DUE_INSTALLMENTS, all_installments(state, filter))
            .await;
    }
    let db = state.db().await?;
    let page = installment_list(&*db, &filter, query.paging.into()).await?;
    let meta = PageMeta::numbered(&page, query.paging);
    let data = page.rows.into_iter().map(DueInstallment::from).collect();
    Ok(Json(DueInstallmentPage { data, meta }).into_response())
}

/// The company holds all of its receivables: none is ceded to a third party.
async fn holder(state: &AppState, company: BusinessId) -> Result<ReceivablesHolder> {
    let db = state.db().await?;
    let mut named = companies_by_id(&*db, &[company]).await?;
    let company = named.remove(&company).ok_or_else(Problem::not_found)?;
    Ok(company.into())
}

fn all_units(
    state: AppState,
    company: BusinessId,
    days: (NaiveDate, NaiveDate),
    holder: ReceivablesHolder,
) -> impl Stream<Item = Result<Vec<ReceivablesUnit>>> {
    pages(move |after| {
        let (state, holder) = (state.clone(), holder.clone());
        async move {
            let db = state.db().await?;
            let batch = units_export_page(&*db, company, days, after, PAGE_ROWS).await?;
            let unit = |unit| ReceivablesUnit::of(unit, &holder);
            Ok((batch.rows.into_iter().map(unit).collect(), batch.next))
        }
    })
}

fn all_installments(
    state: AppState,
    filter: InstallmentFilter,
) -> impl Stream<Item = Result<Vec<DueInstallment>>> {
    pages(move |after| {
        let (state, filter) = (state.clone(), filter.clone());
        async move {
            let db = state.db().await?;
            let batch = installments_export_page(&*db, &filter, after, PAGE_ROWS).await?;
            let parts = batch.rows.into_iter().map(DueInstallment::from).collect();
            Ok((parts, batch.next))
        }
    })
}
