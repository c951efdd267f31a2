//! The tables that a request reads in layout `schemas`: those of its company's shard, or the views over all shards.
//!
//! A request about one company reads nothing of the ledger that belongs to another one. Read through the views, each
//! look-up would be one in each shard. A request about all companies has the lists and sums of each shard put together
//! (`ledger_store::layout::Reads`), and enters a shard where it reads on about one of them (`Db::about`).

use std::future::Future;

use axum::extract::{MatchedPath, Request};
use ledger_domain::BusinessId;
use ledger_store::layout::Reads;
use ledger_store::{Layout, Shard};

use super::QueryReader;
use crate::AppState;

/// The paths of staff's calls about one company have its id behind this, or where others have `{business_id}`.
const COMPANY_PATH: &str = "/admin/businesses/";
const COMPANY_PARAMETER: &str = "{business_id}";
const NESTED: &str = "/api";

pub(super) fn shard_of_this_read() -> Option<Shard> {
    match Reads::current()? {
        Reads::Shard(shard) => Some(shard),
        Reads::EachShard => None,
    }
}

/// Answers a request about this company, or about all.
pub(super) async fn of_company<T>(
    state: &AppState,
    company: Option<BusinessId>,
    answer: impl Future<Output = T>,
) -> T {
    match (state.writer.layout(), company) {
        (Layout::Schemas, Some(company)) => Reads::Shard(Shard::of(company)).scope(answer).await,
        (layout, _) => layout.reading_all(answer).await,
    }
}

/// The company that a request of staff is about: that of its path, or that of its filter.
pub(super) fn company_of_staff_request(request: &Request) -> Option<BusinessId> {
    let path = request.extensions().get::<MatchedPath>()?.as_str();
    match place_of_company(path) {
        Some(place) => request.uri().path().split('/').nth(place)?.parse().ok(),
        None => company_of_filter(request.uri().query()?),
    }
}

/// Which part of the request's path is the company's id. The route's path has the prefix under which the router is
/// nested; the request's path has lost it.
fn place_of_company(route: &str) -> Option<usize> {
    let path = route.strip_prefix(NESTED)?;
    let is_behind = path
        .strip_prefix(COMPANY_PATH)
        .is_some_and(|rest| rest.starts_with('{'));
    match is_behind {
        true => Some(COMPANY_PATH.matches('/').count()),
        false => path.split('/').position(|part| part == COMPANY_PARAMETER),
    }
}

/// As the handler reads it, which also refuses what is no id.
fn company_of_filter(query: &str) -> Option<BusinessId> {
    QueryReader::new(query).ok()?.given("business_id")?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_company_of_a_path_is_found() {
        for (path, place) in [
            ("/api/admin/businesses/{id}/journal", Some(3)),
            ("/api/admin/businesses/{business_id}/closing", Some(3)),
            ("/api/admin/businesses/list", None),
            ("/api/admin/balance/holds/{business_id}/{hold_id}", Some(4)),
            ("/api/admin/balance/transfers/{transfer_id}", None),
        ] {
            assert_eq!(place_of_company(path), place, "{path}");
        }
    }

    #[test]
    fn the_company_of_a_filter_is_the_one_that_the_handler_reads() {
        let id = |number: u128| BusinessId::from_uuid(uuid::Uuid::from_u128(number));
        let (first, last) = (id(1), id(2));
        for (query, company) in [
            (format!("business_id={first}"), Some(first)),
            (
                format!("business_id={first}&page=2&business_id={last}"),
                Some(last),
            ),
            (format!("business_id={first}&business%5Fid=+{last}"), Some(last)),
            ("business_id=".to_owned(), None),
            ("business_ids=a".to_owned(), None),
        ] {
            assert_eq!(company_of_filter(&query), company, "{query}");
        }
    }
}
