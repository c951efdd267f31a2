//! The filter of a statement, and the SQL conditions on the days and lines that it selects.

use ledger_domain::BusinessId;
use ledger_domain::calendar::Instant;
use tokio_postgres::types::{ToSql, Type};

use crate::balance::as_of::Axis;
use crate::page::SortOrder;
use crate::range::{Split, TimeRange};

/// A filter of lines. One time axis gives the order of the list, the order of the balances, and the range. So in any
/// range and on any page, a line's balance is the balance of the previous line plus the amount.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StatementFilter {
    pub business_id: BusinessId,
    pub axis: Axis,
    pub range: TimeRange,
    pub order: SortOrder,
}

impl StatementFilter {
    /// Every line of the business on the effective axis, the newest first.
    pub const fn of(business_id: BusinessId) -> Self {
        Self {
            business_id,
            axis: Axis::Effective,
            range: TimeRange::ALL,
            order: SortOrder::Desc,
        }
    }
}

/// A split range as SQL parameters: `$1` to `$7` of `days_within`, `head_within` and `tail_within`.
pub(super) struct SplitParameters {
    business: uuid::Uuid,
    split: Split,
    head: (Option<Instant>, Option<Instant>),
    tail: (Option<Instant>, Option<Instant>),
}

/// Selects from `statement_daily` the dates that lie completely in the range.
macro_rules! days_within {
    () => {
        "business_id = $1 AND business_date >= coalesce($2::date, '-infinity')
         AND business_date < coalesce($3::date, 'infinity')"
    };
}
pub(super) use days_within;

/// Selects from `statement_line` the part before the first whole date. It selects nothing if the bounds are null.
macro_rules! head_within {
    () => {
        "business_id = $1 AND occurred_at >= $4::timestamptz AND occurred_at < $5::timestamptz"
    };
}
pub(super) use head_within;

/// Selects from `statement_line` the part after the last whole date. It selects nothing if the bounds are null.
macro_rules! tail_within {
    () => {
        "business_id = $1 AND occurred_at >= $6::timestamptz AND occurred_at < $7::timestamptz"
    };
}
pub(super) use tail_within;

impl SplitParameters {
    pub fn of(filter: &StatementFilter) -> Self {
        let split = filter.range.split();
        Self {
            business: filter.business_id.uuid(),
            split,
            head: split.head.unzip(),
            tail: split.tail.unzip(),
        }
    }

    pub fn parameters(&self) -> Vec<(&(dyn ToSql + Sync), Type)> {
        vec![
            (&self.business, Type::UUID),
            (&self.split.first, Type::DATE),
            (&self.split.end, Type::DATE),
            (&self.head.0, Type::TIMESTAMPTZ),
            (&self.head.1, Type::TIMESTAMPTZ),
            (&self.tail.0, Type::TIMESTAMPTZ),
            (&self.tail.1, Type::TIMESTAMPTZ),
        ]
    }
}
