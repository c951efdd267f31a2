//! Queries as of an instant and of receivables use indexes: a part of the test in `indexes`.

use ledger_domain::business::Account;
use projections::balance::as_of::{AsOf, Axis, balance_as_of};
use projections::balance::journal::{self, JournalFilter, journal_list};
use projections::balance::statement::{self, StatementFilter, statement_list};
use projections::receivables::{InstallmentFilter, installment_list, unit_list};
use projections::{Paging, TimeRange};
use tokio_postgres::Client;

use super::indexes::{FIRST_PAGE, assert_uses_index, scans_since_last_call, start_counting};
use super::ledger::{Ledger, business, day, minute};

pub(super) async fn check_as_of_and_receivables(ledger: &Ledger) {
    let client = ledger.database_client().await;
    start_counting(&client).await;
    let recorded = AsOf {
        instant: ledger.now(),
        axis: Axis::Recorded,
    };
    balance_as_of(&client, business(1), recorded)
        .await
        .expect("balances");
    assert_uses_index(&client, "a balance as recorded", "journal_pkey").await;
    let effective = AsOf {
        instant: minute(24 * 60),
        axis: Axis::Effective,
    };
    balance_as_of(&client, business(1), effective)
        .await
        .expect("balances");
    assert_uses_index(&client, "a balance as effective", "journal_by_occurrence").await;
    for axis in [Axis::Effective, Axis::Recorded] {
        let until = TimeRange::ALL.up_to(minute(90));
        for range in [TimeRange::ALL, days(), hours(), until] {
            check_statement(&client, axis, range).await;
            check_journal(&client, axis, range).await;
        }
        check_hours_of_an_account(&client, axis).await;
    }
    check_receivables(&client).await;
}

fn days() -> TimeRange {
    TimeRange::of_business_dates(Some(day(0)), Some(day(2)))
}

/// These begin within a day of Brasília. Sums of lines are stored for whole days only.
fn hours() -> TimeRange {
    days().since(minute(90))
}

/// Like `assert_uses_index`, for lines of the statement in the order of the axis.
async fn check_lines(client: &Client, query: &str, axis: Axis) {
    let (whole, indexes) = scans_since_last_call(client).await;
    assert!(whole.is_empty(), "{query} scans all of {whole:?}");
    let used = |index: &str| indexes.contains(index);
    // Line numbers grow as lines are recorded, so both indexes have the same order here, and cost the same.
    let expected = match axis {
        Axis::Effective => used("statement_line_by_occurrence"),
        Axis::Recorded => used("statement_line_pkey") || used("statement_line_by_recording"),
    };
    assert!(expected, "{query} uses {indexes:?}");
}

async fn check_statement(client: &Client, axis: Axis, range: TimeRange) {
    let filter = StatementFilter {
        axis,
        range,
        ..StatementFilter::of(business(1))
    };
    let batch = statement::export_page(client, &filter, None, 5)
        .await
        .expect("lines");
    check_lines(client, "a statement", axis).await;
    statement::export_page(client, &filter, batch.next, 5)
        .await
        .expect("lines");
    check_lines(client, "its next batch", axis).await;
    let third = Paging { page: 3, per_page: 2 };
    let page = statement_list(client, &filter, third).await.expect("lines");
    if page.rows.is_empty() && axis == Axis::Effective {
        // For a page beyond the last one, the sums alone give the answer.
        assert_uses_index(client, "its third page", "statement_daily_pkey").await;
    } else {
        check_lines(client, "its third page", axis).await;
    }
}

/// The index of all postings in the order of the axis.
const fn index_of_postings(axis: Axis) -> &'static str {
    match axis {
        Axis::Effective => "journal_by_occurrence",
        Axis::Recorded => "journal_pkey",
    }
}

async fn check_journal(client: &Client, axis: Axis, range: TimeRange) {
    let filter = JournalFilter {
        axis,
        range,
        ..JournalFilter::of(business(1))
    };
    let batch = journal::export_page(client, &filter, None, 5)
        .await
        .expect("postings");
    assert_uses_index(client, "a journal", index_of_postings(axis)).await;
    journal::export_page(client, &filter, batch.next, 5)
        .await
        .expect("postings");
    assert_uses_index(client, "its next batch", index_of_postings(axis)).await;
    let of_disputes = JournalFilter {
        account: Some(Account::InDispute),
        ..filter
    };
    journal_list(client, &of_disputes, FIRST_PAGE)
        .await
        .expect("postings");
    // The whole history of this account is a few rows, so both of its indexes cost the same.
    let (whole, indexes) = scans_since_last_call(client).await;
    assert!(whole.is_empty(), "an account's postings scan all of {whole:?}");
    let of_account = |index: &String| index.starts_with("journal_of_in_dispute");
    assert!(
        indexes.iter().any(of_account),
        "an account's postings use {indexes:?}"
    );
}

/// Limited to some hours: the whole history of this account is most of the small table, so the planner may scan it.
async fn check_hours_of_an_account(client: &Client, axis: Axis) {
    let of_available = JournalFilter {
        axis,
        account: Some(Account::Available),
        range: hours(),
        ..JournalFilter::of(business(1))
    };
    journal_list(client, &of_available, FIRST_PAGE)
        .await
        .expect("postings");
    let (whole, indexes) = scans_since_last_call(client).await;
    assert!(whole.is_empty(), "an account's hours scan all of {whole:?}");
    let of_account = match axis {
        Axis::Effective => "journal_of_available",
        Axis::Recorded => "journal_of_available_recorded",
    };
    let of_axis = |index: &String| index == of_account || index == index_of_postings(axis);
    assert!(indexes.iter().any(of_axis), "an account's hours use {indexes:?}");
}

async fn check_receivables(client: &Client) {
    unit_list(client, business(1), day(0), day(30), FIRST_PAGE)
        .await
        .expect("units");
    assert_uses_index(client, "the schedule's units", "receivables_schedule_unit").await;
    let due = InstallmentFilter {
        business_id: business(1),
        due_date: day(1),
        provider: None,
        card_brand: None,
        payment_type: None,
    };
    let page = installment_list(client, &due, FIRST_PAGE)
        .await
        .expect("installments");
    assert!(!page.rows.is_empty());
    assert_uses_index(client, "the installments of a day", "sale_by_business").await;
}
