//! The receivables schedule by unit and by installment, and the installments that are due, to the cent. A card sale of
//! 300,00 has one installment of 96,66 and two of 96,68.

use chrono::NaiveDate;
use ledger_domain::calendar::Date;
use ledger_domain::sale::{CardBrand, PaymentType, Provider, SaleFacts};
use ledger_domain::{BusinessId, Cents, SaleId};
use projections::receivables::due::{DuePage, DuePlace, due_installments};
use projections::receivables::{
    InstallmentFilter, ReceivableUnit, ScheduledInstallment, installment_list, installments_export_page,
    schedule_list, unit_list, units_export_page,
};
use projections::sales::ReceivableStatus;
use projections::{Following, Paging};
use tokio_postgres::Client;

use super::ledger::{Ledger, business, card, cents, day, minute, monday, pix};
use super::reversal_commands::ReversalCommands;

/// A day in minutes.
const DAY: i64 = 24 * 60;

const ALL: Paging = Paging {
    page: 1,
    per_page: 100,
};

fn date(year: i32, month: u32, day: u32) -> Date {
    NaiveDate::from_ymd_opt(year, month, day).expect("a date")
}

/// Sales on a Monday and on the Tuesday after it. The third installments of both days fall due on the same Monday,
/// 22 February 2027. The first installments of Monday and the PIX are settled, and the Elo sale is refunded on day 40.
struct Sold {
    ledger: Ledger,
    runner: Following,
    visa: SaleId,
    elo: SaleId,
    visa_on_tuesday: SaleId,
}

impl Sold {
    async fn on_two_days() -> Self {
        let ledger = Ledger::create().await;
        let runner = ledger.follow();
        let shop = business(1);
        let [visa, elo, visa_on_tuesday] = [(); 3].map(|()| ledger.new_sale());
        ledger.capture(shop, card(visa), minute(0)).await;
        let of_elo = SaleFacts {
            card_brand: Some(CardBrand::Elo),
            ..card(elo)
        };
        ledger.capture(shop, of_elo, minute(5)).await;
        ledger.capture(shop, card(visa_on_tuesday), minute(DAY)).await;
        ledger
            .capture(shop, pix(ledger.new_sale()), minute(DAY + 1))
            .await;
        // Another shop has its own schedule.
        ledger
            .capture(business(2), card(ledger.new_sale()), minute(3))
            .await;
        ledger.settle_due(date(2026, 12, 23)).await;
        ReversalCommands {
            ledger: &ledger,
            shop,
        }
        .refund(elo, minute(40 * DAY))
        .await;
        ledger.until_caught_up().await;
        Self {
            ledger,
            runner,
            visa,
            elo,
            visa_on_tuesday,
        }
    }
}

fn due_on(due_date: Date) -> InstallmentFilter {
    InstallmentFilter {
        business_id: business(1),
        due_date,
        provider: None,
        card_brand: None,
        payment_type: None,
    }
}

#[tokio::test]
async fn the_units_of_a_day_sum_to_the_day() {
    let sold = Sold::on_two_days().await;
    let client = sold.ledger.client().await;
    let (shop, start, end) = (business(1), monday(), day(120));
    let page = unit_list(&**client, shop, start, end, ALL).await.expect("units");
    let units = page.rows;
    assert_eq!(page.total, u64::try_from(units.len()).expect("a count"));
    let on = |date| -> Vec<_> {
        units
            .iter()
            .filter(|unit| unit.due_date == date)
            .cloned()
            .collect()
    };
    let unit = |brand, expected, settled, accelerated, count| ReceivableUnit {
        due_date: date(2027, 2, 22),
        provider: Provider::Zoop,
        card_brand: Some(brand),
        payment_type: PaymentType::Credit,
        expected: cents(expected),
        settled: cents(settled),
        accelerated: cents(accelerated),
        count,
    };
    assert_eq!(
        on(date(2027, 2, 22)),
        [
            unit(CardBrand::Elo, 96_68, 0, 96_68, 1),
            unit(CardBrand::Visa, 193_36, 0, 0, 2)
        ]
    );
    let pix = on(date(2026, 11, 25));
    assert_eq!(
        (pix.len(), pix[0].card_brand.clone(), pix[0].settled),
        (1, None, cents(49_30))
    );
    for day in schedule_list(&**client, shop, start, end).await.expect("days") {
        let units = on(day.due_date);
        let sum =
            |value: fn(&ReceivableUnit) -> Cents| units.iter().map(|unit| value(unit).get()).sum::<i64>();
        assert_eq!(
            (
                sum(|unit| unit.expected),
                sum(|unit| unit.settled),
                sum(|unit| unit.accelerated),
                units.iter().map(|unit| unit.count).sum::<u64>()
            ),
            (
                day.expected.get(),
                day.settled.get(),
                day.accelerated.get(),
                day.count
            )
        );
    }
    drop(client);
    sold.runner.stop().await;
}

