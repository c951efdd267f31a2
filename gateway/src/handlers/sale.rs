//! The sales of a company: the list, its totals, one sale.

use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use futures::Stream;
use ledger_domain::SaleId;
use ledger_domain::sale::{CardBrand, PaymentType, Solution, StatusGroup};
use projections::Order;
use projections::sale::{self, SaleCursor, SaleFilter, sale_fetch, sale_list, sale_list_after, sale_totals};
use utoipa::IntoParams;

use crate::AppState;
use crate::http::{CurrentBusiness, FromQuery, Json, Paging, Query, QueryReader};
use crate::problem::{Problem, Result};
use crate::spreadsheet::tables::SALES;
use crate::spreadsheet::{FileParams, PAGE_ROWS, Wanted, Workbook, pages};
use crate::wire::page::PageMeta;
use crate::wire::sale::{SaleDetail, SalePage, SaleRow, SaleTotals};

/// Sales
///
/// Newest first unless `order=asc`. Past 10,000 rows the total is capped; `next` goes on in constant time. A
/// spreadsheet has all sales of the filter.
#[utoipa::path(
    get, path = "/transactions", tag = "sales", params(SaleFilterParams, SaleListParams, FileParams),
    responses((status = 200, content(
        (SalePage = "application/json"),
        (Workbook = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
    )))
)]
pub async fn list_sales(
    State(state): State<AppState>,
    business: CurrentBusiness,
    wanted: Wanted,
    Query(SaleListQuery {
        filter,
        paging,
        after,
    }): Query<SaleListQuery>,
) -> Result<Response> {
    let filter = SaleFilter {
        business_id: Some(business.id),
        ..filter
    };
    if let Wanted::Spreadsheet(file) = wanted {
        return file.of(&SALES, all_sales(state, filter)).await;
    }
    let client = state.pool.get().await?;
    let page = match after {
        Some(cursor) => sale_list_after(&**client, &filter, cursor, paging.per_page).await?,
        None => sale_list(&**client, &filter, paging.into()).await?,
    };
    let meta = PageMeta::of(&page, paging);
    let data = page.rows.into_iter().map(SaleRow::from).collect();
    Ok(Json(SalePage { data, meta }).into_response())
}

fn all_sales(state: AppState, filter: SaleFilter) -> impl Stream<Item = Result<Vec<SaleRow>>> {
    pages(move |after| {
        let (state, filter) = (state.clone(), filter.clone());
        async move {
            let client = state.pool.get().await?;
            let batch = sale::export_page(&**client, &filter, after, PAGE_ROWS).await?;
            Ok((batch.rows.into_iter().map(SaleRow::from).collect(), batch.next))
        }
    })
}

/// Totals of the sales
///
/// Without a status, of what was captured; with one, of exactly the sales that the list shows for it.
#[utoipa::path(get, path = "/transactions/totals", tag = "sales", params(SaleFilterParams, CardsParam), responses((status = 200, body = SaleTotals)))]
pub async fn get_sale_totals(
    State(state): State<AppState>,
    business: CurrentBusiness,
    Query(TotalsQuery(filter)): Query<TotalsQuery>,
) -> Result<Json<SaleTotals>> {
    let filter = SaleFilter {
        business_id: Some(business.id),
        ..filter
    };
    let client = state.pool.get().await?;
    Ok(Json(sale_totals(&**client, &filter).await?.into()))
}

/// One sale
#[utoipa::path(
    get, path = "/transactions/{id}", tag = "sales",
    params(("id" = String, Path, example = "sal_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b04"), SaleParams),
    responses((status = 200, body = SaleDetail))
)]
pub async fn get_sale(
    State(state): State<AppState>,
    business: CurrentBusiness,
    Path(id): Path<String>,
    Query(WithReceivables(with_receivables)): Query<WithReceivables>,
) -> Result<Json<SaleDetail>> {
    // What is no id names no sale.
    let id: SaleId = id.parse().map_err(|_| Problem::not_found())?;
    let client = state.pool.get().await?;
    let sale = sale_fetch(&**client, Some(business.id), id)
        .await?
        .ok_or_else(Problem::not_found)?;
    Ok(Json(SaleDetail::of(sale, with_receivables)))
}

