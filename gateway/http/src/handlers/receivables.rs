//! The agenda of a company's receivables: by day, by receivable unit, and the installments of one day.

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use chrono::{Days, NaiveDate};
use futures::{Stream, stream};
use gateway_platform::companies::companies_named;
use ledger_domain::BusinessId;
use ledger_domain::sale::{CardBrand, PaymentType, Provider};
use projections::receivables_schedule::{
    InstallmentFilter, installment_list, sales_export_page, schedule_list, unit_list, units_export_page,
};
use utoipa::IntoParams;

use crate::AppState;
use crate::edge::{CurrentBusiness, FromQuery, Json, Paging, Query, QueryReader};
use crate::problem::{Problem, Result};
use crate::spreadsheet::tables::{DUE_INSTALLMENTS, RECEIVABLE_UNITS, RECEIVABLES};
use crate::spreadsheet::{FileParams, PAGE_ROWS, Wanted, Workbook, pages};
use crate::wire::page::PageMeta;
use crate::wire::receivables::{
    DueInstallment, DueInstallmentPage, ReceivablesAgenda, ReceivablesDay, ReceivablesHolder,
    ReceivablesUnit, ReceivablesUnitPage,
};

/// The longest period of one request: as far as a plan's last installment can lie in the future.
pub const DAYS_MAX: i64 = 2 * 366;
/// The length of the period if no end is given.
const DAYS_DEFAULT: u64 = 60;

/// List receivables by day
///
/// Sums the installments by due date (a business date in Brasília), in cents. The period starts today if `start` is
/// left out and has 60 days if `end` is left out; two years at most. A spreadsheet has all days of the period.
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
    Query(query): Query<AgendaQuery>,
) -> Result<Response> {
    let (start, end) = query.period(state.clock.today());
    let client = state.pool.get().await?;
    let days = schedule_list(&**client, business.id, start, end).await?;
    drop(client);
    let data: Vec<_> = days.into_iter().map(ReceivablesDay::from).collect();
    match wanted {
        // Two years of days fit in one page.
        Wanted::Spreadsheet(file) => file.of(&RECEIVABLES, stream::iter([Ok(data)])).await,
        Wanted::Json => Ok(Json(ReceivablesAgenda { data }).into_response()),
    }
}

/// List receivable units
///
/// A unit is the amount that one acquirer owes to the company on one due date for one card brand and payment type.
/// Units are in the order of their dates. The default period is that of the agenda by day. A spreadsheet has all units
/// of the period.
#[utoipa::path(
    get, path = "/receivables/units", tag = "balance", params(AgendaParams, PageParams, FileParams),
    responses((status = 200, content(
        (ReceivablesUnitPage = "application/json"),
        (Workbook = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
    )))
)]
pub async fn list_receivable_units(
    State(state): State<AppState>,
    business: CurrentBusiness,
    wanted: Wanted,
    Query(UnitsQuery { days, paging }): Query<UnitsQuery>,
) -> Result<Response> {
    let (start, end) = days.period(state.clock.today());
    let holder = holder(&state, business.id).await?;
    if let Wanted::Spreadsheet(file) = wanted {
        let units = all_units(state, business.id, (start, end), holder);
        return file.of(&RECEIVABLE_UNITS, units).await;
    }
    let client = state.pool.get().await?;
    let page = unit_list(&**client, business.id, start, end, paging.into()).await?;
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
    get, path = "/receivables/sales", tag = "balance", params(DueParams, PageParams, FileParams),
    responses((status = 200, content(
        (DueInstallmentPage = "application/json"),
        (Workbook = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
    )))
)]
pub async fn list_due_installments(
    State(state): State<AppState>,
    business: CurrentBusiness,
    wanted: Wanted,
    Query(query): Query<DueQuery>,
) -> Result<Response> {
    let filter = InstallmentFilter {
        business_id: business.id,
        due_date: query.date.unwrap_or_else(|| state.clock.today()),
        provider: query.provider,
        card_brand: query.card_brand,
        payment_type: query.payment_type,
    };
    if let Wanted::Spreadsheet(file) = wanted {
        return file.of(&DUE_INSTALLMENTS, all_installments(state, filter)).await;
    }
    let client = state.pool.get().await?;
    let page = installment_list(&**client, &filter, query.paging.into()).await?;
    let meta = PageMeta::numbered(&page, query.paging);
    let data = page.rows.into_iter().map(DueInstallment::from).collect();
    Ok(Json(DueInstallmentPage { data, meta }).into_response())
}

