//! The common parts of the user lists: the limit of totals, and the cursor between batches of a spreadsheet.

use ledger_domain::ids::UserId;
use projections::{Order, Page, Paging};

/// The limit up to which totals are counted, as in the ledger's lists.
pub(super) const TOTAL_MAX: i64 = 10_000;

/// The position of a batch's last row. The next batch begins after it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UserCursor {
    pub(super) name_key: String,
    pub(super) id: UserId,
}

/// The number of rows on a page. No page goes beyond `TOTAL_MAX`.
pub(super) fn limit_within_total(paging: Paging) -> i64 {
    paging.limit().min((TOTAL_MAX - paging.offset()).max(0))
}

/// Builds a page. `found` is counted up to one row above the limit, which shows whether the total is capped.
pub(super) fn page_with_total<Row>(rows: Vec<Row>, found: i64) -> Page<Row> {
    Page {
        rows,
        total: found.clamp(0, TOTAL_MAX).unsigned_abs(),
        total_capped: found > TOTAL_MAX,
        next: None,
    }
}

/// The SQL sort direction of a list by name, and the comparison that selects the rows after a cursor.
pub(super) const fn sort_order(order: Order) -> (&'static str, &'static str) {
    match order {
        Order::Asc => ("ASC", ">"),
        Order::Desc => ("DESC", "<"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_end_where_the_total_does() {
        let limit = |page| limit_within_total(Paging { page, per_page: 30 });
        assert_eq!((limit(1), limit(333), limit(334), limit(335)), (30, 30, 10, 0));
        assert_eq!(limit(u32::MAX), 0);
    }
}
