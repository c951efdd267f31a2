//! The query parameters of lists of payment links.

use gateway_platform::links::{LinkFilter, LinkSort, LinkStatus};
use gateway_platform::word_search::WordSearch;
use ledger_domain::BusinessId;
use ledger_domain::calendar::Date;
use projections::{SortOrder, TimeRange};

use crate::edge::{Paging, query};

/// The filters of a seller's list.
pub struct LinkQuery {
    search: Option<WordSearch>,
    status: Option<LinkStatus>,
    range: TimeRange,
    sort: LinkSort,
    order: SortOrder,
    pub paging: Paging,
}

/// The filters of staff's list.
pub struct AdminLinkQuery {
    pub business_id: Option<BusinessId>,
    pub links: LinkQuery,
}

impl LinkQuery {
    /// The status of a link depends on the day.
    pub fn filter(self, business_id: Option<BusinessId>, today: Date) -> LinkFilter {
        LinkFilter {
            business_id,
            search: self.search,
            status: self.status,
            today,
            range: self.range,
            sort: self.sort,
            order: self.order,
        }
    }
}

query! {
    impl FromQuery for LinkQuery {
        /// The beginnings of words of the description, or of the code. Case and accents are ignored.
        #[example = "bolo"]
        search: Option<WordSearch>,
        /// Only links with this status today.
        #[example = "active"]
        status: Option<LinkStatus>,
        range: ..TimeRange,
        /// The column to sort by; the default is created_at. An open amount is the lowest amount.
        sort: LinkSort = LinkSort::CreatedAt,
        /// The default is desc.
        order: SortOrder = SortOrder::Desc,
        paging: ..Paging,
    } => Self { search, status, range, sort, order, paging }
}

query! {
    impl FromQuery for AdminLinkQuery {
        /// Only links of this company.
        business_id: Option<BusinessId>,
        links: ..LinkQuery,
    } => Self { business_id, links }
}
