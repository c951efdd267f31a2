//! Balance, statement, receivables schedule and volume, to the cent, for fixed histories.

use chrono::{NaiveDate, TimeDelta};
use ledger_domain::Cents;
use ledger_domain::calendar::start_of;
use ledger_domain::sale::{CardBrand, SaleFacts, Solution};
use projections::balance::as_of::{AsOf, Axis, balance_as_of};
use projections::balance::days::{self, BalanceDay};
use projections::balance::statement::{MovementKind, StatementFilter, statement_list, statement_sums};
use projections::balance::{accounts_before, available_of, balance_daily, balance_fetch, platform_revenue};
use projections::daily_sales::{FigureFilter, Within, figures_breakdown, period_totals};
use projections::receivables::{expected_between, schedule_list};
use projections::{Paging, TimeRange};

use super::figures::{figures_by_day, of_company};
use super::ledger::{Ledger, business, card, cents, day, minute, monday, pix};

const FIRST_PAGE: Paging = Paging {
    page: 1,
    per_page: 20,
};

#[tokio::test]
async fn a_capture_adds_receivables_by_its_schedule_and_volume_to_its_day() {
    let ledger = Ledger::create().await;
    let runner = ledger.follow();
    let shop = business(1);
    ledger.capture(shop, card(ledger.new_sale()), minute(0)).await;
    ledger.until_caught_up().await;
    let client = ledger.client().await;

    let balance = balance_fetch(&**client, shop).await.expect("a balance");
    assert_eq!(
        (balance.receivable, balance.available),
        (cents(290_02), Cents::ZERO)
    );
    let schedule = schedule_list(&**client, shop, monday(), day(120))
        .await
        .expect("a schedule");
    let days: Vec<_> = schedule
        .iter()
        .map(|day| (day.due_date, day.count, day.expected, day.settled))
        .collect();
    let due = |year, month, day, net| {
        (
            NaiveDate::from_ymd_opt(year, month, day).expect("a date"),
            1,
            cents(net),
            Cents::ZERO,
        )
    };
    // The third installment falls on a Sunday, so it is due on the Monday after it.
    assert_eq!(
        days,
        [
            due(2026, 12, 23, 96_66),
            due(2027, 1, 22, 96_68),
            due(2027, 2, 22, 96_68)
        ]
    );
    let to_come = expected_between(&**client, shop, monday(), day(60))
        .await
        .expect("a sum");
    assert_eq!(to_come, cents(96_66 + 96_68), "two are due within 60 days");

    let volume = figures_by_day(&client, of_company(shop), (monday(), monday())).await;
    let volume: Vec<_> = volume
        .iter()
        .map(|(date, day)| (*date, day.sales, day.gross, day.installment_gross, day.net))
        .collect();
    assert_eq!(
        volume,
        [(monday(), 1, 300_00, 300_00, 290_02)],
        "three installments"
    );
    runner.stop().await;
}

#[tokio::test]
async fn a_settlement_updates_balance_statement_figures_and_schedule_together() {
    let ledger = Ledger::create().await;
    let runner = ledger.follow();
    let shop = business(1);
    let (first, second) = (pix(ledger.new_sale()), pix(ledger.new_sale()));
    let sale = first.sale_id;
    ledger.capture(shop, first, minute(0)).await;
    ledger.capture(shop, second, minute(5)).await;
    ledger.settle_due(day(1)).await;
    ledger.until_caught_up().await;
    let client = ledger.client().await;

    let balance = balance_fetch(&**client, shop).await.expect("a balance");
    assert_eq!(
        (balance.receivable, balance.available),
        (Cents::ZERO, cents(98_60))
    );
    let page = statement_list(&**client, &StatementFilter::of(shop), FIRST_PAGE)
        .await
        .expect("lines");
    let lines: Vec<_> = page
        .rows
        .iter()
        .map(|line| (line.number, line.kind, line.amount, line.balance))
        .collect();
    let line = |number, balance| (number, MovementKind::Transaction, cents(49_30), cents(balance));
    assert_eq!(lines, [line(2, 98_60), line(1, 49_30)]);
    assert_eq!(page.total, 2);
    assert!(
        page.rows
            .iter()
            .any(|line| line.sale_id == Some(sale) && line.installment == Some(1))
    );
    let of_monday = StatementFilter {
        range: TimeRange::of_business_dates(None, Some(monday())),
        ..StatementFilter::of(shop)
    };
    let earlier = statement_list(&**client, &of_monday, FIRST_PAGE)
        .await
        .expect("lines");
    assert_eq!(
        (earlier.total, earlier.rows.len()),
        (0, 0),
        "it settled on the Tuesday"
    );
    let of_tuesday = StatementFilter {
        range: TimeRange::of_business_dates(Some(day(1)), Some(day(1))),
        ..StatementFilter::of(shop)
    };
    let sums = statement_sums(&**client, &of_tuesday).await.expect("sums");
    let sums: Vec<_> = sums.iter().map(|sum| (sum.kind, sum.amount, sum.lines)).collect();
    assert_eq!(sums, [(MovementKind::Transaction, cents(98_60), 2)]);

    let days = figures_by_day(&client, of_company(shop), (monday(), day(1))).await;
    let paid: Vec<_> = days
        .iter()
        .map(|(date, day)| (*date, day.settled_count, day.settled_gross, day.settled))
        .collect();
    assert_eq!(
        paid,
        [(monday(), 0, 0, 0), (day(1), 2, 100_00, 98_60)],
        "on the day of the payment"
    );

    let schedule = schedule_list(&**client, shop, day(1), day(1))
        .await
        .expect("a schedule");
    let days: Vec<_> = schedule
        .iter()
        .map(|day| (day.expected, day.settled, day.count))
        .collect();
    assert_eq!(days, [(cents(98_60), cents(98_60), 2)]);
    let to_come = expected_between(&**client, shop, monday(), day(30))
        .await
        .expect("a sum");
    assert_eq!(to_come, Cents::ZERO);
    runner.stop().await;
}

