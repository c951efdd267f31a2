//! The queries of the read models use indexes. The tables are large enough to give the planner a choice, and the
//! connection's own counters show which index it used.

use std::collections::BTreeSet;

use ledger_domain::TransferId;
use ledger_domain::calendar::start_of;
use ledger_domain::sale::{SaleStatus, Solution};
use projections::balance::statement::composition::{CompositionRange, composition_days, composition_list};
use projections::balance::statement::{StatementFilter, event_behind, statement_list};
use projections::balance::{
    balance_daily, balance_fetch, days, negative_balance_list, negative_balances, platform_revenue,
};
use projections::daily_sales::period_totals;
use projections::daily_sales::sale_totals;
use projections::receivables::due::due_installments;
use projections::receivables::schedule_list;
use projections::repricing::{Period, charged_sales, charged_withdrawals};
use projections::sales::{SaleFilter, sale_fetch, sale_list, sale_list_after_cursor};
use projections::{Paging, TimeRange};
use tokio_postgres::Client;

use super::indexes_as_of::check_as_of_and_receivables;
use super::indexes_of_reports::check_reports;
use super::indexes_of_transfers::{check_new_destinations, check_transfers};
use super::ledger::{Ledger, business, day, monday, terminal};
use crate::support::database::only_with_tables;
use crate::support::wait::until;

pub(super) const FIRST_PAGE: Paging = Paging {
    page: 1,
    per_page: 20,
};

/// Tables of rows by company, with the columns that the `n`-th copy of the row `t` changes. A copy has another
/// company unless `business_id` is among them.
const COMPANY_TABLES: [(&str, &str); 14] = [
    // Unsuccessful outcomes are rare.
    (
        "sale",
        "'sale_id', md5(n || t.sale_id::text)::uuid, 'occurred_at', t.occurred_at - n * interval '1 day',
               'terminal_id', md5(n::text)::uuid,
               'status', CASE WHEN n > 20 THEN 'succeeded' ELSE t.status END",
    ),
    ("receivables_schedule", "'due_date', t.due_date + n"),
    ("balance_daily", "'business_date', t.business_date - n"),
    (
        "statement_line",
        "'business_date', t.business_date - n, 'business_id', t.business_id, 'number', t.number + n * 100,
               'occurred_at', t.occurred_at - n * interval '1 day'",
    ),
    ("statement_daily", "'business_date', t.business_date - n"),
    (
        "journal",
        "'business_date', t.business_date - n, 'business_id', t.business_id, 'sequence', t.sequence + n * 1000,
               'recorded_at', t.recorded_at - n * interval '1 day',
               'occurred_at', t.occurred_at - n * interval '1 day'",
    ),
    // Nearly all transfers of a company are paid.
    (
        "transfer",
        "'transfer_id', md5(n || t.transfer_id::text)::uuid, 'status', 1,
               'requested_at', t.requested_at - n * interval '1 day', 'updated_at', t.updated_at",
    ),
    ("daily_transfers", "'business_date', t.business_date - n"),
    ("daily_sales", "'business_date', t.business_date - n"),
    ("daily_outcomes", "'business_date', t.business_date - n"),
    (
        "hourly_sales",
        "'business_hour', t.business_hour - n * interval '1 hour'",
    ),
    (
        "monthly_sales",
        "'month', (t.month - n * interval '1 month')::date",
    ),
    ("platform_fees_daily", "'business_date', t.business_date - n"),
    (
        "platform_fees_monthly",
        "'month', (t.month - n * interval '1 month')::date",
    ),
];

/// Tables of sums over all companies, with the column that moves the `n`-th copy of the row `t` to another day.
const PLATFORM_TABLES: [(&str, &str); 10] = [
    (
        "platform_sales_daily",
        "'business_date', t.business_date - n * 200",
    ),
    (
        "platform_sales_by_attribute",
        "'business_date', t.business_date - n * 200",
    ),
    (
        "platform_sales_hourly",
        "'business_hour', t.business_hour - n * interval '200 days'",
    ),
    (
        "platform_sales_monthly",
        "'month', (t.month - n * interval '20 months')::date",
    ),
    (
        "platform_sales_monthly_by_attribute",
        "'month', (t.month - n * interval '20 months')::date",
    ),
    (
        "platform_sales_hourly_by_attribute",
        "'business_hour', t.business_hour - n * interval '200 days'",
    ),
    (
        "platform_revenue_daily",
        "'business_date', t.business_date - n * 200",
    ),
    (
        "platform_transfers_daily",
        "'business_date', t.business_date - n * 200",
    ),
    (
        "platform_outcomes_daily",
        "'business_date', t.business_date - n * 200",
    ),
    (
        "platform_outcomes_monthly",
        "'month', (t.month - n * interval '20 months')::date",
    ),
];

