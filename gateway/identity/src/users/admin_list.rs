//! Lists admin users: one page, all in batches, or one user. Sorts by name, without case and accents.

use chrono::{DateTime, Utc};
use gateway_platform::word_search::WordSearch;
use ledger_domain::ids::UserId;
use projections::{CountLimit, ExportPage, Page, Paging, SortOrder};
use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{Error, GenericClient, Row};

use super::pages::{UserCursor, sort_order};
use super::search::{ADMIN_WORDS, Search};
use super::staff_rules::{ActiveCounts, StaffStatus};
use crate::roles::AdminRole;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AdminRecord {
    pub id: UserId,
    pub name: String,
    pub email: String,
    pub staff_status: StaffStatus,
    pub email_verified: bool,
    pub created_at: DateTime<Utc>,
    pub last_sign_in_at: Option<DateTime<Utc>>,
    name_key: String,
}

/// Selects admin users. A missing or empty criterion does not restrict.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct AdminFilter {
    /// Users with at least one of these roles.
    pub roles: Vec<AdminRole>,
    pub search: Option<Search>,
    pub active: Option<bool>,
    pub order: SortOrder,
}

/// The filter's conditions and its SQL parameters `$1` to `$3`.
struct Statement {
    conditions: String,
    active: Option<bool>,
    roles: Vec<&'static str>,
    terms: Option<Vec<String>>,
}

macro_rules! admin_columns {
    () => {
        "u.id, u.name, u.email, u.active, u.roles, u.email_verified_at IS NOT NULL, u.created_at, u.name_key,
         (SELECT at FROM audit_trail
           WHERE subject = 'admin_user' AND subject_id = 'usr_' || u.id::text AND action = 'sign-in'
           ORDER BY audit_trail.id DESC LIMIT 1)"
    };
}

impl Statement {
    fn of(filter: &AdminFilter) -> Self {
        let words = filter.search.as_ref().map(|Search(words)| words);
        Self {
            // The planner removes conditions on null parameters.
            conditions: format!(
                "u.deleted_at IS NULL
             AND ($1::bool IS NULL OR u.active = $1)
             AND (cardinality($2::text[]) = 0 OR u.roles && $2)
             AND {}",
                ADMIN_WORDS.condition(words, "$3")
            ),
            active: filter.active,
            roles: filter.roles.iter().map(|role| role.as_str()).collect(),
            terms: WordSearch::terms(words),
        }
    }

    fn parameters(&self) -> Vec<(&(dyn ToSql + Sync), Type)> {
        vec![
            (&self.active, Type::BOOL),
            (&self.roles, Type::TEXT_ARRAY),
            (&self.terms, Type::TEXT_ARRAY),
        ]
    }
}

/// One page by number, and the total as far as it is counted.
pub async fn admin_list(
    client: &impl GenericClient,
    filter: &AdminFilter,
    paging: Paging,
) -> Result<Page<AdminRecord>, Error> {
    let counting = CountLimit::when_searching(filter.search.is_some());
    let (limit, offset) = counting.range(paging);
    let rows = select(client, filter, None, limit, offset).await?;
    let statement = Statement::of(filter);
    let list = format!("admin_user u WHERE {}", statement.conditions);
    counting
        .counted_page(client, rows, &list, statement.parameters())
        .await
}

/// At most `limit` users after the cursor.
pub async fn admin_export_page(
    client: &impl GenericClient,
    filter: &AdminFilter,
    after: Option<UserCursor>,
    limit: u32,
) -> Result<ExportPage<AdminRecord, UserCursor>, Error> {
    let limit = i64::from(limit);
    let rows = select(client, filter, after, limit, 0).await?;
    Ok(ExportPage::of(rows, limit, |last| UserCursor {
        name_key: last.name_key.clone(),
        id: last.id,
    }))
}

/// Finds a user who is not deleted.
pub async fn admin_record(client: &impl GenericClient, admin: UserId) -> Result<Option<AdminRecord>, Error> {
    let row = client
        .query_typed_opt(
            concat!(
                "SELECT ",
                admin_columns!(),
                " FROM admin_user u WHERE u.id = $1 AND u.deleted_at IS NULL"
            ),
            &[(&admin.uuid(), Type::UUID)],
        )
        .await?;
    Ok(row.as_ref().map(record))
}

/// Also true for deleted users, because their history stays.
pub async fn admin_ever_existed(client: &impl GenericClient, admin: UserId) -> Result<bool, Error> {
    let row = client
        .query_typed_opt(
            "SELECT FROM admin_user WHERE id = $1",
            &[(&admin.uuid(), Type::UUID)],
        )
        .await?;
    Ok(row.is_some())
}

/// Counts the active owners and the active admins. At least one of each must remain.
pub async fn admin_active_counts(client: &impl GenericClient) -> Result<ActiveCounts, Error> {
    let row = client
        .query_typed_one(
            "SELECT count(*) FILTER (WHERE 'owner' = ANY (roles)), count(*) FILTER (WHERE 'admin' = ANY (roles))
               FROM admin_user WHERE active",
            &[],
        )
        .await?;
    let count = |place| usize::try_from(row.get::<_, i64>(place)).unwrap_or_default();
    Ok(ActiveCounts {
        owners: count(0),
        admins: count(1),
    })
}

async fn select(
    client: &impl GenericClient,
    filter: &AdminFilter,
    after: Option<UserCursor>,
    limit: i64,
    offset: i64,
) -> Result<Vec<AdminRecord>, Error> {
    let statement = Statement::of(filter);
    let (direction, operator) = sort_order(filter.order);
    let sql = format!(
        "SELECT {columns}
           FROM (SELECT u.id FROM admin_user u
                  WHERE {conditions} AND ($6::text IS NULL OR (u.name_key, u.id) {operator} ($6, $7))
                  ORDER BY u.name_key {direction}, u.id {direction} LIMIT $4 OFFSET $5) AS page
           JOIN admin_user u USING (id)
          ORDER BY u.name_key {direction}, u.id {direction}",
        columns = admin_columns!(),
        conditions = statement.conditions,
    );
    let (name_key, id) = after.map(|cursor| (cursor.name_key, cursor.id.uuid())).unzip();
    let mut parameters = statement.parameters();
    parameters.extend([
        (&limit as &(dyn ToSql + Sync), Type::INT8),
        (&offset, Type::INT8),
        (&name_key, Type::TEXT),
        (&id, Type::UUID),
    ]);
    let rows = client.query_typed(&sql, &parameters).await?;
    Ok(rows.iter().map(record).collect())
}

fn record(row: &Row) -> AdminRecord {
    AdminRecord {
        id: UserId::from_uuid(row.get(0)),
        name: row.get(1),
        email: row.get(2),
        staff_status: StaffStatus {
            active: row.get(3),
            roles: roles_of_column(row.get(4)),
        },
        email_verified: row.get(5),
        created_at: row.get(6),
        name_key: row.get(7),
        last_sign_in_at: row.get(8),
    }
}

/// Leaves out roles that only a newer version of the program knows, so that they permit nothing.
pub(super) fn roles_of_column(names: Vec<&str>) -> Vec<AdminRole> {
    names.into_iter().filter_map(AdminRole::parse).collect()
}
