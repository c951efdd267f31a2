//! Lists, totals and details of sales, to the cent, for fixed histories.

use ledger_domain::Cents;
use ledger_domain::calendar::Date;
use ledger_domain::sale::{CardBrand, PaymentType, SaleFacts, SaleStatus};
use projections::daily_sales::{SaleTotals, sale_totals};
use projections::sales::{ReceivableStatus, SaleFilter, sale_fetch, sale_list, sale_list_after_cursor};
use projections::{Paging, SortOrder, TimeRange};

use super::ledger::{Ledger, business, card, cents, day, minute, monday, pix, terminal};

const FIRST_PAGE: Paging = Paging {
    page: 1,
    per_page: 20,
};

fn of_shop() -> SaleFilter {
    SaleFilter {
        business_id: Some(business(1)),
        ..SaleFilter::default()
    }
}

fn on(date: Date) -> SaleFilter {
    SaleFilter {
        range: TimeRange::of_business_dates(Some(date), Some(date)),
        ..of_shop()
    }
}

/// 300,00 at 3,1 %, plus 0,2 % of the rest, plus 0,10: 9,30 + 0,58 + 0,10 leave 290,02.
#[tokio::test]
async fn a_captured_sale_is_listed_and_summed_with_its_fees() {
    let ledger = Ledger::create().await;
    let runner = ledger.follow();
    let facts = card(ledger.new_sale());
    let sale = facts.sale_id;
    ledger.capture(business(1), facts, minute(0)).await;
    ledger.until_caught_up().await;
    let client = ledger.client().await;

    let page = sale_list(&**client, &of_shop(), FIRST_PAGE)
        .await
        .expect("a list");
    assert_eq!((page.total, page.total_capped, page.rows.len()), (1, false, 1));
    let row = &page.rows[0];
    assert_eq!(
        (row.sale_id, row.status, row.net),
        (sale, SaleStatus::Succeeded, Some(cents(290_02)))
    );
    let fees = (
        row.fees.percentage_fee,
        row.fees.flat_fee,
        row.fees.percentage_rate,
        row.fees.flat_rate,
    );
    assert_eq!(fees, (cents(9_30), Cents::ZERO, cents(58), cents(10)));
    assert_eq!((row.captured_at, row.occurred_at), (Some(minute(0)), minute(0)));
    assert_eq!(
        row.plan.as_ref().map(|plan| plan.name.as_str()),
        Some("Plano Loja")
    );

    let totals = sale_totals(&**client, &of_shop()).await.expect("totals");
    let expected = SaleTotals {
        count: 1,
        gross: cents(300_00),
        fees: cents(9_98),
        net: cents(290_02),
    };
    assert_eq!(totals, expected);
    runner.stop().await;
}

/// The fees of 9,98 are split like the gross, into three parts: 3,34 + 3,32 + 3,32.
#[tokio::test]
async fn a_captured_sale_has_its_schedule_and_its_timeline() {
    let ledger = Ledger::create().await;
    let runner = ledger.follow();
    let facts = card(ledger.new_sale());
    let sale = facts.sale_id;
    ledger.capture(business(1), facts, minute(0)).await;
    ledger.until_caught_up().await;
    let client = ledger.client().await;

    let detail = sale_fetch(&**client, Some(business(1)), sale)
        .await
        .expect("a sale")
        .expect("known");
    let parts: Vec<_> = detail
        .receivables
        .iter()
        .map(|part| (part.number, part.gross, part.net))
        .collect();
    let part = |number, net| (number, cents(100_00), cents(net));
    assert_eq!(parts, [part(1, 96_66), part(2, 96_68), part(3, 96_68)]);
    assert!(
        detail
            .receivables
            .iter()
            .all(|part| part.status == ReceivableStatus::Scheduled)
    );
    let events: Vec<_> = detail
        .events
        .iter()
        .map(|event| (event.event_type, event.amount))
        .collect();
    assert_eq!(events, [("SaleCaptured", Some(cents(300_00)))]);
    let of_another = sale_fetch(&**client, Some(business(9)), sale)
        .await
        .expect("a look");
    assert_eq!(of_another, None);
    runner.stop().await;
}

#[tokio::test]
async fn a_settled_installment_is_shown_on_its_sale() {
    let ledger = Ledger::create().await;
    let runner = ledger.follow();
    let facts = pix(ledger.new_sale());
    let sale = facts.sale_id;
    ledger.capture(business(1), facts, minute(0)).await;
    ledger.settle_due(day(1)).await;
    ledger.until_caught_up().await;
    let client = ledger.client().await;
    let detail = sale_fetch(&**client, None, sale)
        .await
        .expect("a sale")
        .expect("known");
    let part = detail.receivables[0];
    assert_eq!(
        (part.status, part.paid_on),
        (ReceivableStatus::Settled, Some(day(1)))
    );
    let events: Vec<_> = detail
        .events
        .iter()
        .map(|event| (event.event_type, event.amount))
        .collect();
    assert_eq!(
        events,
        [
            ("SaleCaptured", Some(cents(50_00))),
            ("ReceivablesSettled", Some(cents(49_30)))
        ]
    );
    runner.stop().await;
}

