//! The common parts of the user lists: the order, and the cursor between batches of a spreadsheet.

use ledger_domain::ids::UserId;
use projections::SortOrder;

/// The position of a batch's last row. The next batch begins after it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UserCursor {
    pub(super) name_key: String,
    pub(super) id: UserId,
}

/// The SQL sort direction of a list by name, and the comparison that selects the rows after a cursor.
pub(super) const fn sort_order(order: SortOrder) -> (&'static str, &'static str) {
    match order {
        SortOrder::Asc => ("ASC", ">"),
        SortOrder::Desc => ("DESC", "<"),
    }
}
