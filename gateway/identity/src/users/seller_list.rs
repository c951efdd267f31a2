//! Lists seller users: one page, all in batches, or one user. Sorts by name, without case and accents. Each user has
//! the companies that the user may act for.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use gateway_platform::word_search::WordSearch;
use ledger_domain::BusinessId;
use ledger_domain::ids::UserId;
use projections::{CountLimit, ExportPage, Page, Paging, SortOrder};
use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{Error, GenericClient, Row};
use uuid::Uuid;

use super::authority::Accesses;
use super::pages::{UserCursor, sort_order};
use super::search::{SELLER_WORDS, Search};
use crate::roles::SellerRole;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SellerRecord {
    pub id: UserId,
    pub name: String,
    pub email: String,
    /// CPF without its mask.
    pub document: String,
    pub active: bool,
    pub email_verified: bool,
    pub created_at: DateTime<Utc>,
    pub last_sign_in_at: Option<DateTime<Utc>>,
    /// Sorted by name.
    pub businesses: Vec<AccessRecord>,
    name_key: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AccessRecord {
    pub business_id: BusinessId,
    pub name: String,
    pub role: SellerRole,
    pub granted_at: DateTime<Utc>,
}

/// Selects seller users. A missing or empty criterion does not restrict.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SellerFilter {
    pub business_id: Option<BusinessId>,
    /// The roles in that company. Without a company they do not restrict.
    pub roles: Vec<SellerRole>,
    pub search: Option<Search>,
    pub active: Option<bool>,
    pub order: SortOrder,
}

impl SellerFilter {
    fn words(&self) -> Option<&WordSearch> {
        self.search.as_ref().map(|Search(words)| words)
    }

    /// The condition of the search. A team is small, so the planner may begin with its users. Among all users, those
    /// with the words are found first.
    fn searched(&self) -> String {
        if self.business_id.is_some() {
            SELLER_WORDS.condition(self.words(), "$4")
        } else {
            SELLER_WORDS.condition_found_first(self.words(), "$4")
        }
    }
}

impl SellerRecord {
    pub fn accesses(&self) -> Accesses {
        self.businesses
            .iter()
            .map(|access| (access.business_id, access.role))
            .collect()
    }
}

/// The filter's SQL parameters `$1` to `$4`.
struct FilterParameters {
    active: Option<bool>,
    business: Option<Uuid>,
    roles: Vec<i16>,
    terms: Option<Vec<String>>,
}

/// The users with access to the company. If the filter names roles, only those with one of them.
const TEAM: &str = "business_access a JOIN seller_user u ON u.id = a.seller_id AND a.business_id = $2
                    AND (cardinality($3::int2[]) = 0 OR a.role_id = ANY ($3))";
const ALL_SELLERS: &str = "seller_user u";

/// The planner removes conditions on null parameters.
macro_rules! seller_filter {
    () => {
        "u.deleted_at IS NULL AND ($1::bool IS NULL OR u.active = $1)"
    };
}

macro_rules! seller_columns {
    () => {
        "u.id, u.name, u.email, u.document, u.active, u.email_verified_at IS NOT NULL, u.created_at, u.name_key,
         (SELECT at FROM audit_trail
           WHERE subject = 'seller_user' AND subject_id = 'usr_' || u.id::text AND action = 'sign-in'
           ORDER BY audit_trail.id DESC LIMIT 1)"
    };
}

impl FilterParameters {
    fn of(filter: &SellerFilter) -> Self {
        Self {
            active: filter.active,
            business: filter.business_id.map(BusinessId::uuid),
            roles: filter.roles.iter().map(|role| role.id()).collect(),
            terms: WordSearch::terms(filter.words()),
        }
    }

    const fn from(&self) -> &'static str {
        if self.business.is_some() {
            TEAM
        } else {
            ALL_SELLERS
        }
    }

    fn parameters(&self) -> Vec<(&(dyn ToSql + Sync), Type)> {
        vec![
            (&self.active, Type::BOOL),
            (&self.business, Type::UUID),
            (&self.roles, Type::INT2_ARRAY),
            (&self.terms, Type::TEXT_ARRAY),
        ]
    }
}

/// One page by number, and the total as far as it is counted.
pub async fn seller_list(
    client: &impl GenericClient,
    filter: &SellerFilter,
    paging: Paging,
) -> Result<Page<SellerRecord>, Error> {
    let counting = CountLimit::when_searching(filter.search.is_some());
    let (limit, offset) = counting.range(paging);
    let rows = select(client, filter, None, limit, offset).await?;
    let sql_parameters = FilterParameters::of(filter);
    let list = format!(
        "{from} WHERE {filter} AND {searched}",
        from = sql_parameters.from(),
        filter = seller_filter!(),
        searched = filter.searched(),
    );
    counting
        .counted_page(client, rows, &list, sql_parameters.parameters())
        .await
}