#[tokio::test]
async fn pages_and_batches_have_every_unit_once_in_the_order_of_the_list() {
    let sold = Sold::on_two_days().await;
    let client = sold.ledger.client().await;
    let (shop, start, end) = (business(1), monday(), day(120));
    let page = unit_list(&**client, shop, start, end, ALL).await;
    let units = page.expect("units").rows;
    let mut from_pages = vec![];
    let mut from_batches = vec![];
    let mut after = None;
    for number in 1.. {
        let paging = Paging {
            page: number,
            per_page: 2,
        };
        let page = unit_list(&**client, shop, start, end, paging)
            .await
            .expect("a page");
        from_pages.extend(page.rows);
        let batch = units_export_page(&**client, shop, (start, end), after, 2)
            .await
            .expect("a batch");
        from_batches.extend(batch.rows);
        after = batch.next;
        if after.is_none() {
            break;
        }
    }
    assert_eq!((&from_pages, &from_batches), (&units, &units));
    drop(client);
    sold.runner.stop().await;
}

#[tokio::test]
async fn the_installments_of_one_day_come_from_sales_of_several_days() {
    let sold = Sold::on_two_days().await;
    let client = sold.ledger.client().await;
    let third = due_on(date(2027, 2, 22));
    let part = |sale_id, brand, status, paid_on, captured_at| ScheduledInstallment {
        sale_id,
        number: 3,
        installments: 3,
        provider: Provider::Zoop,
        payment_type: PaymentType::Credit,
        card_brand: Some(brand),
        gross: cents(100_00),
        net: cents(96_68),
        consumed: cents(0),
        status,
        paid_on,
        captured_at,
    };
    let open = ReceivableStatus::Scheduled;
    let refunded = day(40);
    let expected = [
        part(sold.visa, CardBrand::Visa, open, None, minute(0)),
        part(
            sold.elo,
            CardBrand::Elo,
            ReceivableStatus::Accelerated,
            Some(refunded),
            minute(5),
        ),
        part(sold.visa_on_tuesday, CardBrand::Visa, open, None, minute(DAY)),
    ];
    for (number, rows) in [(1, &expected[..2]), (2, &expected[2..]), (3, &[])] {
        let paging = Paging {
            page: number,
            per_page: 2,
        };
        let page = installment_list(&**client, &third, paging).await.expect("a page");
        assert_eq!((page.total, page.rows.as_slice()), (3, rows));
    }
    let first = installments_export_page(&**client, &third, None, 2)
        .await
        .expect("a batch");
    let rest = installments_export_page(&**client, &third, first.next, 2)
        .await
        .expect("a batch");
    assert_eq!([first.rows, rest.rows].concat(), expected);
    assert_eq!(rest.next, None);
    drop(client);
    sold.runner.stop().await;
}

