//! The statement and the journal as of an instant: pages, ranges and batches, for random histories.

use chrono::TimeDelta;
use ledger_domain::BusinessId;
use ledger_domain::business::Account;
use ledger_domain::calendar::Instant;
use ledger_store::log;
use projections::balance::as_of::Axis;
use projections::balance::journal::{JournalFilter, JournalRow, journal_list, journal_list_after};
use projections::balance::statement::{
    self, Kind, StatementFilter, StatementLine, statement_list, statement_sums,
};
use projections::{Order, Paging, TimeRange};
use rand::{RngExt, SeedableRng, rngs::StdRng};

use super::as_of::{SEEDS, play};
use super::ledger::{Ledger, business, day, minute};

const SMALL: u32 = 7;

/// The expected content of a list, computed from all rows.
#[derive(Debug, Clone, Copy)]
struct Question {
    axis: Axis,
    range: TimeRange,
    order: Order,
}

impl Question {
    fn time(&self, occurred_at: Instant, recorded_at: Instant) -> Instant {
        match self.axis {
            Axis::Effective => occurred_at,
            Axis::Recorded => recorded_at,
        }
    }

    fn holds(&self, occurred_at: Instant, recorded_at: Instant) -> bool {
        let time = self.time(occurred_at, recorded_at);
        self.range.from.is_none_or(|from| time >= from) && self.range.until.is_none_or(|until| time < until)
    }
}

/// Whole and half histories, days in Brasília, hours of a day, and empty ranges, on each axis and in each order.
fn questions(random: &mut StdRng, occurred: &[Instant], recorded_at: &[Instant]) -> Vec<Question> {
    let mut question = vec![];
    for (axis, instants) in [(Axis::Effective, occurred), (Axis::Recorded, recorded_at)] {
        let mut any = || instants[random.random_range(0..instants.len())];
        let (one, other) = (any(), any());
        let ranges = [
            TimeRange::ALL,
            TimeRange::of_business_dates(Some(day(5)), Some(day(50))),
            TimeRange::of_business_dates(Some(day(20)), None),
            TimeRange::ALL.up_to(any()),
            TimeRange::ALL.since(any()),
            TimeRange::ALL.since(one.min(other)).before(one.max(other)),
            TimeRange::ALL.since(one).before(one + TimeDelta::hours(3)),
            TimeRange::ALL.up_to(minute(-1_000_000)),
        ];
        for range in ranges {
            for order in [Order::Asc, Order::Desc] {
                question.push(Question { axis, range, order });
            }
        }
    }
    question
}

/// The expected lines of the query, filtered from all lines.
fn expected_lines(all: &[StatementLine], question: &Question) -> Vec<StatementLine> {
    let mut lines = all.to_vec();
    lines.sort_by_key(|line| (question.time(line.occurred_at, line.recorded_at), line.number));
    let mut balance = 0;
    for line in &mut lines {
        balance += line.amount.get();
        line.balance = ledger_domain::Cents::new(balance);
    }
    lines.retain(|line| question.holds(line.occurred_at, line.recorded_at));
    if question.order == Order::Desc {
        lines.reverse();
    }
    lines
}

/// As in a bank statement, the balance before a line plus its amount is the balance after it.
fn adds_up(lines: &[StatementLine], order: Order) {
    for pair in lines.windows(2) {
        let (older, newer) = match order {
            Order::Asc => (&pair[0], &pair[1]),
            Order::Desc => (&pair[1], &pair[0]),
        };
        assert_eq!(
            newer.balance.get(),
            older.balance.get() + newer.amount.get(),
            "{older:?} {newer:?}"
        );
    }
}

async fn all_lines(ledger: &Ledger, shop: BusinessId) -> Vec<StatementLine> {
    let everything = Paging {
        page: 1,
        per_page: 10_000,
    };
    let client = ledger.client().await;
    let all = statement_list(&**client, &StatementFilter::of(shop), everything).await;
    all.expect("lines").rows
}

#[tokio::test]
async fn on_each_axis_the_statement_adds_up_across_pages_ranges_and_batches() {
    for seed in 0..SEEDS {
        let ledger = Ledger::create().await;
        let runner = ledger.follow();
        let shop = business(1);
        play(&ledger, shop, seed).await;
        ledger.until_caught_up().await;
        let client = ledger.client().await;
        let all = all_lines(&ledger, shop).await;
        let occurred: Vec<_> = all.iter().map(|line| line.occurred_at).collect();
        let recorded_at: Vec<_> = all.iter().map(|line| line.recorded_at).collect();
        for question in questions(&mut StdRng::seed_from_u64(seed), &occurred, &recorded_at) {
            let filter = StatementFilter {
                business_id: shop,
                axis: question.axis,
                range: question.range,
                order: question.order,
            };
            let expected = expected_lines(&all, &question);
            adds_up(&expected, question.order);
            let mut leafed = vec![];
            for page in 1.. {
                let paging = Paging {
                    page,
                    per_page: SMALL,
                };
                let page = statement_list(&**client, &filter, paging).await.expect("a page");
                assert_eq!(page.total, u64::try_from(expected.len()).expect("a count"));
                if page.rows.is_empty() {
                    break;
                }
                leafed.extend(page.rows);
            }
            assert_eq!(leafed, expected, "seed {seed}: {filter:?}");
            assert_eq!(
                read_by_cursor(&client, &filter).await,
                expected,
                "seed {seed}: {filter:?}"
            );
            let mut read = vec![];
            let mut after = None;
            loop {
                let batch = statement::export_page(&**client, &filter, after, SMALL)
                    .await
                    .expect("a batch");
                read.extend(batch.rows);
                after = batch.next;
                if after.is_none() {
                    break;
                }
            }
            assert_eq!(read, expected, "seed {seed}: {filter:?}");
            let sums = statement_sums(&**client, &filter).await.expect("sums");
            for kind in Kind::ALL {
                let of_kind = expected.iter().filter(|line| line.kind == kind);
                let lines = of_kind.fold((0, 0), |(amount, lines), line| {
                    (amount + line.amount.get(), lines + 1)
                });
                let sum = sums.iter().find(|sum| sum.kind == kind);
                let sum = sum.map_or((0, 0), |sum| (sum.amount.get(), sum.lines));
                assert_eq!(sum, lines, "seed {seed}: {kind:?} of {filter:?}");
            }
        }
        runner.stop().await;
    }
}

