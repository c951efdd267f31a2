//! Helpers of tests that compare the figures of reports.

use deadpool_postgres::Client;
use ledger_domain::BusinessId;
use ledger_domain::calendar::{Date, business_date};
use projections::daily_sales::{FigureFilter, Figures, Within, figures_by_slot};

pub fn of_company(company: BusinessId) -> FigureFilter {
    FigureFilter {
        businesses: Some(vec![company]),
        ..FigureFilter::default()
    }
}

/// The days that have figures, oldest first.
pub async fn figures_by_day(
    client: &Client,
    filter: FigureFilter,
    dates: (Date, Date),
) -> Vec<(Date, Figures)> {
    let days = figures_by_slot(&***client, &filter, Within::Days(dates)).await;
    let days = days.expect("figures").into_iter();
    days.map(|(from, figures)| (business_date(from), figures))
        .collect()
}

/// The figures of reversals and disputes alone, without those of captures and settlements.
pub fn reversals_of(figures: Figures) -> Figures {
    Figures {
        sales: 0,
        gross: 0,
        percentage_fee: 0,
        flat_fee: 0,
        percentage_rate: 0,
        flat_rate: 0,
        net: 0,
        settled_count: 0,
        settled_gross: 0,
        settled: 0,
        ..figures
    }
}
