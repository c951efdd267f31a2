//! The list of messages: one page, or all in batches. The filters by user, company and state each have an index in the
//! order of the list.

use chrono::{DateTime, Utc};
use gateway_platform::word_search::{WordSearch, WordTable};
use ledger_domain::BusinessId;
use ledger_domain::ids::UserId;
use projections::{CountLimit, ExportPage, Page, Paging, SortOrder};
use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{Error, GenericClient};
use uuid::Uuid;

use super::records::{columns, message, tables};
use super::{ContactMessage, ContactState};

const WORDS: WordTable = WordTable {
    table: "contact_message_word",
    id: "message_id",
    row: "m.id",
};

/// Selects messages. A missing criterion does not restrict.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ContactFilter {
    /// Only messages of this user, about companies to which the user has access now.
    pub seller: Option<UserId>,
    pub business_id: Option<BusinessId>,
    pub state: Option<ContactState>,
    pub search: Option<WordSearch>,
    pub order: SortOrder,
}

/// The position of a batch's last row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ContactCursor {
    created_at: DateTime<Utc>,
    id: Uuid,
}

/// One page by number, and the total as far as it is counted.
pub async fn contact_list(
    client: &impl GenericClient,
    filter: &ContactFilter,
    paging: Paging,
) -> Result<Page<ContactMessage>, Error> {
    let counting = CountLimit::when_searching(filter.search.is_some());
    let (limit, offset) = counting.range(paging);
    let rows = select(client, filter, None, limit, offset).await?;
    let statement = Statement::of(filter);
    let list = format!("contact_message m WHERE {}", statement.conditions);
    counting
        .counted_page(client, rows, &list, statement.parameters())
        .await
}

/// At most `limit` messages after the cursor.
pub async fn contact_batch(
    client: &impl GenericClient,
    filter: &ContactFilter,
    after: Option<ContactCursor>,
    limit: u32,
) -> Result<ExportPage<ContactMessage, ContactCursor>, Error> {
    let limit = i64::from(limit);
    let rows = select(client, filter, after, limit, 0).await?;
    Ok(ExportPage::of(rows, limit, |last| ContactCursor {
        created_at: last.created_at,
        id: last.id,
    }))
}

/// The filter's conditions and its SQL parameters `$1` to `$4`.
struct Statement {
    conditions: String,
    seller: Option<Uuid>,
    business: Option<Uuid>,
    state: Option<&'static str>,
    terms: Option<Vec<String>>,
}

impl Statement {
    fn of(filter: &ContactFilter) -> Self {
        let searched = WORDS.condition(filter.search.as_ref(), "$4");
        Self {
            conditions: format!(
                "($1::uuid IS NULL OR m.seller_id = $1 AND EXISTS (
                     SELECT FROM business_access a WHERE a.seller_id = $1 AND a.business_id = m.business_id))
             AND ($2::uuid IS NULL OR m.business_id = $2)
             AND ($3::text IS NULL OR m.state = $3) AND {searched}"
            ),
            seller: filter.seller.map(UserId::uuid),
            business: filter.business_id.map(|id| id.uuid()),
            state: filter.state.map(ContactState::as_str),
            terms: WordSearch::terms(filter.search.as_ref()),
        }
    }

    fn parameters(&self) -> Vec<(&(dyn ToSql + Sync), Type)> {
        vec![
            (&self.seller, Type::UUID),
            (&self.business, Type::UUID),
            (&self.state, Type::TEXT),
            (&self.terms, Type::TEXT_ARRAY),
        ]
    }
}

async fn select(
    client: &impl GenericClient,
    filter: &ContactFilter,
    after: Option<ContactCursor>,
    limit: i64,
    offset: i64,
) -> Result<Vec<ContactMessage>, Error> {
    let statement = Statement::of(filter);
    let (direction, operator) = match filter.order {
        SortOrder::Asc => ("ASC", ">"),
        SortOrder::Desc => ("DESC", "<"),
    };
    let sql = format!(
        "SELECT {columns} FROM {tables}
          WHERE {conditions} AND ($7::uuid IS NULL OR (m.created_at, m.id) {operator} ($8, $7))
          ORDER BY m.created_at {direction}, m.id {direction} LIMIT $5 OFFSET $6",
        columns = columns!(),
        tables = tables!(),
        conditions = statement.conditions,
    );
    let (id, created_at) = (after.map(|after| after.id), after.map(|after| after.created_at));
    let mut parameters = statement.parameters();
    parameters.extend([
        (&limit as &(dyn ToSql + Sync), Type::INT8),
        (&offset, Type::INT8),
        (&id, Type::UUID),
        (&created_at, Type::TIMESTAMPTZ),
    ]);
    let rows = client.query_typed(&sql, &parameters).await?;
    rows.iter().map(message).collect()
}