#[tokio::test]
async fn reports_group_captured_sales_by_day_payment_type_and_brand() {
    let (ledger, runner) = Ledger::with_history().await;
    let client = ledger.client().await;
    let (shop, start, end) = (business(1), monday(), day(2));
    let all = period_totals(&**client, shop, start, end).await.expect("totals");
    assert_eq!((all.count, all.gross), (10, cents(6 * 300_00 + 4 * 50_00)));
    let days = figures_by_day(&client, of_company(shop), (start, end)).await;
    assert_eq!(
        days.iter().map(|(_, day)| day.sales).collect::<Vec<_>>(),
        [3, 4, 3]
    );
    let filter = of_company(shop);
    let breakdown = figures_breakdown(&**client, &filter, Within::Days((start, end)))
        .await
        .expect("figures");
    let types = breakdown.by_payment_type.iter();
    let types: Vec<_> = types
        .map(|(payment_type, of)| (payment_type.as_str(), of.sales))
        .collect();
    assert_eq!(types, [("credit", 6), ("pix", 4)]);
    let brands = breakdown.by_brand.iter();
    let brands: Vec<_> = brands
        .map(|(brand, of)| (brand.as_ref().map(CardBrand::as_str), of.sales))
        .collect();
    assert_eq!(brands, [(Some("elo"), 3), (Some("visa"), 3), (None, 4)]);
    let everyone = period_totals(&**client, None, start, end).await.expect("totals");
    assert_eq!(everyone.count, 20, "of both companies");
    runner.stop().await;
}

#[tokio::test]
async fn volume_is_grouped_by_payment_link() {
    let ledger = Ledger::create().await;
    let runner = ledger.follow();
    let shop = business(1);
    for (number, link) in [Some("loja"), None, Some("feira"), Some("loja")]
        .into_iter()
        .enumerate()
    {
        let sale = SaleFacts {
            solution: Solution::PaymentLink,
            payment_link_code: link.map(str::to_owned),
            ..pix(ledger.new_sale())
        };
        let at = minute(i64::try_from(number).expect("a minute"));
        ledger.capture(shop, sale, at).await;
    }
    ledger.until_caught_up().await;
    let client = ledger.client().await;
    for (link, expected) in [("loja", (2, 100_00)), ("feira", (1, 50_00))] {
        let filter = FigureFilter {
            payment_link: Some(link.to_owned()),
            ..of_company(shop)
        };
        let days = figures_by_day(&client, filter, (monday(), monday())).await;
        assert_eq!(days.len(), 1, "{link}");
        assert_eq!((days[0].1.sales, days[0].1.gross), expected, "{link}");
    }
    runner.stop().await;
}

