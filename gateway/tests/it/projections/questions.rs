//! What the read models answer, to the cent, for a history that is known by heart.

use chrono::{Days, NaiveDate};
use ledger_domain::Cents;
use ledger_domain::calendar::Date;
use ledger_domain::sale::{CardBrand, PaymentType, SaleFacts, SaleStatus};
use projections::sale::{ReceivableStatus, SaleFilter, SaleTotals};
use projections::statement::Kind;
use projections::{Order, Paging};

use super::ledger::{Ledger, business, card, minute, monday, pix, terminal};

const FIRST: Paging = Paging {
    page: 1,
    per_page: 20,
};

fn day(days: u64) -> Date {
    monday().checked_add_days(Days::new(days)).expect("a date")
}

fn cents(cents: i64) -> Cents {
    Cents::new(cents)
}

/// 300,00 at 3,1% and 0,2% of the rest and 0,10: 9,30 + 0,58 + 0,10 leave 290,02, in three parts.
#[tokio::test]
async fn a_captured_sale_is_on_every_list_to_the_cent() {
    let ledger = Ledger::create().await;
    let runner = ledger.follow();
    let shop = business(1);
    let facts = card(ledger.new_sale());
    let sale = facts.sale_id;
    ledger.capture(shop, facts, minute(0)).await;
    ledger.caught_up().await;
    let client = ledger.client().await;
    let client = &**client;

    let filter = SaleFilter {
        business_id: Some(shop),
        ..SaleFilter::default()
    };
    let page = projections::sale::sale_list(client, &filter, FIRST)
        .await
        .expect("a list");
    assert_eq!((page.total, page.total_capped, page.rows.len()), (1, false, 1));
    let row = &page.rows[0];
    assert_eq!(
        (row.sale_id, row.status, row.net),
        (sale, SaleStatus::Succeeded, Some(cents(290_02)))
    );
    assert_eq!(row.fees.percentage_fee, cents(9_30));
    assert_eq!(row.fees.percentage_rate, cents(58));
    assert_eq!(row.fees.flat_rate, cents(10));
    assert_eq!((row.captured_at, row.occurred_at), (Some(minute(0)), minute(0)));
    assert_eq!(
        row.plan.as_ref().map(|plan| plan.name.as_str()),
        Some("Plano Loja")
    );

    let totals = projections::sale::sale_totals(client, &filter)
        .await
        .expect("totals");
    let expected = SaleTotals {
        count: 1,
        gross: cents(300_00),
        fees: cents(9_98),
        net: cents(290_02),
    };
    assert_eq!(totals, expected);
    let balance = projections::balance::balance_fetch(client, shop)
        .await
        .expect("a balance");
    assert_eq!(
        (balance.receivable, balance.available),
        (cents(290_02), Cents::ZERO)
    );

    let detail = projections::sale::sale_fetch(client, Some(shop), sale)
        .await
        .expect("a sale")
        .expect("known");
    let parts: Vec<_> = detail
        .receivables
        .iter()
        .map(|part| (part.number, part.net))
        .collect();
    assert_eq!(parts, [(1, cents(96_66)), (2, cents(96_68)), (3, cents(96_68))]);
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
    assert_eq!(
        projections::sale::sale_fetch(client, Some(business(9)), sale)
            .await
            .expect("a look"),
        None
    );

    let agenda = projections::agenda::agenda_list(client, shop, monday(), day(120))
        .await
        .expect("an agenda");
    let expected: Vec<_> = agenda
        .iter()
        .map(|day| (day.due_date, day.count, day.settled))
        .collect();
    let date = |month, day| {
        NaiveDate::from_ymd_opt(if month == 12 { 2026 } else { 2027 }, month, day).expect("a date")
    };
    assert_eq!(
        expected,
        [
            (date(12, 23), 1, Cents::ZERO),
            (date(1, 22), 1, Cents::ZERO),
            (date(2, 22), 1, Cents::ZERO)
        ],
        "the third falls on a Sunday and moves to Monday"
    );
    let daily = projections::daily::daily_volume(client, shop, monday(), monday())
        .await
        .expect("volume");
    assert_eq!(
        daily
            .iter()
            .map(|day| (day.count, day.gross, day.net))
            .collect::<Vec<_>>(),
        [(1, cents(300_00), cents(290_02))]
    );
    runner.stop().await;
}

