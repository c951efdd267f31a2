//! Lists admin users: one page, all in batches, or one user. Sorts by name, without case and accents.

use chrono::{DateTime, Utc};
use ledger_domain::ids::UserId;
use projections::{COUNT_LIMIT, ExportPage, Order, Page, Paging};
use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{Error, GenericClient, Row};

use super::pages::{UserCursor, sort_order};
use super::search::Search;
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
    pub order: Order,
}

/// The filter's SQL parameters `$1` to `$4`.
struct FilterParameters {
    active: Option<bool>,
    roles: Vec<&'static str>,
    name: Option<String>,
    email: Option<String>,
}

/// The planner removes conditions on null parameters, so one statement serves every filter.
macro_rules! admin_filter {
    () => {
        "deleted_at IS NULL
     AND ($1::bool IS NULL OR active = $1)
     AND (cardinality($2::text[]) = 0 OR roles && $2)
     AND ($3::text IS NULL OR strpos(name_key, $3) > 0 OR strpos(email, $4) > 0)"
    };
}

macro_rules! admin_columns {
    () => {
        "u.id, u.name, u.email, u.active, u.roles, u.email_verified_at IS NOT NULL, u.created_at, u.name_key,
         (SELECT at FROM audit_trail
           WHERE subject = 'admin_user' AND subject_id = 'usr_' || u.id::text AND action = 'sign-in'
           ORDER BY audit_trail.id DESC LIMIT 1)"
    };
}

impl FilterParameters {
    fn of(filter: &AdminFilter) -> Self {
        let search = filter.search.as_ref();
        Self {
            active: filter.active,
            roles: filter.roles.iter().map(|role| role.as_str()).collect(),
            name: search.map(|search| search.name.clone()),
            email: search.map(|search| search.email.clone()),
        }
    }

    fn parameters(&self) -> Vec<(&(dyn ToSql + Sync), Type)> {
        vec![
            (&self.active, Type::BOOL),
            (&self.roles, Type::TEXT_ARRAY),
            (&self.name, Type::TEXT),
            (&self.email, Type::TEXT),
        ]
    }
}

/// One page by number, and the total (counted up to 10,000).
pub async fn admin_list(
    client: &impl GenericClient,
    filter: &AdminFilter,
    paging: Paging,
) -> Result<Page<AdminRecord>, Error> {
    let columns = FilterParameters::of(filter);
    let (limit, offset) = paging.within_total();
    let rows = select(client, &columns, filter.order, None, limit, offset).await?;
    let mut parameters = columns.parameters();
    parameters.push((&COUNT_LIMIT, Type::INT8));
    let total = client
        .query_typed_one(
            concat!(
                "SELECT count(*) FROM (SELECT FROM admin_user WHERE ",
                admin_filter!(),
                " LIMIT $5) AS found"
            ),
            &parameters,
        )
        .await?;
    Ok(Page::numbered(rows, total.get(0)))
}

/// At most `limit` users after the cursor.
pub async fn admin_export_page(
    client: &impl GenericClient,
    filter: &AdminFilter,
    after: Option<UserCursor>,
    limit: u32,
) -> Result<ExportPage<AdminRecord, UserCursor>, Error> {
    let limit = i64::from(limit);
    let rows = select(
        client,
        &FilterParameters::of(filter),
        filter.order,
        after,
        limit,
        0,
    )
    .await?;
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

/// Counts the active owners and admins, of which at least one each must remain.
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
    columns: &FilterParameters,
    order: Order,
    after: Option<UserCursor>,
    limit: i64,
    offset: i64,
) -> Result<Vec<AdminRecord>, Error> {
    let (direction, beyond) = sort_order(order);
    let sql = format!(
        "SELECT {columns}
           FROM (SELECT id FROM admin_user
                  WHERE {filter} AND ($7::text IS NULL OR (name_key, id) {beyond} ($7, $8))
                  ORDER BY name_key {direction}, id {direction} LIMIT $5 OFFSET $6) AS page
           JOIN admin_user u USING (id)
          ORDER BY u.name_key {direction}, u.id {direction}",
        columns = admin_columns!(),
        filter = admin_filter!(),
    );
    let (name_key, id) = after.map(|cursor| (cursor.name_key, cursor.id.uuid())).unzip();
    let mut parameters = columns.parameters();
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

/// The column's constraint admits no other names.
pub(super) fn roles_of_column(names: Vec<&str>) -> Vec<AdminRole> {
    names.into_iter().filter_map(AdminRole::parse).collect()
}