async fn read_by_cursor(client: &deadpool_postgres::Client, filter: &StatementFilter) -> Vec<StatementLine> {
    let paging = Paging {
        page: 1,
        per_page: SMALL,
    };
    let first = statement_list(&***client, filter, paging).await.expect("a page");
    let (mut read, mut next, total) = (first.rows, first.next, first.total);
    while let Some(cursor) = next {
        let cursor = cursor.to_string().parse().expect("a cursor reads back");
        let page = statement::statement_list_after(&***client, filter, cursor, SMALL)
            .await
            .expect("a page");
        assert_eq!(page.total, total, "the total is counted once");
        read.extend(page.rows);
        next = page.next;
    }
    read
}

fn expected_postings(all: &[JournalRow], question: &Question, account: Option<Account>) -> Vec<JournalRow> {
    let mut rows = all.to_vec();
    rows.sort_by_key(|row| {
        let time = question.time(row.occurred_at, row.recorded_at);
        (time, row.sequence, row.account)
    });
    let mut balances = std::collections::BTreeMap::new();
    for row in &mut rows {
        let balance: &mut i64 = balances.entry(row.account).or_default();
        *balance += row.amount.get();
        row.balance = ledger_domain::Cents::new(*balance);
    }
    rows.retain(|row| {
        question.holds(row.occurred_at, row.recorded_at)
            && account.is_none_or(|account| row.account == account)
    });
    if question.order == Order::Desc {
        rows.reverse();
    }
    rows
}

#[tokio::test]
async fn on_each_axis_the_journal_is_every_posting_and_each_account_adds_up() {
    let ledger = Ledger::create().await;
    let runner = ledger.follow();
    let shop = business(1);
    play(&ledger, shop, 11).await;
    ledger.until_caught_up().await;
    let client = ledger.client().await;
    // Computed from the log, without any read model.
    let mut all = vec![];
    for stored in log::of_business(&**client, shop, 0, 10_000)
        .await
        .expect("events")
    {
        let event = stored.decode().expect("an event");
        all.extend(
            event
                .balance_changes()
                .into_iter()
                .map(|(account, amount)| JournalRow {
                    event_id: stored.event_id,
                    event_type: event.type_name().to_owned(),
                    sequence: stored.sequence,
                    account,
                    amount,
                    balance: ledger_domain::Cents::ZERO,
                    occurred_at: stored.occurred_at,
                    recorded_at: stored.recorded_at,
                }),
        );
    }
    let occurred: Vec<_> = all.iter().map(|row| row.occurred_at).collect();
    let recorded_at: Vec<_> = all.iter().map(|row| row.recorded_at).collect();
    for question in questions(&mut StdRng::seed_from_u64(5), &occurred, &recorded_at) {
        for account in [None, Some(Account::Available), Some(Account::InDispute)] {
            let filter = JournalFilter {
                business_id: shop,
                account,
                axis: question.axis,
                range: question.range,
                order: question.order,
            };
            let expected = expected_postings(&all, &question, account);
            let mut leafed = vec![];
            for page in 1.. {
                let paging = Paging {
                    page,
                    per_page: SMALL,
                };
                let page = journal_list(&**client, &filter, paging).await.expect("a page");
                let total = u64::try_from(expected.len()).expect("a count");
                assert_eq!((page.total, page.total_capped), (total, false));
                if page.rows.is_empty() {
                    break;
                }
                leafed.extend(page.rows);
            }
            assert_eq!(leafed, expected, "{filter:?}");
            let paging = Paging {
                page: 1,
                per_page: SMALL,
            };
            let first = journal_list(&**client, &filter, paging).await.expect("a page");
            let (mut read, mut next) = (first.rows, first.next);
            while let Some(cursor) = next {
                let cursor = cursor.to_string().parse().expect("a cursor reads back");
                let page = journal_list_after(&**client, &filter, cursor, SMALL).await;
                let page = page.expect("a page");
                assert_eq!(page.total, first.total, "the total is counted once");
                read.extend(page.rows);
                next = page.next;
            }
            assert_eq!(read, expected, "{filter:?}");
        }
    }
    runner.stop().await;
}
