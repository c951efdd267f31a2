//! The companies of a report of fees: those with figures, and those that paid only fees of withdrawals or rentals.

use projections::daily_sales::{
    FigureFilter, FigureSort, ListedCompanies, Rankings, Within, figures_by_company,
};
use projections::{Paging, SortOrder};

use super::ledger::{Ledger, business, card, day, minute, monday};
use super::reversal_commands::ReversalCommands;

/// The first report reads the whole month and subtracts its last two days, which have fees and no sales.
#[tokio::test]
async fn a_company_that_paid_fees_only_after_the_period_is_neither_listed_nor_counted() {
    let ledger = Ledger::create().await;
    let _following = ledger.follow();
    let (seller, renter) = (business(1), business(2));
    ledger.capture(seller, card(ledger.new_sale()), minute(0)).await;
    let sunday = minute(6 * 24 * 60);
    let commands = ReversalCommands {
        ledger: &ledger,
        shop: renter,
    };
    commands.rent(49_90, day(6), sunday).await;
    ledger.until_caught_up().await;

    let client = ledger.client().await;
    let first = monday() - chrono::Days::new(22);
    let rankings = Rankings::default();
    let list_until = async |end| {
        let first_page = Paging {
            page: 1,
            per_page: 10,
        };
        let page = figures_by_company(
            &**client,
            &rankings,
            &FigureFilter::default(),
            Within::Months((first, end)),
            ListedCompanies::WithFiguresOrFees,
            (FigureSort::Gross, SortOrder::Desc),
            Some(first_page),
        )
        .await
        .expect("companies");
        let companies: Vec<_> = page.rows.into_iter().map(|(company, _)| company).collect();
        (companies, page.total)
    };
    assert_eq!(list_until(day(5)).await, (vec![seller], 1));
    assert_eq!(list_until(day(7)).await, (vec![seller, renter], 2));
}
