//! The statement and the journal on both axes, for random histories: pages, cursors and ranges, and batches of the
//! statement.

use std::collections::{BTreeMap, BTreeSet};

use chrono::TimeDelta;
use deadpool_postgres::Client;
use ledger_domain::BusinessId;
use ledger_domain::business::Account;
use ledger_domain::calendar::Instant;
use ledger_store::log;
use projections::balance::as_of::Axis;
use projections::balance::journal::{JournalFilter, JournalRow, journal_list, journal_list_after};
use projections::balance::statement::{
    self, MovementKind, StatementFilter, StatementLine, statement_list, statement_list_after, statement_sums,
};
use projections::{Paging, SortOrder, TimeRange};
use rand::{RngExt, SeedableRng, rngs::StdRng};

use super::as_of::{SEEDS, play};
use super::ledger::{Ledger, business, day, minute};

/// The rows of a page or batch. Small, so that a list has several.
const PAGE_ROWS: u32 = 7;

/// The part of a list that a test reads. The tests compute its expected rows from all rows.
#[derive(Debug, Clone, Copy)]
struct Selection {
    axis: Axis,
    range: TimeRange,
    order: SortOrder,
}

impl Selection {
    fn time(&self, occurred_at: Instant, recorded_at: Instant) -> Instant {
        match self.axis {
            Axis::Effective => occurred_at,
            Axis::Recorded => recorded_at,
        }
    }

    fn contains(&self, occurred_at: Instant, recorded_at: Instant) -> bool {
        let time = self.time(occurred_at, recorded_at);
        self.range.from.is_none_or(|from| time >= from) && self.range.until.is_none_or(|until| time < until)
    }
}

/// Whole and half histories, days in Brasília, hours of a day, and empty ranges, on each axis and in each order.
fn selections(rng: &mut StdRng, occurred: &[Instant], recorded_at: &[Instant]) -> Vec<Selection> {
    let mut selections = vec![];
    for (axis, instants) in [(Axis::Effective, occurred), (Axis::Recorded, recorded_at)] {
        let mut any = || instants[rng.random_range(0..instants.len())];
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
            for order in [SortOrder::Asc, SortOrder::Desc] {
                selections.push(Selection { axis, range, order });
            }
        }
    }
    selections
}

/// The expected lines of a selection. Each balance is the one before the line plus the line's amount.
fn expected_lines(all: &[StatementLine], selection: &Selection) -> Vec<StatementLine> {
    let mut lines = all.to_vec();
    lines.sort_by_key(|line| (selection.time(line.occurred_at, line.recorded_at), line.number));
    let mut balance = 0;
    for line in &mut lines {
        balance += line.amount.get();
        line.balance = ledger_domain::Cents::new(balance);
    }
    lines.retain(|line| selection.contains(line.occurred_at, line.recorded_at));
    if selection.order == SortOrder::Desc {
        lines.reverse();
    }
    lines
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
async fn the_statement_adds_up_on_each_axis_across_pages_ranges_and_batches() {
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
        for selection in selections(&mut StdRng::seed_from_u64(seed), &occurred, &recorded_at) {
            let filter = StatementFilter {
                business_id: shop,
                axis: selection.axis,
                range: selection.range,
                order: selection.order,
            };
            let expected = expected_lines(&all, &selection);
            for read in [
                statement_by_pages(&client, &filter).await,
                statement_by_cursor(&client, &filter).await,
                statement_by_batches(&client, &filter).await,
            ] {
                assert_eq!(read, expected, "seed {seed}: {filter:?}");
            }
            assert_sums(&client, &filter, &expected).await;
        }
        runner.stop().await;
    }
}

const fn page_of(page: u32) -> Paging {
    Paging {
        page,
        per_page: PAGE_ROWS,
    }
}

async fn statement_by_pages(client: &Client, filter: &StatementFilter) -> Vec<StatementLine> {
    let (mut read, mut totals) = (vec![], BTreeSet::new());
    for page in 1.. {
        let page = statement_list(&***client, filter, page_of(page))
            .await
            .expect("a page");
        totals.insert(page.total);
        if page.rows.is_empty() {
            break;
        }
        read.extend(page.rows);
    }
    let total = u64::try_from(read.len()).expect("a count");
    assert_eq!(totals, BTreeSet::from([total]), "on every page");
    read
}

async fn statement_by_cursor(client: &Client, filter: &StatementFilter) -> Vec<StatementLine> {
    let first = statement_list(&***client, filter, page_of(1))
        .await
        .expect("a page");
    let (mut read, mut next, total) = (first.rows, first.next, first.total);
    while let Some(cursor) = next {
        let cursor = cursor.to_string().parse().expect("a cursor reads back");
        let page = statement_list_after(&***client, filter, cursor, PAGE_ROWS)
            .await
            .expect("a page");
        assert_eq!(page.total, total, "the total is counted once");
        read.extend(page.rows);
        next = page.next;
    }
    read
}

