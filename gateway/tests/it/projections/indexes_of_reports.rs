//! Queries of reports, and the lists behind their figures, use indexes: a part of the test in `indexes`.

use ledger_domain::calendar::start_of;
use ledger_domain::sale::{PaymentType, SaleStatus};
use projections::balance::{platform_fees_by_company, platform_fees_by_day};
use projections::daily_sales::{
    FigureFilter, FigureSort, ListedCompanies, Rankings, Within, figures_breakdown, figures_by_company,
    figures_by_slot,
};
use projections::sales::{DateBasis, SaleFilter, sale_list_with_counted};
use projections::{SortOrder, TimeRange};
use tokio_postgres::Client;

use super::indexes::{FIRST_PAGE, assert_uses_index};
use super::ledger::{business, day};

pub(super) async fn check_reports(client: &Client) {
    check_slots_and_companies(client).await;
    check_payment_type(client).await;
    check_breakdowns(client).await;
    check_fees(client).await;
    check_lists(client).await;
}

fn of_shop() -> FigureFilter {
    FigureFilter {
        businesses: Some(vec![business(1)]),
        ..FigureFilter::default()
    }
}

fn days() -> Within {
    Within::Days((day(0), day(2)))
}

fn months() -> Within {
    Within::Months((day(0), day(80)))
}

fn hours() -> Within {
    Within::Hours(start_of(day(0)), start_of(day(2)))
}

async fn check_slots_and_companies(client: &Client) {
    let (of_shop, of_all) = (of_shop(), FigureFilter::default());
    let by_gross = (FigureSort::Gross, SortOrder::Desc);
    for (what, filter, within, of_all_companies, by_company) in [
        (
            "a company's report",
            &of_shop,
            days(),
            "daily_sales_key",
            "daily_sales_key",
        ),
        (
            "staff's report",
            &of_all,
            days(),
            "platform_sales_daily_pkey",
            "daily_sales_by_date",
        ),
        (
            "a report by month",
            &of_all,
            months(),
            "platform_sales_monthly_pkey",
            "monthly_sales_by_month",
        ),
        (
            "a report by hour",
            &of_all,
            hours(),
            "platform_sales_hourly_pkey",
            "hourly_sales_by_hour",
        ),
    ] {
        figures_by_slot(client, filter, within).await.expect("figures");
        assert_uses_index(client, what, of_all_companies).await;
        let listed = ListedCompanies::WithFigures;
        let rankings = Rankings::default();
        let first_page = Some(FIRST_PAGE);
        figures_by_company(client, &rankings, filter, within, listed, by_gross, first_page)
            .await
            .expect("companies");
        assert_uses_index(client, what, by_company).await;
    }
}

async fn check_payment_type(client: &Client) {
    let pix = FigureFilter {
        payment_type: Some(PaymentType::Pix),
        ..FigureFilter::default()
    };
    figures_by_slot(client, &pix, days()).await.expect("figures");
    assert_uses_index(
        client,
        "staff's report of a payment type",
        "platform_sales_by_attribute_key",
    )
    .await;
    figures_by_slot(client, &pix, months()).await.expect("figures");
    assert_uses_index(
        client,
        "staff's months of a payment type",
        "platform_sales_monthly_by_attribute_key",
    )
    .await;
    figures_by_slot(client, &pix, hours()).await.expect("figures");
    assert_uses_index(
        client,
        "staff's hours of a payment type",
        "platform_sales_hourly_by_attribute_key",
    )
    .await;
}

async fn check_breakdowns(client: &Client) {
    let of_all = FigureFilter::default();
    figures_breakdown(client, &of_all, days()).await.expect("figures");
    assert_uses_index(client, "staff's breakdown", "platform_sales_by_attribute_key").await;
    figures_breakdown(client, &of_all, months())
        .await
        .expect("figures");
    assert_uses_index(
        client,
        "staff's breakdown of months",
        "platform_sales_monthly_by_attribute_key",
    )
    .await;
    figures_breakdown(client, &of_shop(), days())
        .await
        .expect("figures");
    assert_uses_index(client, "a breakdown", "daily_sales_key").await;
}

async fn check_fees(client: &Client) {
    platform_fees_by_day(client, None, (day(0), day(2)))
        .await
        .expect("fees");
    assert_uses_index(client, "the platform's fees", "platform_revenue_daily_pkey").await;
    platform_fees_by_company(client, &[business(1)], (day(0), day(2)))
        .await
        .expect("fees");
    assert_uses_index(client, "a company's fees", "platform_fees_daily_pkey").await;
}

async fn check_lists(client: &Client) {
    let returned = SaleFilter {
        date_basis: DateBasis::Reversed,
        statuses: vec![SaleStatus::Canceled],
        range: TimeRange::of_business_dates(Some(day(0)), Some(day(2))),
        ..SaleFilter::default()
    };
    sale_list_with_counted(client, &returned, FIRST_PAGE)
        .await
        .expect("a list");
    assert_uses_index(client, "staff's list of reversals", "sale_return_by_instant").await;
    let settled = SaleFilter {
        date_basis: DateBasis::Settled,
        statuses: vec![],
        ..returned
    };
    sale_list_with_counted(client, &settled, FIRST_PAGE)
        .await
        .expect("a list");
    assert_uses_index(client, "staff's list of settlements", "statement_line_settled").await;
}