/// The company holds all of its receivables: none is ceded to a third party.
async fn holder(state: &AppState, company: BusinessId) -> Result<ReceivablesHolder> {
    let client = state.pool.get().await?;
    let mut named = companies_named(&**client, &[company]).await?;
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
            let client = state.pool.get().await?;
            let batch = units_export_page(&**client, company, days, after, PAGE_ROWS).await?;
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
            let client = state.pool.get().await?;
            let batch = sales_export_page(&**client, &filter, after, PAGE_ROWS).await?;
            let parts = batch.rows.into_iter().map(DueInstallment::from).collect();
            Ok((parts, batch.next))
        }
    })
}

#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "describes what `FromQuery` reads")]
pub struct AgendaParams {
    /// The company. May be left out if a header or a cookie names it, or if the user has only one company.
    business_id: Option<String>,
    /// First due date, included.
    start: Option<NaiveDate>,
    /// Last due date, included.
    end: Option<NaiveDate>,
}

#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "describes what `FromQuery` reads")]
pub struct PageParams {
    /// Page number, from 1.
    #[param(minimum = 1)]
    page: Option<u32>,
    /// Rows per page; the default is 20.
    #[param(rename = "perPage", minimum = 1, maximum = 100)]
    per_page: Option<u32>,
}

#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "describes what `FromQuery` reads")]
pub struct DueParams {
    /// The company. May be left out if a header or a cookie names it, or if the user has only one company.
    business_id: Option<String>,
    /// The due date, a business date in Brasília.
    #[param(example = "2026-12-21")]
    date: NaiveDate,
    /// The acquirer's number, 1 to 8.
    #[param(minimum = 1, maximum = 8)]
    provider: Option<u8>,
    /// The card brand.
    #[param(example = "visa")]
    brand: Option<String>,
    /// credit, debit, boleto or pix. CREDIT_CARD, BOLETO and PIX are accepted as well.
    #[param(rename = "paymentType", example = "credit")]
    payment_type: Option<String>,
}

pub struct AgendaQuery {
    start: Option<NaiveDate>,
    end: Option<NaiveDate>,
}

impl AgendaQuery {
    fn period(&self, today: NaiveDate) -> (NaiveDate, NaiveDate) {
        let start = self.start.unwrap_or(today);
        let usual = || start.checked_add_days(Days::new(DAYS_DEFAULT)).unwrap_or(start);
        (start, self.end.unwrap_or_else(usual))
    }
}

impl FromQuery for AgendaQuery {
    fn read(query: &mut QueryReader) -> Self {
        let (start, end) = query.period();
        query.at_most("end", (start, end), DAYS_MAX, "O período pode ter até dois anos.");
        Self { start, end }
    }
}

pub struct UnitsQuery {
    days: AgendaQuery,
    paging: Paging,
}

impl FromQuery for UnitsQuery {
    fn read(query: &mut QueryReader) -> Self {
        Self {
            days: AgendaQuery::read(query),
            paging: Paging::read(query),
        }
    }
}

pub struct DueQuery {
    date: Option<NaiveDate>,
    provider: Option<Provider>,
    card_brand: Option<CardBrand>,
    payment_type: Option<PaymentType>,
    paging: Paging,
}

impl FromQuery for DueQuery {
    fn read(query: &mut QueryReader) -> Self {
        if query.text("date").is_none() {
            query.error("date", "Informe a data.");
        }
        Self {
            date: query.date("date"),
            provider: query.read("provider", "Deve ser o número de uma adquirente.", |text| {
                let number = text.parse().ok();
                number.and_then(|number: u8| Provider::from_number(number).ok())
            }),
            card_brand: query.read("brand", "Deve ser uma bandeira.", |text| {
                CardBrand::parse(text).ok()
            }),
            payment_type: query.read("paymentType", "Deve ser credit, debit, boleto ou pix.", |text| {
                PaymentType::parse(text).ok()
            }),
            paging: Paging::read(query),
        }
    }
}
