//! Ranks companies by a sum over any period, from columns of sums that the process keeps in memory.
//!
//! An exact rank over an arbitrary period adds up a sum of each company, day by day or month by month. The database
//! takes half a second for the year of a hundred thousand companies, the process some milliseconds. So it keeps what it
//! has read: for a measure, the sums of the companies by shard and day, and by shard and month. No clock and no
//! notice tells it what is out of date. Each ranking first reads the versions of these parts, and reads again those
//! that have changed. Past days change seldom, so that is mostly today.
//!
//! The version of a part is `xmin`, the transaction that last wrote its row of sums over all companies
//! (`platform_sales_daily` and the like). A follower changes this row in the transaction in which it changes a row of a
//! company, and a rebuild writes it anew. So the rank is always that of the database, on a replica too.

mod columns;
mod rank;
mod read;

use std::sync::{Arc, Mutex, PoisonError};

use ledger_domain::BusinessId;
use ledger_domain::calendar::days_after;
use tokio_postgres::GenericClient;

use super::filter::{FigureFilter, FigureSort, Within};
use super::months_and_days::MonthsAndDays;
use crate::Error;
use crate::page::SortOrder;
use columns::Columns;
pub(super) use rank::Ranked;

/// The largest size that is kept, in sums of one company in one part. A sum takes 12 bytes.
const SIZE_MAX: usize = 8_000_000;

/// The columns of each measure that was asked for lately. A process has one value of this type.
#[derive(Debug, Default)]
pub struct Rankings {
    kept: Mutex<Vec<Kept>>,
}

/// The last one was used last.
#[derive(Debug)]
struct Kept {
    measure: Measure,
    /// Requests for the same measure wait for each other, so that a part is read once.
    columns: Arc<tokio::sync::Mutex<Columns>>,
    size: usize,
}

/// What is added up: a figure of the sales that the filter counts.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Measure {
    /// The SQL expression of the figure in one row.
    amount: &'static str,
    filter: FigureFilter,
}

/// The page of a ranking.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Order {
    pub sort: FigureSort,
    pub order: SortOrder,
    pub offset: usize,
    pub limit: usize,
}

impl Rankings {
    /// Whether a ranking of these companies is read from memory. Hours are few and change all the time. The companies
    /// that a filter names, and the sales of a terminal or a link, have indexes of their own.
    pub(super) fn has(filter: &FigureFilter, within: Within) -> bool {
        let by_index = filter.businesses.is_some()
            || filter.terminal_id.is_some()
            || filter.payment_link.is_some()
            || filter.only_terminals;
        !by_index && !matches!(within, Within::Hours(..))
    }

    /// The companies of a page in their order, and the number of all companies with figures in the period. `or_fees`
    /// also ranks the companies that only paid other fees.
    pub(super) async fn rank(
        &self,
        client: &impl GenericClient,
        filter: &FigureFilter,
        within: Within,
        or_fees: bool,
        order: Order,
    ) -> Result<Ranked, Error> {
        let (Within::Days((start, end)) | Within::Months((start, end))) = within else {
            return Ok(Ranked::default());
        };
        let period = MonthsAndDays::adding((start, days_after(end, 1)));
        let measure = Measure {
            amount: order.sort.amount().unwrap_or(ANY_AMOUNT),
            filter: filter.clone(),
        };
        let kept = self.columns_of(&measure);
        let mut columns = kept.lock().await;
        let parts = columns
            .refresh(client, filter, measure.amount, &period, or_fees)
            .await?;
        let sums = columns.add_up(&parts)?;
        let ranked = match order.sort {
            FigureSort::Name => read::rank_by_name(client, &sums, order).await?,
            _ => sums.rank(order),
        };
        columns.keep_within(SIZE_MAX, &parts);
        self.make_room(&measure, columns.size());
        Ok(ranked)
    }

    fn columns_of(&self, measure: &Measure) -> Arc<tokio::sync::Mutex<Columns>> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let found = kept.iter().position(|kept| kept.measure == *measure);
        let used = found.map_or_else(
            || Kept {
                measure: measure.clone(),
                columns: Arc::default(),
                size: 0,
            },
            |index| kept.remove(index),
        );
        let columns = Arc::clone(&used.columns);
        kept.push(used);
        columns
    }

    /// Notes the size of the measure, and forgets the measures that were not used for the longest time.
    fn make_room(&self, measure: &Measure, size: usize) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(own) = kept.iter_mut().find(|kept| kept.measure == *measure) {
            own.size = size;
        }
        let mut total: usize = kept.iter().map(|kept| kept.size).sum();
        while total > SIZE_MAX
            && let Some(oldest) = kept.iter().position(|kept| kept.measure != *measure)
        {
            total -= kept.remove(oldest).size;
        }
    }
}

/// A ranking by name only needs to know which companies have figures.
const ANY_AMOUNT: &str = "gross";

/// The sums of the companies over the period.
#[derive(Debug)]
struct Sums<'a> {
    companies: &'a [uuid::Uuid],
    /// The sum of each company; `None` if it has no figures in the period.
    sums: Vec<Option<i64>>,
}

fn business(id: uuid::Uuid) -> BusinessId {
    BusinessId::from_uuid(id)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measure(installments: u8) -> Measure {
        Measure {
            amount: "gross",
            filter: FigureFilter {
                installments: Some(installments),
                ..FigureFilter::default()
            },
        }
    }

    #[test]
    fn the_measures_that_were_used_last_are_kept() {
        let rankings = Rankings::default();
        let kept = || {
            let kept = rankings.kept.lock().expect("no panic before");
            let kept: Vec<_> = kept.iter().map(|kept| kept.measure.clone()).collect();
            kept
        };
        for number in 1..=3 {
            rankings.columns_of(&measure(number));
            rankings.make_room(&measure(number), SIZE_MAX / 3);
        }
        rankings.columns_of(&measure(1));
        assert_eq!(kept(), [measure(2), measure(3), measure(1)]);
        rankings.columns_of(&measure(4));
        rankings.make_room(&measure(4), SIZE_MAX / 2);
        assert_eq!(kept(), [measure(1), measure(4)]);
        // A measure that alone is too large is the only one.
        rankings.make_room(&measure(4), 2 * SIZE_MAX);
        assert_eq!(kept(), [measure(4)]);
    }
}
