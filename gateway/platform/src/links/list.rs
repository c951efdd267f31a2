//! Lists of links: one page, or all in batches. Every sort order and every filter has an index (migration 0007).

use chrono::{DateTime, Utc};
use ledger_domain::calendar::Date;
use ledger_domain::{BusinessId, Cents, PaymentLinkId};
use ledger_rows::FromRow;
use projections::{CountLimit, ExportPage, Page, Paging, SortOrder, TimeRange};
use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{Error, GenericClient};

use super::{LinkStatus, PaymentLink};
use crate::word_search::WordSearch;

/// Selects links. A missing criterion does not restrict.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinkFilter {
    pub business_id: Option<BusinessId>,
    pub search: Option<WordSearch>,
    /// The status on `today`.
    pub status: Option<LinkStatus>,
    pub today: Date,
    /// The time of creation.
    pub range: TimeRange,
    pub sort: LinkSort,
    pub order: SortOrder,
}

ledger_domain::words! {
    #[derive(Default)]
    pub enum LinkSort {
        #[default]
        CreatedAt = "created_at",
        /// A link whose buyer chooses the amount counts as zero.
        Amount = "amount",
    }
}

/// The position of a batch's last row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LinkCursor {
    created_at: DateTime<Utc>,
    amount: Cents,
    id: PaymentLinkId,
}

/// The values of a filter as SQL takes them.
struct Values {
    business: Option<uuid::Uuid>,
    terms: Option<Vec<String>>,
    first_term: Option<String>,
    after: Option<(i64, DateTime<Utc>, uuid::Uuid)>,
}

impl Values {
    fn of(filter: &LinkFilter, after: Option<LinkCursor>) -> Self {
        let terms = WordSearch::terms_of(filter.search.as_ref());
        Self {
            business: filter.business_id.map(BusinessId::uuid),
            first_term: terms.as_ref().and_then(|terms| terms.first().cloned()),
            terms,
            after: after.map(|after| (after.amount.get(), after.created_at, after.id.uuid())),
        }
    }
}

/// A filter's SQL: only the conditions that restrict, so that the planner sees which index serves them.
struct Conditions<'a> {
    sql: String,
    parameters: Vec<(&'a (dyn ToSql + Sync), Type)>,
}

impl<'a> Conditions<'a> {
    fn of(filter: &'a LinkFilter, values: &'a Values) -> Self {
        let mut conditions = Self {
            sql: "true".to_owned(),
            parameters: vec![],
        };
        if let Some(business) = &values.business {
            let index = conditions.parameter(business, Type::UUID);
            conditions.and(&format!("l.business_id = ${index}"));
        }
        conditions.search(values);
        conditions.status(filter);
        if let Some(from) = &filter.range.from {
            let index = conditions.parameter(from, Type::TIMESTAMPTZ);
            conditions.and(&format!("l.created_at >= ${index}"));
        }
        if let Some(until) = &filter.range.until {
            let index = conditions.parameter(until, Type::TIMESTAMPTZ);
            conditions.and(&format!("l.created_at < ${index}"));
        }
        if let Some((amount, created_at, id)) = &values.after {
            let operator = match filter.order {
                SortOrder::Asc => ">",
                SortOrder::Desc => "<",
            };
            let (column, index) = match filter.sort {
                LinkSort::CreatedAt => (
                    "l.created_at",
                    conditions.parameter(created_at, Type::TIMESTAMPTZ),
                ),
                LinkSort::Amount => (AMOUNT, conditions.parameter(amount, Type::INT8)),
            };
            let id = conditions.parameter(id, Type::UUID);
            conditions.and(&format!("({column}, l.id) {operator} (${index}, ${id})"));
        }
        conditions
    }