/// Copies every row to hundreds of other companies and days (the rows of the statement and the journal to other days
/// of the same company). The copies need not be a possible history. A function in FROM makes a row once; in the list of
/// columns, `(function(…)).*` calls it for each column.
async fn grow(ledger: &Ledger) {
    let company = "'business_id', md5(n || t.business_id::text)::uuid";
    for (table, columns) in COMPANY_TABLES {
        ledger
            .execute(&format!(
                "INSERT INTO {table}
                 SELECT copy.*
                   FROM {table} AS t, generate_series(1, 400) AS n,
                        jsonb_populate_record(t, jsonb_build_object({company}, {columns})) AS copy"
            ))
            .await;
        vacuum(ledger, table).await;
    }
    grow_balances(ledger).await;
    for (table, key) in PLATFORM_TABLES {
        ledger
            .execute(&format!(
                "INSERT INTO {table} SELECT copy.*
                   FROM {table} AS t, generate_series(1, 400) AS n,
                        jsonb_populate_record(t, jsonb_build_object({key})) AS copy"
            ))
            .await;
        vacuum(ledger, table).await;
    }
    // No sale of the history was reversed.
    ledger
        .execute(
            "INSERT INTO sale_return (business_id, occurred_at, sale_id, status, returns, gross, net)
             SELECT business_id, occurred_at, sale_id, 'canceled', 1, amount, 0 FROM sale",
        )
        .await;
    vacuum(ledger, "sale_return").await;
    // Nearly all sales of a company are paid.
    ledger
        .execute(&format!(
            "INSERT INTO sale
             SELECT copy.*
               FROM sale AS t, generate_series(1, 200) AS n,
                    jsonb_populate_record(t, jsonb_build_object('sale_id', md5(n || 'own' || t.sale_id::text)::uuid,
                         'status', 'succeeded', 'occurred_at', t.occurred_at - n * interval '1 day')) AS copy
              WHERE t.business_id = '{}'",
            business(1).uuid()
        ))
        .await;
    vacuum(ledger, "sale").await;
}

/// A hundredth of the other companies owe 5 reais. Their rows are anywhere in the table.
async fn grow_balances(ledger: &Ledger) {
    ledger
        .execute(
            "INSERT INTO balance (business_id, receivable, available, in_transfer, held_by_staff, in_dispute,
                                  platform_fees, clearing)
             SELECT md5(n || t.business_id::text)::uuid, t.receivable, owned.available, t.in_transfer,
                    t.held_by_staff, t.in_dispute, t.platform_fees, t.clearing + t.available - owned.available
               FROM balance AS t, generate_series(1, 400) AS n,
                    LATERAL (SELECT CASE WHEN n % 100 = 0 THEN -500 ELSE greatest(t.available, 0) END) AS owned (available)",
        )
        .await;
    vacuum(ledger, "balance").await;
}

/// Vacuums until all pages but one are all-visible, as in a table without recent changes. With fewer such pages, the
/// planner counts by the table instead of an index. Changed pages become all-visible only when no connection holds an
/// older snapshot, and once the commits of their rows are in the log's file. The tests' cluster writes that late, so a
/// message writes it now. Without INDEX_CLEANUP, VACUUM may leave dead rows on up to 2 % of the pages.
async fn vacuum(ledger: &Ledger, table: &str) {
    let client = ledger.database_client().await;
    let write_log = "SELECT pg_logical_emit_message(false, 'tests', '', true)";
    client.query_one(write_log, &[]).await.expect("a message");
    let visible = format!("SELECT relpages, relallvisible FROM pg_class WHERE oid = '{table}'::regclass");
    until(
        &format!("at most one page of {table} that is not visible to all"),
        async || {
            ledger
                .execute(&format!("VACUUM (ANALYZE, INDEX_CLEANUP ON) {table}"))
                .await;
            let row = client.query_one(&visible, &[]).await.expect("the table's pages");
            row.get::<_, i32>(0) - row.get::<_, i32>(1) <= 1
        },
    )
    .await;
}

/// The tables that this connection scanned whole and the indexes that it used since the last call. Reads the counters
/// of its own transaction: those of the database arrive late and include other connections.
pub async fn scans_since_last_call(client: &Client) -> (BTreeSet<String>, BTreeSet<String>) {
    let names = async |sql: &str| {
        let rows = client.query(sql, &[]).await.expect("counters");
        rows.iter().map(|row| row.get(0)).collect()
    };
    let whole = names("SELECT relname::text FROM pg_stat_xact_user_tables WHERE seq_scan > 0").await;
    let indexes = names(
        "SELECT indexrelname::text FROM pg_stat_user_indexes WHERE pg_stat_get_xact_numscans(indexrelid) > 0",
    )
    .await;
    // One statement at a time: the counters are reported only between two messages and outside of a transaction.
    for statement in ["COMMIT", "SELECT pg_stat_force_next_flush()", "BEGIN"] {
        client.batch_execute(statement).await.expect("a new transaction");
    }
    (whole, indexes)
}

