//! The home page of the seller panel in one call.

use axum::extract::State;
use chrono::{Days, NaiveDate};
use futures::try_join;
use ledger_domain::transfer::TransferKind;
use projections::balance::balance_fetch;
use projections::daily_sales::{FigureFilter, period_totals};
use projections::receivables::expected_between;
use projections::sales::{self, SaleFilter};
use projections::withdrawals::{self, TransferFilter};

use super::bodies::seller::{ComparedDays, LatestWithdrawal, Overview, ToReceive, brands, payment_types};
use crate::AppState;
use crate::balance::bodies::balance::BalanceTotals;
use crate::edge::{CurrentBusiness, Db, Json, Query};
use crate::problem::Result;
use crate::reports::period::Period;
use crate::reports::query::{Group, PeriodQuery};
use crate::reports::read::{read_breakdown, read_report};
use crate::sales::bodies::list::SaleRow;
use crate::shared::cents;

const LATEST_SALES: u32 = 8;
const LATEST_WITHDRAWALS: u32 = 3;

/// Get the figures of the home page
///
/// For roles that may not see the balance, `balance`, `to_receive` and `latest_withdrawals` are null. `period` compares
/// the sales of the requested period with those of the period before it. `by_payment_type` and
/// `by_brand` have the sales of the requested period: the last 30 days without `start` and `end`. Amounts are in cents.
#[utoipa::path(get, path = "/overview", tag = "overview", responses((status = 200, body = Overview)))]
pub(crate) async fn get_overview(
    State(state): State<AppState>,
    business: CurrentBusiness,
    Query(period): Query<PeriodQuery>,
    db: Db,
) -> Result<Json<Overview>> {
    let period = Period::of(period, Group::Day, state.clock.now())?;
    let overview = read_overview(&db, business, &period, state.clock.today()).await?;
    Ok(Json(overview))
}

/// Sends the queries in two groups, the figures and then the report. The connection pipelines the queries of a group.
async fn read_overview(
    db: &Db,
    business: CurrentBusiness,
    period: &Period,
    today: NaiveDate,
) -> Result<Overview> {
    let (db, id, days) = (&**db, business.id, ComparedDays::of(today));
    let latest = SaleFilter {
        business_id: Some(id),
        ..SaleFilter::default()
    };
    let of_company = FigureFilter {
        businesses: Some(vec![id]),
        ..FigureFilter::default()
    };
    let reading = try_join!(
        period_totals(db, id, today, today),
        period_totals(db, id, days.yesterday, days.yesterday),
        period_totals(db, id, days.month.0, days.month.1),
        period_totals(db, id, days.previous_month.0, days.previous_month.1),
        sales::export_page(db, &latest, None, LATEST_SALES),
        read_balance(db, business, today),
    );
    let (sales_today, sales_yesterday, sales_month, sales_previous_month, latest, balance) = reading?;
    let (report, breakdown) = try_join!(
        read_report(db, &of_company, period),
        read_breakdown(db, &of_company, period),
    )?;
    let SeenBalance {
        balance,
        to_receive,
        latest_withdrawals,
    } = balance;
    Ok(Overview {
        today,
        balance,
        to_receive,
        latest_withdrawals,
        sales_today: sales_today.into(),
        sales_yesterday: sales_yesterday.into(),
        sales_month: sales_month.into(),
        sales_previous_month: sales_previous_month.into(),
        period: report.into(),
        by_payment_type: payment_types(&breakdown),
        by_brand: brands(&breakdown),
        latest_sales: latest
            .rows
            .into_iter()
            .map(|listed| SaleRow::from(listed.sale))
            .collect(),
    })
}

/// The fields that only roles with access to the balance get. They are null for other roles.
#[derive(Default)]
struct SeenBalance {
    balance: Option<BalanceTotals>,
    to_receive: Option<ToReceive>,
    latest_withdrawals: Option<Vec<LatestWithdrawal>>,
}

async fn read_balance(
    client: &tokio_postgres::Client,
    business: CurrentBusiness,
    today: NaiveDate,
) -> Result<SeenBalance, projections::Error> {
    if !business.sees_balance() {
        return Ok(SeenBalance::default());
    }
    // Today is the first of the days, as in the periods of the receivables screen.
    let last_of = |days: u64| today.checked_add_days(Days::new(days - 1)).unwrap_or(today);
    let of_company = TransferFilter {
        business_id: Some(business.id),
        kind: Some(TransferKind::Withdrawal),
        ..TransferFilter::default()
    };
    let (balance, week, month, withdrawals) = try_join!(
        balance_fetch(client, business.id),
        expected_between(client, business.id, today, last_of(7)),
        expected_between(client, business.id, today, last_of(30)),
        withdrawals::export_page(client, &of_company, None, LATEST_WITHDRAWALS),
    )?;
    Ok(SeenBalance {
        balance: Some(balance.into()),
        to_receive: Some(ToReceive {
            next_7_days: cents(week),
            next_30_days: cents(month),
        }),
        latest_withdrawals: Some(withdrawals.rows.into_iter().map(Into::into).collect()),
    })
}