/// The filters of sales, as every list and total of them takes them.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "describes what `FromQuery` reads")]
pub struct SaleFilterParams {
    /// The company; needed where the seller has several and nothing else names one.
    business_id: Option<String>,
    /// 1 card machine, 2 e-commerce, 3 info product, 4 payment link.
    #[param(minimum = 1, maximum = 4)]
    solution: Option<u8>,
    /// credit, debit, boleto or pix; CREDIT_CARD, BOLETO and PIX are read as well.
    #[param(rename = "paymentType", example = "credit")]
    payment_type: Option<String>,
    /// A group (succeeded, reversed, dispute, canceled) or a detailed status.
    #[param(example = "succeeded")]
    status: Option<String>,
    /// First business date, included.
    start: Option<chrono::NaiveDate>,
    /// Last business date, included.
    end: Option<chrono::NaiveDate>,
    #[param(example = "visa")]
    brand: Option<String>,
    /// A terminal's id.
    terminal: Option<String>,
}

#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "describes what `FromQuery` reads")]
pub struct SaleListParams {
    #[param(minimum = 1, example = 1)]
    page: Option<u32>,
    #[param(rename = "perPage", minimum = 1, maximum = 100, example = 20)]
    per_page: Option<u32>,
    /// asc or desc (the default), by the instant of the capture, else of the creation.
    #[param(inline)]
    order: Option<OrderParam>,
    /// The cursor of an earlier answer's `meta.next`; `page` does not count then.
    next: Option<String>,
}

/// How a list is sorted.
#[derive(utoipa::ToSchema)]
#[schema(rename_all = "lowercase")]
pub enum OrderParam {
    Asc,
    Desc,
}

#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "describes what `FromQuery` reads")]
pub struct CardsParam {
    /// Several brands, comma separated.
    #[param(example = "visa,mastercard")]
    cards: Option<String>,
}

#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "describes what `FromQuery` reads")]
pub struct SaleParams {
    /// The company; needed where the seller has several and nothing else names one.
    business_id: Option<String>,
    /// 1 for the schedule as well.
    #[param(minimum = 0, maximum = 1)]
    receivables: Option<u8>,
}

pub struct SaleListQuery {
    filter: SaleFilter,
    paging: Paging,
    after: Option<SaleCursor>,
}

impl FromQuery for SaleListQuery {
    fn read(query: &mut QueryReader) -> Self {
        let filter = SaleFilter {
            order: query.order(Order::Desc),
            ..read_filter(query)
        };
        Self {
            filter,
            paging: Paging::read(query),
            after: query.parsed("next", "Não é um cursor desta lista."),
        }
    }
}

pub struct TotalsQuery(SaleFilter);

impl FromQuery for TotalsQuery {
    fn read(query: &mut QueryReader) -> Self {
        let mut filter = read_filter(query);
        let cards = query.read(
            "cards",
            "Deve ser uma lista de bandeiras separadas por vírgula.",
            |text| {
                text.split(',')
                    .map(|brand| CardBrand::parse(brand).ok())
                    .collect::<Option<Vec<_>>>()
            },
        );
        filter.brands.extend(cards.unwrap_or_default());
        Self(filter)
    }
}

pub struct WithReceivables(bool);

impl FromQuery for WithReceivables {
    fn read(query: &mut QueryReader) -> Self {
        Self(query.switch("receivables"))
    }
}

fn read_filter(query: &mut QueryReader) -> SaleFilter {
    let (start, end) = query.period();
    let number = |text: &str| {
        text.parse()
            .ok()
            .and_then(|number: u8| Solution::from_number(number).ok())
    };
    let brand = query.read("brand", "Deve ser uma bandeira.", |text| {
        CardBrand::parse(text).ok()
    });
    SaleFilter {
        solution: query.read("solution", "Deve ser 1, 2, 3 ou 4.", number),
        payment_type: query.read("paymentType", "Deve ser credit, debit, boleto ou pix.", |text| {
            PaymentType::parse(text).ok()
        }),
        statuses: query
            .read("status", "Deve ser um status de venda.", |text| {
                StatusGroup::statuses_named(text).ok()
            })
            .unwrap_or_default(),
        brands: brand.into_iter().collect(),
        terminal_id: query.parsed("terminal", "Deve ser o id de um terminal."),
        start,
        end,
        ..SaleFilter::default()
    }
}