#[tokio::test]
async fn a_sale_that_is_paid_later_is_listed_on_the_day_of_its_payment() {
    let ledger = Ledger::create().await;
    let runner = ledger.follow();
    let facts = SaleFacts {
        payment_link_code: Some("loja-1".to_owned()),
        ..pix(ledger.new_sale())
    };
    ledger.create_sale(business(1), facts.clone(), minute(0)).await;
    ledger.until_caught_up().await;
    let client = ledger.client().await;
    let pending = sale_list(&**client, &on(monday()), FIRST_PAGE)
        .await
        .expect("a list");
    let rows: Vec<_> = pending.rows.iter().map(|row| (row.status, row.net)).collect();
    assert_eq!(rows, [(SaleStatus::Pending, None)]);
    let totals = sale_totals(&**client, &on(monday())).await.expect("totals");
    assert_eq!(totals, SaleTotals::default(), "nothing was captured yet");

    let capture = SaleFacts {
        payment_link_code: None,
        ..facts
    };
    ledger.capture(business(1), capture, minute(24 * 60)).await;
    ledger.until_caught_up().await;
    assert_eq!(
        sale_list(&**client, &on(monday()), FIRST_PAGE)
            .await
            .expect("a list")
            .total,
        0
    );
    let paid = sale_list(&**client, &on(day(1)), FIRST_PAGE)
        .await
        .expect("a list");
    let row = &paid.rows[0];
    assert_eq!(
        (row.created_at, row.captured_at),
        (minute(0), Some(minute(24 * 60)))
    );
    assert_eq!(
        row.payment_link_code.as_deref(),
        Some("loja-1"),
        "fields that the capture omits are kept"
    );
    assert_eq!(
        sale_totals(&**client, &on(day(1))).await.expect("totals").count,
        1
    );
    runner.stop().await;
}

/// Each filter, the number of sales that it lists, and the number that its totals count.
fn filters() -> [(SaleFilter, u64, u64); 10] {
    let shop = of_shop;
    let by_status = |statuses: &[SaleStatus]| SaleFilter {
        statuses: statuses.to_vec(),
        ..shop()
    };
    [
        // Of twelve sales, ten are captured. One failed. One expired, and its status is canceled.
        (shop(), 12, 10),
        (by_status(&[SaleStatus::Succeeded]), 10, 10),
        (by_status(&[SaleStatus::Failed]), 1, 1),
        (by_status(&[SaleStatus::Failed, SaleStatus::Canceled]), 2, 2),
        // Four captured ones, and the one that expired.
        (
            SaleFilter {
                payment_type: Some(PaymentType::Pix),
                ..shop()
            },
            5,
            4,
        ),
        (
            SaleFilter {
                brands: vec![CardBrand::Elo],
                ..shop()
            },
            3,
            3,
        ),
        // All cards: six captured ones, and the one that failed.
        (
            SaleFilter {
                terminal_id: Some(terminal(1).id),
                ..shop()
            },
            7,
            6,
        ),
        (on(day(1)), 4, 4),
        (
            SaleFilter {
                range: TimeRange::of_business_dates(Some(day(2)), None),
                ..shop()
            },
            3,
            3,
        ),
        // Filters over both companies.
        (
            SaleFilter {
                business_id: None,
                ..by_status(&[SaleStatus::Failed])
            },
            2,
            2,
        ),
    ]
}

#[tokio::test]
async fn a_filter_limits_the_list_and_its_totals() {
    let (ledger, runner) = Ledger::with_history().await;
    let client = ledger.client().await;
    for (filter, listed, counted) in filters() {
        let page = sale_list(&**client, &filter, FIRST_PAGE).await.expect("a list");
        assert_eq!(
            (page.total, page.rows.len()),
            (listed, usize::try_from(listed).expect("few")),
            "{filter:?}"
        );
        let totals = sale_totals(&**client, &filter).await.expect("totals");
        assert_eq!(totals.count, counted, "{filter:?}");
        let summed = page
            .rows
            .iter()
            .filter(|row| row.net.is_some() || !filter.statuses.is_empty());
        assert_eq!(
            totals.gross,
            Cents::total(summed.map(|row| row.amount)).expect("a sum"),
            "{filter:?}"
        );
        let nets = page.rows.iter().filter_map(|row| row.net);
        assert_eq!(totals.net, Cents::total(nets).expect("a sum"), "{filter:?}");
    }
    runner.stop().await;
}

#[tokio::test]
async fn pages_and_cursors_return_every_sale_once_in_both_orders() {
    let (ledger, runner) = Ledger::with_history().await;
    let client = ledger.client().await;
    for order in [SortOrder::Asc, SortOrder::Desc] {
        let filter = SaleFilter { order, ..of_shop() };
        let mut by_page = vec![];
        for page in 1..=4 {
            let paging = Paging { page, per_page: 5 };
            by_page.extend(sale_list(&**client, &filter, paging).await.expect("a page").rows);
        }
        let first = sale_list(&**client, &filter, Paging { page: 1, per_page: 5 })
            .await
            .expect("a page");
        let (mut by_cursor, mut next) = (first.rows, first.next);
        while let Some(cursor) = next {
            let cursor = cursor.to_string().parse().expect("a cursor reads back");
            let page = sale_list_after_cursor(&**client, &filter, cursor, 5)
                .await
                .expect("a page");
            assert_eq!(page.total, 12);
            by_cursor.extend(page.rows.into_iter().map(|listed| listed.sale));
            next = page.next;
        }
        assert_eq!(by_page.len(), 12);
        assert_eq!(by_cursor, by_page);
        let instants: Vec<_> = by_page.iter().map(|row| row.occurred_at).collect();
        assert!(match order {
            SortOrder::Asc => instants.is_sorted(),
            SortOrder::Desc => instants.iter().rev().is_sorted(),
        });
    }
    runner.stop().await;
}
