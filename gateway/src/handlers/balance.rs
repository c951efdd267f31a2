//! The company's balance: its totals, or the movements that led to them.

use axum::extract::State;
use chrono::NaiveDate;
use projections::Order;
use projections::balance::balance_fetch;
use projections::statement::{statement_list, statement_sums};
use utoipa::IntoParams;

use crate::AppState;
use crate::handlers::sale::OrderParam;
use crate::http::{CurrentBusiness, FromQuery, Json, Paging, Query, QueryReader};
use crate::problem::Result;
use crate::wire::balance::{BalanceByKind, BalanceHistory, BalanceMovement, BalancePage, BalanceSummary};
use crate::wire::page::PageMeta;

/// Balance, or its movements
///
/// With `totals=1` the balance; else a page of movements of the available balance, newest first.
#[utoipa::path(get, path = "/balance/history", tag = "balance", params(BalanceParams), responses((status = 200, body = BalanceHistory)))]
pub async fn list_balance_history(
    State(state): State<AppState>,
    business: CurrentBusiness,
    Query(query): Query<BalanceQuery>,
) -> Result<Json<BalanceHistory>> {
    let BalanceQuery {
        totals,
        start,
        end,
        order,
        paging,
    } = query;
    let client = state.pool.get().await?;
    if totals {
        let balance = balance_fetch(&**client, business.id).await?;
        let sums = statement_sums(&**client, business.id, None, None).await?;
        return Ok(Json(BalanceHistory::Totals(BalanceSummary {
            totals: BalanceByKind::of(balance, &sums),
        })));
    }
    let page = statement_list(&**client, business.id, start, end, order, paging.into()).await?;
    let meta = PageMeta::numbered(&page, paging);
    let data = page.rows.into_iter().map(BalanceMovement::from).collect();
    Ok(Json(BalanceHistory::Movements(BalancePage { data, meta })))
}

#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "describes what `FromQuery` reads")]
pub struct BalanceParams {
    business_id: Option<String>,
    /// 1 for the balance instead of its movements.
    #[param(minimum = 0, maximum = 1)]
    totals: Option<u8>,
    /// First business date, included.
    start: Option<NaiveDate>,
    /// Last business date, included.
    end: Option<NaiveDate>,
    #[param(minimum = 1)]
    page: Option<u32>,
    #[param(rename = "perPage", minimum = 1, maximum = 100)]
    per_page: Option<u32>,
    #[param(inline)]
    order: Option<OrderParam>,
}

pub struct BalanceQuery {
    totals: bool,
    start: Option<NaiveDate>,
    end: Option<NaiveDate>,
    order: Order,
    paging: Paging,
}

impl FromQuery for BalanceQuery {
    fn read(query: &mut QueryReader) -> Self {
        let (start, end) = query.period();
        let order = query.order(Order::Desc);
        Self {
            totals: query.switch("totals"),
            start,
            end,
            order,
            paging: Paging::read(query),
        }
    }
}