/// At most `limit` users after the cursor.
pub async fn seller_export_page(
    client: &impl GenericClient,
    filter: &SellerFilter,
    after: Option<UserCursor>,
    limit: u32,
) -> Result<ExportPage<SellerRecord, UserCursor>, Error> {
    let limit = i64::from(limit);
    let rows = select(client, filter, after, limit, 0).await?;
    Ok(ExportPage::of(rows, limit, |last| UserCursor {
        name_key: last.name_key.clone(),
        id: last.id,
    }))
}

/// Finds a user who is not deleted.
pub async fn seller_record(
    client: &impl GenericClient,
    seller: UserId,
) -> Result<Option<SellerRecord>, Error> {
    let rows = client
        .query_typed(
            concat!(
                "SELECT ",
                seller_columns!(),
                " FROM seller_user u WHERE u.id = $1 AND u.deleted_at IS NULL"
            ),
            &[(&seller.uuid(), Type::UUID)],
        )
        .await?;
    Ok(with_businesses(client, &rows).await?.pop())
}

/// Also true for deleted users, because their history stays.
pub async fn seller_ever_existed(client: &impl GenericClient, seller: UserId) -> Result<bool, Error> {
    let row = client
        .query_typed_opt(
            "SELECT FROM seller_user WHERE id = $1",
            &[(&seller.uuid(), Type::UUID)],
        )
        .await?;
    Ok(row.is_some())
}

async fn select(
    client: &impl GenericClient,
    filter: &SellerFilter,
    after: Option<UserCursor>,
    limit: i64,
    offset: i64,
) -> Result<Vec<SellerRecord>, Error> {
    let sql_parameters = FilterParameters::of(filter);
    let (direction, operator) = sort_order(filter.order);
    let sql = format!(
        "SELECT {columns}
           FROM (SELECT u.id FROM {from}
                  WHERE {filter} AND {searched} AND ($7::text IS NULL OR (u.name_key, u.id) {operator} ($7, $8))
                  ORDER BY u.name_key {direction}, u.id {direction} LIMIT $5 OFFSET $6) AS page
           JOIN seller_user u USING (id)
          ORDER BY u.name_key {direction}, u.id {direction}",
        columns = seller_columns!(),
        from = sql_parameters.from(),
        filter = seller_filter!(),
        searched = filter.searched(),
    );
    let (name_key, id) = after.map(|cursor| (cursor.name_key, cursor.id.uuid())).unzip();
    let mut parameters = sql_parameters.parameters();
    parameters.extend([
        (&limit as &(dyn ToSql + Sync), Type::INT8),
        (&offset, Type::INT8),
        (&name_key, Type::TEXT),
        (&id, Type::UUID),
    ]);
    let rows = client.query_typed(&sql, &parameters).await?;
    with_businesses(client, &rows).await
}

async fn with_businesses(client: &impl GenericClient, rows: &[Row]) -> Result<Vec<SellerRecord>, Error> {
    let ids: Vec<Uuid> = rows.iter().map(|row| row.get(0)).collect();
    if ids.is_empty() {
        return Ok(vec![]);
    }
    let accesses = client
        .query_typed(
            "SELECT a.seller_id, a.business_id, b.name, a.role_id, a.granted_at
               FROM business_access a JOIN business b ON b.id = a.business_id
              WHERE a.seller_id = ANY ($1)
              ORDER BY folded(b.name), b.id",
            &[(&ids, Type::UUID_ARRAY)],
        )
        .await?;
    let mut businesses: HashMap<Uuid, Vec<AccessRecord>> = HashMap::new();
    for row in &accesses {
        // A role that only a newer version of the program knows is left out.
        let Some(role) = SellerRole::from_id(row.get(3)) else {
            continue;
        };
        let access = AccessRecord {
            business_id: BusinessId::from_uuid(row.get(1)),
            name: row.get(2),
            role,
            granted_at: row.get(4),
        };
        businesses.entry(row.get(0)).or_default().push(access);
    }
    let record = |row: &Row| SellerRecord {
        id: UserId::from_uuid(row.get(0)),
        name: row.get(1),
        email: row.get(2),
        document: row.get(3),
        active: row.get(4),
        email_verified: row.get(5),
        created_at: row.get(6),
        name_key: row.get(7),
        last_sign_in_at: row.get(8),
        businesses: businesses.remove(&row.get::<_, Uuid>(0)).unwrap_or_default(),
    };
    Ok(rows.iter().map(record).collect())
}