#[tokio::test]
async fn a_settled_instalment_moves_balance_statement_and_agenda_together() {
    let ledger = Ledger::create().await;
    let runner = ledger.follow();
    let shop = business(1);
    let (first, second) = (pix(ledger.new_sale()), pix(ledger.new_sale()));
    let sale = first.sale_id;
    ledger.capture(shop, first, minute(0)).await;
    ledger.capture(shop, second, minute(5)).await;
    ledger.settle_due(day(1)).await;
    ledger.caught_up().await;
    let client = ledger.client().await;
    let client = &**client;

    // 50,00 at 0,99% and 0,2% of the rest and 0,10: 0,50 + 0,10 + 0,10 leave 49,30.
    let balance = projections::balance::balance_fetch(client, shop)
        .await
        .expect("a balance");
    assert_eq!(
        (balance.receivable, balance.available),
        (Cents::ZERO, cents(98_60))
    );
    let page = projections::statement::statement_list(client, shop, None, None, Order::Desc, FIRST)
        .await
        .expect("lines");
    let lines: Vec<_> = page
        .rows
        .iter()
        .map(|line| (line.number, line.kind, line.amount, line.balance))
        .collect();
    assert_eq!(
        lines,
        [
            (2, Kind::Transaction, cents(49_30), cents(98_60)),
            (1, Kind::Transaction, cents(49_30), cents(49_30))
        ]
    );
    assert_eq!(page.total, 2);
    assert!(
        page.rows
            .iter()
            .any(|line| line.sale_id == Some(sale) && line.installment == Some(1))
    );
    let none =
        projections::statement::statement_list(client, shop, None, Some(monday()), Order::Desc, FIRST).await;
    assert_eq!(none.expect("lines").total, 0, "it settled on the Tuesday");
    let sums = projections::statement::statement_sums(client, shop, Some(day(1)), Some(day(1)))
        .await
        .expect("sums");
    assert_eq!(
        sums.iter()
            .map(|sum| (sum.kind, sum.amount, sum.lines))
            .collect::<Vec<_>>(),
        [(Kind::Transaction, cents(98_60), 2)]
    );

    let agenda = projections::agenda::agenda_list(client, shop, day(1), day(1))
        .await
        .expect("an agenda");
    assert_eq!(
        agenda
            .iter()
            .map(|day| (day.expected, day.settled, day.count))
            .collect::<Vec<_>>(),
        [(cents(98_60), cents(98_60), 2)]
    );
    let rest = projections::agenda::agenda_expected_between(client, shop, monday(), day(30))
        .await
        .expect("a sum");
    assert_eq!(rest, Cents::ZERO);
    let detail = projections::sale::sale_fetch(client, None, sale)
        .await
        .expect("a sale")
        .expect("known");
    let part = detail.receivables[0];
    assert_eq!(
        (part.status, part.settled_on),
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
async fn a_sale_paid_later_stands_on_the_day_of_its_payment() {
    let ledger = Ledger::create().await;
    let runner = ledger.follow();
    let shop = business(1);
    let facts = SaleFacts {
        payment_link_code: Some("loja-1".to_owned()),
        ..pix(ledger.new_sale())
    };
    ledger.create_sale(shop, facts.clone(), minute(0)).await;
    ledger.caught_up().await;
    let client = ledger.client().await;
    let client = &**client;
    let on = |date| SaleFilter {
        business_id: Some(shop),
        start: Some(date),
        end: Some(date),
        ..SaleFilter::default()
    };
    let pending = projections::sale::sale_list(client, &on(monday()), FIRST)
        .await
        .expect("a list");
    assert_eq!(
        pending
            .rows
            .iter()
            .map(|row| (row.status, row.net))
            .collect::<Vec<_>>(),
        [(SaleStatus::Pending, None)]
    );
    assert_eq!(
        projections::sale::sale_totals(client, &on(monday()))
            .await
            .expect("totals"),
        SaleTotals::default()
    );

    let capture = SaleFacts {
        payment_link_code: None,
        ..facts
    };
    ledger.capture(shop, capture, minute(24 * 60)).await;
    ledger.caught_up().await;
    assert_eq!(
        projections::sale::sale_list(client, &on(monday()), FIRST)
            .await
            .expect("a list")
            .total,
        0
    );
    let paid = projections::sale::sale_list(client, &on(day(1)), FIRST)
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
        "what the capture leaves out is kept"
    );
    assert_eq!(
        projections::sale::sale_totals(client, &on(day(1)))
            .await
            .expect("totals")
            .count,
        1
    );
    runner.stop().await;
}

#[tokio::test]
async fn every_filter_narrows_the_list_and_its_totals_alike() {
    let (ledger, runner) = Ledger::with_history().await;
    let client = ledger.client().await;
    let client = &**client;
    let shop = SaleFilter {
        business_id: Some(business(1)),
        ..SaleFilter::default()
    };
    let count = async |filter: SaleFilter| {
        let listed = projections::sale::sale_list(client, &filter, FIRST)
            .await
            .expect("a list");
        assert_eq!(
            u64::try_from(listed.rows.len()).expect("a count"),
            listed.total,
            "one page holds them all"
        );
        let totals = projections::sale::sale_totals(client, &filter)
            .await
            .expect("totals");
        (listed.total, totals.count)
    };
    // Nine captured at once and one later; one failed and one expired besides.
    assert_eq!(count(shop.clone()).await, (12, 10));
    assert_eq!(
        count(SaleFilter {
            statuses: vec![SaleStatus::Succeeded],
            ..shop.clone()
        })
        .await,
        (10, 10)
    );
    assert_eq!(
        count(SaleFilter {
            statuses: vec![SaleStatus::Failed],
            ..shop.clone()
        })
        .await,
        (1, 1)
    );
    let closed = vec![SaleStatus::Failed, SaleStatus::Canceled];
    assert_eq!(
        count(SaleFilter {
            statuses: closed,
            ..shop.clone()
        })
        .await,
        (2, 2)
    );
    assert_eq!(
        count(SaleFilter {
            payment_type: Some(PaymentType::Pix),
            ..shop.clone()
        })
        .await,
        (5, 4)
    );
    assert_eq!(
        count(SaleFilter {
            brands: vec![CardBrand::Elo],
            ..shop.clone()
        })
        .await,
        (3, 3)
    );
    assert_eq!(
        count(SaleFilter {
            terminal_id: Some(terminal(1).id),
            ..shop.clone()
        })
        .await,
        (7, 6)
    );
    assert_eq!(
        count(SaleFilter {
            start: Some(day(1)),
            end: Some(day(1)),
            ..shop.clone()
        })
        .await,
        (4, 4)
    );
    assert_eq!(
        count(SaleFilter {
            start: Some(day(2)),
            ..shop.clone()
        })
        .await,
        (3, 3)
    );
    let everyone = SaleFilter {
        statuses: vec![SaleStatus::Failed],
        ..SaleFilter::default()
    };
    assert_eq!(count(everyone).await, (2, 2), "of both companies");
    runner.stop().await;
}

#[tokio::test]
async fn pages_and_cursors_read_every_sale_once_in_either_order() {
    let (ledger, runner) = Ledger::with_history().await;
    let client = ledger.client().await;
    let client = &**client;
    for order in [Order::Asc, Order::Desc] {
        let filter = SaleFilter {
            business_id: Some(business(1)),
            order,
            ..SaleFilter::default()
        };
        let mut by_page = vec![];
        for page in 1..=4 {
            let paging = Paging { page, per_page: 5 };
            by_page.extend(
                projections::sale::sale_list(client, &filter, paging)
                    .await
                    .expect("a page")
                    .rows,
            );
        }
        let first = projections::sale::sale_list(client, &filter, Paging { page: 1, per_page: 5 })
            .await
            .expect("a page");
        let (mut by_cursor, mut next) = (first.rows, first.next);
        while let Some(cursor) = next {
            let cursor = cursor.to_string().parse().expect("a cursor reads back");
            let page = projections::sale::sale_list_after(client, &filter, cursor, 5)
                .await
                .expect("a page");
            assert_eq!(page.total, 12);
            by_cursor.extend(page.rows);
            next = page.next;
        }
        assert_eq!(by_page.len(), 12);
        assert_eq!(by_cursor, by_page);
        let instants: Vec<_> = by_page.iter().map(|row| row.occurred_at).collect();
        assert!(match order {
            Order::Asc => instants.is_sorted(),
            Order::Desc => instants.iter().rev().is_sorted(),
        });
    }
    runner.stop().await;
}

#[tokio::test]
async fn the_balance_is_known_as_of_any_day() {
    let (ledger, runner) = Ledger::with_history().await;
    let client = ledger.client().await;
    let client = &**client;
    let days = projections::balance::balance_daily(client, business(1), day(0), day(60))
        .await
        .expect("days");
    let now = projections::balance::balance_fetch(client, business(1))
        .await
        .expect("a balance");
    let last = days.last().expect("days");
    assert_eq!(
        (last.closing.available, last.closing.receivable),
        (now.available, now.receivable)
    );
    let evening = ledger_domain::calendar::start_of(day(2)) - chrono::TimeDelta::microseconds(1);
    let by_lines = projections::statement::available_as_effective(client, business(1), evening)
        .await
        .expect("a sum");
    let by_days = projections::balance::accounts_before(client, business(1), day(2))
        .await
        .expect("sums")
        .available;
    assert_eq!(by_lines, by_days);
    assert!(
        by_days > Cents::ZERO && by_days < now.available,
        "pix of Monday is settled, the rest is not"
    );
    let recorded =
        projections::statement::available_as_recorded(client, business(1), chrono::Utc::now()).await;
    assert_eq!(recorded.expect("a balance"), now.available);
    runner.stop().await;
}

#[tokio::test]
async fn lists_are_read_from_their_indexes() {
    let (ledger, runner) = Ledger::with_history().await;
    // Enough rows that the planner has a choice; they are nobody's but for this question.
    ledger
        .execute(
            "INSERT INTO sale SELECT gen_random_uuid(), sale.business_id, provider, external_id, solution, payment_type,
                 card_brand, installments, amount, status, percentage_fee, flat_fee, percentage_rate, flat_rate, net,
                 plan_id, plan_name, plan_version, terminal_id, terminal_serial, payment_link_code, card_last_four,
                 authorization_code, failure_reason, occurred_at + n * interval '1 minute', created_at, captured_at,
                 sequences
               FROM sale, generate_series(1, 2000) AS n",
        )
        .await;
    ledger.execute("VACUUM ANALYZE sale").await;
    let client = ledger.client().await;
    let plan = async |sql: &str| {
        let rows = client
            .query(&format!("EXPLAIN {sql}"), &[])
            .await
            .expect("a plan");
        rows.iter()
            .map(|row| row.get::<_, String>(0))
            .collect::<Vec<_>>()
            .join("\n")
    };
    let shop = business(1).uuid();
    let listed = plan(&format!(
        "SELECT sale_id, business_id FROM sale WHERE business_id = '{shop}' AND payment_type = 'pix'
          ORDER BY occurred_at DESC, sale_id DESC LIMIT 20"
    ))
    .await;
    assert!(
        listed.contains("Index Only Scan Backward using sale_by_business"),
        "{listed}"
    );
    let outcome = plan(&format!(
        "SELECT sale_id, business_id FROM sale WHERE business_id = '{shop}' AND status = ANY ('{{failed}}')
          ORDER BY occurred_at DESC, sale_id DESC LIMIT 20"
    ))
    .await;
    assert!(outcome.contains("sale_by_outcome"), "{outcome}");
    let staff = plan("SELECT sale_id FROM sale ORDER BY occurred_at DESC, sale_id DESC LIMIT 20").await;
    assert!(staff.contains("sale_by_instant"), "{staff}");
    let due = plan(
        "SELECT * FROM sale_schedule WHERE next_due_date <= '2026-11-01' ORDER BY next_due_date, business_id, sale_id LIMIT 5",
    )
    .await;
    assert!(due.contains("sale_schedule_by_due_date"), "{due}");
    runner.stop().await;
}
