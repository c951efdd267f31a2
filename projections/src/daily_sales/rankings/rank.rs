//! The order of companies by their sums.

use std::cmp::Ordering;

use ledger_domain::BusinessId;
use uuid::Uuid;

use super::{Order, Sums, business};
use crate::page::SortOrder;

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Ranked {
    /// Those of the page.
    pub companies: Vec<BusinessId>,
    /// The number of all companies that are ranked.
    pub found: usize,
}

impl Sums<'_> {
    /// The companies with figures, and their sums.
    pub fn with_figures(&self) -> impl Iterator<Item = (Uuid, i64)> {
        let companies = self.companies.iter().zip(&self.sums);
        companies.filter_map(|(company, sum)| Some((*company, (*sum)?)))
    }

    /// Companies with the same sum are in the order of their ids, as in SQL.
    pub fn rank(&self, order: Order) -> Ranked {
        let mut ranked: Vec<(Uuid, i64)> = self.with_figures().collect();
        let found = ranked.len();
        let compare = |one: &(Uuid, i64), other: &(Uuid, i64)| -> Ordering {
            let by_sum = match order.order {
                SortOrder::Asc => one.1.cmp(&other.1),
                SortOrder::Desc => other.1.cmp(&one.1),
            };
            by_sum.then_with(|| one.0.cmp(&other.0))
        };
        let end = order.offset.saturating_add(order.limit).min(found);
        // Only the companies up to the end of the page are sorted.
        if end > 0 && end < found {
            ranked.select_nth_unstable_by(end - 1, compare);
        }
        ranked.truncate(end);
        ranked.sort_unstable_by(compare);
        let page = ranked.into_iter().skip(order.offset);
        Ranked {
            companies: page.map(|(company, _)| business(company)).collect(),
            found,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::filter::FigureSort;
    use super::*;

    #[test]
    fn pages_of_a_rank_are_those_of_the_sorted_list() {
        let companies: Vec<_> = (0..50).map(Uuid::from_u128).collect();
        // Many companies have the same sum, and each seventh has no figures.
        let sums: Vec<_> = (0..50_i64)
            .map(|number| (number % 7 != 0).then_some(number * 13 % 5 - 2))
            .collect();
        let sums = Sums {
            companies: &companies,
            sums,
        };
        let mut sorted: Vec<_> = sums.with_figures().collect();
        for order in [SortOrder::Asc, SortOrder::Desc] {
            sorted.sort_by_key(|(company, sum)| match order {
                SortOrder::Asc => (*sum, *company),
                SortOrder::Desc => (-*sum, *company),
            });
            for limit in 0..9 {
                for offset in (0..60).step_by(3) {
                    let page = Order {
                        sort: FigureSort::Gross,
                        order,
                        offset,
                        limit,
                    };
                    let ranked = sums.rank(page);
                    let expected = sorted.iter().skip(offset).take(limit);
                    let expected: Vec<_> = expected.map(|(company, _)| business(*company)).collect();
                    assert_eq!((ranked.companies, ranked.found), (expected, 42));
                }
            }
        }
    }
}
