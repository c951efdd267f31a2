//! The home page of the seller panel in one call.

use axum::extract::State;
use chrono::{Days, NaiveDate};
use futures::try_join;
use projections::Paging;
use projections::balance::balance_fetch;
use projections::daily_sales::{by_brand, by_payment_type, daily_volume, period_totals};
use projections::receivables::expected_between;
use projections::sales::{SaleFilter, sale_list};

use super::bodies::seller::{BrandVolume, Overview, PaymentTypeVolume, Periods, ToReceive, each_day};
use crate::AppState;
use crate::balance::bodies::balance::BalanceTotals;
use crate::edge::{CurrentBusiness, Db, Json};
use crate::problem::Result;
use crate::sales::bodies::list::SaleRow;
use crate::shared::cents;

const LATEST: Paging = Paging { page: 1, per_page: 8 };

/// Get the figures of the home page
///
/// For roles that may not see the balance, `balance` and `to_receive` are null. Amounts are in cents.
#[utoipa::path(get, path = "/overview", tag = "overview", responses((status = 200, body = Overview)))]
pub async fn get_overview(
    State(state): State<AppState>,
    business: CurrentBusiness,
    db: Db,
) -> Result<Json<Overview>> {
    let overview = read_overview(&db, business, state.clock.today()).await?;
    Ok(Json(overview))
}

/// Sends all queries at once: the connection pipelines them, so no round trip separates two queries.
async fn read_overview(db: &Db, business: CurrentBusiness, today: NaiveDate) -> Result<Overview> {
    let (db, id, periods) = (&**db, business.id, Periods::of(today));
    let since = periods.thirty_days;
    let latest = SaleFilter {
        business_id: Some(id),
        ..SaleFilter::default()
    };
    let (
        sales_today,
        sales_yesterday,
        sales_month,
        sales_previous_month,
        daily,
        types,
        brands,
        latest,
        balance,
    ) = try_join!(
        period_totals(db, id, today, today),
        period_totals(db, id, periods.yesterday, periods.yesterday),
        period_totals(db, id, periods.month.0, periods.month.1),
        period_totals(db, id, periods.previous_month.0, periods.previous_month.1),
        daily_volume(db, id, since, today),
        by_payment_type(db, id, since, today),
        by_brand(db, id, since, today),
        sale_list(db, &latest, LATEST),
        read_balance(db, business, today),
    )?;
    let (balance, to_receive) = balance.unzip();
    Ok(Overview {
        today,
        balance,
        to_receive,
        sales_today: sales_today.into(),
        sales_yesterday: sales_yesterday.into(),
        sales_month: sales_month.into(),
        sales_previous_month: sales_previous_month.into(),
        daily: each_day(since, today, daily),
        by_payment_type: types
            .into_iter()
            .map(|(kind, sum)| PaymentTypeVolume {
                payment_type: kind.into(),
                count: sum.count,
                gross: cents(sum.gross),
            })
            .collect(),
        by_brand: brands
            .into_iter()
            .filter_map(|(brand, sum)| {
                Some(BrandVolume {
                    card_brand: brand?.as_str().to_owned(),
                    count: sum.count,
                    gross: cents(sum.gross),
                })
            })
            .collect(),
        latest_sales: latest.rows.into_iter().map(SaleRow::from).collect(),
    })
}

/// The balance and the amounts to receive; `None` for roles that may not see them.
async fn read_balance(
    client: &tokio_postgres::Client,
    business: CurrentBusiness,
    today: NaiveDate,
) -> Result<Option<(BalanceTotals, ToReceive)>, projections::Error> {
    if !business.sees_balance() {
        return Ok(None);
    }
    let until = |days| today.checked_add_days(Days::new(days)).unwrap_or(today);
    let (balance, week, month) = try_join!(
        balance_fetch(client, business.id),
        expected_between(client, business.id, today, until(7)),
        expected_between(client, business.id, today, until(30)),
    )?;
    let to_receive = ToReceive {
        next_7_days: cents(week),
        next_30_days: cents(month),
    };
    Ok(Some((balance.into(), to_receive)))
}