#[tokio::test]
async fn the_balance_can_be_read_as_of_any_day_and_instant() {
    let (ledger, runner) = Ledger::with_history().await;
    let client = ledger.client().await;
    let shop = business(1);
    let days = balance_daily(&**client, shop, day(0), day(60))
        .await
        .expect("days");
    let now = balance_fetch(&**client, shop).await.expect("a balance");
    let last = days.last().expect("days");
    assert_eq!(
        (last.closing.available, last.closing.receivable),
        (now.available, now.receivable)
    );

    let evening = start_of(day(2)) - TimeDelta::microseconds(1);
    let as_of = |instant, axis| balance_as_of(&**client, shop, AsOf { instant, axis });
    let by_lines = as_of(evening, Axis::Effective)
        .await
        .expect("balances")
        .accounts
        .available;
    let by_days = accounts_before(&**client, shop, day(2))
        .await
        .expect("sums")
        .available;
    assert_eq!(
        (by_lines, by_days),
        (cents(49_30), cents(49_30)),
        "the only pix of Monday is settled"
    );

    let recorded = as_of(ledger.now(), Axis::Recorded).await.expect("balances");
    assert_eq!(recorded.accounts.available, now.available);
    let before = as_of(ledger.now() - TimeDelta::days(1), Axis::Recorded)
        .await
        .expect("balances");
    assert_eq!(
        (before.accounts.available, before.sequence),
        (Cents::ZERO, None),
        "nothing was recorded yesterday"
    );
    runner.stop().await;
}

#[tokio::test]
async fn every_day_has_the_balances_of_its_end() {
    let (ledger, runner) = Ledger::with_history().await;
    let client = ledger.client().await;
    let shop = business(1);
    let days = days::list(&**client, shop, day(0), day(60)).await.expect("days");
    let dates: Vec<_> = days.iter().map(|day| day.date).collect();
    assert_eq!(
        dates,
        (0..=60).map(day).collect::<Vec<_>>(),
        "also the days without movements"
    );
    let now = balance_fetch(&**client, shop).await.expect("a balance");
    let end = |date| BalanceDay {
        date,
        available: now.available,
        receivable: now.receivable,
        in_transfer: now.in_transfer,
        blocked: now.blocked,
    };
    assert_eq!(
        days[54..],
        (54..=60).map(|number| end(day(number))).collect::<Vec<_>>()
    );
    assert_eq!(
        (now.in_transfer, now.blocked),
        (cents(140_00), cents(25_00)),
        "60,00 in payment and 80,00 pending; 40,00 held less 15,00 released"
    );
    // Adding forward from the first day gives the same balances.
    for moved in balance_daily(&**client, shop, day(0), day(60))
        .await
        .expect("days")
    {
        let listed = days.iter().find(|day| day.date == moved.date).expect("the day");
        assert_eq!(
            (listed.available, listed.receivable, listed.in_transfer),
            (
                moved.closing.available,
                moved.closing.receivable,
                moved.closing.in_transfer
            )
        );
    }
    let part = days::list(&**client, shop, day(1), day(3)).await.expect("days");
    assert_eq!(part, days[1..=3], "later movements are not included");
    let nothing_yet = days::list(
        &**client,
        shop,
        day(0) - TimeDelta::days(2),
        day(0) - TimeDelta::days(1),
    );
    assert!(
        nothing_yet
            .await
            .expect("days")
            .iter()
            .all(|day| { day.available == Cents::ZERO && day.receivable == Cents::ZERO })
    );
    let unknown = days::list(&**client, business(9), day(0), day(0))
        .await
        .expect("a day");
    assert_eq!((unknown.len(), unknown[0].available), (1, Cents::ZERO));
    let backwards = days::list(&**client, shop, day(1), day(0)).await;
    assert_eq!(backwards.expect("no days"), []);
    runner.stop().await;
}

/// A card sale pays 9,98 of 300,00 in fees, a pix sale 0,70 of 50,00. A withdrawal of day 54 pays 3,67 if it was paid.
#[tokio::test]
async fn staff_see_revenue_and_the_available_balance_of_each_company() {
    let (ledger, runner) = Ledger::with_history().await;
    let client = ledger.client().await;
    let sales = platform_revenue(&**client, monday(), day(2))
        .await
        .expect("a sum");
    assert_eq!(sales, cents(2 * (6 * 9_98 + 4 * 70)));
    let withdrawals = platform_revenue(&**client, day(54), day(54))
        .await
        .expect("a sum");
    assert_eq!(
        withdrawals,
        cents(2 * 3 * 3_67),
        "three paid withdrawals of each company"
    );
    let companies = [business(1), business(2), business(9)];
    let available = available_of(&**client, &companies).await.expect("balances");
    let balance = balance_fetch(&**client, business(1)).await.expect("a balance");
    assert_eq!(available.len(), 2, "business 9 has no balance");
    assert_eq!(available[&business(1)], balance.available);
    runner.stop().await;
}
