//! The list of messages: one page, or all in batches. Each filter has an index in the order of the list.

use chrono::{DateTime, Utc};
use ledger_domain::BusinessId;
use ledger_domain::ids::UserId;
use projections::{COUNT_LIMIT, ExportPage, Order, Page, Paging};
use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{Error, GenericClient};
use uuid::Uuid;

use super::records::{columns, message, tables};
use super::{ContactMessage, ContactSearch, ContactState};

/// Selects messages. A missing criterion does not restrict.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ContactFilter {
    /// Only messages of this user, about companies to which the user has access now.
    pub seller: Option<UserId>,
    pub business_id: Option<BusinessId>,
    pub state: Option<ContactState>,
    pub search: Option<ContactSearch>,
    pub order: Order,
}

/// The position of a batch's last row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ContactCursor {
    created_at: DateTime<Utc>,
    id: Uuid,
}

/// One page by number, and the total (counted up to 10,000).
pub async fn contact_list(
    client: &impl GenericClient,
    filter: &ContactFilter,
    paging: Paging,
) -> Result<Page<ContactMessage>, Error> {
    let (limit, offset) = paging.within_total();
    let rows = select(client, filter, None, limit, offset).await?;
    let statement = Statement::of(filter);
    let sql = format!(
        "SELECT count(*) FROM (SELECT FROM contact_message m WHERE {} LIMIT $6) AS found",
        statement.conditions
    );
    let mut parameters = statement.parameters();
    parameters.push((&COUNT_LIMIT, Type::INT8));
    let found = client.query_typed_one(&sql, &parameters).await?.get(0);
    Ok(Page::numbered(rows, found))
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

/// The filter's conditions and its SQL parameters `$1` to `$5`.
struct Statement {
    conditions: String,
    seller: Option<Uuid>,
    business: Option<Uuid>,
    state: Option<&'static str>,
    first_term: Option<String>,
    terms: Vec<String>,
}

impl Statement {
    fn of(filter: &ContactFilter) -> Self {
        let terms = filter.search.as_ref().map(|search| search.terms.clone());
        // PostgreSQL needs every parameter in the statement.
        let searched = match &terms {
            None => "$4::text IS NULL AND $5::text[] IS NOT NULL",
            Some(terms) if terms.is_empty() => "$4::text IS NOT NULL AND $5::text[] IS NOT NULL",
            Some(_) => {
                "m.id IN (SELECT message_id FROM contact_message_word WHERE word >= $4 AND word < $4 || '~')
             AND NOT EXISTS (
                 SELECT FROM unnest($5::text[]) AS asked (term)
                  WHERE NOT EXISTS (SELECT FROM contact_message_word w
                                     WHERE w.message_id = m.id AND w.word >= term AND w.word < term || '~'))"
            }
        };
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
            first_term: terms.as_ref().and_then(|terms| terms.first().cloned()),
            terms: terms.unwrap_or_default(),
        }
    }

    fn parameters(&self) -> Vec<(&(dyn ToSql + Sync), Type)> {
        vec![
            (&self.seller, Type::UUID),
            (&self.business, Type::UUID),
            (&self.state, Type::TEXT),
            (&self.first_term, Type::TEXT),
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
    let (direction, beyond) = match filter.order {
        Order::Asc => ("ASC", ">"),
        Order::Desc => ("DESC", "<"),
    };
    let sql = format!(
        "SELECT {columns} FROM {tables}
          WHERE {conditions} AND ($8::uuid IS NULL OR (m.created_at, m.id) {beyond} ($9, $8))
          ORDER BY m.created_at {direction}, m.id {direction} LIMIT $6 OFFSET $7",
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
    Ok(rows.iter().map(message).collect())
}
