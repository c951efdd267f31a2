//! Compares the stored rows of a business with the folds of its events, row by row and column by column.

use ledger_domain::business::Account;
use ledger_store::log::StoredHead;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::folded::{FoldedBusiness, GroupFold};
use crate::read_model::finding::{Reporter, Subject};
use crate::read_model_groups::Rows;

/// Compares every read model as of the position of its checkpoint. A fold that met a poison event is not compared: the
/// replay has reported that event.
pub(super) fn read_models(folds: Vec<GroupFold>, rows: &Rows, reporter: &mut Reporter<'_>) {
    for group in folds {
        if !group.broken {
            group.fold.compare(rows, reporter);
        }
    }
}

/// Compares the head with the aggregate, and with the sums of the postings, which are computed without the aggregate.
pub(super) fn head(folded: &FoldedBusiness, head: Option<&StoredHead>, reporter: &mut Reporter<'_>) {
    let Some(head) = head else {
        if folded.sequence > 0 {
            reporter.finding(
                Subject::Head,
                "head",
                format_args!("version {}", folded.sequence),
                "no row",
            );
        }
        return;
    };
    reporter.equal(Subject::Head, "version", folded.sequence, head.version);
    reporter.equal(
        Subject::Head,
        "chain",
        hex::encode(folded.chain),
        hex::encode(head.chain),
    );
    if folded.unreadable {
        return;
    }
    let business = &folded.business;
    let stored = head.recent_withdrawals.as_deref();
    list(
        "recent_withdrawals",
        &business.recent_withdrawals,
        stored,
        reporter,
    );
    list("holds", &business.holds, head.holds.as_deref(), reporter);
    reporter.equal(
        Subject::Head,
        "held_for_sales",
        folded.business.held_for_sales.get(),
        head.held_for_sales.get(),
    );
    for account in Account::ALL {
        let found = head.accounts.get(account).get();
        reporter.equal(
            Subject::Head,
            account,
            folded.accounts().get(account).get(),
            found,
        );
        reporter.equal(
            Subject::Postings,
            account,
            folded.posted_to(account),
            i128::from(found),
        );
    }
}

/// Compares the decoded lists, because the same list has several JSON texts. A text that is no such list is reported
/// unchanged.
fn list<Item: PartialEq + Serialize + DeserializeOwned>(
    column: &'static str,
    expected: &Vec<Item>,
    found: Option<&str>,
    reporter: &mut Reporter<'_>,
) {
    let text = found.unwrap_or("[]");
    let found: Option<Vec<Item>> = serde_json::from_str(text).ok();
    if found.as_ref() != Some(expected) {
        let expected = serde_json::to_string(expected).unwrap_or_else(|error| error.to_string());
        reporter.finding(Subject::Head, column, expected, text);
    }
}