/// Checks that the last query used this index and scanned no whole table.
pub(super) async fn assert_uses_index(client: &Client, query: &str, index: &str) {
    let (whole, indexes) = scans_since_last_call(client).await;
    assert!(whole.is_empty(), "{query} scans all of {whole:?}");
    assert!(indexes.contains(index), "{query} uses {indexes:?}");
}

/// Begins a transaction, whose counters `scans_since_last_call` reads.
pub(super) async fn start_counting(client: &Client) {
    client.batch_execute("BEGIN").await.expect("a transaction");
    scans_since_last_call(client).await;
}

/// One test for many queries, because filling the tables takes most of its time.
#[tokio::test]
async fn queries_of_the_read_models_use_indexes() {
    only_with_tables!();
    let (ledger, runner) = Ledger::with_history().await;
    runner.stop().await;
    grow(&ledger).await;
    let client = ledger.database_client().await;
    start_counting(&client).await;
    assert_eq!(
        scans_since_last_call(&client).await,
        (BTreeSet::new(), BTreeSet::new()),
        "the counters start at zero each time"
    );
    check_sales(&client).await;
    check_repricing(&client).await;
    check_balances(&client).await;
    check_statement(&client).await;
    check_receivables_and_volume(&client).await;
    check_reports(&client).await;
    drop(client);
    check_transfers(&ledger).await;
    check_new_destinations(&ledger).await;
    check_as_of_and_receivables(&ledger).await;
}

async fn check_sales(client: &Client) {
    let of_shop = SaleFilter {
        business_id: Some(business(1)),
        ..SaleFilter::default()
    };
    let five = Paging { page: 1, per_page: 5 };
    let first = sale_list(client, &of_shop, five).await.expect("a list");
    assert_uses_index(client, "a company's list", "sale_by_business").await;
    let (sale, cursor) = (first.rows[0].sale_id, first.next.expect("a next page"));
    sale_list_after_cursor(client, &of_shop, cursor, 5)
        .await
        .expect("a list");
    assert_uses_index(client, "the next page", "sale_by_business").await;
    let failed = SaleFilter {
        statuses: vec![SaleStatus::Failed],
        ..of_shop.clone()
    };
    sale_totals(client, &failed).await.expect("totals");
    assert_uses_index(client, "totals of an outcome", "daily_outcomes_pkey").await;
    let failed_cards = SaleFilter {
        solution: Some(Solution::CardMachine),
        ..failed
    };
    sale_totals(client, &failed_cards).await.expect("totals");
    assert_uses_index(client, "totals of an outcome of cards", "sale_by_outcome").await;
    let since = SaleFilter {
        range: TimeRange::of_business_dates(Some(day(1)), None),
        ..SaleFilter::default()
    };
    sale_list(client, &since, FIRST_PAGE).await.expect("a list");
    assert_uses_index(client, "staff's list", "sale_by_instant").await;
    let charged_back = SaleFilter {
        statuses: vec![SaleStatus::ChargedBack],
        ..SaleFilter::default()
    };
    sale_list(client, &charged_back, FIRST_PAGE)
        .await
        .expect("a list");
    assert_uses_index(client, "staff's list of an outcome", "sale_of_any_by_outcome").await;
    let of_terminal = SaleFilter {
        terminal_id: Some(terminal(1).id),
        ..SaleFilter::default()
    };
    sale_list(client, &of_terminal, FIRST_PAGE).await.expect("a list");
    assert_uses_index(client, "a terminal's list", "sale_by_terminal").await;
    sale_totals(client, &of_shop).await.expect("totals");
    assert_uses_index(client, "totals", "monthly_sales_key").await;
    let succeeded = SaleFilter {
        statuses: vec![SaleStatus::Succeeded],
        ..of_shop.clone()
    };
    sale_totals(client, &succeeded).await.expect("totals");
    let (whole, mut indexes) = scans_since_last_call(client).await;
    assert!(whole.is_empty(), "totals of successes scan all of {whole:?}");
    // The planner looks up the first and the last month in this index.
    indexes.remove("monthly_sales_by_month");
    let read = ["monthly_sales_key", "daily_outcomes_pkey"].map(str::to_owned);
    assert_eq!(indexes, BTreeSet::from(read), "totals of successes");
    let of_all = SaleFilter {
        business_id: None,
        ..succeeded
    };
    sale_totals(client, &of_all).await.expect("totals");
    let (whole, indexes) = scans_since_last_call(client).await;
    assert!(whole.is_empty(), "totals of all successes scan all of {whole:?}");
    assert!(
        indexes.iter().all(|index| index.starts_with("platform_")),
        "totals of all successes use {indexes:?}"
    );
    let named = SaleFilter {
        name: Some(first.rows[0].external_id.clone()),
        ..SaleFilter::default()
    };
    sale_list(client, &named, FIRST_PAGE).await.expect("a list");
    assert_uses_index(client, "the sales of a name", "sale_by_name").await;
    sale_fetch(client, None, sale).await.expect("a sale");
    assert_uses_index(client, "a sale", "sale_pkey").await;
}

