//! What the lists of this folder have in common: how far they count, and where a batch of a spreadsheet goes on.

use ledger_domain::ids::UserId;
use projections::{Order, Page, Paging};

/// Totals are counted to here and no further, as in the ledger's lists.
pub(super) const TOTAL_MAX: i64 = 10_000;

/// The last row of a batch: the next one begins after it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PersonCursor {
    pub(super) name_key: String,
    pub(super) id: UserId,
}

/// Rows of a page by number: pages end where the total does.
pub(super) fn limit_within_total(paging: Paging) -> i64 {
    paging.limit().min((TOTAL_MAX - paging.offset()).max(0))
}

/// A page of rows that were counted one past the limit, so that a capped total is known for one.
pub(super) fn counted<Row>(rows: Vec<Row>, found: i64) -> Page<Row> {
    Page {
        rows,
        total: found.clamp(0, TOTAL_MAX).unsigned_abs(),
        total_capped: found > TOTAL_MAX,
        next: None,
    }
}

/// How a list by name runs, and what lies beyond a row of it.
pub(super) const fn direction(order: Order) -> (&'static str, &'static str) {
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