    /// The first term is the longest one. It is looked up first, because it is likely to select the fewest links. A
    /// search without a term finds nothing.
    fn search(&mut self, values: &'a Values) {
        let Some(terms) = &values.terms else {
            return;
        };
        let Some(first) = &values.first_term else {
            return self.and("false");
        };
        let first = self.parameter(first, Type::TEXT);
        let terms = self.parameter(terms, Type::TEXT_ARRAY);
        let of_company = match &values.business {
            Some(business) => {
                let index = self.parameter(business, Type::UUID);
                format!("business_id = ${index} AND ")
            }
            None => String::new(),
        };
        self.and(&format!(
            "l.id IN (SELECT link_id FROM payment_link_word
                       WHERE {of_company}word >= ${first} AND word < ${first} || '~')
             AND NOT EXISTS (
                 SELECT FROM unnest(${terms}::text[]) AS asked (term)
                  WHERE NOT EXISTS (SELECT FROM payment_link_word w
                                     WHERE w.link_id = l.id AND w.word >= term AND w.word < term || '~'))"
        ));
    }

    /// The same rule as `PaymentLink::status`.
    fn status(&mut self, filter: &'a LinkFilter) {
        let Some(status) = filter.status else {
            return;
        };
        let mut today = || self.parameter(&filter.today, Type::DATE);
        let condition = match status {
            LinkStatus::Inactive => "NOT l.active".to_owned(),
            LinkStatus::Expired => {
                format!(
                    "l.active AND l.expires_on IS NOT NULL AND l.expires_on < ${}",
                    today()
                )
            }
            LinkStatus::Exhausted => {
                format!(
                    "l.active AND l.exhausted AND (l.expires_on IS NULL OR l.expires_on >= ${})",
                    today()
                )
            }
            LinkStatus::Active => {
                format!(
                    "l.active AND NOT l.exhausted AND (l.expires_on IS NULL OR l.expires_on >= ${})",
                    today()
                )
            }
        };
        self.and(&condition);
    }

    fn parameter(&mut self, value: &'a (dyn ToSql + Sync), kind: Type) -> usize {
        self.parameters.push((value, kind));
        self.parameters.len()
    }

    fn and(&mut self, condition: &str) {
        self.sql.push_str(" AND ");
        self.sql.push_str(condition);
    }
}

/// The expression of the index `payment_link_by_amount`.
const AMOUNT: &str = "coalesce(l.amount, 0)";

fn sorted_by(filter: &LinkFilter) -> String {
    let direction = match filter.order {
        SortOrder::Asc => "",
        SortOrder::Desc => " DESC",
    };
    let column = match filter.sort {
        LinkSort::CreatedAt => "l.created_at",
        LinkSort::Amount => AMOUNT,
    };
    format!("{column}{direction}, l.id{direction}")
}

/// One page by number, and the total (counted up to 10,000, and up to 1,000 of a search).
pub async fn links_list(
    client: &impl GenericClient,
    filter: &LinkFilter,
    paging: Paging,
) -> Result<Page<PaymentLink>, Error> {
    let counting = CountLimit::when_searching(filter.search.is_some());
    let (limit, offset) = counting.range(paging);
    let rows = select(client, filter, None, limit, offset).await?;
    let values = Values::of(filter, None);
    let Conditions { sql, parameters } = Conditions::of(filter, &values);
    // The order lets an index-only scan serve the count of a filter that restricts little.
    let list = format!("payment_link l WHERE {sql} ORDER BY {}", sorted_by(filter));
    counting.counted_page(client, rows, &list, parameters).await
}

/// At most `limit` links after the cursor.
pub async fn links_batch(
    client: &impl GenericClient,
    filter: &LinkFilter,
    after: Option<LinkCursor>,
    limit: u32,
) -> Result<ExportPage<PaymentLink, LinkCursor>, Error> {
    let limit = i64::from(limit);
    let rows = select(client, filter, after, limit, 0).await?;
    Ok(ExportPage::of(rows, limit, |last| LinkCursor {
        created_at: last.created_at,
        amount: last.fields.amount.unwrap_or(Cents::ZERO),
        id: last.id,
    }))
}

async fn select(
    client: &impl GenericClient,
    filter: &LinkFilter,
    after: Option<LinkCursor>,
    limit: i64,
    offset: i64,
) -> Result<Vec<PaymentLink>, Error> {
    let values = Values::of(filter, after);
    let Conditions { sql, mut parameters } = Conditions::of(filter, &values);
    parameters.push((&limit, Type::INT8));
    parameters.push((&offset, Type::INT8));
    let order = sorted_by(filter);
    let offset_index = parameters.len();
    let found = |columns: &str| {
        format!(
            "(SELECT {columns} FROM payment_link l WHERE {sql} ORDER BY {order} LIMIT ${} OFFSET ${offset_index})",
            offset_index - 1
        )
    };
    // A later page skips entries of an index, not rows of the table: its keys are read first.
    let links = if offset == 0 {
        found("*") + " AS l"
    } else {
        found("l.id") + " AS page JOIN payment_link l USING (id)"
    };
    // The page's links first, so that companies are looked up for them alone.
    let sql = format!(
        "SELECT {} FROM {links} JOIN business b ON b.id = l.business_id ORDER BY {order}",
        PaymentLink::COLUMNS
    );
    let rows = client.query_typed(&sql, &parameters).await?;
    rows.iter().map(PaymentLink::from_row).collect()
}