async fn check_repricing(client: &Client) {
    let companies = [business(1), business(2)];
    let period = Period {
        companies: &companies,
        from: start_of(day(0)),
        until: start_of(day(9)),
    };
    let sales = charged_sales(client, period, Solution::CardMachine, None, 2).await;
    let cursor = sales.expect("sales").last().map(|sale| sale.cursor);
    assert_uses_index(client, "the sales to price again", "sale_by_business").await;
    charged_sales(client, period, Solution::CardMachine, cursor, 2)
        .await
        .expect("sales");
    assert_uses_index(client, "the next sales to price again", "sale_by_business").await;
    charged_withdrawals(client, period, None, 2)
        .await
        .expect("withdrawals");
    assert_uses_index(client, "the withdrawals to charge again", "transfer_by_business").await;
}

async fn check_balances(client: &Client) {
    let shop = business(1);
    balance_fetch(client, shop).await.expect("a balance");
    assert_uses_index(client, "a balance", "balance_pkey").await;
    let negative = negative_balances(client).await.expect("sums");
    assert_uses_index(client, "the sums of negative balances", "balance_negative").await;
    let list = negative_balance_list(client, FIRST_PAGE).await.expect("a list");
    assert_uses_index(client, "the negative balances", "balance_negative").await;
    assert_eq!((list.total, negative.companies > 0), (negative.companies, true));
    balance_daily(client, shop, day(0), day(9)).await.expect("days");
    assert_uses_index(client, "balances by day", "balance_daily_pkey").await;
    days::list(client, shop, day(0), day(60)).await.expect("days");
    assert_uses_index(client, "balances at the end of days", "balance_daily_pkey").await;
    platform_revenue(client, day(0), day(2)).await.expect("a sum");
    assert_uses_index(client, "the platform's revenue", "platform_revenue_daily_pkey").await;
}

async fn check_statement(client: &Client) {
    let shop = business(1);
    let lines = statement_list(client, &StatementFilter::of(shop), FIRST_PAGE).await;
    assert_uses_index(client, "a statement", "statement_line_by_occurrence").await;
    let event = lines.expect("lines").rows[0].event_id;
    event_behind(client, shop, event).await.expect("an event");
    assert_uses_index(client, "the event behind a line", "statement_line_by_event").await;
    let withdrawal =
        "SELECT transfer_id FROM statement_line WHERE movement = 'withdrawal' AND business_id = $1 LIMIT 1";
    let withdrawal = client
        .query_one(withdrawal, &[&shop.uuid()])
        .await
        .expect("a line");
    scans_since_last_call(client).await;
    let withdrawal = TransferId::from_uuid(withdrawal.get(0));
    let first = composition_list(client, shop, withdrawal, CompositionRange::default(), 5).await;
    let (whole, indexes) = scans_since_last_call(client).await;
    assert!(whole.is_empty(), "a composition scans all of {whole:?}");
    assert!(!first.expect("a page").parts.is_empty());
    for index in ["statement_line_by_taker", "statement_line_pkey"] {
        assert!(indexes.contains(index), "a composition uses {indexes:?}");
    }
    let days = composition_days(client, shop, withdrawal).await;
    let (whole, indexes) = scans_since_last_call(client).await;
    assert!(
        whole.is_empty(),
        "the days of a composition scan all of {whole:?}"
    );
    assert!(!days.expect("days").days.is_empty());
    for index in ["composition_run_pkey", "sale_pkey"] {
        assert!(
            indexes.contains(index),
            "the days of a composition use {indexes:?}"
        );
    }
}

async fn check_receivables_and_volume(client: &Client) {
    let shop = business(1);
    due_installments(client, monday(), None, 100)
        .await
        .expect("due installments");
    assert_uses_index(client, "due installments", "receivables_schedule_open").await;
    schedule_list(client, shop, day(0), day(30))
        .await
        .expect("a schedule");
    assert_uses_index(client, "a schedule", "receivables_schedule_unit").await;
    period_totals(client, shop, day(0), day(2)).await.expect("volume");
    assert_uses_index(client, "a company's volume", "daily_sales_key").await;
    period_totals(client, None, day(0), day(2)).await.expect("volume");
    assert_uses_index(client, "the platform's volume", "platform_sales_daily_pkey").await;
}