#[tokio::test]
async fn the_total_of_a_days_installments_is_capped_at_ten_thousand() {
    let sold = Sold::on_two_days().await;
    sold.ledger
        .execute(
            "UPDATE receivables_schedule SET installments = 10001 WHERE due_date = '2027-02-22' AND card_brand = 'visa'",
        )
        .await;
    let client = sold.ledger.client().await;
    let third = due_on(date(2027, 2, 22));
    let page = installment_list(&**client, &third, ALL).await.expect("a page");
    assert_eq!(
        (page.total, page.total_capped, page.rows.len()),
        (10_000, true, 3)
    );
    let beyond = Paging { page: 101, ..ALL };
    let page = installment_list(&**client, &third, beyond).await.expect("a page");
    assert_eq!((page.total, page.total_capped, page.rows), (10_000, true, vec![]));
    drop(client);
    sold.runner.stop().await;
}

#[tokio::test]
async fn the_installments_of_a_day_are_filtered() {
    let sold = Sold::on_two_days().await;
    let client = sold.ledger.client().await;
    let third = due_on(date(2027, 2, 22));
    let of_visa = InstallmentFilter {
        provider: Some(Provider::Zoop),
        card_brand: Some(CardBrand::Visa),
        payment_type: Some(PaymentType::Credit),
        ..third.clone()
    };
    let page = installment_list(&**client, &of_visa, ALL).await.expect("a page");
    let sales: Vec<_> = page.rows.iter().map(|part| part.sale_id).collect();
    assert_eq!(sales, [sold.visa, sold.visa_on_tuesday]);
    let of_pix = InstallmentFilter {
        payment_type: Some(PaymentType::Pix),
        ..third
    };
    let page = installment_list(&**client, &of_pix, ALL).await.expect("a page");
    assert_eq!((page.total, page.rows), (0, vec![]));
    drop(client);
    sold.runner.stop().await;
}

#[tokio::test]
async fn a_settled_installment_has_the_date_of_its_settlement() {
    let sold = Sold::on_two_days().await;
    let client = sold.ledger.client().await;
    let due = date(2026, 12, 23);
    let page = installment_list(&**client, &due_on(due), ALL)
        .await
        .expect("a page");
    let paid: Vec<_> = page
        .rows
        .iter()
        .map(|part| (part.sale_id, part.number, part.net, part.status, part.paid_on))
        .collect();
    let settled = |sale| (sale, 1, cents(96_66), ReceivableStatus::Settled, Some(due));
    assert_eq!(paid, [settled(sold.visa), settled(sold.elo)]);
    drop(client);
    sold.runner.stop().await;
}

#[tokio::test]
async fn due_installments_are_listed_by_day_and_business_oldest_first() {
    let (ledger, runner) = Ledger::with_history().await;
    let client = ledger.client().await;
    // The due date of the third installments of the first two days' sales.
    let last_due_date = date(2027, 2, 22);
    // Day 53 is 15 January 2027.
    let none = due_page(&client, day(53), None, 100).await;
    assert_eq!(none.days, [], "all that was due by then is settled");
    let due = due_in_pages(&client, last_due_date, 100).await;
    assert!(
        due.is_sorted_by_key(|(business, date, ..)| (*date, *business)),
        "{due:?}"
    );
    assert!(
        due.iter().any(|(_, date, ..)| *date < last_due_date),
        "the second installments are still open: {due:?}"
    );
    assert!(due.iter().all(|(_, date, ..)| *date <= last_due_date));
    for limit in [1, 2, 3] {
        let pages = due_in_pages(&client, last_due_date, limit).await;
        assert_eq!(pages, due, "in pages of {limit}");
    }
    runner.stop().await;
}

async fn due_page(client: &Client, today: Date, after: Option<DuePlace>, limit: u32) -> DuePage {
    due_installments(client, today, after, limit)
        .await
        .expect("what is due")
}

/// Each due installment, from pages of this size.
async fn due_in_pages(client: &Client, today: Date, limit: u32) -> Vec<(BusinessId, Date, SaleId, u8)> {
    let mut due = vec![];
    let mut after = None;
    loop {
        let page = due_page(client, today, after, limit).await;
        let before = due.len();
        for (business, date, installments) in page.days {
            due.extend(
                installments
                    .into_iter()
                    .map(|(sale, number)| (business, date, sale, number)),
            );
        }
        assert!(due.len() - before <= limit as usize, "one page: {due:?}");
        after = page.end;
        if after.is_none() {
            return due;
        }
    }
}