async fn statement_by_batches(client: &Client, filter: &StatementFilter) -> Vec<StatementLine> {
    let (mut read, mut after) = (vec![], None);
    loop {
        let batch = statement::export_page(&***client, filter, after, PAGE_ROWS)
            .await
            .expect("a batch");
        read.extend(batch.rows);
        after = batch.next;
        if after.is_none() {
            return read;
        }
    }
}

async fn assert_sums(client: &Client, filter: &StatementFilter, expected: &[StatementLine]) {
    let sums = statement_sums(&***client, filter).await.expect("sums");
    for kind in MovementKind::ALL {
        let of_kind = expected.iter().filter(|line| line.kind == kind);
        let lines = of_kind.fold((0, 0), |(amount, lines), line| {
            (amount + line.amount.get(), lines + 1)
        });
        let sum = sums.iter().find(|sum| sum.kind == kind);
        let sum = sum.map_or((0, 0), |sum| (sum.amount.get(), sum.lines));
        assert_eq!(sum, lines, "{kind:?} of {filter:?}");
    }
}

fn expected_postings(all: &[JournalRow], selection: &Selection, account: Option<Account>) -> Vec<JournalRow> {
    let mut rows = all.to_vec();
    rows.sort_by_key(|row| {
        let time = selection.time(row.occurred_at, row.recorded_at);
        (time, row.sequence, row.account)
    });
    let mut balances = BTreeMap::new();
    for row in &mut rows {
        let balance: &mut i64 = balances.entry(row.account).or_default();
        *balance += row.amount.get();
        row.balance = ledger_domain::Cents::new(*balance);
    }
    rows.retain(|row| {
        selection.contains(row.occurred_at, row.recorded_at)
            && account.is_none_or(|account| row.account == account)
    });
    if selection.order == SortOrder::Desc {
        rows.reverse();
    }
    rows
}

/// Every posting of a business, computed from the log without any read model. The balances are zero.
async fn all_postings(client: &Client, shop: BusinessId) -> Vec<JournalRow> {
    let events = log::of_business(&***client, shop, 0, 10_000)
        .await
        .expect("events");
    let mut rows = vec![];
    for stored in events {
        let event = stored.decode().expect("an event");
        let changes = event.balance_changes();
        rows.extend(changes.into_iter().map(|(account, amount)| JournalRow {
            event_id: stored.event_id,
            event_type: event.type_name().to_owned(),
            sequence: stored.sequence,
            account,
            amount,
            balance: ledger_domain::Cents::ZERO,
            occurred_at: stored.occurred_at,
            recorded_at: stored.recorded_at,
        }));
    }
    rows
}

#[tokio::test]
async fn the_journal_has_every_posting_on_each_axis_and_each_account_adds_up() {
    let ledger = Ledger::create().await;
    let runner = ledger.follow();
    let shop = business(1);
    play(&ledger, shop, 11).await;
    ledger.until_caught_up().await;
    let client = ledger.client().await;
    let all = all_postings(&client, shop).await;
    let occurred: Vec<_> = all.iter().map(|row| row.occurred_at).collect();
    let recorded_at: Vec<_> = all.iter().map(|row| row.recorded_at).collect();
    for selection in selections(&mut StdRng::seed_from_u64(5), &occurred, &recorded_at) {
        for account in [None, Some(Account::Available), Some(Account::InDispute)] {
            let filter = JournalFilter {
                business_id: shop,
                account,
                axis: selection.axis,
                range: selection.range,
                order: selection.order,
            };
            let expected = expected_postings(&all, &selection, account);
            assert_eq!(journal_by_pages(&client, &filter).await, expected, "{filter:?}");
            assert_eq!(journal_by_cursor(&client, &filter).await, expected, "{filter:?}");
        }
    }
    runner.stop().await;
}

async fn journal_by_pages(client: &Client, filter: &JournalFilter) -> Vec<JournalRow> {
    let (mut read, mut totals) = (vec![], BTreeSet::new());
    for page in 1.. {
        let page = journal_list(&***client, filter, page_of(page))
            .await
            .expect("a page");
        totals.insert((page.total, page.total_capped));
        if page.rows.is_empty() {
            break;
        }
        read.extend(page.rows);
    }
    let total = u64::try_from(read.len()).expect("a count");
    assert_eq!(totals, BTreeSet::from([(total, false)]), "on every page");
    read
}

async fn journal_by_cursor(client: &Client, filter: &JournalFilter) -> Vec<JournalRow> {
    let first = journal_list(&***client, filter, page_of(1))
        .await
        .expect("a page");
    let (mut read, mut next) = (first.rows, first.next);
    while let Some(cursor) = next {
        let cursor = cursor.to_string().parse().expect("a cursor reads back");
        let page = journal_list_after(&***client, filter, cursor, PAGE_ROWS)
            .await
            .expect("a page");
        assert_eq!(page.total, first.total, "the total is counted once");
        read.extend(page.rows);
        next = page.next;
    }
    read
}
