//! The list of admin users, or one of them. Sorts by name, without case and accents.

use chrono::{DateTime, Utc};
use gateway_platform::list::{Conditions, List, Order, PageSql};
use ledger_domain::ids::UserId;
use ledger_rows::{FromRow, fetch_opt, get, params, value};
use projections::SortOrder;
use tokio_postgres::{Error, GenericClient, Row};

use super::search::{ADMIN_WORDS, Search, page_of_users};
use super::staff_rules::{ActiveCounts, StaffStatus};
use crate::credentials::account::{PendingEmail, pending_email_columns};
use crate::roles::AdminRole;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AdminRecord {
    pub id: UserId,
    pub name: String,
    pub email: String,
    pub staff_status: StaffStatus,
    pub email_verified: bool,
    pub pending_email: PendingEmail,
    /// Another user set the password.
    pub password_provisional: bool,
    pub created_at: DateTime<Utc>,
    pub last_sign_in_at: Option<DateTime<Utc>>,
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

impl FromRow for AdminRecord {
    const COLUMNS: &'static str = concat!(
        "u.id, u.name, u.email, u.active, u.roles, u.email_verified_at IS NOT NULL AS email_verified, u.created_at,
         (SELECT at FROM audit_log
           WHERE subject = 'admin_user' AND subject_id = 'usr_' || u.id::text AND action = 'sign-in'
           ORDER BY audit_log.id DESC LIMIT 1) AS last_sign_in_at,
         u.password_provisional, ",
        pending_email_columns!("admin")
    );

    fn from_row(row: &Row) -> Result<Self, Error> {
        Ok(Self {
            id: get(row, "id")?,
            name: get(row, "name")?,
            email: get(row, "email")?,
            staff_status: StaffStatus {
                active: get(row, "active")?,
                roles: roles_of_column(row.try_get("roles")?),
            },
            email_verified: get(row, "email_verified")?,
            pending_email: PendingEmail::of(row)?,
            password_provisional: get(row, "password_provisional")?,
            created_at: get(row, "created_at")?,
            last_sign_in_at: get(row, "last_sign_in_at")?,
        })
    }
}

impl List for AdminFilter {
    type Row = AdminRecord;
    const TABLE: &'static str = "admin_user u";

    fn conditions<'a>(&'a self, list: &mut Conditions<'a>) {
        list.and("u.deleted_at IS NULL");
        list.equals("u.active", &self.active);
        if !self.roles.is_empty() {
            let roles = list.parameter(&self.roles);
            list.and(format!("u.roles && {roles}"));
        }
        list.search(ADMIN_WORDS, self.search.as_ref().map(|Search(words)| words));
    }

    fn order(&self) -> Order {
        Order::by(&["u.name_key", "u.id"], self.order)
    }

    fn from(&self, page: &PageSql<'_>) -> String {
        page_of_users(Self::TABLE, page)
    }
}

/// Finds a user who is not deleted.
pub async fn admin_record(client: &impl GenericClient, admin: UserId) -> Result<Option<AdminRecord>, Error> {
    let sql = AdminFilter::select("WHERE u.id = $1 AND u.deleted_at IS NULL");
    fetch_opt(client, &sql, params![admin]).await
}

/// Also true for deleted users, because their history stays.
pub async fn admin_ever_existed(client: &impl GenericClient, admin: UserId) -> Result<bool, Error> {
    let sql = "SELECT EXISTS (SELECT FROM admin_user WHERE id = $1)";
    value(client, sql, params![admin]).await
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

/// Leaves out roles that only a newer version of the program knows, so that they permit nothing.
pub(super) fn roles_of_column(names: Vec<&str>) -> Vec<AdminRole> {
    let known = names.into_iter().map(AdminRole::parse);
    known.filter_map(Result::ok).collect()
}
