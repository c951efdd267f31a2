//! The list of companies for staff. Each sort order has three indexes: without a filter, by approval and by type.

use chrono::{DateTime, Utc};
use ledger_domain::BusinessId;
use ledger_rows::row;
use projections::SortOrder;

use super::approval::Approval;
use super::records::BusinessType;
use crate::list::{Conditions, List, Order, PageSql};
use crate::word_search::{WordSearch, WordTable};

const WORDS: WordTable = WordTable {
    table: "business_word",
    id: "business_id",
    row: "b.id",
};

ledger_domain::words! {
    #[derive(Default)]
    pub enum CompanySort {
        #[default]
        CreatedAt = "created_at",
        Name = "name",
    }
}

/// Selects companies. A missing criterion does not restrict.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CompanyFilter {
    pub search: Option<WordSearch>,
    pub approval: Option<Approval>,
    pub business_type: Option<BusinessType>,
    pub sort: CompanySort,
    pub order: SortOrder,
}

row! {
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct ListedCompany {
        pub id: BusinessId = "b.id",
        pub name: String = "b.name",
        pub trade_name: Option<String> = "b.trade_name",
        pub document: String = "b.document",
        pub business_type: BusinessType = "b.type",
        pub approval: Approval = "b.approval",
        pub created_at: DateTime<Utc> = "b.created_at",
    }
}

impl List for CompanyFilter {
    type Row = ListedCompany;
    const TABLE: &'static str = "business b";

    fn conditions<'a>(&'a self, list: &mut Conditions<'a>) {
        list.equals("b.approval", &self.approval);
        list.equals("b.type", &self.business_type);
        let search = self.search.as_ref();
        match self.sort {
            CompanySort::CreatedAt => list.search(WORDS, search),
            CompanySort::Name => list.search_first(WORDS, search),
        }
    }

    fn counted<'a>(&'a self, list: &mut Conditions<'a>) {
        list.equals("b.approval", &self.approval);
        list.equals("b.type", &self.business_type);
        list.search_first(WORDS, self.search.as_ref());
    }

    fn order(&self) -> Order {
        match self.sort {
            CompanySort::CreatedAt => Order::by(&["b.created_at", "b.id"], self.order),
            CompanySort::Name => Order::by(&["b.name_key", "b.id"], self.order),
        }
    }

    /// A later page skips entries of an index, not rows of the table: its ids are read first.
    fn from(&self, page: &PageSql<'_>) -> String {
        let PageSql {
            conditions,
            order,
            range,
            is_first,
        } = page;
        let page_of = |columns: &str| {
            format!("(SELECT {columns} FROM business b WHERE {conditions} ORDER BY {order} {range})")
        };
        let companies = if *is_first {
            page_of("*") + " AS b"
        } else {
            page_of("b.id") + " AS page JOIN business b USING (id)"
        };
        format!("{companies} ORDER BY {order}")
    }
}
