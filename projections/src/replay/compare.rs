//! What stands for a business against the folds of its events, row by row and column by column.

use std::collections::BTreeMap;

use ledger_domain::business::{Account, RecentWithdrawal};
use ledger_domain::{SaleId, TransferId};
use ledger_store::log::StoredHead;

use super::finding::{Reporter, Subject};
use super::folded::Folded;
use super::rows::Rows;
use crate::sale::{SaleRow, ScheduleRow};

/// Every read model, as of its own checkpoint. One whose fold met an event that it cannot take is not compared: that
/// was reported, and the rest would only repeat it.
pub(super) fn read_models(folded: &Folded, rows: &Rows, to: &mut Reporter<'_>) {
    if folded.unreadable {
        return;
    }
    if !folded.balance.broken {
        let expected = &folded.balance.fold;
        to.rows(Subject::Balance, &expected.now, &rows.balance.now, |_| {
            "now".to_owned()
        });
        to.rows(
            Subject::BalanceDaily,
            &expected.daily,
            &rows.balance.daily,
            |(_, date)| date.to_string(),
        );
    }
    if !folded.entries.broken {
        let entries = &folded.entries.fold.entries;
        let entries = entries
            .iter()
            .map(|entry| (entry.sequence, entry.clone()))
            .collect();
        to.rows(Subject::Journal, &entries, &rows.journal, |sequence| {
            format!("event {sequence}")
        });
    }
    if !folded.sales.broken {
        let (sales, schedules) = expected_sales(folded);
        to.rows(Subject::Sale, &sales, &rows.sales, SaleId::to_string);
        to.rows(
            Subject::SaleSchedule,
            &schedules,
            &rows.schedules,
            SaleId::to_string,
        );
        to.rows(
            Subject::Agenda,
            &folded.sales.fold.agenda.0,
            &rows.agenda.0,
            |(_, date, unit)| format!("{date} {unit}"),
        );
        to.rows(
            Subject::DailySales,
            &folded.sales.fold.daily.0,
            &rows.daily.0,
            ToString::to_string,
        );
    }
    if !folded.statement.broken {
        let lines = folded
            .statement
            .fold
            .lines
            .iter()
            .map(|line| (line.number, line.clone()))
            .collect();
        to.rows(Subject::StatementLine, &lines, &rows.lines, |number| {
            format!("line {number}")
        });
        to.rows(
            Subject::StatementDaily,
            &folded.statement.fold.sums,
            &rows.statement_daily,
            |(_, date, kind)| format!("{date} kind {}", kind.number()),
        );
    }
    if !folded.transfers.broken {
        to.rows(
            Subject::Transfer,
            &folded.transfers.fold.0,
            &rows.transfers.0,
            TransferId::to_string,
        );
    }
}

fn expected_sales(folded: &Folded) -> (BTreeMap<SaleId, SaleRow>, BTreeMap<SaleId, ScheduleRow>) {
    let (mut sales, mut schedules) = (BTreeMap::new(), BTreeMap::new());
    for (sale, entry) in &folded.sales.fold.sales {
        let record = &entry.record;
        sales.insert(*sale, record.row.clone());
        if !record.schedule.is_empty() {
            let next_due_date = record.next_due_date();
            schedules.insert(
                *sale,
                ScheduleRow {
                    instalments: record.schedule.clone(),
                    brought_forward_by: record.brought_forward_by,
                    next_due_date,
                },
            );
        }
    }
    (sales, schedules)
}

/// The head against the aggregate, and against the sums of the postings, which know nothing of the aggregate.
pub(super) fn head(folded: &Folded, head: Option<&StoredHead>, to: &mut Reporter<'_>) {
    let Some(head) = head else {
        if folded.sequence > 0 {
            to.finding(
                Subject::Head,
                "head",
                format_args!("version {}", folded.sequence),
                "no row",
            );
        }
        return;
    };
    to.equal(Subject::Head, "version", folded.sequence, head.version);
    to.equal(
        Subject::Head,
        "chain",
        hex::encode(folded.chain),
        hex::encode(head.chain),
    );
    if folded.unreadable {
        return;
    }
    recent_withdrawals(folded, head, to);
    for account in Account::ALL {
        let found = head.accounts.get(account).get();
        to.equal(
            Subject::Head,
            account,
            folded.accounts().get(account).get(),
            found,
        );
        to.equal(
            Subject::Journal,
            account,
            folded.journal_of(account),
            i128::from(found),
        );
    }
}

/// By what it means and not by its text; a text that is no list of withdrawals is shown as it is.
fn recent_withdrawals(folded: &Folded, head: &StoredHead, to: &mut Reporter<'_>) {
    let expected = &folded.business.recent_withdrawals;
    let text = head.recent_withdrawals.as_deref().unwrap_or("[]");
    let found: Option<Vec<RecentWithdrawal>> = serde_json::from_str(text).ok();
    if found.as_ref() != Some(expected) {
        let expected = serde_json::to_string(expected).unwrap_or_else(|error| error.to_string());
        to.finding(Subject::Head, "recent_withdrawals", expected, text);
    }
}
