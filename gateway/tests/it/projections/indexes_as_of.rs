//! No query as of an instant, and no query of receivables, scans a whole table.

use ledger_domain::business::Account;
use projections::balance::as_of::{AsOf, Axis, balance_as_of};
use projections::balance::journal::{self, JournalFilter};
use projections::balance::statement;
use projections::balance::statement::StatementFilter;
use projections::receivables::{InstallmentFilter, installment_list, unit_list};
use projections::{Paging, TimeRange};

use super::indexes::{FIRST, grow, scanned};
use super::ledger::{Ledger, business, day, minute};

#[tokio::test]
async fn every_as_of_and_agenda_query_uses_an_index() {
    let (ledger, runner) = Ledger::with_history().await;
    runner.stop().await;
    grow(&ledger).await;
    let client = ledger.database_client().await;
    let shop = business(1);
    client.batch_execute("BEGIN").await.expect("a transaction");
    scanned(&client).await;
    let check = async |question: &str, index: &str| {
        let (whole, indexes) = scanned(&client).await;
        assert!(whole.is_empty(), "{question} scans all of {whole:?}");
        // Line numbers grow as lines are recorded, so both orders are equal here and cost the same in a small table.
        let same = index == "statement_line_pkey" && indexes.contains("statement_line_by_recording");
        assert!(indexes.contains(index) || same, "{question} uses {indexes:?}");
    };
    let recorded = AsOf {
        instant: ledger.now(),
        axis: Axis::Recorded,
    };
    let effective = AsOf {
        instant: minute(24 * 60),
        axis: Axis::Effective,
    };
    balance_as_of(&client, shop, recorded).await.expect("balances");
    check("a balance as recorded", "journal_pkey").await;
    balance_as_of(&client, shop, effective).await.expect("balances");
    check("a balance as effective", "journal_by_occurrence").await;
    let whole = TimeRange::ALL;
    let days = TimeRange::of_business_dates(Some(day(0)), Some(day(2)));
    // These are not the days of Brasília, whose end balances are stored: the balances at their ends are read from the
    // lines.
    let hours = days.since(minute(90));
    for (axis, range) in [Axis::Effective, Axis::Recorded]
        .into_iter()
        .flat_map(|axis| [whole, days, hours, whole.up_to(minute(90))].map(|range| (axis, range)))
    {
        let lines = match axis {
            Axis::Effective => "statement_line_by_occurrence",
            Axis::Recorded => "statement_line_pkey",
        };
        let filter = StatementFilter {
            axis,
            range,
            ..StatementFilter::of(shop)
        };
        let batch = statement::export_page(&client, &filter, None, 5)
            .await
            .expect("lines");
        check("a statement", lines).await;
        statement::export_page(&client, &filter, batch.next, 5)
            .await
            .expect("lines");
        check("its next batch", lines).await;
        let third = Paging { page: 3, per_page: 2 };
        let page = statement::statement_list(&client, &filter, third).await;
        // For a page beyond the last one, the sums alone give the answer.
        let index = if page.expect("lines").rows.is_empty() && axis == Axis::Effective {
            "statement_daily_pkey"
        } else {
            lines
        };
        check("its third page", index).await;
        let disputes = "journal_of_in_dispute";
        let (postings, available) = match axis {
            Axis::Effective => ("journal_by_occurrence", "journal_of_available"),
            Axis::Recorded => ("journal_pkey", "journal_of_available_recorded"),
        };
        let filter = JournalFilter {
            axis,
            range,
            ..JournalFilter::of(shop)
        };
        let batch = journal::export_page(&client, &filter, None, 5)
            .await
            .expect("postings");
        check("a journal", postings).await;
        journal::export_page(&client, &filter, batch.next, 5)
            .await
            .expect("postings");
        check("its next batch", postings).await;
        let of_disputes = JournalFilter {
            account: Some(Account::InDispute),
            ..filter
        };
        journal::journal_list(&client, &of_disputes, FIRST)
            .await
            .expect("postings");
        // The whole history of this account is a few rows, so both of its indexes cost the same.
        let (walked, indexes) = scanned(&client).await;
        assert!(walked.is_empty(), "an account's postings scan all of {walked:?}");
        let of_account = |index: &String| index.starts_with(disputes);
        assert!(
            indexes.iter().any(of_account),
            "an account's postings use {indexes:?}"
        );
        // Limited to some hours: the whole history of this account is most of the small table, so the planner may
        // scan it.
        let of_available = JournalFilter {
            account: Some(Account::Available),
            range: hours,
            ..filter
        };
        journal::journal_list(&client, &of_available, FIRST)
            .await
            .expect("postings");
        let (walked, indexes) = scanned(&client).await;
        assert!(walked.is_empty(), "an account's hours scan all of {walked:?}");
        let of_axis = |index: &String| index == available || index == postings;
        assert!(indexes.iter().any(of_axis), "an account's hours use {indexes:?}");
    }
    unit_list(&client, shop, day(0), day(30), FIRST)
        .await
        .expect("units");
    check("the schedule's units", "agenda_unit").await;
    let due = InstallmentFilter {
        business_id: shop,
        due_date: day(1),
        provider: None,
        card_brand: None,
        payment_type: None,
    };
    let page = installment_list(&client, &due, FIRST)
        .await
        .expect("installments");
    assert!(!page.rows.is_empty());
    check("the installments of a day", "sale_by_business").await;
}
