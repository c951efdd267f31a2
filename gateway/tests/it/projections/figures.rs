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
        cancels: figures.cancels,
        canceled_gross: figures.canceled_gross,
        canceled_net: figures.canceled_net,
        refunds: figures.refunds,
        refunded_gross: figures.refunded_gross,
        refunded_net: figures.refunded_net,
        acquirer_reversals: figures.acquirer_reversals,
        acquirer_reversed_gross: figures.acquirer_reversed_gross,
        acquirer_reversed_net: figures.acquirer_reversed_net,
        disputes: figures.disputes,
        disputed: figures.disputed,
        disputes_won: figures.disputes_won,
        won: figures.won,
        chargebacks: figures.chargebacks,
        charged_back: figures.charged_back,
        ..Figures::default()
    }
}
