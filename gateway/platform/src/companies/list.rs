//! The list of companies for staff: one page, or all in batches. Each sort order has three indexes: without a
//! filter, by approval and by type.

use chrono::{DateTime, Utc};
use ledger_domain::BusinessId;
use projections::{CountLimit, ExportPage, Page, Paging, SortOrder};
use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{Error, GenericClient, Row};

use super::approval::Approval;
use crate::columns;
use crate::word_search::{WordSearch, WordTable};

const WORDS: WordTable = WordTable {
    table: "business_word",
    id: "business_id",
    row: "b.id",
};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum CompanySort {
    #[default]
    CreatedAt,
    Name,
}

/// Selects companies. A missing criterion does not restrict.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CompanyFilter {
    pub search: Option<WordSearch>,
    pub approval: Option<Approval>,
    /// Natural persons (PF) or legal entities (PJ).
    pub is_person: Option<bool>,
    pub sort: CompanySort,
    pub order: SortOrder,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedCompany {
    pub id: BusinessId,
    pub name: String,
    pub trade_name: Option<String>,
    pub document: String,
    pub is_person: bool,
    pub approval: Approval,
    pub created_at: DateTime<Utc>,
    /// The name in lower case and without accents, by which `CompanySort::Name` sorts. For the cursor.
    name_key: String,
}

/// The position of a batch's last row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CompanyCursor {
    name_key: String,
    created_at: DateTime<Utc>,
    id: BusinessId,
}

/// One page by number, and the total as far as it is counted.
pub async fn company_list(
    client: &impl GenericClient,
    filter: &CompanyFilter,
    paging: Paging,
) -> Result<Page<ListedCompany>, Error> {
    let counting = CountLimit::when_searching(filter.search.is_some());
    let (limit, offset) = counting.range(paging);
    let rows = select(client, filter, None, limit, offset).await?;
    let statement = Statement::found_first(filter);
    let list = format!("business b WHERE {}", statement.conditions);
    counting
        .counted_page(client, rows, &list, statement.parameters())
        .await
}

/// At most `limit` companies after the cursor. The time does not grow with the position.
pub async fn company_batch(
    client: &impl GenericClient,
    filter: &CompanyFilter,
    after: Option<CompanyCursor>,
    limit: u32,
) -> Result<ExportPage<ListedCompany, CompanyCursor>, Error> {
    let limit = i64::from(limit);
    let rows = select(client, filter, after, limit, 0).await?;
    Ok(ExportPage::of(rows, limit, |last| CompanyCursor {
        name_key: last.name_key.clone(),
        created_at: last.created_at,
        id: last.id,
    }))
}

/// The filter's conditions and its SQL parameters `$1` to `$3`.
struct Statement {
    conditions: String,
    approval: Option<&'static str>,
    kind: Option<&'static str>,
    terms: Option<Vec<String>>,
}

impl Statement {
    /// Finds the companies of a search first. Counts and pages by name need it (`condition_found_first`).
    fn found_first(filter: &CompanyFilter) -> Self {
        Self::searching(filter, WORDS.condition_found_first(filter.search.as_ref(), "$3"))
    }

    /// For rows in the list's order. By creation, the planner may begin with the search or with the order.
    fn in_order(filter: &CompanyFilter) -> Self {
        match filter.sort {
            CompanySort::CreatedAt => Self::searching(filter, WORDS.condition(filter.search.as_ref(), "$3")),
            CompanySort::Name => Self::found_first(filter),
        }
    }

    fn searching(filter: &CompanyFilter, search: String) -> Self {
        Self {
            conditions: format!(
                "($1::text IS NULL OR b.approval = $1) AND ($2::text IS NULL OR b.type = $2) AND {search}"
            ),
            approval: filter.approval.map(Approval::as_str),
            kind: filter.is_person.map(|person| if person { "PF" } else { "PJ" }),
            terms: WordSearch::terms(filter.search.as_ref()),
        }
    }

    fn parameters(&self) -> Vec<(&(dyn ToSql + Sync), Type)> {
        vec![
            (&self.approval, Type::TEXT),
            (&self.kind, Type::TEXT),
            (&self.terms, Type::TEXT_ARRAY),
        ]
    }
}

async fn select(
    client: &impl GenericClient,
    filter: &CompanyFilter,
    after: Option<CompanyCursor>,
    limit: i64,
    offset: i64,
) -> Result<Vec<ListedCompany>, Error> {
    let statement = Statement::in_order(filter);
    let (direction, operator) = match filter.order {
        SortOrder::Asc => ("ASC", ">"),
        SortOrder::Desc => ("DESC", "<"),
    };
    let (key, cursor) = match filter.sort {
        CompanySort::CreatedAt => ("b.created_at", "$6::timestamptz"),
        CompanySort::Name => ("b.name_key", "$7::text"),
    };
    let found = |columns: &str| {
        format!(
            "(SELECT {columns} FROM business b
               WHERE {conditions} AND ($8::uuid IS NULL OR ({key}, b.id) {operator} ({cursor}, $8))
               ORDER BY {key} {direction}, b.id {direction} LIMIT $4 OFFSET $5)",
            conditions = statement.conditions,
        )
    };
    // A later page skips entries of an index, not rows of the table: its ids are read first.
    let rows = if offset > 0 {
        found("b.id") + " AS page JOIN business b USING (id)"
    } else {
        found("*") + " AS b"
    };
    let sql = format!(
        "SELECT b.id, b.name, b.trade_name, b.document, b.type = 'PF', b.approval, b.created_at, b.name_key
           FROM {rows}
          ORDER BY {key} {direction}, b.id {direction}"
    );
    let (created_at, name_key, id) = match after {
        Some(after) => (
            Some(after.created_at),
            Some(after.name_key),
            Some(after.id.uuid()),
        ),
        None => (None, None, None),
    };
    let mut parameters = statement.parameters();
    parameters.extend([
        (&limit as &(dyn ToSql + Sync), Type::INT8),
        (&offset, Type::INT8),
        (&created_at, Type::TIMESTAMPTZ),
        (&name_key, Type::TEXT),
        (&id, Type::UUID),
    ]);
    let rows = client.query_typed(&sql, &parameters).await?;
    rows.iter().map(listed).collect()
}

fn listed(row: &Row) -> Result<ListedCompany, Error> {
    Ok(ListedCompany {
        id: BusinessId::from_uuid(row.get(0)),
        name: row.get(1),
        trade_name: row.get(2),
        document: row.get(3),
        is_person: row.get(4),
        approval: columns::read(row, 5)?,
        created_at: row.get(6),
        name_key: row.get(7),
    })
}
